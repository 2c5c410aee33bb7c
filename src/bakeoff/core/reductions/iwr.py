"""IWR, importance-weighted regression on the action taken (Eq. 6, Algorithm 9)."""

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes, n_policies
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.chosen import update_chosen
from bakeoff.core.types import Contexts, Event


@kernel
def iwr_update(bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress each policy on the observed loss with importance 1 / p, times its weight."""
    L = n_lanes(bandit)
    for i in range(n_policies(bandit)):
        for lane in range(L):
            c = i * L + lane
            bandit.importance[c] = np.float32(1.0 / bandit.probability[lane]) * bandit.weight[c]
    update_chosen(
        bandit.policies,
        x,
        event,
        bandit.scores,
        bandit.action,
        bandit.loss,
        bandit.importance,
        bandit.repeats,
    )
