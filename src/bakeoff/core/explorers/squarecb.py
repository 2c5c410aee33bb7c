"""SquareCB: inverse gap weighting (Foster and Rakhlin 2020).

With `elim`, only actions that RegCB-elim finds plausible share the probability. (VW's
`--squarecb --elim` counts all actions there, which makes probabilities negative.)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import Explorer, Name, Settings, setting
from bakeoff.core.explorers.regcb import lcb, ucb
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import expected_loss
from bakeoff.core.reductions.direct import direct_update
from bakeoff.core.types import Bools, Contexts, Doubles, Event, Floats, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class SquareCB(Settings):
    """The further an action is behind the best, the less likely it is."""

    gamma: float = setting(100.0, low=0, above=True)  # how strongly a gap counts ...
    exponent: float = setting(0.5, low=0, high=1)  # ... and how that grows with rounds
    c0: float = setting(1e-3, low=0, above=True, quiet=True)  # of RegCB's bounds, for `elim`
    elim: bool = False  # only among plausible actions
    by_cost: bool = False  # gamma grows with the cost so far, not with rounds
    logistic: bool = False  # regress on the log loss

    def __post_init__(self) -> None:
        Settings.__post_init__(self)
        if self.elim and self.logistic:
            raise ValueError("elim has bounds for the squared loss only: leave out logistic")


class Growing(Protocol):
    """What the states of SquareCB and FastCB have in common."""

    @property
    def gamma(self) -> Doubles:
        """(L,) at the start ..."""

    @property
    def exponent(self) -> Doubles:
        """(L,) ... and how it grows."""

    @property
    def by_cost(self) -> Bools:
        """(L,) with the cost so far, or with rounds."""

    @property
    def cost(self) -> Doubles:
        """(L,) so far."""


class State(NamedTuple):
    """Settings of each lane, what its actions have cost, and the bounds of the round."""

    gamma: Doubles
    exponent: Doubles
    c0: Doubles
    elim: Bools
    by_cost: Bools
    any_elimination: bool
    cost: Doubles  # (L,) so far
    label: Floats  # (L,) the artificial label of the bounds
    lower: Doubles  # (K, L)
    upper: Doubles  # (K, L)


def new_state(settings: Sequence[SquareCB], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    lanes = len(settings)
    elim = np.array([s.elim for s in settings])
    return State(
        np.array([float(s.gamma) for s in settings]),
        np.array([float(s.exponent) for s in settings]),
        np.array([float(s.c0) for s in settings]),
        elim,
        np.array([s.by_cost for s in settings]),
        bool(elim.any()),
        np.zeros(lanes),
        np.zeros(lanes, np.float32),
        np.zeros((sizes.n_actions, lanes)),
        np.zeros((sizes.n_actions, lanes)),
    )


@kernel
def gamma_of(state: Growing, event: Event, lane: int) -> float:
    """gamma0 n^exponent, with n the rounds before this one or the cost so far."""
    n = state.cost[lane] if state.by_cost[lane] else np.float64(event.t - 1)
    return state.gamma[lane] * math.pow(n, state.exponent[lane]) if n > 0.0 else 0.0


@kernel
def learn(state: Growing, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress on the loss of the action taken, and add up what actions have cost."""
    for lane in range(n_lanes(bandit)):
        cost = np.float64(bandit.loss[lane]) - np.float64(bandit.c_min[lane])
        state.cost[lane] = state.cost[lane] + cost
    direct_update(bandit, x, event)


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) = 1 / (m + gamma gap(a)) for all but the best of m; these share the rest.

    gamma is 0 in the first round, which is uniform.
    """
    K, f = event.K, bandit.policies
    if state.any_elimination:
        log_Kt = math.log(K * event.t)
        lcb(state, bandit, x, event, log_Kt)
        ucb(state, bandit, x, event, log_Kt)
    for lane in range(n_lanes(bandit)):
        gamma = gamma_of(state, event, lane)
        least = state.upper[0, lane]
        for k in range(1, K):
            least = min(least, state.upper[k, lane])
        m, best = 0, math.inf
        for k in range(K):
            if not state.elim[lane] or state.lower[k, lane] <= least:
                m += 1
                best = min(best, expected_loss(f, bandit.scores[k, lane]))
        rest, n_tied = 1.0, 0
        for k in range(K):
            gap = expected_loss(f, bandit.scores[k, lane]) - best
            p = 0.0
            if not state.elim[lane] or state.lower[k, lane] <= least:
                if gap > 0.0:
                    p = 1.0 / (m + gamma * gap)
                    rest = rest - p
                else:
                    n_tied += 1
            bandit.p[k, lane] = p
        for k in range(K):
            is_in = not state.elim[lane] or state.lower[k, lane] <= least
            if is_in and expected_loss(f, bandit.scores[k, lane]) == best:
                bandit.p[k, lane] = rest / n_tied


SQUARECB = Explorer(
    "squarecb", SquareCB, new_state, explore, learn,
    names=(
        Name("SCB", "SquareCB", 20, "#882255", "-", "^"),
        Name("SCB-e", "SquareCB-elim", 21, "#882255", "--", "^"),
    ),
    variant=lambda s: int(s.elim), asks_sensitivity=lambda s: s.elim, state_numbers=2,
    counts_rounds=lambda s: s.elim or not s.by_cost,
)  # fmt: skip
