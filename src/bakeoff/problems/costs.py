"""The cost of one action: all that a simulation reveals to a bandit."""

from bakeoff.jit import kernel
from bakeoff.problems.problem import Costs


@kernel
def cost_of(costs: Costs, event: int, a: int) -> float:
    """The true cost c_t(a)."""
    start, end = costs.start[event], costs.start[event + 1]
    if costs.value.shape[0] > 0:
        return costs.value[start + a]
    for i in range(start, end):
        if costs.right[i] == a:
            return 0.0
    return 1.0
