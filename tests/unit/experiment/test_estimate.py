"""Estimates: what jobs share the time and the memory."""

import sys
import time
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from bakeoff import Problem
from bakeoff.basics.errors import SpecError
from bakeoff.experiment import Experiment, ProgressListener
from bakeoff.experiment.engines.problems import Problems
from bakeoff.experiment.estimate import Estimate, Means, _played, estimate
from bakeoff.learners import Pool
from bakeoff.learners.spec import OwnRun
from bakeoff.runs.grids import grid
from bakeoff.runs.run import Run
from bakeoff.store.store import Store

OWN = OwnRun("python:tests.learners.Uniform")
KERNELS = grid(["greedy"], learning_rates=[0.1, 1.0])
PLENTY = 10**9


@pytest.fixture(autouse=True)
def work_takes_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["bakeoff.experiment.estimate"]  # the function has its name
    monkeypatch.setattr(module, "_seconds_per_cost", lambda *_: 1.0)


def estimated(runs: list[Run], means: Means) -> Estimate:
    problem = Problem.from_classes(np.eye(30, 5), np.arange(30) % 3, name="a")
    experiment = Experiment(problem, runs, shuffles=4)
    problems = Problems(lambda facts: problem, PLENTY)
    plan = experiment.plan(Store(Path("none")), problems, ProgressListener())
    return estimate(plan, problems, means)


def test_threads_share_the_time_of_kernels() -> None:
    one, four = (estimated(KERNELS, Means(threads, PLENTY, PLENTY)) for threads in (1, 4))

    assert four.seconds == one.seconds / 4


def test_own_learners_do_not_wait_for_each_other() -> None:
    alone, four = (estimated([OWN], Means(n, PLENTY, PLENTY)) for n in (1, 4))

    assert four.seconds == alone.seconds / 4


def test_the_time_in_which_others_have_the_core_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    module = sys.modules["bakeoff.experiment.estimate"]
    monkeypatch.setattr(module, "play_in_order", lambda *_: time.sleep(0.1))
    problem = Problem.from_classes(np.eye(30, 5), np.arange(30) % 3, name="a")

    with closing(Pool()) as pool:
        assert _played(problem, KERNELS, pool) < 0.05


def test_jobs_that_fill_the_memory_wait_for_each_other() -> None:
    each = estimated(KERNELS[:1], Means(1, PLENTY, 0))
    bare = estimated(KERNELS[:1], Means(1, 1, 0))
    learner = each.memory - bare.memory + 1

    both = estimated(KERNELS[:1], Means(2, 2 * learner, 0))
    one = estimated(KERNELS[:1], Means(2, 2 * learner - 1, 0))

    assert (both.seconds, one.seconds) == (each.seconds / 2, each.seconds)
    assert (bare.too_large, both.too_large, one.too_large) == (4, 0, 0)


def test_a_dry_run_says_what_is_left_and_stores_nothing(tmp_path: Path) -> None:
    problem = Problem.from_classes(np.eye(30, 5), np.arange(30) % 3, name="a")
    Experiment(problem, KERNELS[:1], shuffles=2).run(tmp_path / "store")
    before = sorted(path.name for path in (tmp_path / "store").rglob("*"))

    found = Experiment(problem, KERNELS, shuffles=2).dry_run(tmp_path / "store", jobs=3)

    assert (found.plan.n_runs, found.plan.n_left, found.estimate.runs) == (4, 2, 2)
    assert found.estimate.run_examples == 2 * 30
    assert found.means.threads == 3
    first, second = repr(found).splitlines()
    assert first == "1 problem, 4 runs; to do: 2 jobs, 2 runs, 60 run-examples"
    assert " with 3 threads, " in second
    assert sorted(path.name for path in (tmp_path / "store").rglob("*")) == before


def test_a_dry_run_refuses_what_a_run_refuses(tmp_path: Path) -> None:
    problem = Problem.from_classes(np.eye(30, 5), np.arange(30) % 3, name="a")

    with pytest.raises(SpecError, match="jobs"):
        Experiment(problem, KERNELS).dry_run(tmp_path, jobs=0)
