"""Experiment: problems x runs x shuffles, carried out once and kept in a store.

    Experiment(["embedded", "data/"], grid(["fixed"])).run("results")

Running it again, with more runs or with more problems, computes only what is missing.
"""

import importlib
import os
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from bakeoff.basics.errors import ResultsError, SpecError
from bakeoff.basics.memory import available_memory
from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted, did_you_mean
from bakeoff.data import Facts, Problem
from bakeoff.experiment.display import progress_shown
from bakeoff.experiment.engines import EngineName, check_engine, engine_of
from bakeoff.experiment.engines.problems import Problems
from bakeoff.experiment.engines.workbench import MISHAPS, Done, Engine, Where, Workbench, reason_of
from bakeoff.experiment.estimate import DryRun, Means, estimate
from bakeoff.experiment.older_code import code_behind
from bakeoff.experiment.own_learners import (
    declines_of,
    drop_runs,
    keep_sources,
    record_decline,
    records_of,
    runs_named,
)
from bakeoff.experiment.plan import Plan
from bakeoff.experiment.problem_sources import Problemlike, mark_of, sources_of
from bakeoff.experiment.progress_listener import ProgressListener
from bakeoff.experiment.summary import Summary, reasons_of
from bakeoff.learners import Pool
from bakeoff.reading.catalog import Source, read
from bakeoff.reading.options import KINDS, Keywords, Options, options_of
from bakeoff.runs import Runlike, runs_of
from bakeoff.store import (
    VERSION,
    Manifest,
    Planned,
    Store,
    Unreadable,
    codes_of,
    compact,
    continued,
    groups_of,
    is_scattered,
    planned,
    session_now,
)

if TYPE_CHECKING:
    from bakeoff.judging import Finished


class Resources(NamedTuple):
    """What an experiment may use; `Experiment.run` says what each of them means."""

    jobs: int | None = None
    memory: int | None = None
    engine: Engine | EngineName | None = None
    address: str | None = None
    limit: float | None = None


class Experiment:
    """Problems, in one or several orders of their rows, and the runs to play on them.

    `problems` are sources (see `bakeoff.load`), problems, or a mixture. `runs` are runs, or
    what `grid` makes runs of, such as "fixed" or a class of your own. `shuffles` is
    how many orders of the rows are used: N stands for the seeds 1 to N, 0 for the order
    of the file. Unless given, it is 1, and 0 for the paper's multilabel datasets.
    Options about files, such as `target`, are those of `bakeoff.load`.

    Parameters
    ----------
    problems
        Sources, problems, or both.
    runs
        Runs, or what `grid` makes runs of.
    shuffles
        How many orders of the rows.
    options
        Options about files, as an `Options`.
    data
        A folder with datasets that need not be downloaded.
    **said
        Options about files by name, such as `target`.

    Raises
    ------
    SpecError
        If a run or an option is not valid.

    Examples
    --------
    >>> runs = bakeoff.grid("greedy", learning_rates=[0.1, 1])
    >>> store = bakeoff.Experiment("embedded:iris", runs, shuffles=2).run("results")
    >>> store.rows().height
    4
    """

    def __init__(
        self,
        problems: Problemlike | Sequence[Problemlike],
        runs: Runlike | Sequence[Runlike],
        *,
        shuffles: int | None = None,
        options: Options | None = None,
        data: str | os.PathLike[str] | None = None,
        **said: Unpack[Keywords],
    ) -> None:
        runs = runs_of(runs)
        if not runs:
            raise SpecError("an experiment needs at least one run")
        check_shuffles(shuffles)
        self.sources = sources_of(problems, data)
        if not self.sources:
            raise SpecError("an experiment needs at least one problem")
        self._by_origin = {source.origin: source for source in self.sources}
        self.runs = list(dict.fromkeys(runs))
        self.shuffles = shuffles
        _check_names(said)
        self.options = options or options_of(**said)
        if self.options.name is not None:
            raise SpecError("an experiment takes no `name`; load(..., name=...) does")

    def run(
        self,
        folder: str | os.PathLike[str] = "results",
        *,
        jobs: int | None = None,
        memory: int | None = None,
        engine: Engine | EngineName | None = None,
        address: str | None = None,
        limit: float | None = None,
        watcher: ProgressListener | None = None,
        asked: dict[str, Any] | None = None,
        again: Sequence[str] = (),
    ) -> "Finished":
        """Compute what is missing in the store at `folder`, and open it.

        `jobs` threads (all cores, if not given) work within `memory` bytes (half of
        what is available). With `engine="dask"` it is `jobs` processes, or the cluster
        whose scheduler is at `address`. A run of your own learner is stopped after
        `limit` seconds. Progress goes to the `watcher`; without one, terminals and
        notebooks show a bar. `asked` goes into the manifest.
        Results of the algorithms named by `again` (labels or specs) are computed anew.
        A notice says what failed.

        Parameters
        ----------
        folder
            The store.
        jobs
            How many threads or processes.
        memory
            The most bytes of learners in flight.
        engine
            "local" (default), "dask", or a function of your own.
        address
            The address of the scheduler of a Dask cluster.
        limit
            Seconds after which a run of your own learner is stopped.
        watcher
            Is told how the experiment goes.
        asked
            What the manifest keeps of the request.
        again
            Labels or specs to compute anew.

        Returns
        -------
        Finished
            The opened store.

        Raises
        ------
        ResultsError
            If the store cannot be written.
        SpecError
            If the engine is unknown.
        """
        resources = Resources(jobs, memory, engine, address, limit)
        with progress_shown(watcher) as listener:
            summary = compute(self, folder, resources, listener, asked=asked, again=again)
        for line in summary.in_words():
            notify(line)
        finished: Finished = importlib.import_module("bakeoff.judging").Finished(summary)
        return finished

    def dry_run(
        self,
        folder: str | os.PathLike[str] = "results",
        *,
        jobs: int | None = None,
        memory: int | None = None,
    ) -> DryRun:
        """What `run` would compute, and how long that would take; nothing is stored.

        It reads the problems and plays a small sample of each kind of run.

        Parameters
        ----------
        folder
            The store that `run` would write.
        jobs
            How many threads.
        memory
            The most bytes of learners in flight.

        Returns
        -------
        DryRun
            A `DryRun`: what is missing, and how long it takes.
        """
        check_engine("local", Where(jobs))
        data, learners = shares_of(memory)
        problems = Problems(self._read, data)
        plan = self.plan(Store(Path(folder)), problems, ProgressListener())
        means = Means(jobs or os.cpu_count() or 1, learners, data)
        return DryRun(plan, estimate(plan, problems, means), means)

    def plan(self, store: Store, problems: Problems, watcher: ProgressListener) -> Plan:
        """Read what is not known yet of the problems, and see what is left to do.

        Parameters
        ----------
        store
            The store.
        problems
            The problems, read when they are needed.
        watcher
            Is told how it goes.

        Returns
        -------
        Plan
            A `Plan`: all jobs, and those that are missing.
        """
        manifest = store.manifest() or Manifest()
        by_digest: dict[str, tuple[Facts, tuple[int, ...]]] = {}
        unreadable: list[Unreadable] = []
        twins: dict[str, str] = {}
        ids: dict[str, list[int]] = {}
        marked: dict[str, Facts] = {}
        for number, source in enumerate(self.sources):
            watcher.reading(source.name, number, len(self.sources))
            try:
                facts, mark = self._facts(source, manifest.files, problems)
            except MISHAPS as error:
                why = reason_of(error)
                unreadable.append(Unreadable(source.name, source.origin, why))
                continue
            if mark is not None:
                marked[mark] = facts
            if facts.openml_id is not None:
                ids.setdefault(facts.digest, []).append(facts.openml_id)
            if facts.digest in by_digest:
                twins[facts.name] = by_digest[facts.digest][0].name
                continue
            by_digest[facts.digest] = facts, self._shuffles(source)
        everything = list(by_digest.values())
        groups = groups_of(self.runs)
        own = records_of(self.runs, manifest.own, [facts for facts, _ in everything])
        jobs = planned(everything, groups, own)
        left = store.missing(jobs, codes_of(jobs))
        return Plan(
            everything, groups, jobs, left, unreadable, twins, ids, marked, own,
            code_behind(store, jobs, left, manifest.code),
        )  # fmt: skip

    def _shuffles(self, source: Source) -> tuple[int, ...]:
        if self.shuffles == 0 or (self.shuffles is None and source.in_file_order):
            return (0,)
        return tuple(range(1, (self.shuffles or 1) + 1))

    def _facts(
        self, source: Source, known: Mapping[str, Facts], problems: Problems
    ) -> tuple[Facts, str | None]:
        """The facts of a source, from the manifest if its files have not changed.

        And its mark, which it may have only when it has been fetched.
        """
        mark = mark_of(source, self.options)
        if mark is not None and mark in known:
            return known[mark], mark
        problem = read(source, self.options)
        facts = Facts.of(problem, source.origin)
        problems.put(facts, problem)
        return facts, mark or mark_of(source, self.options)

    def _read(self, facts: Facts) -> Problem:
        return read(self._by_origin[facts.origin], self.options)

    def _manifest(self, store: Store, plan: Plan, asked: dict[str, Any] | None) -> Manifest:
        """What was requested, so that progress can be shown without the data."""
        known = store.manifest()
        old = known or Manifest()
        ids = {digest: {*some} for digest, some in old.openml_ids.items()}
        for digest, some in plan.openml_ids.items():
            ids.setdefault(digest, set()).update(some)
        return Manifest(
            version=VERSION,
            asked=asked or {},
            runs={group.key: tuple(map(str, group.runs)) for group in plan.groups},
            problems=tuple(
                Planned(**vars(facts), shuffles=shuffles) for facts, shuffles in plan.problems
            ),
            unreadable=tuple(one._asdict() for one in plan.unreadable),
            twins=old.twins | plan.twins,
            openml_ids={digest: tuple(sorted(some)) for digest, some in ids.items()},
            files=old.files | plan.marked,
            own=old.own | plan.own,
            code=plan.codes.hashes,
            hashed=old.hashed if known else not store.files(),
            history=continued(old.history, session_now()) if plan.left else old.history,
        )

    def __repr__(self) -> str:
        sources = counted(len(self.sources), "source")
        orders = "" if self.shuffles is None else f", shuffles={self.shuffles}"
        return f"Experiment({sources}, {counted(len(self.runs), 'run')}{orders})"


def compute(
    experiment: Experiment,
    folder: str | os.PathLike[str],
    resources: Resources,
    watcher: ProgressListener,
    *,
    asked: dict[str, Any] | None = None,
    again: Sequence[str] = (),
) -> Summary:
    """Compute what is missing in the store at `folder`; `Experiment.run` without a display."""
    jobs, memory, engine, address, limit = resources
    if limit is not None and not limit > 0:
        raise SpecError(f"limit must be more than 0 seconds, got {limit}")
    if jobs is not None and jobs < 1:
        raise SpecError(f"jobs must be at least 1, got {jobs}")
    carry_out = engine_of(engine, Where(jobs, address))
    store = Store(Path(folder))
    data, learners = shares_of(memory)
    problems = Problems(experiment._read, data)
    dropped = runs_named(experiment.runs, again)
    if dropped and store.files():
        drop_runs(store, dropped, experiment.plan(store, problems, watcher).problems)
    with store.writing():
        plan = experiment.plan(store, problems, watcher)
        store.write_manifest(experiment._manifest(store, plan, asked))
        keep_sources(store, plan.own)
        store.write_unreadable(plan.unreadable)
        for notice in plan.notices:
            notify(notice)
        watcher.planned(plan)
        with closing(Pool()) as pool:
            bench = Workbench(problems, learners, watcher.worked, limit, pool, watcher.compiling)
            summary = _store_results(store, plan, carry_out(plan.left, bench), watcher)
        _compact(store, watcher)
        return summary


def _check_names(said: Mapping[str, object]) -> None:
    """Refuse unknown keywords, with a hint at the nearest known one."""
    for name in said:
        if name not in KINDS:
            known = [*KINDS, "shuffles", "options", "data"]
            raise SpecError(f"there is no option {name!r}{did_you_mean(name, known)}")


def check_shuffles(shuffles: int | None) -> None:
    """Refuse a negative number of shuffles."""
    if shuffles is not None and shuffles < 0:
        raise SpecError(f"shuffles must be 0 or more, got {shuffles}")


def shares_of(memory: int | None) -> tuple[int, int]:
    """Bytes for data and for learners; if not given, half of what is available."""
    memory = available_memory() // 2 if memory is None else memory
    return memory // 4, memory - memory // 4


def _store_results(
    store: Store, plan: Plan, done: Iterator[Done], watcher: ProgressListener
) -> Summary:
    """Store jobs as they finish."""
    failures = [(one.name, one.error) for one in plan.unreadable]
    n_computed = n_declined = 0
    try:
        for one in done:
            if one.declined is not None:
                record_decline(store, one.job, one.declined)
                n_declined += len(one.job.runs)
                watcher.finished(one)
                continue
            store.write(one.job, one.rows, failed=one.failed is not None)
            if one.output:
                store.log(one.job, one.output)
            if one.failed is not None:
                failures.append((str(one.job), one.failed))
            else:
                n_computed += one.rows.height
            watcher.finished(one)
    finally:
        if isinstance(done, Generator):  # let go of jobs in flight before the store
            done.close()
    reasons = reasons_of(store.errors(plan.jobs))
    if n_declined:
        manifest = store.manifest() or Manifest()
        for explorer in plan.own:
            problems = [facts for facts, _ in plan.problems]
            for notice in declines_of(explorer, manifest.own[explorer], problems):
                notify(notice)
    return Summary(store.folder, plan.n_runs - n_declined, n_computed, reasons, failures)


def _compact(store: Store, watcher: ProgressListener) -> None:
    """Compact a store with very many files; if that fails, the results still count."""
    try:
        if is_scattered(store):
            watcher.compacting()
            compact(store)
    except ResultsError as error:
        notify(f"the files of results are left as they are: {error}")
