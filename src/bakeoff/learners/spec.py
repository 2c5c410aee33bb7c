"""Specs such as "python:module.Name,alpha=0.1", and the runs that they describe.

    grid(["greedy", "python:mymodule.MyLearner,alpha=0.1"])

Nothing is imported here: a store can be read on a machine that lacks the learner.
"""

from dataclasses import dataclass, fields
from typing import Any, ClassVar, NamedTuple

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import printable
from bakeoff.learners.by_value import packed, unpack
from bakeoff.learners.contract import RUN_SETTINGS
from bakeoff.runs import PREFIX, RAW, Run, is_own


class OwnSpec(NamedTuple):
    """The parts of "python:module.Name,label=mine,key=value,flag"."""

    text: str
    path: str
    label: str  # in tables
    parameters: dict[str, Any]


def parse_own(text: str) -> OwnSpec:
    """Parse the spec of a learner.

    >>> parse_own("python:my.Learner,depth=3,alpha=0.1,lazy").parameters
    {'depth': 3, 'alpha': 0.1, 'lazy': True}
    """
    if not text.isprintable():
        raise SpecError(f"the spec of a learner must be printable text, got {printable(text)}")
    path, *parts = (part.strip() for part in text.strip().split(","))
    if not is_own(path) or "." not in path:
        raise SpecError(f"a learner is named 'python:module.Name', got {text!r}")
    values: dict[str, Any] = {}
    for part in filter(None, parts):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name in values:
            raise SpecError(f"{name!r} is given twice in {text!r}")
        if name in RUN_SETTINGS:
            raise SpecError(f"{name!r} in {text!r} is a setting of the run: leave it out")
        values[name] = _value(value) if equals else True
    label = str(values.pop("label", path.rpartition(".")[2]))
    return OwnSpec(text.strip(), path.removeprefix(PREFIX), label, values)


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)


@dataclass(frozen=True, init=False)
class OwnRun(Run):
    """A run of a user's learner: `explorer` is "python:module.Name,key=value".

    It is a `Run` with a player of its own, so jobs, stores and tables treat all runs alike.
    The learner is imported when it is played.
    """

    player: ClassVar[str] = "own"

    def __init__(
        self,
        explorer: str,
        reduction: str | None = None,
        learning_rate: float = Run.learning_rate,
        offset: float | None = None,
        baseline: bool = False,
        seed: int = Run.seed,
        *,
        encoding: str | None = None,
        inputs: str = RAW,
    ) -> None:
        if inputs != RAW:
            raise SpecError(f"{explorer!r} sees contexts as they are: leave out inputs")
        if reduction is not None or baseline:
            raise SpecError(
                f"{explorer!r} learns in its own way: give no reduction and no baseline"
            )
        checked = Run("greedy", None, learning_rate, offset, baseline, seed, encoding=encoding)
        for field in fields(checked):
            object.__setattr__(self, field.name, getattr(checked, field.name))
        object.__setattr__(self, "explorer", parse_own(explorer).text)
        object.__setattr__(self, "reduction", None)

    @property
    def settings(self) -> Any:
        """Only the paper's algorithms have settings."""
        raise SpecError(
            f"{self.explorer!r} is a learner of your own, which has no settings: use "
            f"simulate(...) or an Experiment to play it"
        )

    @property
    def code(self) -> None:
        """A learner's code is kept for all its results together (see learners/source.py)."""

    @property
    def takes_seed(self) -> bool:
        """The learner gets the seed if it has a parameter for it."""
        return True

    @property
    def label(self) -> str:
        """Its short name in tables: the `label` of the spec, or the learner's name."""
        return parse_own(self.explorer).label

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "value": packed(parse_own(self.explorer).path)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        unpack(parse_own(state["explorer"]).path, state.pop("value", ""))
        vars(self).update(state)

    @classmethod
    def from_text(cls, text: str) -> "OwnRun":
        """The run that `str(run)` describes; values in a spec may contain spaces."""
        explorer, key, rest = text.strip().partition(" learning_rate=")
        settings = Run.from_text(f"greedy{key}{rest}")
        return cls(explorer, None, settings.learning_rate, settings.offset, False, settings.seed)
