"""The sensitivity is the slope, in the importance weight, of an update (Eq. 10)."""

import numpy as np
import pytest

from bakeoff.arrays import Doubles, Floats
from bakeoff.oracles.regression import Regressors, new_regressors
from tests.regressors import Stream, copy_of, regress, scores_of, sensitivities_of

D, BLOCKS, COLUMNS = 6, 3, 2
LABELS = np.array([-2.0, 3.0], np.float32)  # of each column


def stream_of(n: int, noise: float = 0.5) -> Stream:
    rng = np.random.default_rng(11)
    X = rng.uniform(-1, 1, (n, D)) * (rng.random((n, D)) < 0.7)
    X[:20] = 1 - 2 * (X[:20] < 0)  # no later feature is larger than its first ones
    blocks = rng.integers(0, BLOCKS, n)
    y = 0.5 + X @ rng.normal(size=(D, BLOCKS)) / 5
    labels = y[np.arange(n), blocks] + noise * rng.normal(size=n)
    return Stream(X, labels.clip(-1, 2), np.ones(n), blocks)


def trained(stream: Stream, baseline: bool = False) -> Regressors:
    eta = np.array([0.1, 2.0], np.float32)
    f = new_regressors(D + 1, BLOCKS, eta, D + 1, baseline=baseline)
    regress(f, stream)
    return f


def kappa_of(f: Regressors, stream: Stream, row: int, r: Floats) -> Doubles:
    """kappa' (blocks, columns) from the state, in double precision."""
    kappa = np.zeros(r.shape)
    for block in range(BLOCKS):
        for c in range(COLUMNS):
            cell = block * COLUMNS + c
            g2 = 4 * (float(r[block, c]) - float(LABELS[c])) ** 2
            q = n = 0.0
            for j, value in stream.row(row):
                x = float(value)
                N = max(abs(x), float(f.N[j, cell]))
                q += x * x / (np.sqrt(float(f.A[j, cell]) + g2 * x * x) * N)
                n += x * x / (N * N)
            T, S = f.T[0, c] + 1, f.S[0, c]
            kappa[block, c] = q * np.sqrt(T / (S + n))
            if len(f.w0):
                scale = max(-float(f.lo[c]), float(f.hi[c]), 1e-4)
                slope = np.sqrt(T / (S + 1)) / np.sqrt(float(f.A0[c]) + g2)
                kappa[block, c] += scale * slope
    return kappa


def slope_at_zero(r: Doubles, eta: Doubles, kappa: Doubles) -> Doubles:
    """|d/d omega| of f + (y - f) (1 - exp(-2 eta omega kappa')), by a complex step."""
    omega = 1e-30j
    moved = r + (LABELS - r) * (1 - np.exp(-2 * eta * omega * kappa))
    return np.abs(moved.imag / 1e-30)


@pytest.mark.parametrize("baseline", [False, True])
@pytest.mark.parametrize("n", [1, 30, 600])
def test_the_sensitivity_is_the_slope_of_the_updated_prediction(
    n: int, baseline: bool
) -> None:
    stream = stream_of(600)
    seen = stream_of(600)
    seen.n, seen.y = n, seen.y[:n]
    f = trained(seen, baseline)

    for row in range(0, 600, 25):
        s = sensitivities_of(f, stream.contexts, row, LABELS)

        r = scores_of(f, stream.contexts, row)
        slope = slope_at_zero(r, f.eta.astype(float), kappa_of(f, stream, row, r))
        np.testing.assert_allclose(s, slope, rtol=1e-6)  # sums in single precision


def test_the_sensitivity_changes_nothing() -> None:
    stream = stream_of(100)
    f = trained(stream)
    before = copy_of(f)

    for row in range(100):
        sensitivities_of(f, stream.contexts, row, LABELS)

    for name in ("w", "A", "N", "T", "S", "lo", "hi", "w0", "A0"):
        np.testing.assert_array_equal(getattr(f, name), getattr(before, name))


def moved_by(f: Regressors, stream: Stream, row: int, c: int, omega: float) -> Doubles:
    """How far each block's score moves in an update of column `c` alone."""
    moves = np.zeros(BLOCKS)
    for block in range(BLOCKS):
        after = copy_of(f)
        one = Stream(np.zeros((1, D)), LABELS[c : c + 1], np.array([omega]), np.array([block]))
        one.contexts = single_row(stream, row)
        before = scores_of(f, one.contexts, 0)[block, c]
        regress(after, one)
        moves[block] = float(scores_of(after, one.contexts, 0)[block, c]) - float(before)
    return moves
