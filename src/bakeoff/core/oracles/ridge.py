"""Ridge regression with confidence: the oracle of LinUCB, LinTS and LinMED.

Each block has the inverse of A = ridge I + sum x x' and theta = A^-1 sum loss x, both kept
up to date by the formula of Sherman and Morrison in double precision. With more than
`MOST_FEATURES` features (the bias included) only the diagonal of A^-1 is kept.
"""

import math
from typing import NamedTuple, Protocol

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.jit import kernel
from bakeoff.core.types import Contexts, Doubles, Event, Sizes

MOST_FEATURES = 513


class Ridge(Protocol):
    """What the state of an explorer has of its regressions: the fields of `new_ridge`."""

    @property
    def inverse(self) -> Doubles:
        """(L, B, D, D) with B blocks, one or K; (L, B, 0, 0) if only its diagonal is kept."""

    @property
    def diagonal(self) -> Doubles:
        """(L, B, D) of the inverse."""

    @property
    def theta(self) -> Doubles:
        """(L, B, D)."""

    @property
    def log_det(self) -> Doubles:
        """(L,) of A in all blocks, above that of the start."""

    @property
    def gain(self) -> Doubles:
        """(D,) scratch space."""

    @property
    def stride(self) -> int:
        """Features of an action, if a row has the features of its action alone; or 0."""


class NewRidge(NamedTuple):
    """Regressions that know nothing, in the order in which states begin with them."""

    inverse: Doubles
    diagonal: Doubles
    theta: Doubles
    log_det: Doubles
    gain: Doubles
    stride: int


def new_ridge(ridge: Doubles, sizes: Sizes) -> NewRidge:
    """Regressions that know nothing; `ridge` is each lane's penalty."""
    (B, D), L = _blocks_and_features(sizes), len(ridge)
    kept = D if D <= MOST_FEATURES else 0
    inverse = np.zeros((L, B, kept, kept))
    inverse[:] = np.eye(kept) / ridge[:, None, None, None]
    diagonal = np.zeros((L, B, D))
    diagonal[:] = 1.0 / ridge[:, None, None]
    return NewRidge(inverse, diagonal, np.zeros((L, B, D)), np.zeros(L), np.zeros(D), sizes.stride)


def ridge_bytes(sizes: Sizes) -> int:
    """What the regressions of one lane take."""
    B, D = _blocks_and_features(sizes)
    return 8 * B * D * ((D if D <= MOST_FEATURES else 0) + 2)


def _blocks_and_features(sizes: Sizes) -> tuple[int, int]:
    """How many regressions there are, and the features of each."""
    if sizes.stride > 0:
        return sizes.n_actions, sizes.stride
    return sizes.n_blocks, sizes.n_features


@kernel
def is_full(r: Ridge) -> bool:
    """Whether the whole inverse is kept."""
    return r.inverse.shape[2] > 0


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
def form_of(r: Ridge, x: Contexts, row: int, other: int, block: int, lane: int) -> float:
    """X' A^-1 y for two rows; a row with itself gives its squared width."""
    total, base = 0.0, block * r.stride
    full = is_full(r)
    for i in range(x.start[row], x.start[row + 1]):
        f, value = x.feature[i] - base, np.float64(x.value[i])
        inner = 0.0
        for j in range(x.start[other], x.start[other + 1]):
            g = x.feature[j] - base
            if full:
                inner = inner + r.inverse[lane, block, f, g] * np.float64(x.value[j])
            elif f == g:
                inner = inner + r.diagonal[lane, block, f] * np.float64(x.value[j])
        total = total + value * inner
    return total


@kernel
def ridge_update(r: Ridge, x: Contexts, row: int, block: int, lane: int, loss: float) -> None:
    """Regress on one loss."""
    D, base, full = r.theta.shape[2], block * r.stride, is_full(r)
    for d in range(D):
        r.gain[d] = 0.0
    for i in range(x.start[row], x.start[row + 1]):
        f, value = x.feature[i] - base, np.float64(x.value[i])
        if full:
            for d in range(D):
                r.gain[d] = r.gain[d] + r.inverse[lane, block, f, d] * value
        else:
            r.gain[f] = r.gain[f] + r.diagonal[lane, block, f] * value
    v = 0.0
    for i in range(x.start[row], x.start[row + 1]):
        v = v + r.gain[x.feature[i] - base] * np.float64(x.value[i])
    v = max(v, 0.0)  # huge features may round it below
    error = loss - mean_of(r, x, row, block, lane)
    for d in range(D):
        g = r.gain[d]
        if g != 0.0:
            r.theta[lane, block, d] = r.theta[lane, block, d] + error / (1.0 + v) * g
            r.diagonal[lane, block, d] = r.diagonal[lane, block, d] - g * g / (1.0 + v)
            if full:
                for e in range(D):
                    change = g * r.gain[e] / (1.0 + v)
                    r.inverse[lane, block, d, e] = r.inverse[lane, block, d, e] - change
    r.log_det[lane] = r.log_det[lane] + math.log(1.0 + v)


@kernel
def learn_ridge(r: Ridge, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress on the loss of the action taken, in every lane: how an explorer learns."""
    for lane in range(n_lanes(bandit)):
        row, block = place_of(r, x, event.row, bandit.action[lane])
        ridge_update(r, x, row, block, lane, np.float64(bandit.loss[lane]))
