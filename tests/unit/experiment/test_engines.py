"""What an engine is: a toy one in a few lines, and the table of those there are."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import get_args

import pytest

from bakeoff import Problem
from bakeoff.experiment.engines import ENGINES, EngineName, engine_of
from bakeoff.experiment.engines.workbench import Done, Where, Workbench
from bakeoff.experiment.experiment import Experiment
from bakeoff.runs.grids import grid
from bakeoff.store.jobs import Job
from benchmarks.kills import comparable

RUNS = grid(["greedy", "supervised"], learning_rates=[0.1, 1.0])
PROBLEM = Problem.from_classes([[1.0], [2.0], [3.0]] * 5, [0, 1, 1] * 5, name="small")


def one_by_one(jobs: Sequence[Job], bench: Workbench) -> Iterator[Done]:
    """A whole engine: it does what it is asked, the last job first."""
    for job in reversed(jobs):
        yield bench.carry_out(job)


def test_a_toy_engine_gives_the_rows_of_threads(tmp_path: Path) -> None:
    trial = Experiment(PROBLEM, RUNS, shuffles=2)

    trial.run(tmp_path / "toy", engine=one_by_one)
    trial.run(tmp_path / "threads")

    assert comparable(tmp_path / "toy").equals(comparable(tmp_path / "threads"))


@pytest.mark.parametrize("name", get_args(EngineName))
def test_every_engine_of_the_table_can_be_had(name: str) -> None:
    assert name in ENGINES
    assert callable(engine_of(name, Where(1)))
