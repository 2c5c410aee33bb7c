"""What an engine is, and the workbench that all engines share.

An engine takes jobs and gives back their rows as they are done, in any order:

    def one_by_one(jobs, bench):
        for job in jobs:
            yield bench.carry_out(job)

It can be given to `Experiment.run`, or be chosen by name if it is in `ENGINES`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import polars as pl

from bakeoff.basics.errors import BakeoffError, DeclinedError
from bakeoff.data import Problem
from bakeoff.experiment.engines.job_memory import Memory
from bakeoff.experiment.engines.problems import Problems
from bakeoff.learners import Pool
from bakeoff.runs import Run
from bakeoff.simulation import Result, play_in_order, player_of
from bakeoff.store import Job, error_row, row_of, rows_of

Report = Callable[[int], None]  # run-examples done since the last call
Notice = Callable[[Job, int], None]  # the same, and of which job
MISHAPS = (BakeoffError, MemoryError)  # errors that end one job only


class Done(NamedTuple):
    """A job and its rows; `failed` if it failed as a whole and may be tried again."""

    job: Job
    rows: pl.DataFrame
    failed: str | None = None
    output: str = ""  # what own learners printed
    declined: str | None = None  # why an own learner does not play this problem


class CancelledError(Exception):
    """The job was cancelled."""


class Where(NamedTuple):
    """Where jobs are carried out, as the user chose."""

    workers: int | None = None  # threads or processes; None: as many as there are cores
    address: str | None = None  # of a cluster


@dataclass(frozen=True)
class Workbench:
    """What the jobs of an experiment are carried out with."""

    problems: Problems
    memory: int  # bytes for learners, of all jobs at a time
    notice: Notice = lambda job, examples: None  # may be called from any thread
    limit: float | None = None  # seconds for a run of an own learner
    processes: Pool = field(default_factory=Pool)  # where those are played
    compiling: Callable[[int, int], None] | None = None  # loops compiled so far, and of how many

    def share(self, n_workers: int) -> Memory:
        """The memory for learners, divided among the workers."""
        return Memory(self.memory, self.memory // n_workers)

    def carry_out(
        self, job: Job, memory: int | None = None, is_wanted: Callable[[], bool] = lambda: True
    ) -> Done:
        """Carry out a job in this thread; errors are part of the result.

        Raises `CancelledError` soon after `is_wanted` becomes false.
        """

        def report(examples: int) -> None:
            if not is_wanted():
                raise CancelledError
            self.notice(job, examples)

        try:
            problem = self.problems.get(job.facts, job.shuffle)
        except MISHAPS as error:
            return failure(job, reason_of(error))
        size = self.share(1).of_job(job) if memory is None else memory
        return play(job, problem, size, report, self.processes, self.limit)


class Engine(Protocol):
    """Carries out jobs."""

    def __call__(self, jobs: Sequence[Job], bench: Workbench) -> Iterator[Done]:
        """Carry out each job once, within the memory, and call `bench.notice`.

        Jobs come in the best order to start them. A job that fails yields a `Done` with
        `failed`; only an error that ends all jobs is raised. When the iterator is
        closed, jobs in flight are cancelled before it returns.
        """
        ...


def play(
    job: Job,
    problem: Problem,
    memory: int,
    report: Report,
    processes: Pool,
    limit: float | None = None,
) -> Done:
    """Play the runs of a job; `problem` stands in the order of its shuffle.

    Their draws are those of this problem in this order (`Run.for_job`).
    """
    done = 0

    def progress(examples: int, _: int = 0) -> None:
        nonlocal done
        report(examples - done)
        done = examples

    runs = [run.for_job(job.facts.draws, job.shuffle) for run in job.runs]
    if player_of(runs[0]).apart:
        return _play_apart(job, problem, runs, progress, processes, limit)
    try:
        results = play_in_order(problem, runs, memory=memory, progress=progress)
    except MISHAPS as error:
        return failure(job, reason_of(error))
    return _done(job, results)


def _play_apart(
    job: Job,
    problem: Problem,
    runs: Sequence[Run],
    progress: Callable[[int], None],
    processes: Pool,
    limit: float | None,
) -> Done:
    """Play learners of users, one after the other, in processes of their own."""
    results: list[Result] = []
    output = b""

    def report(events: int) -> None:
        progress(len(results) * problem.n + events)

    with processes.process() as process:
        try:
            for run in runs:
                results.append(process.play(problem, run, limit, report))
                output += process.output
        except DeclinedError as error:
            return Done(job, rows_of([]), declined=str(error))
        except MISHAPS as error:
            text = (output + process.output).decode(errors="replace")
            return failure(job, reason_of(error))._replace(output=text)
    return _done(job, results)._replace(output=output.decode(errors="replace"))


def _done(job: Job, results: Sequence[Result]) -> Done:
    both = zip(job.runs, results, strict=True)
    rows = [row_of(job.facts, job.shuffle, run, result) for run, result in both]
    return Done(job, rows_of(rows))


def failure(job: Job, error: str) -> Done:
    """A job that failed as a whole: a row with the error for each run."""
    rows = [error_row(job.facts, job.shuffle, run, error) for run in job.runs]
    return Done(job, rows_of(rows), error)


def reason_of(error: Exception) -> str:
    """The message of an error, in one sentence."""
    if not isinstance(error, MemoryError):
        return str(error)
    detail = f" ({error})" if str(error) else ""
    return f"there is not enough memory{detail}"
