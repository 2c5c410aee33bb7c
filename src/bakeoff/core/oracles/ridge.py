"""Ridge regression with confidence: the oracle of LinUCB, LinTS and LinMED.

Each block has the inverse of A = ridge I + sum x x' and theta = A^-1 sum loss x, both kept
up to date by the formula of Sherman and Morrison in double precision. With more than
`MOST_FEATURES` features (the bias included) only the diagonal of A^-1 is kept.
"""

import math
from typing import Protocol

import numpy as np

from bakeoff.core.jit import kernel
from bakeoff.core.types import Contexts, Doubles, Sizes

MOST_FEATURES = 513


class Ridge(Protocol):
    """What the state of an explorer has of its regressions: the fields of `new_ridge`."""

    @property
    def inverse(self) -> Doubles:
        """(L, B, D, D), or (L, B, D, 1) if it is diagonal; B blocks, one or K."""

    @property
    def theta(self) -> Doubles:
        """(L, B, D)."""

    @property
    def log_det(self) -> Doubles:
        """(L,) of A in all blocks, above that of the start."""

    @property
    def gain(self) -> Doubles:
        """(D,) scratch space."""


def new_ridge(ridge: Doubles, sizes: Sizes) -> tuple[Doubles, Doubles, Doubles, Doubles]:
    """Inverse, theta, log_det and gain that know nothing; `ridge` is each lane's penalty."""
    D, B, L = sizes.n_features, sizes.n_blocks, len(ridge)
    inverse = np.zeros((L, B, D, D if D <= MOST_FEATURES else 1))
    for lane in range(L):
        inverse[lane] = 1.0 / ridge[lane] if D > MOST_FEATURES else np.eye(D) / ridge[lane]
    return inverse, np.zeros((L, B, D)), np.zeros(L), np.zeros(D)


def ridge_bytes(sizes: Sizes) -> int:
    """What the regressions of one lane take."""
    D, B = sizes.n_features, sizes.n_blocks
    return 8 * B * D * ((D if D <= MOST_FEATURES else 1) + 1)


@kernel
def is_full(r: Ridge) -> bool:
    """Whether the whole inverse is kept."""
    return r.inverse.shape[3] == r.inverse.shape[2]


@kernel
def place_of(r: Ridge, first: int, k: int) -> tuple[int, int]:
    """The row and the block of action k of an event whose rows begin at `first`."""
    if r.inverse.shape[1] == 1:
        return first + k, 0
    return first, k


@kernel
def mean_of(r: Ridge, x: Contexts, row: int, block: int, lane: int) -> float:
    """Theta x."""
    total = 0.0
    for i in range(x.start[row], x.start[row + 1]):
        total = total + r.theta[lane, block, x.feature[i]] * np.float64(x.value[i])
    return total


@kernel
def form_of(r: Ridge, x: Contexts, row: int, other: int, block: int, lane: int) -> float:
    """X' A^-1 y for two rows; a row with itself gives its squared width."""
    total = 0.0
    full = is_full(r)
    for i in range(x.start[row], x.start[row + 1]):
        f, value = x.feature[i], np.float64(x.value[i])
        inner = 0.0
        for j in range(x.start[other], x.start[other + 1]):
            g = x.feature[j]
            if full:
                inner = inner + r.inverse[lane, block, f, g] * np.float64(x.value[j])
            elif f == g:
                inner = inner + r.inverse[lane, block, f, 0] * np.float64(x.value[j])
        total = total + value * inner
    return total


@kernel
def ridge_update(r: Ridge, x: Contexts, row: int, block: int, lane: int, loss: float) -> None:
    """Regress on one loss."""
    D, full = r.theta.shape[2], is_full(r)
    for d in range(D):
        r.gain[d] = 0.0
    for i in range(x.start[row], x.start[row + 1]):
        f, value = x.feature[i], np.float64(x.value[i])
        if full:
            for d in range(D):
                r.gain[d] = r.gain[d] + r.inverse[lane, block, f, d] * value
        else:
            r.gain[f] = r.gain[f] + r.inverse[lane, block, f, 0] * value
    v = 0.0
    for i in range(x.start[row], x.start[row + 1]):
        v = v + r.gain[x.feature[i]] * np.float64(x.value[i])
    error = loss - mean_of(r, x, row, block, lane)
    for d in range(D):
        g = r.gain[d]
        if g != 0.0:
            r.theta[lane, block, d] = r.theta[lane, block, d] + error / (1.0 + v) * g
            if full:
                for e in range(D):
                    change = g * r.gain[e] / (1.0 + v)
                    r.inverse[lane, block, d, e] = r.inverse[lane, block, d, e] - change
            else:
                r.inverse[lane, block, d, 0] = r.inverse[lane, block, d, 0] - g * g / (1.0 + v)
    r.log_det[lane] = r.log_det[lane] + math.log(1.0 + v)
