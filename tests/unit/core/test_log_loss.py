"""Regression on the log loss and what explores with it, by hand."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import brentq

from bakeoff import Problem, Run, SpecError, grid, simulate
from bakeoff.core.jit import bind
from bakeoff.core.oracles.logistic import chance, log_step, rise
from bakeoff.core.types import Event
from tests.unit.core.test_explorers import (
    BIAS,
    EXPLORE,
    assert_weights,
    call,
    kernels_of,
    lanes_of,
    learn,
    probabilities,
)

call_rise = bind(rise, "tests_rise")
call_step = bind(log_step, "tests_log_step")
call_chance = bind(chance, "tests_chance")


def odds(p: float) -> float:
    """The score of a probability."""
    return math.log(p / (1 - p))


@pytest.mark.parametrize("m", [-45.0, -3.0, 0.0, 2.0, 30.0])
@pytest.mark.parametrize("z", [1e-5, 0.3, 7.0, 50.0, 1e6])
def test_a_margin_rises_as_its_gradient_says(m: float, z: float) -> None:
    e = math.exp(m)
    most = min(z / (1 + e), math.log1p(z / e))

    root = brentq(lambda d: d + e * math.expm1(d) - z, 0, 1.01 * most + 1e-9, xtol=1e-15)

    assert_allclose(call_rise(m, z), root, rtol=1e-9, atol=1e-12)


def test_a_step_never_leaves_the_side_it_comes_from_where_costs_are_certain() -> None:
    for r in (-4.0, 0.0, 4.0):
        up, down = (call_step(r, cost, 1e9, 1.0) for cost in (1.0, 0.0))
        assert up > 0 > down
        assert call_chance(r + up) < 1
        assert call_chance(r + down) > 0


def test_small_steps_follow_the_slope_also_between_zero_and_one() -> None:
    for cost in (0.0, 0.25, 1.0):
        exact = 1e-4 * (cost - call_chance(0.7))
        assert_allclose(call_step(0.7, cost, 1e-4, 1.0), exact, rtol=1e-4)


def test_an_update_moves_log_odds_by_what_the_table_says() -> None:
    run = Run("epsilon-greedy:epsilon=0.75,logistic", offset=-1)
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=1, loss=0.0, p=[0.5, 0.25, 0.25], t=1)

    # cost 1 at odds of 1: slope 1/2, omega = 4: g2 = 1, q = 4, m = 1/2, kappa = 2,
    # z = 1/2 * 4 * 2 = 4: the score rises to the d with d + e^d - 1 = 4
    d = brentq(lambda d: d + math.expm1(d) - 4, 0, 4)
    assert_weights(bandit.policies, 0, [0, d, 0])


def test_the_encoding_of_losses_makes_no_difference() -> None:
    rng = np.random.default_rng(0)
    problem = Problem.from_classes(rng.normal(size=(300, 3)), rng.integers(3, size=300))
    runs = [Run("squarecb:logistic", offset=offset, seed=1) for offset in (-1, 0, 9)]

    first, *others = simulate(problem, runs, record=True)

    for other in others:
        assert_array_equal(other.actions, first.actions)
        assert_array_equal(other.probabilities, first.probabilities)


# ---- explorers


@pytest.mark.parametrize(
    ("spec", "t", "costs", "p"),
    [
        # gamma = 10 * 4^(1/2) = 20: 1 / (3 + 20 * .1) and 1 / (3 + 20 * .35)
        ("squarecb:gamma=10,logistic", 5, [0.1, 0.2, 0.45], [1 - 1 / 5 - 1 / 10, 1 / 5, 1 / 10]),
        ("softmax:sharpness=10,logistic", 5, [0.2, 0.3], [1 / (1 + math.exp(-1)), None]),
        # all of .1 lifts the two lowest to (.1 + .05 + .1) / 2 = .125
        ("synthcover:psi=0.1,logistic", 5, [0.05, 0.1, 0.4], [0.75, 0.25, 0.0]),
        ("first:tau=3,logistic", 5, [0.1, 0.2], [1.0, 0.0]),
        ("greedy:logistic", 5, [0.1, 0.1, 0.2], [0.5, 0.5, 0.0]),
        # before anything is known, gamma is 0
        ("fastcb:gamma=10", 1, [0.1, 0.2, 0.9], [1 / 3, 1 / 3, 1 / 3]),
        # gamma = 20: .1 / (.3 + 20 * .1) and .1 / (.3 + 20 * .35)
        ("fastcb:gamma=10", 5, [0.1, 0.2, 0.45], [1 - 1 / 23 - 1 / 73, 1 / 23, 1 / 73]),
        # two tied best share what is left
        ("fastcb:gamma=10", 5, [0.1, 0.2, 0.1], [11 / 23, 1 / 23, 11 / 23]),
    ],
)
def test_explorers_see_the_chance_of_a_cost(
    spec: str, t: int, costs: list[float], p: list[float | None]
) -> None:
    found = probabilities(Run(spec), [[odds(cost) for cost in costs]], t)

    for ours, expected in zip(found, p, strict=True):
        if expected is not None:
            assert_allclose(ours, expected, rtol=1e-5)  # scores are single precision


def test_fastcb_by_cost_counts_what_was_paid() -> None:
    run = Run("fastcb:gamma=10,by_cost", offset=9)
    state, bandit = lanes_of(run)
    for loss in (10.0, 9.0, 10.0, 10.0, 10.0):
        learn(run, state, bandit, a=0, loss=loss, p=[1.0, 0.0, 0.0], t=1)
    bandit.scores[:, 0] = [odds(cost) for cost in (0.1, 0.2, 0.2)]

    call(EXPLORE[kernels_of(run)], state, bandit, BIAS, Event(0, 3, 1000))

    # four costs of 1: gamma = 10 * 4^(1/2) = 20
    assert_allclose(bandit.p[:, 0], [1 - 2 / 23, 1 / 23, 1 / 23], rtol=1e-5)


def test_fastcb_explores_less_than_squarecb_where_costs_are_small() -> None:
    scores = [odds(cost) for cost in (0.001, 0.011)]

    fast = probabilities(Run("fastcb:gamma=10"), [scores], t=101)
    square = probabilities(Run("squarecb:gamma=10,logistic"), [scores], t=101)

    assert fast[1] < square[1] / 100


# ---- what is refused, and names


@pytest.mark.parametrize(
    ("spec", "settings", "word"),
    [
        ("epsilon-greedy:logistic", {"reduction": "dr"}, "iwr"),
        ("softmax:logistic", {"reduction": "ips"}, "iwr"),
        ("greedy:logistic", {"baseline": True}, "baseline"),
        ("fastcb", {"baseline": True}, "baseline"),
        ("fastcb", {"reduction": "iwr"}, "fastcb"),
        ("squarecb:elim,logistic", {}, "elim"),
        ("bag:exponential", {"reduction": "dr"}, "iwr"),
    ],
)
def test_what_the_log_loss_does_not_fit_is_refused(
    spec: str, settings: dict[str, object], word: str
) -> None:
    with pytest.raises(SpecError, match=word):
        Run(spec, **settings)  # type: ignore[arg-type]


def test_a_grid_with_baselines_leaves_them_out() -> None:
    assert not any(run.baseline for run in grid(["fastcb", "greedy:logistic"], baseline="both"))


def test_specs_of_the_squared_loss_are_what_they_were() -> None:
    assert Run("greedy").explorer == "greedy"
    assert Run("greedy:logistic").explorer == "greedy:logistic"
    assert Run("bag").explorer == "bag:n_policies=4"
    assert Run("bag:exponential,logistic").explorer == "bag:n_policies=4,exponential,logistic"


# ---- bag with exponential weights


def test_exponential_weights_have_mean_and_variance_one() -> None:
    run = Run("bag:n_policies=500,exponential")
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=1, loss=-1.0, p=[0.0, 1.0, 0.0], t=3)

    assert (bandit.repeats == 1).all()
    assert abs(bandit.weight.mean() - 1) < 0.15  # three standard errors
    assert abs(bandit.weight.std() - 1) < 0.25


def test_each_policy_learns_with_its_weight() -> None:
    run = Run("bag:n_policies=3,exponential,greedy")
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=1, loss=-1.0, p=[0.5, 0.5, 0.0], t=3)

    assert bandit.weight[0] == 1  # of the greedy one
    for i in range(3):
        # omega = 2 weight, y = -1: z = sqrt(omega) / 2
        omega = 2 * float(bandit.weight[i])
        assert_weights(bandit.policies, i, [0, math.exp(-math.sqrt(omega)) - 1, 0])
