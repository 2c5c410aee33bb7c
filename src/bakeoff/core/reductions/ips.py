"""IPS, inverse propensity scoring: unbiased where p > 0 (Eq. 3, Algorithm 8)."""

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.jit import kernel


@kernel
def ips_estimates(bandit: Bandit, K: int) -> None:
    """Write the loss estimates: loss / p for the action taken, zero elsewhere."""
    for lane in range(n_lanes(bandit)):
        for k in range(K):
            bandit.estimates[k, lane] = np.float32(0)
        estimate = np.float64(bandit.loss[lane]) / bandit.probability[lane]
        bandit.estimates[bandit.action[lane], lane] = np.float32(estimate)
