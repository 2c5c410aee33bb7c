"""Explorers that are not the paper's, on numbers small enough to work out by hand."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from vowpalwabbit import Workspace

from bakeoff import Run
from bakeoff.core.types import Event
from tests.reference.today import envelope
from tests.unit.core.test_explorers import BIAS, EXPLORE, call, kernels_of, lanes_of, probabilities

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
