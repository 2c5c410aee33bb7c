"""IWR, importance-weighted regression on the action taken (Eq. 6, Algorithm 9)."""

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes, n_policies
from bakeoff.core.events import Contexts, Event
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import place, reg_update, score


@kernel
def iwr_update(bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress each policy on the observed loss with importance 1 / p."""
    f, L = bandit.policies, n_lanes(bandit)
    for i in range(n_policies(bandit)):
        for lane in range(L):
            c, a = i * L + lane, bandit.action[lane]
            row, block = place(f, event, a)
            omega = np.float32(1.0 / bandit.probability[lane])
            for turn in range(bandit.repeats[c]):
                r = bandit.scores[a, c] if turn == 0 else score(f, x, row, block, c)
                reg_update(f, x, row, block, c, r, bandit.loss[lane], omega)
