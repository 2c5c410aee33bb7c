"""The sensitivity is the slope, in the importance weight, of an update (Eq. 10)."""

import numpy as np
import pytest

from bakeoff.core.oracles.regression import Regressors, new_regressors
from bakeoff.core.types import Doubles, Floats
from tests.regressors import Stream, copy_of, regress, scores_of, sensitivities_of

D, BLOCKS, COLUMNS = 6, 3, 2
LABELS = np.array([-2.0, 3.0], np.float32)  # one per column, outside [-1, 2]


def stream_of(n: int) -> Stream:
    """Noisy labels in [-1, 2]; the first rows hold the largest features."""
    rng = np.random.default_rng(11)
    X = rng.uniform(-1, 1, (n, D)) * (rng.random((n, D)) < 0.7)
    X[:20] = np.where(X[:20] < 0, -1, 1)
    blocks = rng.integers(0, BLOCKS, n)
    y = 0.5 + (X @ rng.normal(size=(D, BLOCKS)))[np.arange(n), blocks] / 5
    return Stream(X, (y + rng.normal(size=n) / 2).clip(-1, 2), np.ones(n), blocks)


def trained(stream: Stream, baseline: bool = False) -> Regressors:
    eta = np.array([0.1, 2.0], np.float32)
    f = new_regressors(D + 1, BLOCKS, eta, D + 1, baseline=baseline)
    regress(f, stream)
    return f


def kappa_of(f: Regressors, stream: Stream, row: int, scores: Floats) -> Doubles:
    """kappa' (blocks, columns) from the state of `f`, in double precision."""
    x = np.array([value for _, value in stream.row(row)], float)[:, None, None]
    used = [j for j, _ in stream.row(row)]
    A = f.A[used].reshape(-1, BLOCKS, COLUMNS).astype(float)
    N = f.N[used].reshape(-1, BLOCKS, COLUMNS).astype(float)
    g2 = 4 * (scores.astype(float) - LABELS) ** 2
    N = np.maximum(N, np.abs(x))
    q = (x**2 / (np.sqrt(A + g2 * x**2) * N)).sum(axis=0)
    n = (x**2 / N**2).sum(axis=0)
    kappa = q * np.sqrt((f.T + 1) / (f.S + n))
    if len(f.w0):
        scale = np.maximum(np.abs(f.lo), np.abs(f.hi)).astype(float)
        kappa += scale * np.sqrt((f.T + 1) / (f.S + 1)) / np.sqrt(f.A0 + g2)
    return np.asarray(kappa)


def slope_at_zero(f: Regressors, scores: Floats, kappa: Doubles) -> Doubles:
    """|d/d omega| of r + (y - r) (1 - exp(-2 eta omega kappa')), by a complex step."""
    r, eta, omega = scores.astype(float), f.eta.astype(float), 1e-30j
    moved = r + (LABELS - r) * (1 - np.exp(-2 * eta * omega * kappa))
    return np.abs(moved.imag) / 1e-30


@pytest.mark.parametrize("baseline", [False, True])
@pytest.mark.parametrize("n_seen", [1, 30, 600])
def test_the_sensitivity_is_the_slope_of_the_updated_prediction(
    n_seen: int, baseline: bool
) -> None:
    stream = stream_of(600)
    f = trained(stream_of(n_seen), baseline)

    for row in range(600):
        s = sensitivities_of(f, stream.contexts, row, LABELS)

        scores = scores_of(f, stream.contexts, row)
        slope = slope_at_zero(f, scores, kappa_of(f, stream, row, scores))
        np.testing.assert_allclose(s, slope, rtol=1e-6)  # sums in single precision


def test_computing_the_sensitivity_changes_no_regressor() -> None:
    stream = stream_of(100)
    f = trained(stream, baseline=True)
    before = copy_of(f)

    for row in range(100):
        sensitivities_of(f, stream.contexts, row, LABELS)

    for name in ("w", "A", "N", "T", "S", "lo", "hi", "w0", "A0"):
        np.testing.assert_array_equal(getattr(f, name), getattr(before, name))


def moves_of(f: Regressors, stream: Stream, row: int, omega: float) -> Doubles:
    """How far an update of weight `omega` moves each score towards its label."""
    before = scores_of(f, stream.contexts, row).astype(float)
    after = np.zeros(before.shape)
    for block in range(BLOCKS):
        for c in range(COLUMNS):
            learner = copy_of(f)
            update = Stream(
                stream.X[row : row + 1], np.array([LABELS[c]]), np.array([omega]), np.array([block])
            )
            regress(learner, update)
            after[block, c] = scores_of(learner, stream.contexts, row)[block, c]
    return np.abs(after - before)


def test_an_update_of_weight_one_moves_a_score_by_the_closed_form() -> None:
    stream = stream_of(300)
    f = trained(stream)

    for row in range(20, 60):
        moves = moves_of(f, stream, row, omega=1.0)

        s = sensitivities_of(f, stream.contexts, row, LABELS)
        gap = np.abs(scores_of(f, stream.contexts, row).astype(float) - LABELS)
        expected = gap * (1 - np.exp(-s / gap))  # 2 eta kappa' = s / gap
        np.testing.assert_allclose(moves, expected, rtol=1e-4)  # differences of f32


@pytest.mark.parametrize(("n_seen", "tolerance"), [(300, 0.35), (3_000, 0.05), (30_000, 0.006)])
def test_the_slope_of_the_full_update_nears_the_sensitivity_as_features_are_seen(
    n_seen: int, tolerance: float
) -> None:
    stream = stream_of(n_seen)
    f = trained(stream)
    omega = 1e-2

    for row in range(20, 60):
        slope = moves_of(f, stream, row, omega) / omega

        s = sensitivities_of(f, stream.contexts, row, LABELS)
        np.testing.assert_allclose(s, slope, rtol=tolerance)  # s adds a round to A
