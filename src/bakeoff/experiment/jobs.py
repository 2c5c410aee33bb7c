"""Jobs: what is computed and stored as a whole.

A job is one problem in one order of rows x the runs of one structure, which share
passes over the data. Its key is made of content (digest of the problem, shuffle, runs),
so that the same work has the same key wherever and whenever it is planned.
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from bakeoff.problems.facts import Facts
from bakeoff.runs.run import Run
from bakeoff.simulation.lanes import sizes_of
from bakeoff.simulation.simulate import player_of
from bakeoff.store.rows import FORMAT


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
        return player_of(self.runs[0]).bytes_per_run(self.runs[0], sizes_of(facts))


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
    problems: Sequence[tuple[Facts, Sequence[int]]],
    groups: Sequence[Group],
    tasks: Mapping[str, Collection[str]] | None = None,
) -> list[Job]:
    """All jobs of some problems, each with its shuffles; the longest first.

    `tasks` are those that an explorer plays, by its spec; all, if it is not there.
    """
    plays = tasks or {}
    jobs = [
        Job(facts, shuffle, group, group.runs)
        for facts, shuffles in problems
        for shuffle in shuffles
        for group in groups
        if facts.task in plays.get(group.runs[0].explorer, (facts.task,))
    ]
    return sorted(jobs, key=lambda job: -job.work)
