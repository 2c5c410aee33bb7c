"""Safeguards by hand: what fades, when a rise is noticed, and what starts anew."""

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bakeoff import Run, SpecError
from bakeoff.core import safeguards
from bakeoff.core.explorers.base import filled
from bakeoff.core.types import Contexts, Event, Sizes
from bakeoff.runs.rules import rule
from bakeoff.simulation.lanes import new_lanes

SIZES = Sizes(3, 2, 2, 3, 3.0, 0)
NONE = np.zeros(0, np.int64)
ROWS = Contexts(NONE, np.zeros(0, np.int32), np.zeros(0, np.float32), NONE)


def lanes_of(*specs: str) -> tuple[Any, Any]:
    """State and bandit of some runs."""
    _, state, bandit = new_lanes([Run(spec) for spec in specs], SIZES)
    return state, bandit


def test_sums_fade_by_the_formula_and_in_their_own_lane() -> None:
    state, bandit = lanes_of("greedy:forget=100", "greedy:forget=1000")
    bandit.policies.A[:] = 4.0
    bandit.policies.A[0, 0] = 1e-37

    safeguards.fade_regressors(state, bandit, 0)

    assert (state.step[0], state.step[1]) == (2, 20)
    A = bandit.policies.A
    assert A[0, 0] == np.float32(1e-37)  # as small as counts
    assert_array_equal(A[1:, ::2], np.float32(4) * np.float32(math.exp(-2 / 100)))
    assert_array_equal(A[:, 1::2], 4)


def test_a_memory_is_exponential_to_within_two_percent() -> None:
    state, bandit = lanes_of("greedy:forget=200")
    g2 = np.random.default_rng(0).random(1000)
    outcome = iter(g2)

    def add(state: Any, bandit: Any, x: Any, event: Any) -> None:
        bandit.policies.A[0, 0] += next(outcome)

    learn = filled(safeguards.safe_learn, learn=add, fade=safeguards.fade_regressors)
    for t, _ in enumerate(g2, start=1):
        learn(state, bandit, ROWS, Event(0, 2, t))
        exact = (g2[:t] * np.exp(-np.arange(t)[::-1] / 200)).sum()
        assert_allclose(bandit.policies.A[0, 0], exact, rtol=0.02)


def test_a_rise_is_noticed_when_it_has_lasted() -> None:
    state, bandit = lanes_of("greedy:restart=2")
    noticed = []
    for cost in [0] * 10 + [1] * 4:
        bandit.loss[0] = cost - 1
        noticed.append(safeguards.has_risen(state, bandit, 0))

    # 1 - 1/11 - 0.05 = 0.859; + 1 - 2/12 - 0.05 = 1.642; + 1 - 3/13 - 0.05 = 2.362
    assert noticed == [False] * 12 + [True, False]
    assert (state.since[0], state.total[0]) == (1, 1)  # since the start
    assert state.restarts[0] == 1


def test_a_ridge_regression_forgets_up_to_its_prior() -> None:
    state, bandit = lanes_of("linmed:forget=50,ridge=4")
    state.own.weight[0, 1] = [0.25, 0.2, 0.2499]
    state.own.log_det[0] = 3.0

    safeguards.fade_ridge(state, bandit, 0)

    grown = math.exp(1 / 50)
    assert_allclose(state.own.weight[0, 1], [0.25, 0.2 * grown, 0.25])
    assert_allclose(state.own.log_det[0], 3 - 1 / 50 - math.log(0.25 / 0.2499))

    state.own.theta[:] = 7
    safeguards.clear_ridge(state, bandit, 0)
    assert_array_equal(state.own.weight, np.full((1, 2, 3), 0.25))
    assert_array_equal(state.own.factor[0], [np.eye(3)] * 2)
    assert (state.own.theta == 0).all()
    assert state.own.log_det[0] == 0


def test_a_share_is_uniform_and_skylines_have_none() -> None:
    explorer, state, bandit = new_lanes([Run("greedy:explore=0.3")], SIZES)
    bandit.scores[:] = [[1], [0]]

    explorer.explore(state, bandit, ROWS, Event(0, 2, 1))

    assert_allclose(bandit.p, [[0.15], [0.85]])
    with pytest.raises(SpecError, match="'supervised' has no parameter 'explore'"):
        Run("supervised:explore=0.1")


def test_labels_say_which_safeguards_there_are() -> None:
    assert Run("regcb:optimistic,forget=9,restart=3").label == "RO forget restart"
    assert Run("greedy:explore=0.1", inputs="centred").label == "G explore centred"
    assert Run("greedy:explore=0.1,label=mine").label == "mine"


def test_a_rule_has_them_and_may_not_take_their_names() -> None:
    def flat(scores: Any, power: float = 1.0) -> Any:
        return np.ones(len(scores)) / len(scores)

    def bad(scores: Any, forget: int = 3) -> Any:
        return scores

    assert Run(f"{rule(flat)}:forget=8").settings.forget == 8
    with pytest.raises(SpecError, match="has the name of a safeguard"):
        rule(bad)
