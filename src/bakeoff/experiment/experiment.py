"""Experiment: problems x runs x shuffles, carried out once and kept in a store.

    Experiment(["embedded", "data/"], grid(["fixed"])).run("results")

Running it again, with more runs or with more problems, computes only what is missing.
"""

import os
from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff.errors import ResultsError, SpecError
from bakeoff.experiment.engines import local
from bakeoff.experiment.engines.data import Problems
from bakeoff.experiment.engines.named import Engine, EngineName, engine_of
from bakeoff.experiment.engines.work import MISHAPS, Done, reason_of
from bakeoff.experiment.given import Problemlike, sources_of
from bakeoff.experiment.jobs import Facts, Group, Job, groups_of, planned
from bakeoff.experiment.marks import mark_of
from bakeoff.experiment.reasons import Reason, reasons_of
from bakeoff.notices import notify
from bakeoff.problems.catalog.source import Source
from bakeoff.problems.catalog.sources import read
from bakeoff.problems.problem import Problem
from bakeoff.problems.readers.options import Options
from bakeoff.runs.run import Run
from bakeoff.simulation.simulate import available_memory
from bakeoff.store.compaction import compact, is_scattered
from bakeoff.store.store import VERSION, Store


class Unreadable(NamedTuple):
    """A problem that could not be read, and why."""

    name: str
    origin: str
    error: str


@dataclass(frozen=True)
class Plan:
    """What is to be done, what of it is left, and what cannot be."""

    problems: list[tuple[Facts, tuple[int, ...]]]  # with their shuffles
    groups: list[Group]
    jobs: list[Job]
    left: list[Job]
    unreadable: list[Unreadable]
    twins: dict[str, str]  # problems that hold the same data as another
    openml_ids: dict[str, list[int]]  # of all names of a content, by digest
    marked: dict[str, Facts]  # what need not be read again, by mark

    @property
    def notices(self) -> list[str]:
        """What was decided for the user."""
        return [f"{name} holds the same data as {twin}, and is not run again"
                for name, twin in self.twins.items()]  # fmt: skip

    @property
    def n_runs(self) -> int:
        """How many results there will be."""
        return sum(len(job.group.runs) for job in self.jobs)

    @property
    def n_left(self) -> int:
        """How many of them are still to be computed."""
        return sum(len(job.runs) for job in self.left)

    @property
    def examples_left(self) -> int:
        """Run-examples still to be computed."""
        return sum(len(job.runs) * job.facts.n for job in self.left)

    @property
    def work_left(self) -> float:
        """Relative time that they will take."""
        return sum(job.work for job in self.left)


@dataclass(frozen=True)
class Summary:
    """What became of an experiment."""

    folder: Path
    n_runs: int  # in all
    n_computed: int  # this time
    reasons: list[Reason]  # of all, why runs ended in an error
    failures: list[tuple[str, str]]  # what failed as a whole, and why

    @property
    def n_errors(self) -> int:
        """How many runs ended in an error."""
        return sum(reason.n_runs for reason in self.reasons)

    @property
    def is_complete(self) -> bool:
        """Whether every run has a result that is not an error."""
        return not self.failures and not self.reasons


class Watcher:
    """Somebody who is told how an experiment goes; this one does not listen."""

    def reading(self, name: str, done: int, total: int) -> None:
        """A problem is read to see what it is."""

    def planned(self, plan: Plan) -> None:
        """All problems are known, and so is what is left to do."""

    def worked(self, job: Job, examples: int) -> None:
        """So many run-examples more have been computed; called from any thread."""

    def finished(self, done: Done) -> None:
        """A job is in the store."""

    def compacting(self) -> None:
        """All is done; very many files are made fewer."""


class Experiment:
    """Problems, in one or several orders of their rows, and the runs to play on them.

    `problems` are sources (see `bakeoff.load`), problems, or a mixture. `shuffles` is
    how many orders of the rows are used: N stands for the seeds 1 to N, 0 for the order
    of the file. Unless given, it is 1, and 0 for the paper's multilabel datasets.
    """

    def __init__(
        self,
        problems: Problemlike | Sequence[Problemlike],
        runs: Sequence[Run],
        *,
        shuffles: int | None = None,
        options: Options | None = None,
        data: str | os.PathLike[str] | None = None,
    ) -> None:
        for run in runs:
            if not isinstance(run, Run):
                raise SpecError(f"runs must be Run objects, got {run!r}; try grid(...)")
        if not runs:
            raise SpecError("an experiment needs at least one run")
        if shuffles is not None and shuffles < 0:
            raise SpecError(f"shuffles must be 0 or more, got {shuffles}")
        self.sources = sources_of(problems, data)
        if not self.sources:
            raise SpecError("an experiment needs at least one problem")
        self._by_origin = {source.origin: source for source in self.sources}
        self.runs = list(dict.fromkeys(runs))
        self.shuffles = shuffles
        self.options = options or Options()

    def run(
        self,
        folder: str | os.PathLike[str],
        *,
        jobs: int | None = None,
        memory: int | None = None,
        engine: Engine | EngineName | None = None,
        address: str | None = None,
        watcher: Watcher | None = None,
        asked: dict[str, Any] | None = None,
    ) -> Summary:
        """Compute what is missing in the store at `folder`.

        `jobs` threads (all cores, if not given) work within `memory` bytes (half of
        what is available). With `engine="dask"` it is `jobs` processes, or the cluster
        whose scheduler is at `address`. `asked` goes into the manifest, for people.
        """
        if jobs is not None and jobs < 1:
            raise SpecError(f"jobs must be at least 1, got {jobs}")
        carry_out = engine_of(engine, address, jobs) or partial(
            local.run, threads=jobs or os.cpu_count() or 1
        )
        store, watcher = Store(Path(folder)), watcher or Watcher()
        data, learners = shares_of(memory)
        problems = Problems(self._read, data)
        with store.writing():
            plan = self.plan(store, problems, watcher)
            store.write_manifest(self._manifest(store, plan, asked))
            store.write_unreadable(plan.unreadable)
            for notice in plan.notices:
                notify(notice)
            watcher.planned(plan)
            done = carry_out(
                plan.left, problems, memory=learners, notice=watcher.worked
            )
            summary = _kept(store, plan, done, watcher)
            _put_together(store, watcher)
            return summary

    def plan(self, store: Store, problems: Problems, watcher: Watcher) -> Plan:
        """Read what is not known yet of the problems, and see what is left to do."""
        known = store.manifest().get("files", {})
        found: dict[str, tuple[Facts, tuple[int, ...]]] = {}
        unreadable: list[Unreadable] = []
        twins: dict[str, str] = {}
        ids: dict[str, list[int]] = {}
        marked: dict[str, Facts] = {}
        for number, source in enumerate(self.sources):
            watcher.reading(source.name, number, len(self.sources))
            try:
                facts, mark = self._facts(source, known, problems)
            except MISHAPS as error:
                why = reason_of(error)
                unreadable.append(Unreadable(source.name, source.origin, why))
                continue
            if mark is not None:
                marked[mark] = facts
            if facts.openml_id is not None:
                ids.setdefault(facts.digest, []).append(facts.openml_id)
            if facts.digest in found:
                twins[facts.name] = found[facts.digest][0].name
                continue
            found[facts.digest] = facts, self._shuffles(source)
        everything = list(found.values())
        groups = groups_of(self.runs)
        jobs = planned(everything, groups)
        left = store.missing(jobs)
        return Plan(everything, groups, jobs, left, unreadable, twins, ids, marked)

    def _shuffles(self, source: Source) -> tuple[int, ...]:
        if self.shuffles == 0 or (self.shuffles is None and source.in_file_order):
            return (0,)
        return tuple(range(1, (self.shuffles or 1) + 1))

    def _facts(
        self, source: Source, known: dict[str, Any], problems: Problems
    ) -> tuple[Facts, str | None]:
        """The facts of a source, from the manifest if its files have not changed.

        And its mark, which it may have only when it has been fetched.
        """
        mark = mark_of(source, self.options)
        if mark is not None and mark in known:
            return Facts(**known[mark]), mark
        problem = read(source, self.options)
        facts = Facts.of(problem, source.origin)
        problems.put(facts, problem)
        return facts, mark or mark_of(source, self.options)

    def _read(self, facts: Facts) -> Problem:
        return read(self._by_origin[facts.origin], self.options)

    def _manifest(
        self, store: Store, plan: Plan, asked: dict[str, Any] | None
    ) -> dict[str, Any]:
        """What was asked for, so that progress can be told without the data."""
        old = store.manifest()
        files = old.get("files", {})
        files |= {mark: asdict(facts) for mark, facts in plan.marked.items()}
        known = old.get("openml_ids", {})
        return {
            "version": VERSION,
            "asked": asked or {},
            "runs": {
                group.key: [str(run) for run in group.runs] for group in plan.groups
            },
            "problems": [
                {**asdict(facts), "shuffles": shuffles}
                for facts, shuffles in plan.problems
            ],
            "unreadable": [one._asdict() for one in plan.unreadable],
            "twins": old.get("twins", {}) | plan.twins,
            "openml_ids": known
            | {
                digest: sorted({*known.get(digest, []), *ids})
                for digest, ids in plan.openml_ids.items()
            },
            "files": files,
        }


def shares_of(memory: int | None) -> tuple[int, int]:
    """Bytes for data and for learners; if not given, half of what is available."""
    memory = available_memory() // 2 if memory is None else memory
    return memory // 4, memory - memory // 4


def _kept(store: Store, plan: Plan, done: Iterator[Done], watcher: Watcher) -> Summary:
    """Put finished jobs into the store as they come."""
    failures = [(one.name, one.error) for one in plan.unreadable]
    n_computed = 0
    try:
        for one in done:
            store.write(one.job, one.rows, failed=one.failed is not None)
            if one.failed is not None:
                what = f"{one.job.runs[0].label} on {one.job.facts.name}"
                failures.append((what, one.failed))
            else:
                n_computed += one.rows.height
            watcher.finished(one)
    finally:
        if isinstance(done, Generator):  # let go of jobs in flight before the store
            done.close()
    reasons = reasons_of(store.errors(plan.jobs))
    return Summary(store.folder, plan.n_runs, n_computed, reasons, failures)


def _put_together(store: Store, watcher: Watcher) -> None:
    """Compact a store if it needs that; what was computed counts even if it fails."""
    try:
        if is_scattered(store):
            watcher.compacting()
            compact(store)
    except ResultsError as error:
        notify(f"the files of results are left as they are: {error}")
