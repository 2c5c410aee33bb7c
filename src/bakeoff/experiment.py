"""Experiment: problems x runs x shuffles, carried out once and kept in a store.

    Experiment(["embedded", "data/"], grid(["fixed"])).run("results")

Running it again, with more runs or with more problems, computes only what is missing.
"""

import os
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff.engines import local
from bakeoff.engines.data import Problems
from bakeoff.engines.work import Done
from bakeoff.errors import BakeoffError, DataNotice, SpecError
from bakeoff.jobs import Facts, Group, Job, groups_of, planned
from bakeoff.problems import manifest
from bakeoff.problems.options import Options
from bakeoff.problems.problem import Problem
from bakeoff.problems.source import Source
from bakeoff.problems.sources import find_all, read
from bakeoff.results import VERSION, Store
from bakeoff.runs import Run
from bakeoff.simulation import available_memory

Problemlike = str | os.PathLike[str] | Source | Problem
Engine = Callable[..., Iterator[Done]]


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


@dataclass(frozen=True)
class Summary:
    """What became of an experiment."""

    folder: Path
    n_runs: int  # in all
    n_computed: int  # this time
    n_errors: int  # of all, runs that ended in an error
    failures: list[tuple[str, str]]  # what failed as a whole, and why

    @property
    def is_complete(self) -> bool:
        """Whether every run has a result that is not an error."""
        return not self.failures and not self.n_errors


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
        self.sources = _sources(_as_list(problems), data)
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
        engine: Engine | None = None,
        watcher: Watcher | None = None,
        asked: dict[str, Any] | None = None,
    ) -> Summary:
        """Compute what is missing in the store at `folder`.

        `jobs` threads (all cores, if not given) work within `memory` bytes (half of
        what is available). `asked` goes into the manifest, for people.
        """
        if jobs is not None and jobs < 1:
            raise SpecError(f"jobs must be at least 1, got {jobs}")
        store, watcher = Store(Path(folder)), watcher or Watcher()
        memory = available_memory() // 2 if memory is None else memory
        problems = Problems(self._read, memory // 4)
        with store.writing():
            plan = self.plan(store, problems, watcher)
            store.write_manifest(self._manifest(store, plan, asked))
            for source in self.sources:
                store.forget_unreadable(source.origin)
            for name, origin, error in plan.unreadable:
                store.write_unreadable(name, origin, error)
            for notice in plan.notices:
                warnings.warn(notice, DataNotice, stacklevel=2)
            watcher.planned(plan)
            carry_out = engine or partial(
                local.run, threads=jobs or os.cpu_count() or 1
            )
            done = carry_out(
                plan.left, problems, memory=memory - memory // 4, notice=watcher.worked
            )
            return _kept(store, plan, done, watcher)

    def plan(self, store: Store, problems: Problems, watcher: Watcher) -> Plan:
        """Read what is not known yet of the problems, and see what is left to do."""
        known = store.manifest().get("files", {})
        found: dict[str, tuple[Facts, tuple[int, ...]]] = {}
        unreadable: list[Unreadable] = []
        twins: dict[str, str] = {}
        for number, source in enumerate(self.sources):
            watcher.reading(source.name, number, len(self.sources))
            try:
                facts = self._facts(source, known, problems)
            except BakeoffError as error:
                unreadable.append(Unreadable(source.name, source.origin, str(error)))
                continue
            if facts.digest in found:
                twins[facts.name] = found[facts.digest][0].name
                continue
            found[facts.digest] = facts, self._shuffles(source)
        everything = list(found.values())
        groups = groups_of(self.runs)
        jobs = planned(everything, groups)
        left = store.missing(jobs)
        return Plan(everything, groups, jobs, left, unreadable, twins)

    def _shuffles(self, source: Source) -> tuple[int, ...]:
        if self.shuffles == 0 or (self.shuffles is None and source.in_file_order):
            return (0,)
        return tuple(range(1, (self.shuffles or 1) + 1))

    def _facts(
        self, source: Source, known: dict[str, Any], problems: Problems
    ) -> Facts:
        """The facts of a source, from the manifest if its file has not changed."""
        mark = _mark(source, self.options)
        if mark is not None and mark in known:
            return Facts(**known[mark])
        problem = read(source, self.options)
        facts = Facts.of(problem, source.origin)
        problems.put(facts, problem)
        return facts

    def _read(self, facts: Facts) -> Problem:
        return read(self._by_origin[facts.origin], self.options)

    def _manifest(
        self, store: Store, plan: Plan, asked: dict[str, Any] | None
    ) -> dict[str, Any]:
        """What was asked for, so that progress can be told without the data."""
        old = store.manifest()
        files = dict(old.get("files", {}))
        origins = {facts.origin: facts for facts, _ in plan.problems}
        for source in self.sources:
            mark = _mark(source, self.options)
            if mark is not None and source.origin in origins:
                files[mark] = asdict(origins[source.origin])
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
            "twins": plan.twins,
            "files": files,
        }


def _as_list(problems: Problemlike | Sequence[Problemlike]) -> list[Problemlike]:
    if isinstance(problems, Sequence) and not isinstance(problems, str):
        return list(problems)
    return [problems]


def _sources(
    given: Sequence[Problemlike], data: str | os.PathLike[str] | None
) -> list[Source]:
    """Sources of all that can be given, each once, under unique names."""
    found: list[Source] = []
    for one in given:
        if isinstance(one, Source):
            found.append(one)
        elif isinstance(one, Problem):
            found.append(_of_problem(one))
        else:
            found += find_all([os.fspath(one)], data)
    unique = {source.origin: source for source in found}
    times = Counter(source.name for source in unique.values())
    return [
        source if times[source.name] == 1 else replace(source, name=source.origin)
        for source in unique.values()
    ]


def _of_problem(problem: Problem) -> Source:
    """A problem in memory as a source."""

    def named(options: Options) -> Problem:
        if options.name in (None, problem.name):
            return problem
        return replace(problem, name=options.name)

    return Source(
        problem.name,
        named,
        origin=f"{problem.name}@{problem.digest[:8]}",
        task=problem.task,
        openml_id=problem.openml_id,
    )


def _mark(source: Source, options: Options) -> str | None:
    """What changes when the facts of a source may; None if it has no file.

    How a file is read may depend on a manifest in a folder above it.
    """
    if source.path is None:
        return None
    above = (folder / manifest.NAME for folder in source.path.absolute().parents)
    try:
        files = [source.path, *filter(Path.exists, above)]
        stats = [(file.stat().st_size, file.stat().st_mtime_ns) for file in files]
    except OSError:
        return None
    return f"{source.name} {source.origin} {stats} {options} {VERSION}"


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
    n_errors = store.n_errors(plan.jobs)
    return Summary(store.folder, plan.n_runs, n_computed, n_errors, failures)
