"""Many runs in one pass equal the same runs alone, whose updates go one by one.

With `FEWEST` columns or more, updates on the action taken go feature by feature across
columns (core/oracles/chosen.py): quick enough to try uncompiled.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from bakeoff import Problem, Run, simulate
from bakeoff.core.oracles.regression import FEWEST
from tests.comparisons import assert_same
from tests.configurations import BANDITS, Configuration
from tests.problems import sample

ROUNDS = 40
LEARN_FROM_THE_ACTION = [c for c in BANDITS if c.reduction in (None, "iwr", "dr", "dr-unweighted")]


def lanes_of(configuration: Configuration) -> list[Run]:
    """More runs than are needed, so that vectors have a rest, each different."""
    return [
        configuration.run(
            learning_rate=(0.05, 0.5, 3.0)[i % 3], offset=(0, -1, 9)[i // 3 % 3], seed=i
        )
        for i in range(FEWEST + 3)
    ]


@pytest.mark.parametrize("configuration", LEARN_FROM_THE_ACTION, ids=str)
def test_many_runs_in_one_pass_equal_the_same_runs_alone(configuration: Configuration) -> None:
    problem = sample("cost-sensitive", ROUNDS).problem
    runs = lanes_of(configuration)

    together = simulate(problem, runs, record=True)

    for run, result in zip(runs[::3], together[::3], strict=True):
        [alone] = simulate(problem, [run], record=True)
        assert_same(result, alone)


def test_runs_that_learn_nothing_in_a_round_are_left_alone() -> None:
    problem = sample("multiclass", ROUNDS).problem  # scores clip at losses of 0 and 1
    runs = [Run("greedy", learning_rate=10, offset=0, seed=i) for i in range(FEWEST)]
    runs += [replace(run, learning_rate=0.1) for run in runs]

    together = simulate(problem, runs, record=True)

    for run, result in zip(runs[::5], together[::5], strict=True):
        [alone] = simulate(problem, [run], record=True)
        assert_same(result, alone)


def test_weights_fetched_ahead_of_their_event_change_nothing() -> None:
    X = sparse.random_array((ROUNDS, 20_000), density=0.001, rng=0, format="csr")
    problem = Problem.from_classes(X, np.arange(ROUNDS) % 3)
    runs = [Run("greedy", learning_rate=0.5, seed=i) for i in range(3)]

    together = simulate(problem, runs, record=True)  # weights lie far; those of one are near

    for run, result in zip(runs, together, strict=True):
        [alone] = simulate(problem, [run], record=True)
        assert_same(result, alone)
