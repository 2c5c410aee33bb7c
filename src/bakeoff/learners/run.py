"""Own learners: objects named by import path, played like the paper's algorithms.

    grid(["greedy", "python:mymodule.MyLearner,alpha=0.1"])

A learner has `choose(x) -> (action, probability)` and
`learn(x, action, loss, probability)`; docs/own-learner.md tells the whole contract.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from bakeoff.basics.errors import SpecError
from bakeoff.learners.process import Apart
from bakeoff.learners.spec import parse_own
from bakeoff.runs import Run


@dataclass(frozen=True, init=False)
class OwnRun(Run):
    """A run of somebody's own learner: `explorer` is "python:module.Name,key=value".

    It is a `Run` with a player of its own, so jobs, stores and tables treat all runs
    alike. Nothing is imported before it is played: a store can be read on a machine
    that lacks the learner.
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
    ) -> None:
        if reduction is not None or baseline:
            raise SpecError(
                f"{explorer!r} learns in its own way: give no reduction and no baseline"
            )
        like = Run(  # checks them
            "greedy", None, learning_rate, offset, baseline, seed, encoding=encoding
        )
        for field in fields(like):
            object.__setattr__(self, field.name, getattr(like, field.name))
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
    def takes_seed(self) -> bool:
        """The learner gets one if it asks for it."""
        return True

    @property
    def label(self) -> str:
        """Its short name in tables: the `label` of the spec, or the learner's name."""
        return parse_own(self.explorer).label

    @classmethod
    def from_text(cls, text: str) -> "OwnRun":
        """The run that `str(run)` describes; values in a spec may contain spaces."""
        explorer, key, rest = text.strip().partition(" learning_rate=")
        like = Run.from_text(f"greedy{key}{rest}")
        return cls(explorer, None, like.learning_rate, like.offset, False, like.seed)


@cache
def _taken_by(text: str, *_: str) -> frozenset[str]:
    """Which settings of a run a learner takes; found out in a process of its own."""
    parse_own(text)
    with Apart() as apart:
        return frozenset(apart.ask({"do": "takes", "spec": text}))


def own_runs(
    text: str, rates: Sequence[float], offset: float, seeds: Sequence[int]
) -> list[OwnRun]:
    """Runs of a learner with every learning rate and seed, if it takes them."""
    takes = _taken_by(text, str(Path.cwd()), *sys.path)
    return [
        OwnRun(text, learning_rate=rate, offset=offset, seed=seed)
        for rate in (rates if "learning_rate" in takes else [Run.learning_rate])
        for seed in (seeds if "seed" in takes else [Run.seed])
    ]
