"""The supervised skyline: sees every cost, never explores (Section 4, PV_OAA)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.explorers.base import Explorer, Name, Settings
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.csc import csc_update
from bakeoff.core.oracles.regression import clip
from bakeoff.core.rounds import cost_of
from bakeoff.core.types import Contexts, Costs, Event, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class Supervised(Settings):
    """One against all on classes; on costs, one regression per action."""


class State(NamedTuple):
    """All costs of the problem."""

    costs: Costs
    one_against_all: bool  # multiclass: regress on +1 and -1, take the largest score


def new_state(settings: Sequence[Supervised], sizes: Sizes, revealed: Revealed | None) -> State:
    """The state is the problem itself."""
    if revealed is None:
        raise ValueError("the supervised skyline needs the costs of all actions")
    return State(revealed.costs, revealed.is_multiclass)


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """All on the best action, the first of them if tied."""
    f = bandit.policies
    for lane in range(n_lanes(bandit)):
        chosen = 0
        for k in range(event.K):
            bandit.p[k, lane] = 0.0
            ours, best = bandit.scores[k, lane], bandit.scores[chosen, lane]
            if state.one_against_all:
                ours = -clip(ours, f.lo[lane], f.hi[lane])
                best = -clip(best, f.lo[lane], f.hi[lane])
            if ours < best:
                chosen = k
        bandit.p[chosen, lane] = 1.0


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress every action on its own cost, or on +1 if right and -1 if not."""
    for k in range(event.K):
        target = np.float32(cost_of(state.costs, event.t - 1, k))
        if state.one_against_all:
            target = np.float32(1) if target == 0 else np.float32(-1)
        for lane in range(n_lanes(bandit)):
            bandit.targets[k, lane] = target
    csc_update(bandit.policies, x, event, bandit.scores, bandit.targets, bandit.repeats)


SUPERVISED = Explorer(
    "supervised", Supervised, new_state, explore, learn,
    names=(Name("OAA", "supervised skyline", 9, "#777777", ":"),), sees_all_costs=True,
)  # fmt: skip
