"""Epsilon-greedy, and greedy as epsilon = 0 (Section 3.1, Algorithm 2).

Epsilon may fall with the round t, as epsilon t^-decay: 1/3 is the best exponent in theory,
and what VW's `--epsilon_decay` uses.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import REDUCTIONS, Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.csc import best_scores
from bakeoff.core.reductions.off_policy import opl_update
from bakeoff.core.types import Contexts, Doubles, Event, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class Greedy(Settings):
    """Always the best action by the current policy; ties at random."""

    logistic: bool = False  # regress on the log loss

    @property
    def epsilon(self) -> float:
        """Greedy is epsilon-greedy that never explores."""
        return 0.0

    @property
    def decay(self) -> float:
        """And never changes."""
        return 0.0


@dataclass(frozen=True, slots=True)
class EpsilonGreedy(Settings):
    """The best action, or with probability epsilon a uniformly random one."""

    epsilon: float = setting(0.02, low=0, high=1)  # share of rounds that explore
    decay: float = setting(0.0, low=0, high=1, quiet=True)  # how fast that share falls
    logistic: bool = False  # regress on the log loss


class State(NamedTuple):
    """Settings of each lane."""

    epsilon: Doubles
    decay: Doubles


def new_state(
    settings: Sequence[Greedy | EpsilonGreedy], sizes: Sizes, revealed: Revealed | None
) -> State:
    """One lane per entry of `settings`."""
    return State(np.array([s.epsilon for s in settings]), np.array([s.decay for s in settings]))


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) = epsilon / K + (1 - epsilon) [a is best], shared among the tied best."""
    K = event.K
    best_scores(bandit, K)
    for lane in range(n_lanes(bandit)):
        epsilon = state.epsilon[lane]
        if state.decay[lane] > 0.0:
            epsilon = epsilon * math.pow(np.float64(event.t), -state.decay[lane])
        best, n_tied = bandit.best[lane], bandit.n_tied[lane]
        for k in range(K):
            p = epsilon / K
            if bandit.scores[k, lane] == best:
                p = p + (1.0 - epsilon) / n_tied
            bandit.p[k, lane] = p


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Learn off-policy from the action taken."""
    opl_update(bandit, x, event)


def _objection(settings: EpsilonGreedy, reduction: str | None) -> str:
    if settings.epsilon == 0 and reduction != "iwr":
        return "does not explore, so only reduction 'iwr' makes sense"
    return ""


_GREEDY = Name("G", "Greedy", 0, "#000000")
GREEDY = Explorer(
    "greedy", Greedy, new_state, explore, learn, names=(_GREEDY,),
    reductions=("iwr",), default_reduction=lambda _: "iwr",
)  # fmt: skip
EPSILON_GREEDY = Explorer(
    "epsilon-greedy", EpsilonGreedy, new_state, explore, learn,
    names=(_GREEDY, Name("eG", "epsilon-greedy", 6, "#CC79A7", marker="v")),
    variant=lambda s: int(s.epsilon > 0),
    reductions=REDUCTIONS, default_reduction=lambda _: "iwr",
    objection=_objection, counts_rounds=lambda s: s.decay > 0,
)  # fmt: skip
