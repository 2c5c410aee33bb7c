"""RegCB-elim and RegCB-opt: bounds on each action's loss (Section 3.4, Algorithm 5)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import sensitivity
from bakeoff.core.reductions.direct import direct_update
from bakeoff.core.types import Bools, Contexts, Doubles, Event, Floats, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class RegCB(Settings):
    """Plausibly best actions (RegCB-elim), or the most promising if `optimistic`."""

    c0: float = setting(1e-3, low=0, above=True)  # width of the confidence bounds
    optimistic: bool = False  # RegCB-opt


class State(NamedTuple):
    """Settings of each lane, and the bounds of the round."""

    c0: Doubles
    optimistic: Bools
    any_elimination: bool  # whether some lane needs upper bounds
    label: Floats  # (L,) the artificial label
    lower: Doubles  # (K, L)
    upper: Doubles  # (K, L)


def new_state(settings: Sequence[RegCB], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    lanes = len(settings)
    optimistic = np.array([s.optimistic for s in settings])
    return State(
        np.array([s.c0 for s in settings]),
        optimistic,
        not optimistic.all(),
        np.zeros(lanes, np.float32),
        np.zeros((sizes.n_actions, lanes)),
        np.zeros((sizes.n_actions, lanes)),
    )


@kernel
def width(F: float, D: float) -> float:
    """How far a bound lies from the score: the z in [0, F] with z^2 (2 F - z) = D.

    D = Delta s: with z = s omega this is the largest omega that the excess squared loss
    allows, omega (F^2 - (F - s omega)^2) <= Delta. Newton's method from a start within
    5 % of the root; four steps reach the last digit.
    """
    if D <= 0.0:
        return 0.0
    ratio = D / (F * F * F)
    if ratio >= 1.0:
        return F
    v = math.sqrt(ratio / (2.0 - math.sqrt(ratio)))
    for _ in range(4):
        v = v - (v * v * (2.0 - v) - ratio) / (v * (4.0 - 3.0 * v))
    return F * v


@kernel
def lcb(state: Any, bandit: Bandit, x: Contexts, event: Event, log_Kt: float) -> None:
    """Write the lower bounds: how far an update to c_min - 1 could plausibly go."""
    for lane in range(n_lanes(bandit)):
        state.label[lane] = np.float32(bandit.c_min[lane] - np.float32(1))
    sensitivity(bandit.policies, x, event, bandit.scores, state.label, state.lower)
    for k in range(event.K):
        for lane in range(n_lanes(bandit)):
            f, s = np.float64(bandit.scores[k, lane]), state.lower[k, lane]
            c_min, c_max = (np.float64(bandit.c_min[lane]), np.float64(bandit.c_max[lane]))
            bound = c_min
            if f >= c_min and math.isfinite(s):
                bound = f - width(f - (c_min - 1.0), state.c0[lane] * log_Kt * s)
            state.lower[k, lane] = min(max(bound, c_min), c_max)


@kernel
def ucb(state: Any, bandit: Bandit, x: Contexts, event: Event, log_Kt: float) -> None:
    """Write the upper bounds: how far an update to c_max + 1 could plausibly go."""
    for lane in range(n_lanes(bandit)):
        state.label[lane] = np.float32(bandit.c_max[lane] + np.float32(1))
    sensitivity(bandit.policies, x, event, bandit.scores, state.label, state.upper)
    for k in range(event.K):
        for lane in range(n_lanes(bandit)):
            f, s = np.float64(bandit.scores[k, lane]), state.upper[k, lane]
            c_min, c_max = (np.float64(bandit.c_min[lane]), np.float64(bandit.c_max[lane]))
            bound = c_max
            if f <= c_max and math.isfinite(s):
                bound = f + width((c_max + 1.0) - f, state.c0[lane] * log_Kt * s)
            state.upper[k, lane] = min(max(bound, c_min), c_max)


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Uniform over the smallest lower bounds, or over all below every upper bound."""
    log_Kt = math.log(event.K * event.t)
    lcb(state, bandit, x, event, log_Kt)
    if state.any_elimination:
        ucb(state, bandit, x, event, log_Kt)
    for lane in range(n_lanes(bandit)):
        bound = state.lower if state.optimistic[lane] else state.upper
        least = bound[0, lane]
        for k in range(1, event.K):
            least = min(least, bound[k, lane])
        n_plausible = 0
        for k in range(event.K):
            n_plausible += state.lower[k, lane] <= least
        for k in range(event.K):
            is_plausible = state.lower[k, lane] <= least
            bandit.p[k, lane] = 1.0 / n_plausible if is_plausible else 0.0


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress on the loss of the action taken."""
    direct_update(bandit, x, event)


REGCB = Explorer(
    "regcb", RegCB, new_state, explore, learn,
    names=(
        Name("R", "RegCB-elim", 1, "#3594CB", "--", "s"),
        Name("RO", "RegCB-opt", 2, "#0072B2", "-", "s"),
    ),
    variant=lambda s: int(s.optimistic), asks_sensitivity=True, state_numbers=2,
)  # fmt: skip
