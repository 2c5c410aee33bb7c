"""A small run of benchmarks/interval_coverage.py: intervals hold where they claim to."""

import numpy as np
import pytest

from bakeoff import evaluate
from benchmarks.interval_coverage import cell, log_of, new_world, simulate

LOGS = 60
WORLD = new_world()


@pytest.mark.parametrize("name", ["smoothing", "sequence", "robust"])
def test_bounds_hold_on_the_heavy_log_of_a_learner(name: str) -> None:
    made = simulate(WORLD, "learning", 0.02, 300, LOGS, seed=2)

    found = cell(WORLD, made, 300, adaptive=True, wanted=[name])

    least = 0.95 - 3 * np.sqrt(0.95 * 0.05 / LOGS)
    assert all(coverage >= least for coverage, _ in found.values())
    assert all(width < 1 for _, width in found.values())


def test_student_holds_where_weights_are_light() -> None:
    made = simulate(WORLD, "uniform", 1.0, 800, LOGS, seed=3)

    found = cell(WORLD, made, 800, adaptive=False, wanted=["student"])

    least = 0.95 - 3 * np.sqrt(0.95 * 0.05 / LOGS)
    assert all(coverage >= least for coverage, _ in found.values())


def test_student_is_not_the_default_where_it_fails() -> None:
    made = simulate(WORLD, "epsilon", 0.02, 1000, LOGS, seed=4)

    found = cell(WORLD, made, 1000, adaptive=False, wanted=["student"])
    chosen = evaluate(log_of(made, 0, 1000, adaptive=False), lambda X: X @ WORLD.target, ["ips"])

    assert found["ips/student"][0] < 0.9
    assert chosen["ips"].interval == "robust"
    assert not chosen.can_answer
