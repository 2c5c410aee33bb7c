"""Randomised RegCB: one normal number per round moves every score along its width.

Scores become f(a) - |z| w(a), where w(a) is the width of RegCB's lower bound, and the
smallest wins. As a function of |z| they are lines, whose lower envelope gives exact
probabilities: no draws are counted. `symmetric` takes z for |z|.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import Explorer, Name, Settings, setting
from bakeoff.core.explorers.regcb import lcb
from bakeoff.core.jit import kernel
from bakeoff.core.reductions.direct import direct_update
from bakeoff.core.types import Bools, Contexts, Doubles, Event, Floats, Revealed, Sizes

_ROOT_HALF = 0.7071067811865476


@dataclass(frozen=True, slots=True)
class RandRegCB(Settings):
    """The best action after all scores have been lowered by chance."""

    c0: float = setting(1e-3, low=0, above=True)  # width of the confidence bounds
    symmetric: bool = False  # scores may also be raised


class State(NamedTuple):
    """Settings of each lane, and the bounds of the round."""

    c0: Doubles
    symmetric: Bools
    label: Floats  # (L,) the artificial label
    lower: Doubles  # (K, L)


def new_state(settings: Sequence[RandRegCB], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    lanes = len(settings)
    return State(
        np.array([float(s.c0) for s in settings]),
        np.array([s.symmetric for s in settings]),
        np.zeros(lanes, np.float32),
        np.zeros((sizes.n_actions, lanes)),
    )


@kernel
def mass(low: float, high: float, symmetric: bool) -> float:
    """How likely z, or |z|, lies between two numbers."""
    below_high = 0.5 * math.erfc(-high * _ROOT_HALF)
    below_low = 0.5 * math.erfc(-low * _ROOT_HALF)
    return (below_high - below_low) * (1.0 if symmetric else 2.0)


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) is how likely the line of a is the lowest; equal lines share.

    The walk along the envelope goes from line to line, each steeper than the one before.
    """
    K = event.K
    lcb(state, bandit, x, event, math.log(K * event.t))
    for lane in range(n_lanes(bandit)):
        symmetric = state.symmetric[lane]
        for k in range(K):
            state.lower[k, lane] = _height(bandit, k, lane) - state.lower[k, lane]  # the width
            bandit.p[k, lane] = 0.0
        at = _first(state.lower, bandit, K, lane, symmetric)
        z = -math.inf if symmetric else 0.0
        while at >= 0:
            f, w = _height(bandit, at, lane), state.lower[at, lane]
            following, crossing, steepest = -1, math.inf, w
            n_same = 0
            for k in range(K):
                f_k, w_k = _height(bandit, k, lane), state.lower[k, lane]
                n_same += f_k == f and w_k == w
                if w_k > w:
                    c = max((f_k - f) / (w_k - w), z)
                    if c < crossing or (c == crossing and w_k > steepest):
                        following, crossing, steepest = k, c, w_k
            share = mass(z, crossing, symmetric) / n_same
            for k in range(K):
                if _height(bandit, k, lane) == f and state.lower[k, lane] == w:
                    bandit.p[k, lane] = share
            at, z = following, crossing


@kernel
def _height(bandit: Bandit, k: int, lane: int) -> float:
    """The score of an action within the range of losses: where its line begins."""
    f = np.float64(bandit.scores[k, lane])
    return min(max(f, np.float64(bandit.c_min[lane])), np.float64(bandit.c_max[lane]))


@kernel
def _first(width: Doubles, bandit: Bandit, K: int, lane: int, symmetric: bool) -> int:
    """The lowest line where the walk begins: at zero, or far to the left."""
    at = 0
    for k in range(1, K):
        f, w = _height(bandit, k, lane), width[k, lane]
        f_at, w_at = _height(bandit, at, lane), width[at, lane]
        if symmetric:
            lower = w < w_at or (w == w_at and f < f_at)
        else:
            lower = f < f_at or (f == f_at and w > w_at)
        if lower:
            at = k
    return at


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress on the loss of the action taken."""
    direct_update(bandit, x, event)


RANDREGCB = Explorer(
    "randregcb", RandRegCB, new_state, explore, learn,
    names=(
        Name("RR", "randomised RegCB", 25, "#0072B2", "-", "*"),
        Name("RR-s", "randomised RegCB, symmetric", 26, "#0072B2", "--", "*"),
    ),
    variant=lambda s: int(s.symmetric), asks_sensitivity=True, state_numbers=1,
)  # fmt: skip
