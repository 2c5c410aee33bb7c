"""Active epsilon-greedy: explore only what could plausibly be best (Algorithm 10)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, Reduction, n_lanes, spread_estimates
from bakeoff.core.explorers.base import REDUCTIONS, Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.csc import best_scores, csc_update
from bakeoff.core.oracles.regression import clip, sensitivity
from bakeoff.core.reductions.iwr import iwr_update
from bakeoff.core.reductions.off_policy import estimator
from bakeoff.core.types import Contexts, Doubles, Event, Floats, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class Active(Settings):
    """Epsilon-greedy that leaves out actions nothing could make best."""

    # share of rounds that explore, were all actions plausible
    epsilon: float = setting(0.02, low=0, high=1, above=True)
    # how easily an action counts as plausible
    c0: float = setting(1e-6, low=0, above=True)


class State(NamedTuple):
    """Settings of each lane, and what the disagreement test needs."""

    epsilon: Doubles
    c0: Doubles
    clipped: Floats  # (K, L) scores clipped to the range of losses
    down: Doubles  # (K, L) sensitivity to an update towards c_min
    up: Doubles  # (K, L) sensitivity to an update towards c_max
    difference: Doubles  # (K, L) tau, the weight it takes to make an action the best


def new_state(settings: Sequence[Active], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    shape = (sizes.n_actions, len(settings))
    return State(
        np.array([s.epsilon for s in settings]),
        np.array([s.c0 for s in settings]),
        np.zeros(shape, np.float32),
        np.zeros(shape),
        np.zeros(shape),
        np.zeros(shape),
    )


@kernel
def loss_diff_iwr(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Write tau(a) = (f(a) - min f) / s(a), by an update of a alone towards c_min.

    It is infinite where that would not lower f(a). `best_scores` has been called.
    """
    sensitivity(bandit.policies, x, event, bandit.scores, bandit.c_min, state.down)
    for k in range(event.K):
        for lane in range(n_lanes(bandit)):
            f, s = bandit.scores[k, lane], state.down[k, lane]
            tau = (np.float64(f) - np.float64(bandit.best[lane])) / s
            is_lowered = (f > bandit.c_min[lane]) & math.isfinite(s) & (s > 0.0)
            state.difference[k, lane] = tau if is_lowered else math.inf


@kernel
def loss_diff_csc(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Write tau(a): its update towards c_min while all others go towards c_max.

    tau(a) = max over b with f(b) < f(a) of (f(a) - f(b)) / (s(a) + s(b))
    """
    f = state.clipped
    for k in range(event.K):
        for lane in range(n_lanes(bandit)):
            f[k, lane] = clip(bandit.scores[k, lane], bandit.c_min[lane], bandit.c_max[lane])
    sensitivity(bandit.policies, x, event, f, bandit.c_min, state.down)
    sensitivity(bandit.policies, x, event, f, bandit.c_max, state.up)
    for lane in range(n_lanes(bandit)):
        for a in range(event.K):
            tau = 0.0
            for b in range(event.K):
                if f[b, lane] < f[a, lane]:
                    s = 0.0
                    if f[a, lane] != bandit.c_min[lane]:
                        s = s + state.down[a, lane]
                    if f[b, lane] != bandit.c_max[lane]:
                        s = s + state.up[b, lane]
                    gap = np.float64(f[a, lane]) - np.float64(f[b, lane])
                    tau = max(tau, gap / s if s > 0.0 else math.inf)
            state.difference[a, lane] = tau


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) = epsilon / K for plausible actions; the tied best share the rest."""
    K, t = event.K, event.t
    best_scores(bandit, K)
    if bandit.reduction == Reduction.IWR:
        loss_diff_iwr(state, bandit, x, event)
    else:
        loss_diff_csc(state, bandit, x, event)
    log_t = math.log(t)
    for lane in range(n_lanes(bandit)):
        epsilon = state.epsilon[lane]
        e = state.c0[lane] * K * log_t / (epsilon * t)
        threshold = math.sqrt(e) + e
        best, n_tied = bandit.best[lane], bandit.n_tied[lane]
        n_allowed = 0
        for k in range(K):
            is_best = bandit.scores[k, lane] == best
            is_allowed = is_best or state.difference[k, lane] / t <= threshold
            n_allowed += is_allowed
            bandit.p[k, lane] = epsilon / K if is_allowed else 0.0
        for k in range(K):
            if bandit.scores[k, lane] == best:
                rest = (1.0 - epsilon * n_allowed / K) / n_tied
                bandit.p[k, lane] = bandit.p[k, lane] + rest


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """As epsilon-greedy; IPS and DR count an action left out as the worst there is."""
    if bandit.reduction == Reduction.IWR:
        iwr_update(bandit, x, event)
    else:
        estimator(bandit, x, event)
        for k in range(event.K):
            for lane in range(n_lanes(bandit)):
                if bandit.p[k, lane] == 0.0:
                    bandit.estimates[k, lane] = bandit.c_max[lane]
        spread_estimates(bandit, event.K)
        csc_update(bandit.policies, x, event, bandit.scores, bandit.targets, bandit.repeats)


ACTIVE = Explorer(
    "active", Active, new_state, explore, learn,
    reductions=REDUCTIONS, default_reduction=lambda _: "iwr",
    asks_sensitivity=True, counts_rounds=True, state_numbers=4,
    names=(Name("A", "active epsilon-greedy", 8, "#CC79A7", "--", "v"),),
)  # fmt: skip
