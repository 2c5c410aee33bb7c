"""Direct regression on the loss of the action taken, with importance 1 (Algorithm 5)."""

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.chosen import update_chosen
from bakeoff.core.types import Contexts, Event


@kernel
def direct_update(bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress each policy on the observed loss, whatever its probability was."""
    for lane in range(n_lanes(bandit)):
        bandit.importance[lane] = np.float32(1)
    update_chosen(
        bandit.policies,
        x,
        event,
        bandit.scores,
        bandit.action,
        bandit.loss,
        bandit.importance,
        bandit.once,
    )
