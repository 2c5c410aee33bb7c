"""Jobs: what is computed and stored as a whole.

A job is one problem in one order of rows x the runs of one structure, which share
passes over the data. Its key is made of content (digest of the problem, shuffle, runs),
so that the same work has the same key wherever and whenever it is planned.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bakeoff.problems.problem import Problem
from bakeoff.runs.run import Run
from bakeoff.simulation.lanes import Sizes
from bakeoff.simulation.simulate import player_of

FORMAT = 2  # of results; what was done in another format is not done


@dataclass(frozen=True)
class Facts:
    """What is known of a problem without its data."""

    name: str
    origin: str
    digest: str
    task: str
    n: int
    n_features: int
    n_actions: int
    nonzeros: int
    longest_row: int  # nonzeros, with the bias
    constant_action_cost: float
    uniform_cost: float
    openml_id: int | None = None

    @classmethod
    def of(cls, problem: Problem, origin: str = "") -> "Facts":
        """The facts of a problem."""
        start = problem.contexts.start
        return cls(
            problem.name,
            origin or problem.name,
            problem.digest,
            problem.task,
            problem.n,
            problem.n_features,
            problem.n_actions,
            problem.nonzeros,
            int((start[1:] - start[:-1]).max()),
            problem.constant_action_cost,
            problem.uniform_cost,
            problem.openml_id,
        )

    @property
    def sizes(self) -> Sizes:
        """What a learner's arrays must have room for."""
        blocks = 1 if self.task == "ranking" else self.n_actions
        return Sizes(self.n_features + 1, self.n_actions, blocks, self.longest_row)

    @property
    def bytes(self) -> int:
        """The memory of the data, about."""
        rows = self.n * (self.n_actions if self.task == "ranking" else 1)
        costs = 8 * self.n * self.n_actions if self.task == "cost-sensitive" else 0
        return 8 * self.nonzeros + 24 * rows + 12 * self.n + costs


@dataclass(frozen=True)
class Group:
    """Runs that can share passes, in a settled order."""

    runs: tuple[Run, ...]

    @cached_property
    def key(self) -> str:
        """A hash of the runs."""
        return key_of(str(run) for run in self.runs)

    @cached_property
    def cost(self) -> float:
        """Relative time per nonzero, action and event."""
        return player_of(self.runs[0]).cost(self.runs[0]) * len(self.runs)

    def bytes_per_lane(self, facts: Facts) -> int:
        """The memory that one of the runs takes on a problem."""
        return player_of(self.runs[0]).bytes_per_run(self.runs[0], facts.sizes)


def key_of(runs: Iterable[str]) -> str:
    """A hash of runs, in whatever order, and of the format of their rows."""
    text = "\n".join([f"format {FORMAT}", *sorted(runs)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def groups_of(runs: Iterable[Run]) -> list[Group]:
    """The runs by what can share a pass."""
    found: dict[Any, list[Run]] = {}
    for run in runs:
        key = run.player, player_of(run).group(run)
        found.setdefault(key, []).append(run)
    return [Group(tuple(members)) for members in found.values()]


@dataclass(frozen=True)
class Job:
    """A group of runs on a problem in one order; `runs` are those still to be done."""

    facts: Facts
    shuffle: int  # 0: the order of the file
    group: Group
    runs: tuple[Run, ...]

    @cached_property
    def key(self) -> str:
        """The name of its file of results; done when that exists."""
        return f"{stream_key(self.facts, self.shuffle)}-{self.group.key}"

    @cached_property
    def work(self) -> float:
        """Relative time."""
        facts = self.facts
        per_event = facts.nonzeros / facts.n * facts.n_actions + facts.n_actions
        if facts.task == "ranking":
            per_event = facts.nonzeros / facts.n + facts.n_actions
        share = len(self.runs) / len(self.group.runs)
        return facts.n * per_event * self.group.cost * share


def stream_key(facts: Facts, shuffle: int) -> str:
    """A problem in one order of its rows."""
    return f"{facts.digest[:16]}-{shuffle}"


def planned(
    problems: Sequence[tuple[Facts, Sequence[int]]], groups: Sequence[Group]
) -> list[Job]:
    """All jobs of some problems, each with its shuffles; the longest first."""
    jobs = [
        Job(facts, shuffle, group, group.runs)
        for facts, shuffles in problems
        for shuffle in shuffles
        for group in groups
    ]
    return sorted(jobs, key=lambda job: -job.work)
