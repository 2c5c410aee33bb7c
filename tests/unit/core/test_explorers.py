"""Each explorer on numbers small enough to work out by hand.

Learn steps start from regressors that know nothing, on a row of d = 4 features (three
and the bias) with learning rate eta = 1/2. Then all of Algorithm 6 comes down to this:
with label y and importance omega,

    g2 = 4 omega y^2,  A_j = g2 x_j^2,  N_j = |x_j|,  x_j^2 rho_j = 1 / sqrt(g2),
    q = d / sqrt(g2),  n = d,  T = omega,  S = d omega,  m = sqrt(T / S) = 1/2,
    kappa = q m,  z = eta omega kappa = sqrt(omega) / (2 |y|),

the score moves from 0 to y (1 - exp(-2 z)), and each feature gets an equal share:

    w_j x_j = y (1 - exp(-2 z)) / 4
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from bakeoff import Problem, Run
from bakeoff.core.bandit import Bandit, draw_actions
from bakeoff.core.explorers import EXPLORERS
from bakeoff.core.explorers.cover import least_probability
from bakeoff.core.explorers.regcb import width
from bakeoff.core.jit import bind
from bakeoff.core.oracles.regression import Regressors, predict, score
from bakeoff.core.random import key_of, poisson, uniform
from bakeoff.core.types import Contexts, Event, Sizes
from bakeoff.runs.specs import explorer_of
from bakeoff.simulation.lanes import new_lanes
from tests.reference import draws

SINGLE = 1e-6  # relative: a dozen roundings of 6e-8 to single precision

KERNELS = {e.kernels: e for e in EXPLORERS.values()}
EXPLORE = {n: bind(e.explore, f"test_explore_{n}") for n, e in KERNELS.items()}
LEARN = {n: bind(e.learn, f"test_learn_{n}") for n, e in KERNELS.items()}


def row(index: Sequence[int], value: Sequence[float]) -> Contexts:
    """One row of features."""
    ends = np.array([0, len(index)])
    whole = np.array([0, 1])
    return Contexts(ends, np.array(index, np.int32), np.array(value, np.float32), whole)


BIAS = row([0], [1.0])
FOUR = row([1, 2, 3, 0], [1.0, 2.0, -4.0, 1.0])
SHARES = np.array([1.0, 1.0, 1 / 2, -1 / 4])  # 1 / x_j of FOUR: the bias, then the rest


def lanes_of(*runs: Run, n_actions: int = 3, problem: Problem | None = None) -> tuple[Any, Bandit]:
    """The state and the bandit of runs with up to three features and the bias."""
    _, state, bandit = new_lanes(runs, Sizes(4, n_actions, n_actions, 4), problem)
    return state, bandit


def kernels_of(run: Run) -> str:
    """The name of the explorer's file."""
    return explorer_of(run.settings).kernels


def call(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call a bound kernel; uncompiled, it may divide by zero as compiled ones do."""
    with np.errstate(all="ignore"):
        return kernel(*arguments)


def probabilities(run: Run, scores: Sequence[Sequence[float]], t: int) -> list[float]:
    """p_t of one run, given the scores of each of its policies."""
    K = len(scores[0])
    state, bandit = lanes_of(run, n_actions=K)
    bandit.scores[:] = np.transpose(scores)

    call(EXPLORE[kernels_of(run)], state, bandit, BIAS, Event(0, K, t))

    return bandit.p[:, 0].tolist()


def learn(
    run: Run, state: Any, bandit: Bandit, a: int, loss: float, p: list[float], t: int
) -> None:
    """Learn the loss of action `a` on FOUR, as the only lane."""
    bandit.action[0], bandit.loss[0], bandit.probability[0] = a, loss, p[a]
    bandit.p[:, 0] = p
    call(LEARN[kernels_of(run)], state, bandit, FOUR, Event(0, len(p), t))


def assert_weights(f: Regressors, column: int, scores: Sequence[float]) -> None:
    """Scores of the blocks of one column, equally shared by the features of FOUR."""
    weights = f.w[:, column :: f.eta.shape[0]]
    expected = np.outer(SHARES, scores) / 4
    assert_allclose(weights, expected, rtol=SINGLE, atol=0)  # see SINGLE


# Epsilon-greedy and greedy


@pytest.mark.parametrize(
    ("spec", "scores", "p"),
    [
        # epsilon / K = 3/4 / 3 = 1/4 each, the best gets 1 - 3/4 = 1/4 more
        ("epsilon-greedy:epsilon=0.75", [0.5, -1.0, 2.0], [0.25, 0.5, 0.25]),
        # two tied best share that quarter
        ("epsilon-greedy:epsilon=0.75", [0.1, 0.1, 0.2], [0.375, 0.375, 0.25]),
        ("epsilon-greedy:epsilon=1", [0.5, -1.0, 2.0], [1 / 3, 1 / 3, 1 / 3]),
        ("epsilon-greedy:epsilon=0.5", [1.0, 1.0], [0.5, 0.5]),
        ("greedy", [0.5, -1.0, 2.0], [0.0, 1.0, 0.0]),
        ("greedy", [0.1, 0.3, 0.1], [0.5, 0.0, 0.5]),
        ("greedy", [0.0, 0.0, 0.0], [1 / 3, 1 / 3, 1 / 3]),
        # ties are exact: neighbours in single precision are not tied
        ("greedy", [1.0, 1.0 + 2**-23, 1.0], [0.5, 0.0, 0.5]),
    ],
)
def test_epsilon_greedy_explores_uniformly_and_shares_the_rest_among_the_best(
    spec: str, scores: list[float], p: list[float]
) -> None:
    assert probabilities(Run(spec), [scores], t=5) == p


def test_iwr_regresses_the_action_taken_with_importance_one_over_p() -> None:
    run = Run("epsilon-greedy:epsilon=0.75", "iwr")
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=1, loss=1.0, p=[0.5, 0.25, 0.25], t=1)

    # omega = 1 / 0.25 = 4, y = 1: z = sqrt(4) / 2 = 1
    assert_weights(bandit.policies, 0, [0, 1 - math.exp(-2), 0])
    assert (bandit.policies.T[0, 0], bandit.policies.S[0, 0]) == (4, 16)


def test_greedy_learns_with_importance_one_over_p_of_ties() -> None:
    run = Run("greedy")
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=2, loss=1.0, p=[0.5, 0.0, 0.5], t=1)

    # omega = 2, y = 1: z = sqrt(2) / 2
    assert_weights(bandit.policies, 0, [0, 0, 1 - math.exp(-math.sqrt(2))])


def test_ips_regresses_the_action_taken_on_loss_over_p_and_others_on_zero() -> None:
    run = Run("epsilon-greedy:epsilon=0.75", "ips", offset=-1)
    state, bandit = lanes_of(run)
    bandit.scores[:, 0] = 0, 0, -0.5
    bandit.policies.lo[0] = -1

    learn(run, state, bandit, a=1, loss=-1.0, p=[0.5, 0.25, 0.25], t=1)

    # estimates 0, -1 / 0.25 = -4, 0.  Action 1: omega = 1, y = -4, z = 1/8.
    # Action 2: error 0 - (-0.5) = 1/2 as if y were 1/2 from 0: z = 1 / (2 / 2) = 1.
    assert_array_equal(bandit.estimates[:, 0], [0, -4, 0])
    moved = [0, -4 * (1 - math.exp(-1 / 4)), 0.5 * (1 - math.exp(-2))]
    assert_weights(bandit.policies, 0, moved)


def test_the_range_of_labels_widens_before_the_gradient() -> None:
    run = Run("greedy")
    state, bandit = lanes_of(run)
    bandit.scores[1, 0] = 0.5

    learn(run, state, bandit, a=1, loss=1.0, p=[0.0, 1.0, 0.0], t=1)

    # No label yet: clipped to [0, 1] the score stays at 1/2, and the error is 1/2 as if
    # y were 1/2 from 0; clipped to [0, 0] the error would be 1. omega = 1: z = 1.
    assert_weights(bandit.policies, 0, [0, 0.5 * (1 - math.exp(-2)), 0])


def test_the_range_of_labels_widens_from_action_to_action() -> None:
    run = Run("supervised")
    costs = Problem.from_costs([[1.0, 2.0, -4.0]], [[0.5, 1.0, 0.25]])
    state, bandit = lanes_of(run, problem=costs)
    bandit.scores[:, 0] = 0.25, 0.75, 0.75

    learn(run, state, bandit, a=0, loss=0.5, p=[1.0, 0.0, 0.0], t=1)

    # ranges [0, 1/2], [0, 1], [0, 1]: errors 1/2 - 1/4, 1 - 3/4, 1/4 - 3/4;
    # an error e from 0 makes z = 1 / (2 |e|)
    moved = [0.25 * (1 - math.exp(-4)), 0.25 * (1 - math.exp(-4)), -0.5 * (1 - math.exp(-2))]
    assert_weights(bandit.policies, 0, moved)


@pytest.mark.parametrize(("reduction", "z"), [("dr", 1), ("dr-unweighted", 1 / 2)])
def test_dr_estimates_after_its_estimator_has_learned(reduction: str, z: float) -> None:
    run = Run("epsilon-greedy:epsilon=0.75", reduction)
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=1, loss=1.0, p=[0.5, 0.25, 0.25], t=1)

    # The estimator has omega = 1 / p = 4, y = 1: z = 4 * 1/2 / sqrt(4) = 1; with importance 1
    # it is 1/2. Its error after the update is E = exp(-2 z).
    # The estimate is 1 - E + E / 0.25 = 1 + 3 E; the policy has that for its y.
    E = math.exp(-2 * z)
    y = 1 + 3 * E
    assert_allclose(bandit.estimates[:, 0], [0, y, 0], rtol=SINGLE)
    assert_weights(bandit.estimator, 0, [0, 1 - E, 0])
    assert_weights(bandit.policies, 0, [0, y * (1 - math.exp(-1 / y)), 0])


def test_dr_corrects_what_its_estimator_has_learned() -> None:
    run = Run("epsilon-greedy:epsilon=0.75", "dr-unweighted")
    state, bandit = lanes_of(run)
    p = [0.5, 0.25, 0.25]

    learn(run, state, bandit, a=1, loss=1.0, p=p, t=1)
    learn(run, state, bandit, a=2, loss=0.5, p=p, t=2)
    learn(run, state, bandit, a=1, loss=1.0, p=p, t=3)

    # Round 1 leaves action 1 an error of E = 1/e; round 3 has A = 4 + 4 E^2 in place of
    # 4, so z = 1/2 / sqrt(1 + E^2). Its estimate is e_1 + (1 - e_1) / 0.25 = 4 - 3 e_1.
    # Round 2: y = 1/2, omega = 1; T = 2, S = 8 leave m at 1/2: z = 1.
    E = math.exp(-1)
    e_1 = 1 - E * math.exp(-1 / math.sqrt(1 + E * E))
    e_2 = 0.5 * (1 - math.exp(-2))
    assert_allclose(bandit.estimates[:, 0], [0, 4 - 3 * e_1, e_2], rtol=SINGLE)


@pytest.mark.parametrize(
    ("lo", "hi", "expected", "estimate"),
    [
        (-1, 1, 0.5, 0.5),
        (-1, 1, 2.0, 1.0),
        (-1, 1, -3.0, -1.0),
        (-1, 0, 0.5, 0.5),  # known to be bad: worse than 0, where all weights start
        (-1, 0, -3.0, -1.0),
    ],
)
def test_dr_clips_what_it_expects_of_other_actions_but_not_at_zero(
    lo: float, hi: float, expected: float, estimate: float
) -> None:
    run = Run("epsilon-greedy:epsilon=0.75", "dr", offset=-1)
    state, bandit = lanes_of(run)
    bandit.estimator.w[0, 2] = expected  # on the bias of the last action
    bandit.estimator.lo[0], bandit.estimator.hi[0] = lo, hi

    learn(run, state, bandit, a=1, loss=0.0, p=[0.5, 0.25, 0.25], t=1)

    assert_array_equal(bandit.estimates[:, 0], [0, 0, estimate])


@pytest.mark.parametrize(("expected", "estimate"), [(0.5, -4.0), (-3.0, -1.0)])
def test_dr_clips_what_it_expects_of_the_action_taken_on_both_sides(
    expected: float, estimate: float
) -> None:
    run = Run("epsilon-greedy:epsilon=0.75", "dr", learning_rate=1e-30, offset=-1)
    state, bandit = lanes_of(run)
    bandit.estimator.w[0, 1] = expected  # stays, at such a learning rate
    bandit.estimator.lo[0] = -1

    learn(run, state, bandit, a=1, loss=-1.0, p=[0.5, 0.25, 0.25], t=1)

    # 0 + (-1 - 0) / 0.25, and -1 + (-1 + 1) / 0.25
    assert_array_equal(bandit.estimates[:, 0], [0, estimate, 0])


def test_a_baseline_learns_first_and_with_steps_of_the_largest_loss() -> None:
    run = Run("greedy", offset=9, baseline=True)
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=0, loss=10.0, p=[0.25, 0.25, 0.5], t=1)

    # The baseline is a feature of value 1: omega = 4, error = 10, A0 = 4 4 100 = 1600,
    # rho = 1/40, T = S = 4, kappa = 1/40, s = eta 10 omega = 20: z = 1/2.
    # The weights go by the score from before, 0: error = 10, g2 = 1600, q = 4/40,
    # T = 4 + 4, S = 4 + 4 4, kappa = sqrt(8/20) / 10, s = eta omega = 2.
    f = bandit.policies
    z = 2 * math.sqrt(8 / 20) / 10
    assert f.w0[0] == pytest.approx(10 * (1 - math.exp(-1)), rel=SINGLE)
    assert f.A0[0] == 1600
    assert (f.T[0, 0], f.S[0, 0]) == (8, 20)
    assert_weights(f, 0, [10 * (1 - math.exp(-2 * z)), 0, 0])


def test_a_baseline_takes_the_largest_magnitude_of_losses_not_their_range() -> None:
    run = Run("greedy", offset=-0.5, baseline=True)
    state, bandit = lanes_of(run)
    bandit.policies.lo[0] = -0.5

    learn(run, state, bandit, a=0, loss=0.5, p=[0.25, 0.25, 0.5], t=1)

    # omega = 4, error = 1/2, A0 = 4 4 / 4 = 4, rho = 1/2, T = S = 4, kappa = 1/2,
    # s = eta 1/2 omega = 1: z = 1/2
    assert bandit.policies.w0[0] == pytest.approx(0.5 * (1 - math.exp(-1)), rel=SINGLE)


@pytest.mark.parametrize(("w0", "clipped"), [(0.5, 0.5), (2.0, 1.0), (-3.0, -1.0)])
def test_scores_start_from_the_baseline_within_the_range_of_losses(
    w0: float, clipped: float
) -> None:
    _, bandit = lanes_of(Run("greedy", baseline=True))
    f = bandit.policies
    f.w0[0], f.lo[0], f.hi[0] = w0, -1, 1
    f.w[0] = 0, 0.25, 8

    call(bind(predict, "test_predict"), f, FOUR, Event(0, 3, 1), bandit.scores)
    again = [call(bind(score, "test_score"), f, FOUR, 0, k, 0) for k in range(3)]

    assert_array_equal(bandit.scores[:, 0], [clipped, clipped + 0.25, clipped + 8])
    assert again == bandit.scores[:, 0].tolist()


def test_a_baseline_beyond_the_range_of_losses_is_not_pulled_back() -> None:
    run = Run("greedy", baseline=True)
    state, bandit = lanes_of(run)
    bandit.policies.w0[0], bandit.policies.hi[0] = 2, 1
    bandit.scores[:, 0] = 1

    learn(run, state, bandit, a=0, loss=1.0, p=[1.0, 0.0, 0.0], t=1)

    # clipped, the baseline is 1 and so is the score: no error, nothing changes
    assert bandit.policies.w0[0] == 2
    assert bandit.policies.T[0, 0] == 0
    assert_weights(bandit.policies, 0, [0, 0, 0])


# Bag


@pytest.mark.parametrize(
    ("scores", "p"),
    [
        # votes for 0, 0, 2, and 0 and 1 half each: 2.5, 0.5, 1 of 4
        ([[0, 1, 2], [-1, 1, 2], [2, 1, 0], [0, 0, 1]], [2.5 / 4, 0.5 / 4, 1 / 4]),
        ([[0, 0, 0], [1, 0, 2]], [1 / 3 / 2, (1 / 3 + 1) / 2, 1 / 3 / 2]),
        ([[0.5, 0.25]], [0, 1]),
    ],
)
def test_bag_gives_each_action_its_share_of_the_votes(
    scores: list[list[float]], p: list[float]
) -> None:
    assert probabilities(Run(f"bag:n_policies={len(scores)}"), scores, t=5) == p


def test_policies_of_a_lane_stand_a_lane_apart() -> None:
    state, bandit = lanes_of(Run("bag:n_policies=2"), Run("bag:n_policies=2,greedy"))
    bandit.scores[:] = [[0, 1, 0, 1], [1, 0, 1, 1], [1, 1, 1, 0]]

    call(EXPLORE["bag"], state, bandit, BIAS, Event(0, 3, 1))

    # columns are policy 0 of lanes 0 and 1, then policy 1 of lanes 0 and 1
    assert_array_equal(bandit.p, [[1, 0], [0, 0.5], [0, 0.5]])


@pytest.mark.parametrize(
    ("u", "tau"),
    [
        (0.0, 0),
        (0.367879, 0),  # 1/e = 0.3678794...
        (0.367880, 1),
        (0.735758, 1),  # 2/e = 0.7357588...
        (0.735759, 2),
        (0.919698, 2),  # 2.5/e = 0.9196986...
        (0.919699, 3),
        (0.981011, 3),  # (2.5 + 1/6)/e = 0.9810118...
        (0.981012, 4),
        (1 - 2**-53, 18),  # 1 - u = 1.1e-16, between 1/(e 18!) and 1/(e 19!)
    ],
)
def test_poisson_inverts_its_distribution_function(u: float, tau: int) -> None:
    assert bind(poisson, "test_poisson")(u) == tau


def test_bag_makes_as_many_updates_as_poisson_draws_say() -> None:
    run = Run("bag:n_policies=3", "iwr", seed=17)
    state, bandit = lanes_of(run)
    u = [draws.uniform(draws.key_of(17), 1, 1 + i) for i in range(3)]

    learn(run, state, bandit, a=1, loss=1.0, p=[0.5, 0.25, 0.25], t=1)

    # u = 0.18 < 1/e: none; 0.53 < 2/e: one; 0.82 < 2.5/e: two.
    # One update as in IWR: z = 1, the error left is E = e^-2. The second has
    # A = 16 + 16 E^2 in place of 16: z / sqrt(1 + E^2); T and S double.
    assert [round(number, 2) for number in u] == [0.18, 0.53, 0.82]
    assert_array_equal(bandit.repeats, [0, 1, 2])
    E = math.exp(-2)
    twice = 1 - E * math.exp(-2 / math.sqrt(1 + E * E))
    assert_weights(bandit.policies, 0, [0, 0, 0])
    assert_weights(bandit.policies, 1, [0, 1 - E, 0])
    assert_weights(bandit.policies, 2, [0, twice, 0])
    assert_array_equal(bandit.policies.T[0], [0, 4, 8])
    assert_array_equal(bandit.policies.S[0], [0, 16, 32])


def test_the_first_policy_of_bag_greedy_learns_exactly_once() -> None:
    run = Run("bag:n_policies=3,greedy", "iwr", seed=17)
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=1, loss=1.0, p=[0.5, 0.25, 0.25], t=1)

    assert_array_equal(bandit.repeats, [1, 1, 2])
    assert_weights(bandit.policies, 0, [0, 1 - math.exp(-2), 0])


def test_bag_repeats_all_updates_of_one_estimate() -> None:
    run = Run("bag:n_policies=3", "dr", seed=17)
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=1, loss=1.0, p=[0.5, 0.25, 0.25], t=1)

    # The estimate is y = 1 + 3/e^2 as for epsilon-greedy: z = 1 / (2 y), E = e^(-1/y),
    # the second update as above. The estimator learns once, whatever the draws.
    y = 1 + 3 * math.exp(-2)
    E = math.exp(-1 / y)
    twice = y * (1 - E * math.exp(-1 / y / math.sqrt(1 + E * E)))
    assert_weights(bandit.policies, 0, [0, 0, 0])
    assert_weights(bandit.policies, 1, [0, y * (1 - E), 0])
    assert_weights(bandit.policies, 2, [0, twice, 0])
    assert_weights(bandit.estimator, 0, [0, 1 - math.exp(-2), 0])


# Cover


@pytest.mark.parametrize(
    ("K", "t", "mu"),
    [
        (3, 1, 1 / 3),  # 1 / sqrt(3) is larger
        (3, 3, 1 / 3),  # 1 / sqrt(9)
        (3, 12, 1 / 6),  # 1 / sqrt(36)
        (2, 8, 1 / 4),  # 1 / sqrt(16)
        (1, 9, 1 / 3),  # 1 / sqrt(9)
    ],
)
def test_the_least_probability_of_cover_falls_with_the_square_root_of_t(
    K: int, t: int, mu: float
) -> None:
    assert bind(least_probability, "test_least_probability")(K, t) == mu


@pytest.mark.parametrize(
    ("spec", "scores", "t", "p"),
    [
        # q = 1/2, 1/2, 0 and mu = 1/6: 1/6 + (1 - 3/6) q
        ("cover:n_policies=2", [[0, 1, 1], [1, 0, 1]], 12, [1 / 6 + 1 / 4, 1 / 6 + 1 / 4, 1 / 6]),
        # mu = 1/3 leaves nothing for q
        ("cover:n_policies=2", [[0, 1, 1], [0, 1, 1]], 3, [1 / 3, 1 / 3, 1 / 3]),
        # a tied vote is split: q = 3/4, 1/4 and mu = 1/4: 1/4 + (1 - 2/4) q
        ("cover:n_policies=2", [[0, 1], [0, 0]], 8, [0.625, 0.375]),
        ("cover:n_policies=2,nu", [[0, 1, 1], [1, 0, 1]], 12, [0.5, 0.5, 0]),
        ("cover:n_policies=2,nu", [[0, 0, 1], [0, 1, 1]], 1, [0.75, 0.25, 0]),
    ],
)
def test_cover_mixes_votes_with_the_least_probability(
    spec: str, scores: list[list[float]], t: int, p: list[float]
) -> None:
    found = probabilities(Run(spec), scores, t)

    assert_allclose(found, p, rtol=1e-15)  # 1 - 3/6 has rounded factors


def test_cover_rewards_policies_for_what_those_before_them_leave() -> None:
    run = Run("cover:n_policies=3,psi=0.5", "ips")
    state, bandit = lanes_of(run)
    bandit.scores[:] = [[0, 1, 0], [-1, 0, 0], [0, 0, 0]]

    learn(run, state, bandit, a=0, loss=1.0, p=[0.25, 0.5, 0.25], t=12)

    # Estimates 1 / 0.25 = 4, 0, 0; mu = 1/6; the bonus is psi mu / (mu + (1 - mu) q):
    # 1/2 where q = 0, 1/12 where q = 1, and (1/12) / (1/6 + 5/12) = 1/7 where q = 1/2.
    # Policy 0 gets none. Policy 1 goes by q = 0, 1, 0: policy 0 has chosen action 1.
    # Policy 2: policy 1 split its vote between actions 1 and 2: q = 0, 3/4, 1/4.
    bonus_34, bonus_14 = 1 / 12 / (1 / 6 + 5 / 8), 1 / 12 / (1 / 6 + 5 / 24)
    targets = [[4, 4 - 1 / 2, 4 - 1 / 2], [0, -1 / 12, -bonus_34], [0, -1 / 2, -bonus_14]]
    assert_allclose(bandit.targets, targets, rtol=SINGLE)


def test_cover_regresses_each_policy_on_its_targets() -> None:
    run = Run("cover:n_policies=2,psi=0.5", "ips")
    state, bandit = lanes_of(run)
    bandit.scores[:] = [[0, 0], [-1, 0], [0, 0]]

    learn(run, state, bandit, a=0, loss=1.0, p=[0.25, 0.5, 0.25], t=12)

    # Policy 0 on 4, 0, 0: z = 1/8 for the first; -1 clipped to the labels seen is 0.
    # Policy 1 on 3.5, -1/12, -1/2 with z = 1/7, 6 and 1; m stays at 1/2.
    assert_weights(bandit.policies, 0, [4 * (1 - math.exp(-1 / 4)), 0, 0])
    moved = [
        3.5 * (1 - math.exp(-2 / 7)),
        -1 / 12 * (1 - math.exp(-12)),
        -1 / 2 * (1 - math.exp(-2)),
    ]
    assert_weights(bandit.policies, 1, moved)
    assert_array_equal(bandit.policies.T[0], [1, 3])
    assert_allclose(bandit.policies.S[0], [4, 12], rtol=SINGLE)  # n is single


# RegCB


@pytest.mark.parametrize(
    ("F", "D", "z"),
    [
        # z^2 (2 F - z) = D
        (1.0, 0.5**2 * 1.5, 0.5),
        (1.0, 0.01**2 * 1.99, 0.01),
        (2.0, 1.0**2 * 3.0, 1.0),
        (1.5, 0.3**2 * 2.7, 0.3),
        (10.0, 9.0**2 * 11.0, 9.0),
        (1.0, 1e-12**2 * 2.0, 1e-12),  # 2 - 1e-12 rounds off below the tolerance
    ],
)
def test_the_width_of_regcb_solves_its_equation(F: float, D: float, z: float) -> None:
    found = bind(width, "test_width")(F, D)

    assert found == pytest.approx(z, rel=1e-11)  # 1e-12 of the last row's rounding


@pytest.mark.parametrize(("F", "D", "z"), [(2.0, 8.0, 2.0), (2.0, 9.0, 2.0), (1.0, 0.0, 0.0)])
def test_the_width_of_regcb_ends_at_the_label(F: float, D: float, z: float) -> None:
    assert bind(width, "test_width")(F, D) == z


@pytest.mark.parametrize("offset", [0, -1, 9])
@pytest.mark.parametrize(
    ("scores", "D", "elim", "opt"),
    [
        # upper bound of 0.5: 0.5 + z with z^2 (3 - z) = 0.031, so 0.6035;
        # lower bounds: 0.5 - 0.1035, 0.6 - 0.1 (0.1^2 (3.2 - 0.1) = 0.031), 0.9 - 0.09
        ([0.5, 0.6, 0.9], 0.031, [1 / 2, 1 / 2, 0], [1, 0, 0]),
        # too narrow for the second
        ([0.5, 0.6, 0.9], 0.001, [1, 0, 0], [1, 0, 0]),
        # wide enough for all: 0.9 - z with z^2 (3.8 - z) = 0.5, so 0.52; 0.5 + 0.44
        ([0.5, 0.6, 0.9], 0.5, [1 / 3, 1 / 3, 1 / 3], [1, 0, 0]),
        # lower bounds are clipped to c_min, and tie there; 0.52 again, and 0.1 + 0.38
        ([0.2, 0.1, 0.9], 0.5, [1 / 2, 1 / 2, 0], [1 / 2, 1 / 2, 0]),
        # scores below c_min, and so below all bounds, tie at c_min
        ([-0.5, -0.2, 0.9], 0.001, [1 / 2, 1 / 2, 0], [1 / 2, 1 / 2, 0]),
        # scores above c_max, and so above all bounds, tie at c_max
        ([1.5, 1.2, 1.3], 1e-9, [1 / 3, 1 / 3, 1 / 3], [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_regcb_keeps_what_could_be_best(
    scores: list[float], D: float, elim: list[float], opt: list[float], offset: float
) -> None:
    # A fresh regressor on the bias alone: g2 = 4 F^2, rho = q = 1 / (2 F), n = 1, so
    # s = 2 F eta / (2 F) = 1/2 at every distance F, and D = c0 log(K t) s.
    t = 7
    c0 = D / (math.log(3 * t) / 2)
    losses = [score + offset for score in scores]

    found = [
        probabilities(Run(f"regcb:c0={c0}{flag}", offset=offset), [losses], t)
        for flag in ("", ",optimistic")
    ]

    assert found == [elim, opt]


def test_regcb_learns_with_importance_one() -> None:
    run = Run("regcb")
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=1, loss=1.0, p=[0.5, 0.25, 0.25], t=1)

    # omega = 1 whatever p, y = 1: z = 1/2
    assert_weights(bandit.policies, 0, [0, 1 - math.exp(-1), 0])


# Active epsilon-greedy


def active(
    reduction: str, scores: list[float], A: list[float], threshold: float, offset: float
) -> tuple[list[float], list[float]]:
    """tau and p at t = 10 with epsilon = 3/4, K = 3, and `A` on the bias.

    The threshold is sqrt(e) + e with e = c0 K log(t) / (epsilon t); it gives c0.
    """
    t, epsilon = 10, 0.75
    e = (math.sqrt(0.25 + threshold) - 0.5) ** 2
    c0 = e * epsilon * t / (3 * math.log(t))
    run = Run(f"active:epsilon={epsilon},c0={c0}", reduction, offset=offset)
    state, bandit = lanes_of(run)
    bandit.scores[:, 0] = scores
    bandit.policies.A[0] = A

    call(EXPLORE["active"], state, bandit, BIAS, Event(0, 3, t))

    return state.difference[:, 0].tolist(), bandit.p[:, 0].tolist()


# epsilon / K = 1/4 on each allowed action; the best gets what is left
ALL, BEST_TWO, BEST = [0.5, 0.25, 0.25], [0.75, 0.25, 0.0], [1.0, 0.0, 0.0]


@pytest.mark.parametrize("offset", [0, -1])
@pytest.mark.parametrize(
    ("scores", "A", "tau", "threshold", "p"),
    [
        # On the bias alone s = 2 F eta / sqrt(A + 4 F^2) with F = f - c_min:
        # 1/2 where A = 0; 1 / sqrt(16) for the last. tau = 0, 0.25 / 0.5, 0.75 / 0.25.
        ([0.25, 0.5, 1.0], [0, 0, 12], [0, 0.5, 3], 0.31, ALL),
        ([0.25, 0.5, 1.0], [0, 0, 12], [0, 0.5, 3], 0.29, BEST_TWO),
        ([0.25, 0.5, 1.0], [0, 0, 12], [0, 0.5, 3], 0.051, BEST_TWO),
        ([0.25, 0.5, 1.0], [0, 0, 12], [0, 0.5, 3], 0.049, BEST),
        # an update towards c_min does not lower a score that is there, or below it
        ([-0.5, 0, 0.5], [0, 0, 0], [math.inf, math.inf, 2], 0.21, [0.75, 0, 0.25]),
        ([-0.5, -0.25, 0], [0, 0, 0], [math.inf] * 3, 1.0, BEST),
        # the tied best are allowed, and share what is left: (1 - 3/4) / 2
        ([0.5, 0.5, 1.0], [0, 0, 0], [0, 0, 1], 0.11, [0.375, 0.375, 0.25]),
    ],
)
def test_active_with_iwr_explores_what_an_update_of_it_alone_could_make_best(
    scores: list[float],
    A: list[float],
    tau: list[float],
    threshold: float,
    p: list[float],
    offset: float,
) -> None:
    losses = [score + offset for score in scores]

    found_tau, found_p = active("iwr", losses, A, threshold, offset)

    assert_allclose(found_tau, tau, rtol=SINGLE)
    assert_allclose(found_p, p, rtol=1e-15)  # 1 - 0.75 * 2 / 3 and the like round


@pytest.mark.parametrize("reduction", ["ips", "dr"])
@pytest.mark.parametrize("offset", [0, -1])
@pytest.mark.parametrize(
    ("scores", "A", "tau", "threshold", "p"),
    [
        # s = 1/2 up and down: tau = 0, 0.5 / (1/2 + 1/2), 1 / (1/2 + 1/2)
        ([0.0, 0.5, 1.0], [0, 0, 0], [0, 0.5, 1], 0.11, ALL),
        ([0.0, 0.5, 1.0], [0, 0, 0], [0, 0.5, 1], 0.09, BEST_TWO),
        ([0.0, 0.5, 1.0], [0, 0, 0], [0, 0.5, 1], 0.04, BEST),
        # The second hardly moves, s = 2 F eta / sqrt(A + 4 F^2) = 1/32 at F = 1/4 and
        # 3/32 at F = 3/4 but for 4 F^2. tau of the last is by the second, not the best:
        # max(1 / (1/2 + 1/2), 0.75 / (1/2 + 3/32)) = 24/19.
        (
            [0.0, 0.25, 1.0],
            [0, 64, 0],
            [0, 0.25 / (1 / 2 + 0.25 / math.sqrt(64.25)), 0.75 / (1 / 2 + 0.75 / math.sqrt(66.25))],
            0.11,
            BEST_TWO,
        ),
        # clipped to [c_min, c_max] the first two are equal: tau = 0 allows the second
        ([-3.0, -2.0, 2.0], [0, 0, 0], [0, 0, 1], 0.09, BEST_TWO),
    ],
)
def test_active_with_estimates_explores_what_an_update_of_all_could_make_best(
    scores: list[float],
    A: list[float],
    tau: list[float],
    threshold: float,
    p: list[float],
    offset: float,
    reduction: str,
) -> None:
    losses = [score + offset for score in scores]

    found_tau, found_p = active(reduction, losses, A, threshold, offset)

    assert_allclose(found_tau, tau, rtol=SINGLE)
    assert_allclose(found_p, p, rtol=1e-15)  # 1 - 0.75 * 2 / 3 and the like round


def test_active_with_iwr_learns_from_the_action_taken_alone() -> None:
    run = Run("active", "iwr")
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=0, loss=1.0, p=[0.25, 0.75, 0.0], t=2)

    # omega = 4, y = 1: z = 1
    assert_weights(bandit.policies, 0, [1 - math.exp(-2), 0, 0])


@pytest.mark.parametrize(
    ("reduction", "y"),
    [("ips", 4), ("dr", 1 + 3 * math.exp(-2)), ("dr-unweighted", 1 + 3 * math.exp(-1))],
)
def test_active_counts_an_action_left_out_as_the_worst(reduction: str, y: float) -> None:
    run = Run("active", reduction, offset=0)
    state, bandit = lanes_of(run)

    learn(run, state, bandit, a=0, loss=1.0, p=[0.25, 0.75, 0.0], t=2)

    # the estimate as for epsilon-greedy, 0, and c_max = 1: z = 1 / (2 y) and 1/2
    assert_allclose(bandit.targets[:, 0], [y, 0, 1], rtol=SINGLE)
    moved = [y * (1 - math.exp(-1 / y)), 0, 1 - math.exp(-1)]
    assert_weights(bandit.policies, 0, moved)


# The supervised skyline


CLASSES = Problem.from_classes([[1.0, 2.0, -4.0]], [1], n_actions=3)
COSTS = Problem.from_costs([[1.0, 2.0, -4.0]], [[0.5, 0.0, 1.0]])


@pytest.mark.parametrize(
    ("problem", "lo", "hi", "scores", "chosen"),
    [
        (CLASSES, -1, 1, [0.2, 0.9, -0.5], 1),
        (CLASSES, -1, 1, [0.2, 1.5, 3.0], 1),  # both clipped to 1: the first of them
        (CLASSES, 0, 0, [-1.0, 2.0, 3.0], 0),  # no label seen: all clipped to 0
        (COSTS, 0, 1, [0.2, 0.9, -0.5], 2),
        (COSTS, 0, 1, [0.2, -0.5, -0.9], 2),  # not clipped
        (COSTS, 0, 1, [0.2, 0.1, 0.1], 1),
    ],
)
def test_the_skyline_takes_the_first_best_action(
    problem: Problem, lo: float, hi: float, scores: list[float], chosen: int
) -> None:
    state, bandit = lanes_of(Run("supervised"), problem=problem)
    bandit.scores[:, 0] = scores
    bandit.policies.lo[0], bandit.policies.hi[0] = lo, hi

    call(EXPLORE["supervised"], state, bandit, BIAS, Event(0, 3, 1))

    assert bandit.p[:, 0].tolist() == [float(k == chosen) for k in range(3)]


def test_the_skyline_learns_classes_one_against_all() -> None:
    run = Run("supervised")
    state, bandit = lanes_of(run, problem=CLASSES)

    learn(run, state, bandit, a=0, loss=1.0, p=[1.0, 0.0, 0.0], t=1)

    # +1 for the right class, -1 for the others, each with its own clocks: z = 1/2
    right = 1 - math.exp(-1)
    assert_weights(bandit.policies, 0, [-right, right, -right])
    assert_array_equal(bandit.policies.T, [[1], [1], [1]])
    assert_array_equal(bandit.policies.S, [[4], [4], [4]])


def test_the_skyline_learns_the_cost_of_every_action() -> None:
    run = Run("supervised")
    state, bandit = lanes_of(run, problem=COSTS)

    learn(run, state, bandit, a=2, loss=1.0, p=[0.0, 0.0, 1.0], t=1)

    # y = 1/2: z = 1; y = 0: nothing to learn; y = 1: z = 1/2
    moved = [0.5 * (1 - math.exp(-2)), 0, 1 - math.exp(-1)]
    assert_weights(bandit.policies, 0, moved)


# Draws


@pytest.mark.parametrize(
    ("seed", "p", "action"),
    [
        # u = 0.956, 0.387 and 0.152 in round 1 of seeds 0, 1 and 2
        (0, [0.25, 0.25, 0.5], 2),
        (1, [0.25, 0.25, 0.5], 1),
        (2, [0.25, 0.25, 0.5], 0),
        (1, [0.5, 0.0, 0.5], 0),
        (0, [0.0, 0.9, 0.1], 2),
        (2, [0.0, 0.9, 0.1], 1),
        # should the sum fall short of u, the last action that is possible at all
        (0, [0.5, 0.25, 0.0], 1),
    ],
)
def test_an_action_is_drawn_by_walking_up_the_probabilities(
    seed: int, p: list[float], action: int
) -> None:
    _, bandit = lanes_of(Run("greedy", seed=seed))
    bandit.p[:, 0] = p

    call(bind(draw_actions, "test_draw_actions"), bandit, Event(0, 3, 1))

    assert bandit.action[0] == action
    assert bandit.probability[0] == p[action]


def test_draws_are_those_of_the_reference() -> None:
    keys = [0, 1, 17, 2**63 - 1]
    places = [(t, stream) for t in (1, 2, 10**9) for stream in (0, 1, 1000)]
    bound = bind(uniform, "test_uniform")

    found = [call(bound, key_of(seed), *place) for seed in keys for place in places]

    expected = [draws.uniform(draws.key_of(seed), *place) for seed in keys for place in places]
    assert found == expected
