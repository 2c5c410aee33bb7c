"""LinMED: minimum empirical divergence by ridge regression (Balagopalan and Jun 2025).

How far an action's loss lies above the least, against how well both are known, decides
how likely it is: probabilities have a closed form. The design that mixes in is uniform,
which is optimal where actions have weights of their own.
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
    distance_of,
    learn_ridge,
    mean_of,
    new_ridge,
    place_of,
    ridge_bytes,
    width_of,
)
from bakeoff.core.types import Contexts, Doubles, Event, Revealed, Sizes

_NOISE = 0.5  # losses in an interval of length one are sub-Gaussian with this
_SIZE = 1.0  # of theta


@dataclass(frozen=True, slots=True)
class LinMED(Settings):
    """The less its loss can be the least, the less likely an action is."""

    share: float = setting(0.9, low=0, high=1)  # of the best action before weighing
    delta: float = setting(0.01, low=0, high=1, above=True)  # how sure the bounds are
    ridge: float = setting(1.0, low=1 / MOST, high=MOST)  # the penalty of theta


class State(NamedTuple):
    """Regressions (see ridge.py) and settings of each lane, and the round's means."""

    factor: Doubles
    weight: Doubles
    diagonal: Doubles
    theta: Doubles
    log_det: Doubles
    image: Doubles
    stride: int
    share: Doubles
    delta: Doubles
    ridge: Doubles
    mean: Doubles  # (K, L)


def new_state(settings: Sequence[LinMED], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    ridge = np.array([float(s.ridge) for s in settings])
    return State(
        *new_ridge(ridge, sizes),
        np.array([float(s.share) for s in settings]),
        np.array([float(s.delta) for s in settings]),
        ridge,
        np.zeros((sizes.n_actions, len(settings))),
    )


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) is proportional to q(a) exp(-gap(a)^2 / (beta |x_a - x_b|^2))."""
    K = event.K
    for lane in range(n_lanes(bandit)):
        b = 0
        for k in range(K):
            row, block = place_of(state, x, event.row, k)
            state.mean[k, lane] = mean_of(state, x, row, block, lane)
            if state.mean[k, lane] < state.mean[b, lane]:
                b = k
        root = math.sqrt(state.log_det[lane] + 2.0 * math.log(1.0 / state.delta[lane]))
        radius = _NOISE * root + math.sqrt(state.ridge[lane]) * _SIZE
        row_b, block_b = place_of(state, x, event.row, b)
        own = width_of(state, x, row_b, block_b, lane)
        total = 0.0
        for k in range(K):
            row, block = place_of(state, x, event.row, k)
            gap = state.mean[k, lane] - state.mean[b, lane]
            if block == block_b:
                between = distance_of(state, x, row, row_b, block, lane)
            else:
                between = width_of(state, x, row, block, lane) + own
            weight = (1.0 - state.share[lane]) / K
            if gap > 0.0:
                near = between > 0.0
                weight = weight * (
                    math.exp(-gap * gap / (radius * radius * between)) if near else 0.0
                )
            else:
                weight = weight + state.share[lane]
            bandit.p[k, lane] = weight
            total = total + weight
        for k in range(K):
            bandit.p[k, lane] = bandit.p[k, lane] / total


LINMED = Explorer(
    "linmed", LinMED, new_state, explore, learn_ridge,
    names=(Name("LM", "LinMED", 29, "#661100", "-", "d"),),
    state_numbers=1, state_bytes=ridge_bytes, own_oracle=True,
)  # fmt: skip
