"""Run: one algorithm with all its settings, the unit of every comparison."""

import math
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.core.explorers import REDUCTIONS as REDUCTIONS
from bakeoff.core.explorers import Explorer
from bakeoff.core.random import job_seed
from bakeoff.core.rounds import code_of
from bakeoff.runs import rules
from bakeoff.runs.encodings import DEFAULT_OFFSET, encoding_of, offset_of
from bakeoff.runs.specs import (
    explorer_of,
    fields_text,
    labelled,
    parse,
    parse_fields,
    parse_labelled,
    to_text,
)

RAW, CENTRED = INPUTS = ("raw", "centred")


@dataclass(frozen=True, init=False)
class Run:
    """An explorer, how it learns, what losses it sees, and its seed.

    `explorer` is a spec or settings, and is kept as a full spec. `reduction` is the
    paper's choice unless given. The loss is the true cost plus `offset` (Eq. 7), which
    may also be given as an `encoding` such as "-1/0", the losses of a right and a wrong
    action. The default is -1/0, the paper's advice. With `inputs` "centred", the means
    of the contexts before are taken out of each context (docs/evidence/inputs.md).
    Specs of all explorers may have safeguards for a world that changes: `forget`,
    `explore` and `restart` (docs/reference/beyond-the-paper.md).

    Parameters
    ----------
    explorer
        A spec or settings, or a rule or an explorer of your own.
    reduction
        "ips", "dr", "dr-unweighted" or "iwr".
    learning_rate
        Of the regressions.
    offset
        What the learner sees is cost + offset.
    baseline
        Whether actions share a weight for the common level of losses.
    seed
        Of all draws.
    encoding
        In place of the offset, such as "-1/0".
    inputs
        "raw" or "centred".

    Raises
    ------
    SpecError
        If the run makes no sense.

    Examples
    --------
    >>> Run("cover:nu", encoding="0/1").reduction
    'dr'
    """

    explorer: str
    reduction: str | None = None
    learning_rate: float = 0.5
    offset: float = DEFAULT_OFFSET
    baseline: bool = False
    seed: int = 0
    inputs: str = field(default=RAW, metadata={"quiet": True})

    player: ClassVar[str] = "passes"  # what plays such runs: simulation/player.py

    def __init__(
        self,
        explorer: Any,
        reduction: str | None = None,
        learning_rate: float = 0.5,
        offset: float | None = None,
        baseline: bool = False,
        seed: int = 0,
        *,
        encoding: str | None = None,
        inputs: str = RAW,
    ) -> None:
        explorer = rules.spec_of_users(explorer)
        text = explorer if isinstance(explorer, str) else to_text(explorer)
        settings, label = parse_labelled(text)
        record = explorer_of(settings)
        if reduction is None:
            reduction = record.default_reduction(settings)
        usual = 0.0 if record.sees_all_costs else DEFAULT_OFFSET
        values = (
            labelled(to_text(settings), label),
            reduction,
            _number(learning_rate, "learning_rate"),
            chosen_offset(offset, encoding, usual),
            _flag(baseline, "baseline"),
            _integer(seed, "seed"),
            checked_inputs(inputs),
        )
        for one, value in zip(fields(self), values, strict=True):
            object.__setattr__(self, one.name, value)
        self._check(record, settings)

    def _check(self, record: Explorer, settings: Any) -> None:
        name = record.name
        if self.reduction is not None and self.reduction not in REDUCTIONS:
            hint = did_you_mean(str(self.reduction), REDUCTIONS)
            raise SpecError(f"unknown reduction {self.reduction!r}{hint}")
        if self.reduction is not None and self.reduction not in record.reductions:
            right = " or ".join(record.reductions)
            fix = f"it takes {right}" if right else "it learns in its own way: give none"
            raise SpecError(f"{name!r} does not take reduction {self.reduction!r}; {fix}")
        objection = record.objection(settings, self.reduction)
        if objection:
            raise SpecError(f"{self.explorer!r} {objection}, got {self.reduction!r}")
        if not 1e-30 <= self.learning_rate <= 1e30:  # it is a single-precision number
            raise SpecError(
                f"learning_rate must be positive (1e-30 to 1e30), got {self.learning_rate}"
            )
        if not abs(self.offset) <= 1e5:  # so is a loss, and costs must not drown in it
            raise SpecError(f"offset must lie between -1e5 and 1e5, got {self.offset}")
        if not 0 <= self.seed < 2**63:
            raise SpecError(f"seed must lie between 0 and 2^63 - 1, got {self.seed}")
        if self.baseline and record.own_oracle:
            raise SpecError(f"{name!r} takes no baseline: it has a regression of its own")
        if self.baseline and (record.sees_all_costs or self.reduction == "ips"):
            what = f"{name!r} with reduction 'ips'" if self.reduction else repr(name)
            raise SpecError(f"{what} takes no baseline: it estimates no losses")
        if record.has_log_loss(settings) and self.reduction not in (None, "iwr"):
            raise SpecError(
                f"{self.explorer!r} regresses on costs from 0 to 1, which estimates are not: "
                f"it takes reduction 'iwr', got {self.reduction!r}"
            )
        if record.has_log_loss(settings) and self.baseline:
            raise SpecError(f"{self.explorer!r} takes no baseline: only the squared loss does")
        if record.sees_all_costs and (self.offset, self.seed) != (0, 0):
            raise SpecError(f"offset and seed have no effect on {name!r}: leave them out")

    @property
    def settings(self) -> Any:
        """The explorer's own settings."""
        return parse(self.explorer)

    @property
    def label(self) -> str:
        """Its name in tables: the spec's label, or the paper's short name.

        The name also tells inputs that are not raw, except for the skyline: it is the
        best that supervised learning can do with any of them.
        """
        settings, label = parse_labelled(self.explorer)
        record = explorer_of(settings)
        label = label or record.label(settings)
        return label if record.sees_all_costs else with_inputs(label, self.inputs)

    @property
    def encoding(self) -> str:
        """The losses of a right and a wrong action, such as "-1/0"."""
        return encoding_of(self.offset)

    @property
    def code(self) -> str | None:
        """What plays it, and a hash of its code; None if a user's learner does."""
        return code_of(explorer_of(self.settings), self.inputs == CENTRED)

    @property
    def takes_seed(self) -> bool:
        """Whether a seed makes a difference."""
        return not explorer_of(self.settings).sees_all_costs

    def for_job(self, digest: str, shuffle: int) -> "Run":
        """The run with the seed that an experiment plays it with.

        `digest` is that of the problem as it was loaded, without conditions; `shuffle` is
        the order of its rows. Every algorithm gets the same seed there, and each problem
        and order has another, so a row of a store is played again, bit for bit, by

            simulate(problem, [run], shuffle=shuffle)

        Parameters
        ----------
        digest
            Of the problem.
        shuffle
            The order of its rows.

        Returns
        -------
        Run
            The run with that seed.
        """
        if not self.takes_seed:
            return self
        run = object.__new__(type(self))
        seed = job_seed(self.seed, shuffle, digest)
        vars(run).update(vars(self), seed=seed)  # checked already
        return run

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "rule": rules.packed(self.explorer)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        rules.unpack(state.pop("rule", b""))
        vars(self).update(state)

    def __str__(self) -> str:
        return f"{self.explorer} {fields_text(self, fields(self)[1:])}"

    @classmethod
    def from_text(cls, text: str) -> "Run":
        """The run that `str(run)` describes.

        Parameters
        ----------
        text
            What `str(run)` gives.

        Returns
        -------
        Run
            The run.

        Raises
        ------
        SpecError
            If the text is not a run.

        Examples
        --------
        >>> Run.from_text("greedy learning_rate=3,offset=-1").offset
        -1.0
        """
        explorer, _, rest = text.strip().partition(" ")
        return cls(explorer, **parse_fields(rest, fields(cls)[1:], "run", text))


def checked_inputs(inputs: Any) -> str:
    """The name of a form of inputs, or an error if there is no such form."""
    if inputs not in INPUTS:
        raise SpecError(f"inputs must be raw or centred, got {inputs!r}")
    return str(inputs)


def with_inputs(label: str, inputs: str) -> str:
    """The label of an algorithm with these inputs.

    >>> with_inputs("RO", "centred")
    'RO centred'
    """
    return label if inputs == RAW else f"{label} {inputs}"


def without_inputs(label: str) -> str:
    """The label of the algorithm with raw inputs.

    >>> without_inputs("RO centred")
    'RO'
    """
    return label.removesuffix(f" {CENTRED}")


def chosen_offset(offset: Any, encoding: str | None, usual: float) -> float:
    """The offset that is given, as a number or as an encoding; the usual one if none.

    >>> chosen_offset(None, "0/1", -1.0)
    0.0
    """
    if encoding is None:
        return (usual if offset is None else _number(offset, "offset")) + 0.0  # not -0
    low = offset_of(encoding)
    if offset is not None and _number(offset, "offset") != low:
        raise SpecError(
            f"offset {offset} is encoding {encoding_of(offset)!r}, got {encoding!r} "
            f"too; give one of them"
        )
    return low


def _number(value: Any, what: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise SpecError(f"{what} must be a number, got {value!r}") from None
    if not math.isfinite(number):
        raise SpecError(f"{what} must be finite, got {number}")
    return number


def _flag(value: Any, what: str) -> bool:
    if value not in (True, False):
        raise SpecError(f"{what} must be True or False, got {value!r}")
    return bool(value)


def _integer(value: Any, what: str) -> int:
    try:
        whole = int(value)
    except (TypeError, ValueError, OverflowError):
        raise SpecError(f"{what} must be an integer, got {value!r}") from None
    if whole != value:
        raise SpecError(f"{what} must be an integer, got {value!r}")
    return whole
