"""Synthetic cover: one policy, and probability that fills its scores like water.

VW's `--synthcover` pours 100 units one by one; this is the limit of infinitely many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import REDUCTIONS, Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import clip, expected_loss, has_log_loss
from bakeoff.core.reductions.off_policy import opl_update
from bakeoff.core.types import Contexts, Doubles, Event, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class SynthCover(Settings):
    """Actions whose score lies below a common level share the probability."""

    psi: float = setting(0.1, low=0, above=True)  # how much a score rises with all of it
    logistic: bool = False  # regress on the log loss


class State(NamedTuple):
    """Settings of each lane."""

    psi: Doubles


def new_state(settings: Sequence[SynthCover], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    return State(np.array([float(s.psi) for s in settings]))


@kernel
def _filled(bandit: Bandit, k: int, lane: int) -> float:
    """The expected loss of an action, in the range of losses."""
    r = bandit.scores[k, lane]
    if has_log_loss(bandit.policies):
        return expected_loss(bandit.policies, r)
    return np.float64(clip(r, bandit.c_min[lane], bandit.c_max[lane]))


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) = max(0, (level - f(a)) / psi), with the level at which they sum to one.

    The level falls as actions above it are left out, until none is.
    """
    K = event.K
    for lane in range(n_lanes(bandit)):
        psi = state.psi[lane]
        level, m = np.inf, K + 1
        while True:
            total, below = 0.0, 0
            for k in range(K):
                f = _filled(bandit, k, lane)
                if f < level:
                    total = total + f
                    below += 1
            if below == m:
                break
            m, level = below, (psi + total) / below
        for k in range(K):
            f = _filled(bandit, k, lane)
            bandit.p[k, lane] = min(max(0.0, (level - f) / psi), 1.0)


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Learn off-policy from the action taken."""
    opl_update(bandit, x, event)


SYNTHCOVER = Explorer(
    "synthcover", SynthCover, new_state, explore, learn,
    names=(Name("SC", "synthetic cover", 24, "#44AA99", "-", ">"),),
    reductions=REDUCTIONS, default_reduction=lambda _: "iwr",
)  # fmt: skip
