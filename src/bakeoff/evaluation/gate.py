"""Gates: conditions on an evaluation, for programs that decide by it.

    dr.low >= logged + 0.01
    snips.value > 0.3

Each side is a number, or `logged` or an estimator with .value (the default), .low or .high, plus
or minus a number.
"""

import operator
import re
from collections.abc import Callable
from typing import NamedTuple

from bakeoff.basics.errors import SpecError
from bakeoff.evaluation.results import Evaluation

_COMPARED: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_SIDE = re.compile(
    r"\s*(?:(?P<name>[a-z][a-z-]*)(?:\.(?P<field>value|low|high))?"
    r"(?:\s*(?P<sign>[+-])\s*(?P<step>\d+(?:\.\d*)?(?:e-?\d+)?))?"
    r"|(?P<number>-?\d+(?:\.\d*)?(?:e-?\d+)?))\s*"
)


class GateResult(NamedTuple):
    """Whether a condition holds, with its numbers."""

    gate: str
    holds: bool
    text: str
    policy: str = ""


def estimators_in(gate: str) -> list[str]:
    """The estimators that a condition names."""
    left, _, right = _parts(gate)
    names = [side["name"] for side in (left, right) if side["name"]]
    return [name for name in names if name != "logged"]


def check_gate(gate: str, evaluation: Evaluation) -> GateResult:
    """Whether a condition holds; it does not if the log cannot answer."""
    left, sign, right = _parts(gate)
    a, b = _number(left, evaluation, gate), _number(right, evaluation, gate)
    text = f"{gate.strip()}: {a:.6g} {sign} {b:.6g}"
    if not evaluation.can_answer:
        text += ", but the log cannot answer"
        return GateResult(gate, False, text, evaluation.policy)
    return GateResult(gate, _COMPARED[sign](a, b), text, evaluation.policy)


def _parts(gate: str) -> tuple[dict[str, str], str, dict[str, str]]:
    sides = re.split(r"(>=|<=|>|<)", gate)
    if len(sides) != 3:
        raise SpecError(f"gate {gate!r}: write it as in 'dr.low >= logged + 0.01'")
    matches = [_SIDE.fullmatch(side) for side in (sides[0], sides[2])]
    for side, match in zip((sides[0], sides[2]), matches, strict=True):
        if match is None:
            raise SpecError(
                f"gate {gate!r}: {side.strip()!r} is neither a number nor an estimate; "
                f"write it as in 'dr.low >= logged + 0.01'"
            )
    left, right = (match.groupdict() for match in matches if match is not None)
    return left, sides[1], right


def _number(side: dict[str, str], evaluation: Evaluation, gate: str) -> float:
    if side["number"]:
        return float(side["number"])
    name = side["name"]
    if name != "logged" and name not in evaluation:
        raise SpecError(f"gate {gate!r}: there is no estimate {name!r}")
    estimate = evaluation.logged if name == "logged" else evaluation[name]
    value = float(getattr(estimate, side["field"] or "value"))
    step = float(side["step"]) if side["step"] else 0.0
    return value - step if side["sign"] == "-" else value + step
