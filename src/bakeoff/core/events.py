"""Events: contexts and costs as kernels see them, round by round."""

from typing import NamedTuple

from bakeoff.core.arrays import Doubles, Floats, Indices, Ints
from bakeoff.core.jit import kernel


class Contexts(NamedTuple):
    """Rows of features, compressed; the bias (index 0, value 1) comes last in a row.

    Feature j of the user's matrix has index j + 1. An event owns one row, or in a
    ranking problem one row per action.
    """

    start: Ints  # (rows + 1,) where each row begins in `feature` and `value`
    feature: Indices
    value: Floats
    first_row: Ints  # (n + 1,) the first row of each event


class Costs(NamedTuple):
    """True costs in [0, 1]: 0/1 by sets of right actions, or given one by one."""

    start: Ints  # (n + 1,) where each event begins in `right` or `value`
    right: Indices  # the right actions (cost 0), ascending; empty if values are given
    value: Doubles  # the cost of each action in turn; empty if right actions are given


class Event(NamedTuple):
    """Round t: where its rows of features begin, and how many actions it has."""

    row: int
    K: int
    t: int


class Revealed(NamedTuple):
    """What only the supervised skyline may see of a problem."""

    costs: Costs
    is_multiclass: bool


@kernel
def cost_of(costs: Costs, event: int, a: int) -> float:
    """The true cost c_t(a), all that a simulation reveals to a bandit."""
    start, end = costs.start[event], costs.start[event + 1]
    if costs.value.shape[0] > 0:
        return costs.value[start + a]
    for i in range(start, end):
        if costs.right[i] == a:
            return 0.0
    return 1.0
