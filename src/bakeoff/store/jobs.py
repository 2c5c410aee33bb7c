"""Jobs: what is computed and stored as a whole.

A job is one problem in one order of rows x the runs of one structure, which share
passes over the data; where those take little time, the runs of several structures. Its
key is made of content (digest of the problem, shuffle, runs), so that the same work has
the same key wherever and whenever it is planned.
"""

import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bakeoff.data import Facts
from bakeoff.runs import Run, unmistakable
from bakeoff.simulation import group_by_structure, player_of, sizes_of
from bakeoff.store.manifest import OwnRecord

# Jobs that take less time than SHORT share a file. A job that takes more memory than
# SMALL may run out of it, and should fail alone. Stores made with other values can be
# continued: finished runs are then found by reading the files.
SHORT = 1e8  # nanoseconds
SMALL = 2**24  # bytes
ROW = 1e5  # nanoseconds to start a run and to store its result


@dataclass(frozen=True)
class Group:
    """Runs that are played and stored together, in a settled order."""

    runs: tuple[Run, ...]

    @cached_property
    def key(self) -> str:
        """A hash of the runs."""
        return key_of(str(run) for run in self.runs)

    @cached_property
    def kinds(self) -> list[tuple[Run, int]]:
        """A run of each structure, and how many runs have it."""
        return [(part.runs[0], len(part.runs)) for part in self.parts]

    @property
    def parts(self) -> "list[Group]":
        """The runs of each structure as a group."""
        return groups_of(self.runs)

    def cost(self, facts: Facts) -> float:
        """Nanoseconds to play the runs on a problem, roughly."""
        return sum(n * player_of(run).cost(run, facts) for run, n in self.kinds)

    def work(self, facts: Facts) -> float:
        """Nanoseconds to play them and to keep their results, roughly."""
        return self.cost(facts) + ROW * len(self.runs)

    def bytes_per_lane(self, facts: Facts) -> int:
        """The memory that the largest of the runs takes on a problem."""
        sizes = sizes_of(facts)
        return max(player_of(run).bytes_per_run(run, sizes) for run, _ in self.kinds)

    def bytes_per_pass(self, facts: Facts) -> int:
        """The memory that the largest of their passes takes."""
        sizes = sizes_of(facts)
        return max(
            player_of(run).bytes_per_run(run, sizes)
            * min(n, player_of(run).width(run, sizes, sys.maxsize))
            for run, n in self.kinds
        )


def key_of(runs: Iterable[str]) -> str:
    """A hash of runs, in whatever order, and of the format of their rows.

    Rows have been the same since format 2, but for those that tell their arithmetic.
    """
    text = "\n".join(["format 2", *sorted(map(unmistakable, runs))])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def groups_of(runs: Iterable[Run]) -> list[Group]:
    """One group for each structure, so that its runs can share a pass."""
    known = tuple(runs)
    return [Group(tuple(known[i] for i in members)) for members in group_by_structure(known)]


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
    def left(self) -> Group:
        """The runs still to be done, as a group."""
        is_whole = len(self.runs) == len(self.group.runs)
        return self.group if is_whole else Group(self.runs)

    def __str__(self) -> str:
        labels = dict.fromkeys(run.label for run in self.runs)
        return f"{', '.join(labels)} on {self.facts.name}"

    @cached_property
    def work(self) -> float:
        """Nanoseconds that it takes, roughly."""
        return self.left.work(self.facts)


def stream_key(facts: Facts, shuffle: int) -> str:
    """A problem in one order of its rows."""
    return f"{facts.digest[:16]}-{shuffle}"


def planned(
    problems: Sequence[tuple[Facts, Sequence[int]]],
    groups: Sequence[Group],
    own: Mapping[str, OwnRecord] | None = None,
) -> list[Job]:
    """All jobs of some problems, each with its shuffles; the longest first.

    `own` says which problems users' learners play, by their specs; others play all.
    """
    records = own or {}
    joined: dict[tuple[str, ...], Group] = {}
    jobs: list[Job] = []
    for facts, shuffles in problems:
        played = [
            group
            for group in groups
            if (record := records.get(group.runs[0].explorer)) is None or record.plays(facts)
        ]
        for several in _bundles(played, facts):
            keys = tuple(group.key for group in several)
            if keys not in joined:
                joined[keys] = _joined(several)
            group = joined[keys]
            jobs += [Job(facts, shuffle, group, group.runs) for shuffle in shuffles]
    return sorted(jobs, key=lambda job: -job.work)


def _bundles(groups: Iterable[Group], facts: Facts) -> Iterator[tuple[Group, ...]]:
    """What is one job on a problem: groups that take little, together, or one group.

    An own learner is by itself, since it may fail by itself.
    """
    several: list[Group] = []
    so_far = 0.0
    for group in groups:
        work, size = group.work(facts), group.bytes_per_pass(facts)
        if work > SHORT or size > SMALL or player_of(group.runs[0]).apart:
            yield (group,)
            continue
        if so_far + work > SHORT:
            yield tuple(several)
            several, so_far = [], 0.0
        several.append(group)
        so_far += work
    if several:
        yield tuple(several)


def _joined(groups: tuple[Group, ...]) -> Group:
    if len(groups) == 1:
        return groups[0]
    return Group(tuple(run for group in groups for run in group.runs))
