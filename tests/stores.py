"""Jobs and their rows by hand."""

from collections.abc import Sequence
from pathlib import Path

import polars as pl

from bakeoff import Run
from bakeoff.data.facts import Facts
from bakeoff.store.jobs import Group, Job
from bakeoff.store.rows import rows_of, settings_of
from bakeoff.store.store import Store

FACTS = Facts(
    name="iris",
    origin="embedded:iris",
    digest="ab" * 32,
    task="multiclass",
    n=150,
    n_features=4,
    n_actions=3,
    nonzeros=600,
    longest_row=5,
    constant_action_cost=2 / 3,
    uniform_cost=2 / 3,
)


def runs_at(*rates: float) -> list[Run]:
    """Runs of one structure."""
    return [Run("greedy", learning_rate=rate, seed=1) for rate in rates]


def job_of(runs: Sequence[Run], *, facts: Facts = FACTS, shuffle: int = 1) -> Job:
    """All of some runs, on a problem that need not exist."""
    return Job(facts, shuffle, Group(tuple(runs)), tuple(runs))


def rows_by_hand(
    job: Job, *, loss: float = 0.25, error: str | None = None, errors: int = 0
) -> pl.DataFrame:
    """Rows of the runs of a job: all with an error, or the last few."""
    rows = []
    for place, run in enumerate(job.runs):
        why = error or ("exploded" if place >= len(job.runs) - errors else None)
        row = settings_of(job.facts, job.shuffle, run)
        rows.append(row | {"pv_loss": None if why else loss, "error": why})
    return rows_of(rows)


def written(folder: Path, *jobs: Job) -> Store:
    """A store that holds some jobs."""
    store = Store(folder)
    with store.writing():
        for job in jobs:
            store.write(job, rows_by_hand(job))
    return store
