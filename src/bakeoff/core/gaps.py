"""Gaps: feedback that comes for some actions only.

Whether a round is learned then depends on the action taken, so that runs cannot share a
pass: there is one lane.
"""

import math
from dataclasses import fields
from functools import cache

from bakeoff.core.bandit import Bandit
from bakeoff.core.explorers.base import Around, Explorer, filled
from bakeoff.core.explorers.base import learn as learn  # filled in: the explorer's own
from bakeoff.core.jit import kernel
from bakeoff.core.types import Contexts, Event


@kernel
def learn_if_told(state: object, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Learn, unless the loss is not a number."""
    if not math.isnan(bandit.loss[0]):
        learn(state, bandit, x, event)


@cache
def with_gaps(own: Explorer) -> Explorer:
    """An explorer that learns what it is told; the skyline is told everything."""
    if own.sees_all_costs:
        return own
    values = {one.name: getattr(own, one.name) for one in fields(Explorer)}
    values["learn"] = filled(learn_if_told, learn=own.learn)
    return Around(**values, own=own, prefix="told")
