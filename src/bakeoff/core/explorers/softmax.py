"""Softmax, or Boltzmann exploration: p falls exponentially with the score."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import REDUCTIONS, Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.csc import best_scores
from bakeoff.core.oracles.regression import expected_loss
from bakeoff.core.reductions.off_policy import opl_update
from bakeoff.core.types import Contexts, Doubles, Event, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class Softmax(Settings):
    """The worse an action scores, the less likely it is."""

    sharpness: float = setting(10.0, low=0, above=True)  # lambda: 1 / temperature ...
    exponent: float = setting(0.0, low=0, high=1)  # ... and how it grows with rounds
    logistic: bool = False  # regress on the log loss


class State(NamedTuple):
    """Settings of each lane."""

    sharpness: Doubles
    exponent: Doubles


def new_state(settings: Sequence[Softmax], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    return State(
        np.array([float(s.sharpness) for s in settings]),
        np.array([float(s.exponent) for s in settings]),
    )


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) is proportional to exp(-lambda t^exponent (f(a) - min f))."""
    f = bandit.policies
    best_scores(bandit, event.K)
    for lane in range(n_lanes(bandit)):
        sharpness = state.sharpness[lane] * math.pow(np.float64(event.t), state.exponent[lane])
        total = 0.0
        for k in range(event.K):
            gap = expected_loss(f, bandit.scores[k, lane]) - expected_loss(f, bandit.best[lane])
            bandit.p[k, lane] = math.exp(-sharpness * gap)
            total = total + bandit.p[k, lane]
        for k in range(event.K):
            bandit.p[k, lane] = bandit.p[k, lane] / total


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Learn off-policy from the action taken."""
    opl_update(bandit, x, event)


SOFTMAX = Explorer(
    "softmax", Softmax, new_state, explore, learn,
    names=(Name("Sm", "Softmax", 22, "#332288", "-", "P"),),
    reductions=REDUCTIONS, default_reduction=lambda _: "iwr",
    counts_rounds=lambda s: s.exponent > 0,
)  # fmt: skip
