"""Ridge regression with confidence: the oracle of LinUCB, LinTS and LinMED.

Each block has theta = A^-1 sum loss x with A = ridge I + sum x x'. A^-1 is kept as the
product U D U', U upper triangular with ones on its diagonal and D diagonal, and updated
as Bierman (1977) does for Kalman's filter, in double precision: D stays positive and no
width becomes imaginary, however large the features are and however many updates there
were. With more than `MOST_FEATURES` features (the bias included) only the diagonal of
A^-1 is kept.
"""

import math
from typing import NamedTuple, Protocol

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.jit import kernel
from bakeoff.core.types import Contexts, Doubles, Event, Sizes

MOST_FEATURES = 513
MOST = 1e9  # of a setting, so that squares stay finite with the largest features there are


class Ridge(Protocol):
    """What the state of an explorer has of its regressions: the fields of `new_ridge`."""

    @property
    def factor(self) -> Doubles:
        """(L, B, D, D) with B blocks, one or K: U; (L, B, 0, 0) if it is not kept."""

    @property
    def weight(self) -> Doubles:
        """(L, B, D) the diagonal of D, or of A^-1 if U is not kept."""

    @property
    def diagonal(self) -> Doubles:
        """(L, B, D) of A^-1."""

    @property
    def theta(self) -> Doubles:
        """(L, B, D)."""

    @property
    def log_det(self) -> Doubles:
        """(L,) of A in all blocks, above that of the start."""

    @property
    def image(self) -> Doubles:
        """(2, D) scratch space."""

    @property
    def stride(self) -> int:
        """Features of an action, if a row has the features of its action alone; or 0."""


class NewRidge(NamedTuple):
    """Regressions that know nothing, in the order in which states begin with them."""

    factor: Doubles
    weight: Doubles
    diagonal: Doubles
    theta: Doubles
    log_det: Doubles
    image: Doubles
    stride: int


def new_ridge(ridge: Doubles, sizes: Sizes) -> NewRidge:
    """Regressions that know nothing; `ridge` is each lane's penalty."""
    (B, D), L = _blocks_and_features(sizes), len(ridge)
    kept = D if D <= MOST_FEATURES else 0
    factor = np.zeros((L, B, kept, kept))
    factor[:] = np.eye(kept)
    weight = np.zeros((L, B, D))
    weight[:] = 1.0 / ridge[:, None, None]
    theta, image = np.zeros((L, B, D)), np.zeros((2, D))
    return NewRidge(factor, weight, weight.copy(), theta, np.zeros(L), image, sizes.stride)


def ridge_bytes(sizes: Sizes) -> int:
    """What the regressions of one lane take."""
    B, D = _blocks_and_features(sizes)
    return 8 * B * D * ((D if D <= MOST_FEATURES else 0) + 3)


def _blocks_and_features(sizes: Sizes) -> tuple[int, int]:
    """How many regressions there are, and the features of each."""
    if sizes.stride > 0:
        return sizes.n_actions, sizes.stride
    return sizes.n_blocks, sizes.n_features


@kernel
def is_full(r: Ridge) -> bool:
    """Whether the whole of A^-1 is kept."""
    return r.factor.shape[2] > 0


@kernel
def place_of(r: Ridge, x: Contexts, first: int, k: int) -> tuple[int, int]:
    """The row and the block of action k of an event whose rows begin at `first`."""
    if r.stride > 0:
        bias = x.feature[x.start[first + k + 1] - 1]
        return first + k, bias // r.stride
    if r.theta.shape[1] == 1:
        return first + k, 0
    return first, k


@kernel
def mean_of(r: Ridge, x: Contexts, row: int, block: int, lane: int) -> float:
    """Theta x."""
    total, base = 0.0, block * r.stride
    for i in range(x.start[row], x.start[row + 1]):
        total = total + r.theta[lane, block, x.feature[i] - base] * np.float64(x.value[i])
    return total


@kernel
def width_of(r: Ridge, x: Contexts, row: int, block: int, lane: int) -> float:
    """X' A^-1 x, the squared width of a row."""
    if is_full(r):
        r.image[0, :] = 0.0
        _add_image(r, x, row, block, lane, 1.0)
        return _weighed_square(r, block, lane)
    _clear(r, x, row, block)
    _scatter(r, x, row, block, 1.0)
    return _gather(r, x, row, block, lane)


@kernel
def distance_of(r: Ridge, x: Contexts, row: int, other: int, block: int, lane: int) -> float:
    """The squared width of the difference of two rows."""
    if is_full(r):
        r.image[0, :] = 0.0
        _add_image(r, x, row, block, lane, 1.0)
        _add_image(r, x, other, block, lane, -1.0)
        return _weighed_square(r, block, lane)
    _clear(r, x, row, block)
    _clear(r, x, other, block)
    _scatter(r, x, row, block, 1.0)
    _scatter(r, x, other, block, -1.0)
    return _gather(r, x, row, block, lane) + _gather(r, x, other, block, lane)


@kernel
def _add_image(r: Ridge, x: Contexts, row: int, block: int, lane: int, sign: float) -> None:
    """Add U'x to the image, four features at once; x' A^-1 x is its square weighed by D."""
    image, base = r.image[0], block * r.stride
    end = x.start[row + 1]
    for i in range(x.start[row], end, 4):
        a, va = _entry(x, i, end, base, sign)
        b, vb = _entry(x, i + 1, end, base, sign)
        c, vc = _entry(x, i + 2, end, base, sign)
        d, vd = _entry(x, i + 3, end, base, sign)
        first, U = min(a, b, c, d), r.factor[lane, block]
        out, Ua, Ub = image[first:], U[a][first:], U[b][first:]
        Uc, Ud = U[c][first:], U[d][first:]
        for j in range(out.shape[0]):
            out[j] = out[j] + Ua[j] * va + Ub[j] * vb + Uc[j] * vc + Ud[j] * vd


@kernel
def _entry(x: Contexts, i: int, end: int, base: int, sign: float) -> tuple[int, float]:
    """Feature and value of an entry of a row; a value of zero beyond its end."""
    if i < end:
        return x.feature[i] - base, sign * np.float64(x.value[i])
    return x.feature[end - 1] - base, 0.0


@kernel
def _weighed_square(r: Ridge, block: int, lane: int) -> float:
    """The sum of the image's squares, weighed by D."""
    total = 0.0
    for j in range(r.image.shape[1]):
        f = r.image[0, j]
        total = total + r.weight[lane, block, j] * f * f
    return total


@kernel
def _clear(r: Ridge, x: Contexts, row: int, block: int) -> None:
    """Make the image zero at the features of a row."""
    for i in range(x.start[row], x.start[row + 1]):
        r.image[0, x.feature[i] - block * r.stride] = 0.0


@kernel
def _scatter(r: Ridge, x: Contexts, row: int, block: int, sign: float) -> None:
    """Add a row to the image."""
    base = block * r.stride
    for i in range(x.start[row], x.start[row + 1]):
        f = x.feature[i] - base
        r.image[0, f] = r.image[0, f] + sign * np.float64(x.value[i])


@kernel
def _gather(r: Ridge, x: Contexts, row: int, block: int, lane: int) -> float:
    """The sum of the image's squares at the features of a row, weighed; zero them."""
    total, base = 0.0, block * r.stride
    for i in range(x.start[row], x.start[row + 1]):
        f = x.feature[i] - base
        total = total + r.diagonal[lane, block, f] * r.image[0, f] * r.image[0, f]
        r.image[0, f] = 0.0
    return total


@kernel
def ridge_update(r: Ridge, x: Contexts, row: int, block: int, lane: int, loss: float) -> None:
    """Regress on one loss."""
    error = loss - mean_of(r, x, row, block, lane)
    growth = 1.0
    if is_full(r):
        growth = _update_all(r, x, row, block, lane, error)
    else:
        growth = _update_diagonal(r, x, row, block, lane, error)
    r.log_det[lane] = r.log_det[lane] + math.log(growth)


@kernel
def _update_all(r: Ridge, x: Contexts, row: int, block: int, lane: int, error: float) -> float:
    """Bierman's update of U, D and theta; 1 + x' A^-1 x, by which det A grows.

    The gain A^-1 x comes row by row, as U changes.
    """
    r.image[0, :] = 0.0
    _add_image(r, x, row, block, lane, 1.0)
    gain, turn = r.image[0], r.image[1]
    growth = 1.0
    for j in range(gain.shape[0]):
        f, before = gain[j], growth
        gain[j] = r.weight[lane, block, j] * f
        growth = growth + gain[j] * f
        turn[j] = -f / before
        r.weight[lane, block, j] = r.weight[lane, block, j] * (before / growth)
    step = error / growth
    for i in range(gain.shape[0]):
        U, g, square = r.factor[lane, block, i], gain[i], r.weight[lane, block, i]
        for j in range(i + 1, gain.shape[0]):
            u = U[j]
            U[j] = u + turn[j] * g
            g = g + gain[j] * u
            square = square + r.weight[lane, block, j] * U[j] * U[j]
        r.theta[lane, block, i] = r.theta[lane, block, i] + step * g
        r.diagonal[lane, block, i] = square
    return growth


@kernel
def _update_diagonal(r: Ridge, x: Contexts, row: int, block: int, lane: int, error: float) -> float:
    """The same as if A^-1 were diagonal, and keep only the diagonal of what comes out."""
    base, v = block * r.stride, 0.0
    for i in range(x.start[row], x.start[row + 1]):
        value = np.float64(x.value[i])
        v = v + r.diagonal[lane, block, x.feature[i] - base] * value * value
    for i in range(x.start[row], x.start[row + 1]):
        f, value = x.feature[i] - base, np.float64(x.value[i])
        g = r.diagonal[lane, block, f] * value
        r.theta[lane, block, f] = r.theta[lane, block, f] + error / (1.0 + v) * g
        others = max(v - g * value, 0.0)
        r.diagonal[lane, block, f] = r.diagonal[lane, block, f] * ((1.0 + others) / (1.0 + v))
    return 1.0 + v


@kernel
def learn_ridge(r: Ridge, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress on the loss of the action taken, in every lane: how an explorer learns."""
    for lane in range(n_lanes(bandit)):
        row, block = place_of(r, x, event.row, bandit.action[lane])
        ridge_update(r, x, row, block, lane, np.float64(bandit.loss[lane]))
