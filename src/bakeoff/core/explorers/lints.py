"""LinTS: Thompson sampling by ridge regression, with exact probabilities.

The loss of action a is drawn from N(theta x, v^2 x' A^-1 x), and the least is taken. Draws
of actions with weights of their own are independent, so that the probability of each is a
one-dimensional integral, computed here to about ten digits. Where actions share weights,
losses are drawn independently as well, which makes probabilities exact there, too.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.ridge import (
    MOST,
    learn_ridge,
    mean_of,
    new_ridge,
    place_of,
    ridge_bytes,
    width_of,
)
from bakeoff.core.types import Contexts, Doubles, Event, Revealed, Sizes

_ROOT_HALF = 0.7071067811865476
_ROOT_2PI = 2.5066282746310002
_FAR = 8.0  # deviations beyond which nothing happens
_MOST_INTERVALS = 64
_CUTS = (-8.0, -4.0, -2.0, 0.0, 2.0, 4.0, 8.0)  # deviations at which intervals end
_NODES, _WEIGHTS = (tuple(array.tolist()) for array in np.polynomial.legendre.leggauss(10))


@dataclass(frozen=True, slots=True)
class LinTS(Settings):
    """The least of losses that are drawn from what ridge regression knows."""

    scale: float = setting(0.3, low=1 / MOST, high=MOST)  # v: how wide the draws are
    ridge: float = setting(1.0, low=1 / MOST, high=MOST)  # the penalty of theta


class State(NamedTuple):
    """Regressions (see ridge.py) and settings of each lane, and the round's draws."""

    factor: Doubles
    weight: Doubles
    diagonal: Doubles
    theta: Doubles
    log_det: Doubles
    image: Doubles
    stride: int
    scale: Doubles
    mean: Doubles  # (K, L) of the loss of each action ...
    deviation: Doubles  # (K, L) ... and its standard deviation
    cuts: Doubles  # (7 K, L) where the integrand bends
    above: Doubles  # (K, L) how likely each draw is larger than the node ...
    before: Doubles  # (K, L) ... and all draws of earlier actions
    rule: Doubles  # (2, 10) nodes and weights of Gauss's rule
    bends: Doubles  # (7,) in deviations from the mean


def new_state(settings: Sequence[LinTS], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    K, lanes = sizes.n_actions, len(settings)
    return State(
        *new_ridge(np.array([float(s.ridge) for s in settings]), sizes),
        np.array([float(s.scale) for s in settings]),
        np.zeros((K, lanes)),
        np.zeros((K, lanes)),
        np.zeros((len(_CUTS) * K, lanes)),
        np.zeros((K, lanes)),
        np.zeros((K, lanes)),
        np.array([_NODES, _WEIGHTS]),
        np.array(_CUTS),
    )


@kernel
def _sort(values: Doubles, n: int, lane: int) -> None:
    """Sort the first n values of a lane, as Shell does."""
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            value, j = values[i, lane], i
            while j >= gap and values[j - gap, lane] > value:
                values[j, lane] = values[j - gap, lane]
                j -= gap
            values[j, lane] = value
        gap = gap // 2


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) = integral of the density of a at s times the chance that all others are above.

    Gauss's rule with ten nodes between the points where one of the functions bends, or
    between some of them if they are many.
    """
    K = event.K
    for lane in range(n_lanes(bandit)):
        least = math.inf
        for k in range(K):
            row, block = place_of(state, x, event.row, k)
            variance = max(1e-24, width_of(state, x, row, block, lane))
            state.mean[k, lane] = mean_of(state, x, row, block, lane)
            state.deviation[k, lane] = state.scale[lane] * math.sqrt(variance)
            least = min(least, state.mean[k, lane])
        end = math.inf  # from here on, some draw is smaller for sure
        for k in range(K):
            state.mean[k, lane] = state.mean[k, lane] - least  # lest deviations vanish in it
            end = min(end, state.mean[k, lane] + _FAR * state.deviation[k, lane])
            bandit.p[k, lane] = 0.0
        n = _bends(state, K, lane, end)
        step = max(1, -(-(n - 1) // _MOST_INTERVALS))
        for i in range(0, n - 1, step):
            left, right = state.cuts[i, lane], state.cuts[min(i + step, n - 1), lane]
            half, middle = 0.5 * (right - left), 0.5 * (right + left)
            if half > 0.0:
                for j in range(state.rule.shape[1]):
                    s = middle + half * state.rule[0, j]
                    _add(state, bandit, K, lane, s, half * state.rule[1, j])
        total = 0.0
        for k in range(K):
            total = total + bandit.p[k, lane]
        for k in range(K):
            bandit.p[k, lane] = bandit.p[k, lane] / total


@kernel
def _bends(state: State, K: int, lane: int, end: float) -> int:
    """Write the points up to `end` where the integrand bends, sorted; their number."""
    n = 0
    for k in range(K):
        for c in range(state.bends.shape[0]):
            cut = state.mean[k, lane] + state.deviation[k, lane] * state.bends[c]
            if cut <= end:
                state.cuts[n, lane] = cut
                n += 1
    _sort(state.cuts, n, lane)
    return n


@kernel
def _add(state: State, bandit: Bandit, K: int, lane: int, s: float, weight: float) -> None:
    """Add what one node gives to the probability of each action."""
    product = 1.0
    for k in range(K):
        z = (s - state.mean[k, lane]) / state.deviation[k, lane]
        state.above[k, lane] = 0.5 * math.erfc(z * _ROOT_HALF) if z > -_FAR else 1.0
        state.before[k, lane] = product
        product = product * state.above[k, lane]
    after = 1.0
    for k in range(K - 1, -1, -1):
        z = (s - state.mean[k, lane]) / state.deviation[k, lane]
        if z > -_FAR:
            density = math.exp(-0.5 * z * z) / (_ROOT_2PI * state.deviation[k, lane])
            others = state.before[k, lane] * after
            bandit.p[k, lane] = bandit.p[k, lane] + weight * density * others
        after = after * state.above[k, lane]


LINTS = Explorer(
    "lints", LinTS, new_state, explore, learn_ridge,
    names=(Name("LT", "LinTS", 28, "#DDAA33", "-", "H"),),
    state_numbers=11, state_bytes=ridge_bytes, own_oracle=True,
)  # fmt: skip
