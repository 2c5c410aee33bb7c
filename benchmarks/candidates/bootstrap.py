"""Bootstrapped Thompson sampling per action: each action's score is drawn from the bag.

Bag draws one policy for all actions. Here each action draws its own, so that p(a) is the
mean over policies of the chance that all other actions draw a higher score. Equal scores
count half, and probabilities are divided by their sum.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes, n_policies
from bakeoff.core.explorers.bag import learn
from bakeoff.core.explorers.base import Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.types import Bools, Contexts, Event, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class Bootstrap(Settings):
    """Policies trained on bootstrap samples, mixed action by action."""

    n_policies: int = setting(4, low=1, high=1000)


class State(NamedTuple):
    """What Bag's `learn` asks for."""

    greedy: Bools
    exponential: Bools


def new_state(settings: Sequence[Bootstrap], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    return State(np.zeros(len(settings), np.bool_), np.zeros(len(settings), np.bool_))


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """The chance that an action draws the lowest score."""
    N, L = n_policies(bandit), n_lanes(bandit)
    for lane in range(L):
        total = 0.0
        for k in range(event.K):
            p = 0.0
            for i in range(N):
                lowest = 1.0
                for other in range(event.K):
                    if other != k:
                        above = 0.0
                        for j in range(N):
                            mine = bandit.scores[k, i * L + lane]
                            theirs = bandit.scores[other, j * L + lane]
                            above = above + (1.0 if theirs > mine else 0.0)
                            above = above + (0.5 if theirs == mine else 0.0)
                        lowest = lowest * (above / N)
                p = p + lowest
            bandit.p[k, lane] = p
            total = total + p
        for k in range(event.K):
            bandit.p[k, lane] = bandit.p[k, lane] / total


BOOTSTRAP = Explorer(
    "bootstrap", Bootstrap, new_state, explore, learn,
    reductions=("iwr",), default_reduction=lambda _: "iwr",
    names=(Name("TS", "Bootstrapped TS", 40, "#BE8000", ":", "s"),),
    n_policies=lambda s: s.n_policies,
)  # fmt: skip
