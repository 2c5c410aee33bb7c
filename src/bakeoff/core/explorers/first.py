"""Explore first: uniform for tau rounds, greedy ever after."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import REDUCTIONS, Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.csc import best_scores
from bakeoff.core.reductions.off_policy import opl_update
from bakeoff.core.types import Contexts, Event, Ints, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class First(Settings):
    """All actions alike at first, and then always the best; ties at random."""

    tau: int = setting(100, low=0, high=10**9)  # rounds that explore
    logistic: bool = False  # regress on the log loss


class State(NamedTuple):
    """Settings of each lane."""

    tau: Ints


def new_state(settings: Sequence[First], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    return State(np.array([s.tau for s in settings], np.int64))


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) = 1 / K up to round tau, then [a is best], shared among the tied best."""
    K = event.K
    best_scores(bandit, K)
    for lane in range(n_lanes(bandit)):
        best, n_tied = bandit.best[lane], bandit.n_tied[lane]
        for k in range(K):
            p = 1.0 / np.float64(n_tied) if bandit.scores[k, lane] == best else 0.0
            bandit.p[k, lane] = 1.0 / K if event.t <= state.tau[lane] else p


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Learn off-policy from the action taken."""
    opl_update(bandit, x, event)


FIRST = Explorer(
    "first", First, new_state, explore, learn,
    names=(Name("F", "explore-first", 23, "#999933", "-", "<"),),
    reductions=REDUCTIONS, default_reduction=lambda _: "iwr", counts_rounds=True,
)  # fmt: skip
