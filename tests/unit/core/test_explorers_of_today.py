"""Explorers that are not the paper's, on numbers small enough to work out by hand."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from vowpalwabbit import Workspace

from bakeoff import Learner, Problem, Run, SpecError, grid, simulate
from bakeoff.core.jit import bind, compiled
from bakeoff.core.oracles.ridge import ridge_update
from bakeoff.core.types import Contexts, Event, Ints, Sizes
from bakeoff.learners.play import dense_context
from bakeoff.simulation.lanes import new_lanes
from tests.configurations import Configuration
from tests.explosions import explosion_of
from tests.reference.linear import least_of
from tests.reference.today import envelope
from tests.unit.core.test_explorers import (
    BIAS,
    EXPLORE,
    FOUR,
    LEARN,
    call,
    kernels_of,
    lanes_of,
    probabilities,
)

# ---- SquareCB


@pytest.mark.parametrize(
    ("t", "scores", "p"),
    [
        # before anything is known, gamma is 0
        (1, [0.5, -1.0, 2.0], [1 / 3, 1 / 3, 1 / 3]),
        # four rounds before this one: gamma = 100 * 4^(1/2) = 200
        (5, [0.0, 0.01, 0.02], [1 - 1 / 5 - 1 / 7, 1 / 5, 1 / 7]),
        # two tied best share what is left
        (5, [0.0, 0.02, 0.0], [3 / 7, 1 / 7, 3 / 7]),
    ],
)
def test_squarecb_weighs_by_inverse_gaps(t: int, scores: list[float], p: list[float]) -> None:
    assert_allclose(probabilities(Run("squarecb:gamma=100"), [scores], t), p, rtol=1e-6)


def test_squarecb_by_cost_counts_what_was_paid() -> None:
    run = Run("squarecb:gamma=10,by_cost")
    state, bandit = lanes_of(run)
    state.cost[0] = 9.0
    bandit.scores[:, 0] = [0.0, 0.1, 0.1]

    call(EXPLORE[kernels_of(run)], state, bandit, BIAS, Event(0, 3, 1000))

    # gamma = 10 * 9^(1/2) = 30, gaps of 0.1: 1 / (3 + 3)
    assert_allclose(bandit.p[:, 0], [2 / 3, 1 / 6, 1 / 6], rtol=1e-6)


def test_squarecb_elim_shares_among_plausible_actions_alone() -> None:
    scores = [0.0, 0.1, 1.0]
    run = Run("squarecb:gamma=100,elim,c0=1e-9", offset=0)
    state, bandit = lanes_of(run)
    bandit.scores[:, 0] = scores
    bandit.policies.A[:] = 1e6  # much has been seen: bounds are narrow

    call(EXPLORE[kernels_of(run)], state, bandit, BIAS, Event(0, 3, 5))

    assert bandit.p[:, 0].tolist() == [1.0, 0.0, 0.0]


def test_squarecb_elim_without_elimination_is_squarecb() -> None:
    scores = [0.3, 0.1, 0.2]

    wide = probabilities(Run("squarecb:gamma=10,elim,c0=1e9"), [scores], t=7)

    assert wide == probabilities(Run("squarecb:gamma=10"), [scores], t=7)


def test_squarecb_has_vws_probabilities() -> None:
    """VW tells no scores, but gaps follow from the probabilities of a small gamma."""
    gammas = (1.0, 20.0)
    small, large = (
        Workspace(f"--cb_explore_adf --squarecb --gamma_scale {gamma} --cb_type mtr --quiet")
        for gamma in gammas
    )
    rng = np.random.default_rng(1)
    worst = 0.0
    for t in range(1, 60):
        x = rng.normal(size=3)
        lines = [
            f"| {' '.join(f'a{k}b{j}:{value:.6f}' for j, value in enumerate(x))}" for k in range(4)
        ]
        inner, theirs = np.array(small.predict(lines)), np.array(large.predict(lines))
        if t > 1:
            gaps = (1.0 / inner - 4.0) / (gammas[0] * math.sqrt(t - 1))
            gaps[inner.argmax()] = 0.0
            if np.count_nonzero(gaps < 1e-4) == 1:  # VW does not share among the tied best
                run = Run(f"squarecb:gamma={gammas[1]}", offset=0)
                ours = np.array(probabilities(run, [gaps.tolist()], t))
                worst = max(worst, float(np.abs(ours - theirs).max()))
        a = int(rng.integers(4))
        cost = float(x[0] * (a - 1.5) > 0)
        for workspace in (small, large):
            labelled = [*lines]
            labelled[a] = f"0:{cost}:0.25 {lines[a]}"
            workspace.learn(labelled)
    small.finish()
    large.finish()

    assert 0 < worst < 1e-5  # VW's probabilities are single precision


# ---- softmax, first, synthetic cover, epsilon schedules


def test_softmax_falls_exponentially_with_the_gap() -> None:
    p = probabilities(Run("softmax:sharpness=10"), [[0.5, 0.6, 0.7]], t=9)

    weights = [1.0, math.exp(-1), math.exp(-2)]
    assert_allclose(p, np.divide(weights, sum(weights)), rtol=1e-6)


def test_softmax_sharpens_with_rounds() -> None:
    sharper = probabilities(Run("softmax:sharpness=1,exponent=0.5"), [[0.5, 0.6]], t=100)

    assert_allclose(sharper[0] / sharper[1], math.exp(1.0), rtol=1e-6)


@pytest.mark.parametrize(("t", "p"), [(3, [0.5, 0.5]), (4, [1.0, 0.0])])
def test_first_explores_at_first(t: int, p: list[float]) -> None:
    assert probabilities(Run("first:tau=3"), [[0.1, 0.2]], t) == p


@pytest.mark.parametrize(
    ("scores", "p"),
    [
        # all of 0.1 lifts the two lowest to (0.1 + 0.05) / 2 = 0.075
        ([0.0, 0.05, 0.2], [0.75, 0.25, 0.0]),
        ([0.3, 0.3, 0.3], [1 / 3, 1 / 3, 1 / 3]),
        # scores below the range count as its end: 0, 0 and 0.08 are filled to 0.06 at most
        ([-5.0, -7.0, 0.08], [0.5, 0.5, 0.0]),
    ],
)
def test_synthetic_cover_fills_scores_like_water(scores: list[float], p: list[float]) -> None:
    run = Run("synthcover:psi=0.1", offset=0)

    assert_allclose(probabilities(run, [scores], t=4), p, rtol=1e-5, atol=1e-9)


def test_epsilon_falls_with_rounds() -> None:
    p = probabilities(Run("epsilon-greedy:epsilon=1,decay=0.5"), [[0.1, 0.2]], t=16)

    assert_allclose(p, [1 - 1 / 8, 1 / 8], rtol=1e-12)  # epsilon = 16^(-1/2) = 1/4


def test_a_decay_of_zero_is_left_out_of_specs() -> None:
    assert Run("epsilon-greedy:decay=0").explorer == "epsilon-greedy:epsilon=0.02"
    assert Run("epsilon-greedy:decay=0.5").explorer == "epsilon-greedy:epsilon=0.02,decay=0.5"


# ---- randomised RegCB


@pytest.mark.parametrize("symmetric", [False, True])
def test_the_envelope_of_lines_is_what_draws_give(symmetric: bool) -> None:
    rng = np.random.default_rng(2)
    z = rng.normal(size=200_000)
    for _ in range(20):
        f, w = rng.random(6), rng.random(6) * rng.random()
        drawn = (f[:, None] - w[:, None] * (z if symmetric else np.abs(z))).argmin(axis=0)
        shares = np.bincount(drawn, minlength=6) / len(z)

        p = envelope(f.tolist(), w.tolist(), symmetric)

        assert abs(sum(p) - 1.0) < 1e-12
        errors = np.sqrt(np.maximum(shares, 1e-6) / len(z))
        assert (np.abs(p - shares) < 6 * errors).all()


def test_randomised_regcb_is_greedy_where_nothing_is_open() -> None:
    run = Run("randregcb:c0=1e-9", offset=0)
    state, bandit = lanes_of(run)
    bandit.scores[:, 0] = [0.2, 0.1, 0.9]
    bandit.policies.A[:] = 1e6

    call(EXPLORE[kernels_of(run)], state, bandit, BIAS, Event(0, 3, 5))

    assert_allclose(bandit.p[:, 0], [0.0, 1.0, 0.0], atol=1e-6)


# ---- ridge regression


def ridge_problem(offset: float) -> tuple[Problem, Run]:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3))
    y = (X @ rng.normal(size=(3, 3))).argmax(axis=1)
    return Problem.from_classes(X, y), Run("linucb", offset=offset)


def test_linucb_is_ridge_regression_with_a_bonus() -> None:
    """Every decision of a run again, from the normal equations of its past."""
    problem, run = ridge_problem(-1)
    [result] = simulate(problem, [run], record=True)
    assert result.actions is not None
    assert result.costs is not None
    rows = [dense_context(problem, e).astype(np.float64) for e in range(problem.n)]
    X = np.array([[*row, 1.0] for row in rows])
    for t in (1, 10, 100, 399):
        bounds = []
        for k in range(problem.n_actions):
            taken = np.flatnonzero(result.actions[:t] == k)
            A = np.eye(4) + X[taken].T @ X[taken]
            theta = np.linalg.solve(A, X[taken].T @ (result.costs[taken] - 1.0))
            width = math.sqrt(X[t] @ np.linalg.solve(A, X[t]))
            bounds.append(X[t] @ theta - width)
        assert result.actions[t] == int(np.argmin(bounds))


def test_linucb_stays_where_it_begins_if_the_prior_is_the_worst_loss() -> None:
    rewarding = Problem.from_costs(np.ones((300, 1)), np.tile([0.2, 0.1, 0.3], (300, 1)))
    tried = {}
    for offset in (-1.0, 0.0):
        [result] = simulate(rewarding, [Run("linucb:alpha=0.05", offset=offset)], record=True)
        assert result.actions is not None
        tried[offset] = len(set(result.actions.tolist()))

    assert tried == {-1.0: 1, 0.0: 3}


def test_linmed_weighs_gaps_by_how_well_both_are_known() -> None:
    """The probability of every action taken again, from the normal equations of its past."""
    problem, _ = ridge_problem(-1)
    [result] = simulate(problem, [Run("linmed:share=0.9,delta=0.01", offset=-1)], record=True)
    assert result.actions is not None
    assert result.costs is not None
    assert result.probabilities is not None
    X = np.array([[*dense_context(problem, e).astype(np.float64), 1.0] for e in range(problem.n)])
    for t in (1, 10, 100, 399):
        means, widths, log_det = [], [], 0.0
        for k in range(problem.n_actions):
            taken = np.flatnonzero(result.actions[:t] == k)
            A = np.eye(4) + X[taken].T @ X[taken]
            means.append(X[t] @ np.linalg.solve(A, X[taken].T @ (result.costs[taken] - 1.0)))
            widths.append(X[t] @ np.linalg.solve(A, X[t]))
            log_det += np.linalg.slogdet(A)[1]
        radius = 0.5 * math.sqrt(log_det + 2 * math.log(100)) + 1.0
        gaps, best = np.array(means) - min(means), int(np.argmin(means))
        weights = 0.1 / 3 * np.exp(-(gaps**2) / (radius**2 * (np.array(widths) + widths[best])))
        weights[best] = 0.1 / 3 + 0.9
        p = (weights / weights.sum())[result.actions[t]]
        assert_allclose(result.probabilities[t], p, rtol=1e-6)


@pytest.mark.parametrize(("K", "spread"), [(5, 1.0), (5, 30.0), (60, 3.0)])
def test_the_probabilities_of_lints_are_what_draws_give(K: int, spread: float) -> None:
    rng = np.random.default_rng(4)
    for _ in range(5):
        means, deviations = rng.normal(size=K), rng.random(K) * rng.choice([1.0, 1 / spread], K)
        draws = rng.normal(means, deviations, size=(400_000, K)).argmin(axis=1)
        shares = np.bincount(draws, minlength=K) / 400_000

        p = least_of(means.tolist(), deviations.tolist())

        errors = np.sqrt(np.maximum(shares, 1e-6) / 400_000)
        assert (np.abs(p - shares) < 6 * errors).all()


def test_two_draws_have_a_closed_form() -> None:
    p = least_of([0.1, 0.4], [0.3, 1e-3])

    exact = 0.5 * math.erfc(-(0.4 - 0.1) / math.hypot(0.3, 1e-3) / math.sqrt(2))
    assert_allclose(p, [exact, 1 - exact], rtol=1e-9)


def test_a_million_updates_leave_the_inverse_as_it_should_be() -> None:
    run = Run("linucb", offset=-1)
    _, state, bandit = new_lanes([run], Sizes(4, 2, 2, 4))
    X = np.zeros((4, 4))
    bandit.action[0], bandit.loss[0] = 1, -0.5
    for _ in range(5_000 if not compiled else 1_000_000):
        call(LEARN[kernels_of(Run("linucb"))], state, bandit, FOUR, Event(0, 2, 1))
        X += 1
    x = np.array([1.0, 1.0, 2.0, -4.0])  # the bias, and the features of FOUR
    expected = np.linalg.inv(np.eye(4) + X[0, 0] * np.outer(x, x))

    assert_allclose(inverse_of(state, 1), expected, atol=1e-9)


def inverse_of(state: Any, block: int) -> Any:
    """A^-1 of the first lane."""
    U, D = state.factor[0, block], state.weight[0, block]
    return U @ np.diag(D) @ U.T


def _many_updates(state: Any, x: Contexts, rows: Ints, n: int) -> None:
    """Update the first block on rows in turn, n times."""
    for i in range(n):
        row = rows[i % rows.shape[0]]
        ridge_update(state, x, row, 0, 0, np.float64(row % 3))


@pytest.mark.slow
def test_a_million_different_updates_leave_the_inverse_as_it_should_be() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(500, 7)) * [1e-2, 1, 1, 1, 1, 10, 1e3]
    problem = Problem.from_costs(X, np.zeros((500, 2)))
    _, state, _ = new_lanes([Run("linucb", offset=-1)], Sizes(8, 2, 2, 8))
    times = 2_000 if compiled else 20
    rows = rng.permutation(500)

    call(bind(_many_updates, "tests_many_updates"), state, problem.contexts, rows, 500 * times)

    dense = np.column_stack([np.ones(500), X.astype(np.float32)]).astype(np.float64)
    A = np.eye(8) + times * dense.T @ dense
    theta = np.linalg.solve(A, times * dense.T @ (np.arange(500) % 3))
    exact = np.linalg.inv(A)
    assert_allclose(inverse_of(state, 0), exact, rtol=1e-5, atol=1e-7 * np.abs(exact).max())
    assert_allclose(state.theta[0, 0], theta, rtol=1e-5, atol=1e-9)
    assert_allclose(state.diagonal[0, 0], np.diag(exact), rtol=1e-6)


def solved(A: list[list[Fraction]], b: list[Fraction]) -> list[Fraction]:
    """A^-1 b, exactly: Gauss's elimination."""
    rows = [[*row, right] for row, right in zip(A, b, strict=True)]
    for i in range(len(b)):
        for k in range(len(b)):
            if k != i:
                share = rows[k][i] / rows[i][i]
                rows[k] = [x - share * y for x, y in zip(rows[k], rows[i], strict=True)]
    return [rows[i][-1] / rows[i][i] for i in range(len(b))]


def test_features_of_very_different_sizes_leave_predictions_exact() -> None:
    """After 200 updates, means and widths are those of fractions."""
    rng = np.random.default_rng(8)
    X = (rng.normal(size=(201, 3)) * [1e15, 1.0, 1e-3]).astype(np.float32)
    problem = Problem.from_costs(X, np.zeros((201, 2)))
    _, state, _ = new_lanes([Run("linucb", offset=-1)], Sizes(4, 2, 2, 4))

    call(bind(_many_updates, "tests_many_updates"), state, problem.contexts, np.arange(200), 200)

    dense = [[Fraction(v) for v in (1.0, *row)] for row in X.astype(np.float64).tolist()]
    seen, new = dense[:200], dense[200]
    A = [[sum((x[i] * x[j] for x in seen), Fraction(i == j)) for j in range(4)] for i in range(4)]
    b = [sum((x[i] * (t % 3) for t, x in enumerate(seen)), Fraction(0)) for i in range(4)]
    mean = sum(x * y for x, y in zip(solved(A, b), new, strict=True))
    width = sum(x * y for x, y in zip(solved(A, new), new, strict=True))
    x = np.array([float(v) for v in new])
    image = state.factor[0, 0].T @ x
    assert_allclose(state.theta[0, 0] @ x, float(mean), rtol=1e-9)
    assert_allclose(image @ (state.weight[0, 0] * image), float(width), rtol=1e-9)


@pytest.mark.parametrize("n_features", [512, 513])
def test_above_512_features_only_the_diagonal_is_kept(n_features: int) -> None:
    _, state, bandit = new_lanes([Run("linucb")], Sizes(n_features + 1, 2, 2, 4))
    bandit.action[0], bandit.loss[0] = 1, -0.5

    call(LEARN[kernels_of(Run("linucb"))], state, bandit, FOUR, Event(0, 2, 1))

    x = np.array([1.0, 1.0, 2.0, -4.0])  # the bias, and the features of FOUR
    assert_allclose(state.diagonal[0, 1, :4], 1 - x**2 / (1 + x @ x), rtol=1e-12)
    assert state.factor.shape[2:] == ((513, 513) if n_features == 512 else (0, 0))


def test_features_that_come_later_do_not_change_what_was_learned() -> None:
    rng = np.random.default_rng(6)
    X = rng.normal(size=(60, 2))
    small, large = Learner("linucb", 2, seed=1), Learner("linucb", 2, seed=1, bits=None)
    for x in X:
        row = {f"f{j}": v for j, v in enumerate(x.tolist())}
        for learner, context in ((small, x), (large, row)):
            decision = learner.choose(context)
            learner.learn(decision, cost=float(x[0] > 0) if decision.action else 0.4)
    wide = {f"g{j}": 0.0 if j else 1e-9 for j in range(600)} | {"f0": 1.0, "f1": -1.0}

    after = large.probabilities(wide)

    assert_allclose(after, small.probabilities([1.0, -1.0]), atol=1e-6)


@pytest.mark.parametrize("spec", ["linucb", "lints", "linmed"])
def test_huge_features_leave_ridge_regression_finite(spec: str) -> None:
    problem, _, broken = explosion_of(Configuration(spec, None, False))

    [result] = simulate(problem, [broken], record=True)

    assert result.error is None
    assert result.probabilities is not None
    assert ((result.probabilities > 0) & (result.probabilities <= 1)).all()


def test_a_grid_of_a_ridge_regression_has_one_rate() -> None:
    assert len(grid(["linucb"])) == 1
    with pytest.raises(SpecError, match="baseline"):
        Run("linucb", baseline=True)
