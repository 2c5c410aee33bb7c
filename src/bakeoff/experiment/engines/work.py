"""Work: one job on its data, wherever that happens."""

import socket
import threading
from collections.abc import Callable
from typing import Any, NamedTuple

import polars as pl

from bakeoff.errors import BakeoffError
from bakeoff.experiment.jobs import Facts, Job
from bakeoff.problems.problem import Problem
from bakeoff.runs.run import Run
from bakeoff.simulation.result import Result
from bakeoff.simulation.simulate import simulate
from bakeoff.store.store import VERSION, rows_of

Report = Callable[[int], None]  # run-examples done since the last call
MISHAPS = (BakeoffError, MemoryError)  # that end a job, but not those beside it


class Done(NamedTuple):
    """A job and its rows; `failed` if it failed as a whole and may be tried again."""

    job: Job
    rows: pl.DataFrame
    failed: str | None = None


class CancelledError(Exception):
    """The job is no longer wanted."""


def carry_out(job: Job, problem: Problem, memory: int, report: Report) -> Done:
    """Simulate the runs of a job; `problem` stands in the order of its shuffle.

    Their draws are those of this problem in this order (`Run.for_job`).
    """
    done = 0

    def progress(examples: int, _: int) -> None:
        nonlocal done
        report(examples - done)
        done = examples

    try:
        played = [run.for_job(job.facts.digest, job.shuffle) for run in job.runs]
        results = simulate(problem, played, memory=memory, progress=progress)
    except MISHAPS as error:
        return failure(job, reason_of(error))
    both = zip(job.runs, results, strict=True)
    return Done(job, rows_of([_row(job, run, result) for run, result in both]))


def reason_of(error: Exception) -> str:
    """What a mishap says, in one sentence."""
    if not isinstance(error, MemoryError):
        return str(error)
    said = f" ({error})" if str(error) else ""
    return f"there is not enough memory{said}"


def failure(job: Job, error: str) -> Done:
    """A job that failed as a whole: a row with the error for each run."""
    rows = [_settings(job, run) | {"error": error} for run in job.runs]
    return Done(job, rows_of(rows), error)


def _row(job: Job, run: Run, result: Result) -> dict[str, Any]:
    """A result as a row; a run that ended in an error has no numbers."""
    row = _settings(job, run) | {
        "error": result.error,
        "run_seconds": result.seconds,
    }
    if result.error is not None:
        return row
    return row | {
        "pv_loss": result.pv_loss,
        "ips_reward": result.ips_reward,
        "ips_loss": result.ips_loss,
        "curve_rounds": result.curve.rounds.tolist(),
        "curve_loss": result.curve.pv_loss.tolist(),
    }


def _settings(job: Job, run: Run) -> dict[str, Any]:
    played = run.for_job(job.facts.digest, job.shuffle)
    return _of_problem(job.facts) | {
        "shuffle": job.shuffle,
        "algorithm": run.label,
        "explorer": run.explorer,
        "reduction": run.reduction,
        "learning_rate": run.learning_rate,
        "encoding": run.encoding,
        "offset": run.offset,
        "baseline": run.baseline,
        "seed": run.seed,
        "job_seed": played.seed if run.takes_seed else None,
        "run": str(run),
        "version": VERSION,
        "host": socket.gethostname(),
        "worker": threading.current_thread().name,
    }


def _of_problem(facts: Facts) -> dict[str, Any]:
    return {
        "problem": facts.name,
        "digest": facts.digest,
        "task": facts.task,
        "n": facts.n,
        "n_features": facts.n_features,
        "n_actions": facts.n_actions,
        "openml_id": facts.openml_id,
        "constant_action_cost": facts.constant_action_cost,
        "uniform_cost": facts.uniform_cost,
    }
