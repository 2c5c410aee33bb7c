"""FastCB: inverse gap weighting by relative gaps (Foster and Krishnamurthy 2021).

It needs expected costs in (0, 1), and so a regression on the log loss.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import Explorer, Name, Settings, setting
from bakeoff.core.explorers.squarecb import gamma_of, learn
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import expected_loss
from bakeoff.core.types import Bools, Contexts, Doubles, Event, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class FastCB(Settings):
    """SquareCB that explores less where the best action costs little."""

    gamma: float = setting(10.0, low=0, above=True)  # how strongly a gap counts ...
    exponent: float = setting(0.5, low=0, high=1)  # ... and how that grows with rounds
    by_cost: bool = False  # gamma grows with the cost so far, not with rounds


class State(NamedTuple):
    """Settings of each lane, and what its actions have cost."""

    gamma: Doubles
    exponent: Doubles
    by_cost: Bools
    cost: Doubles  # (L,) so far


def new_state(settings: Sequence[FastCB], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    return State(
        np.array([float(s.gamma) for s in settings]),
        np.array([float(s.exponent) for s in settings]),
        np.array([s.by_cost for s in settings]),
        np.zeros(len(settings)),
    )


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) = f(b) / (K f(b) + gamma (f(a) - f(b))) for all but the best, b.

    The tied best share the rest. gamma is SquareCB's.
    """
    K, f = event.K, bandit.policies
    for lane in range(n_lanes(bandit)):
        gamma = gamma_of(state, event, lane)
        best = math.inf
        for k in range(K):
            best = min(best, expected_loss(f, bandit.scores[k, lane]))
        rest, n_tied = 1.0, 0
        for k in range(K):
            gap = expected_loss(f, bandit.scores[k, lane]) - best
            p = 0.0
            if gap > 0.0:
                p = best / (K * best + gamma * gap)
                rest = rest - p
            else:
                n_tied += 1
            bandit.p[k, lane] = p
        for k in range(K):
            if expected_loss(f, bandit.scores[k, lane]) == best:
                bandit.p[k, lane] = rest / n_tied


FASTCB = Explorer(
    "fastcb", FastCB, new_state, explore, learn,
    names=(Name("FCB", "FastCB", 30, "#AA4499", "-", "<"),), has_log_loss=lambda _: True,
    counts_rounds=lambda s: not s.by_cost,
)  # fmt: skip
