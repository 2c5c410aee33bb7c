"""LinUCB: the action whose loss may be the least (Li and others 2010)."""

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


@dataclass(frozen=True, slots=True)
class LinUCB(Settings):
    """Optimism in the face of what ridge regression does not know."""

    alpha: float = setting(1.0, low=0, high=MOST)  # how many widths below the mean
    ridge: float = setting(1.0, low=1 / MOST, high=MOST)  # the penalty of theta


class State(NamedTuple):
    """Regressions (see ridge.py) and settings of each lane, and the bounds of the round."""

    factor: Doubles
    weight: Doubles
    diagonal: Doubles
    theta: Doubles
    log_det: Doubles
    image: Doubles
    stride: int
    alpha: Doubles
    bound: Doubles  # (K, L)


def new_state(settings: Sequence[LinUCB], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    ridge = np.array([float(s.ridge) for s in settings])
    alpha = np.array([float(s.alpha) for s in settings])
    return State(*new_ridge(ridge, sizes), alpha, np.zeros((sizes.n_actions, len(settings))))


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """All on the least theta x - alpha sqrt(x' A^-1 x), shared among ties."""
    for lane in range(n_lanes(bandit)):
        least = math.inf
        for k in range(event.K):
            row, block = place_of(state, x, event.row, k)
            width = math.sqrt(width_of(state, x, row, block, lane))
            bound = mean_of(state, x, row, block, lane) - state.alpha[lane] * width
            state.bound[k, lane] = bound
            least = min(least, bound)
        n_tied = 0
        for k in range(event.K):
            n_tied += state.bound[k, lane] == least
        for k in range(event.K):
            bandit.p[k, lane] = 1.0 / n_tied if state.bound[k, lane] == least else 0.0


LINUCB = Explorer(
    "linucb", LinUCB, new_state, explore, learn_ridge,
    names=(Name("LU", "LinUCB", 27, "#117733", "-", "h"),),
    state_numbers=1, state_bytes=ridge_bytes, own_oracle=True,
)  # fmt: skip
