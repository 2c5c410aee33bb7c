"""DR, doubly robust: a loss estimator, corrected by IPS (Eq. 4-5, Algorithm 8)."""

import math

import numpy as np

from bakeoff.core.bandit import Bandit, Reduction, n_lanes
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.chosen import update_chosen
from bakeoff.core.oracles.regression import ONE, ZERO, clip, predict
from bakeoff.core.types import Contexts, Event

NO_BOUND = np.float32(math.inf)


@kernel
def dr_estimates(bandit: Bandit, x: Contexts, event: Event) -> None:
    """Let the estimator learn, once per round, and write the loss estimates.

    estimates[k] = e(x, k) + (loss - e(x, a)) / p * [k = a]
    """
    f = bandit.estimator
    predict(f, x, event, bandit.expected)
    for lane in range(n_lanes(bandit)):
        if bandit.reduction == Reduction.DR:
            bandit.importance[lane] = np.float32(1.0 / bandit.probability[lane])
        else:
            bandit.importance[lane] = ONE  # the paper's text (deviation 4)
    update_chosen(
        f, x, event, bandit.expected, bandit.action, bandit.loss, bandit.importance, bandit.once
    )
    predict(f, x, event, bandit.expected)  # from after its update (deviation 5)
    for k in range(event.K):
        for lane in range(n_lanes(bandit)):
            high = f.hi[lane] if f.hi[lane] > ZERO else NO_BOUND
            bandit.estimates[k, lane] = clip(bandit.expected[k, lane], f.lo[lane], high)
    for lane in range(n_lanes(bandit)):
        a = bandit.action[lane]
        expected = clip(bandit.expected[a, lane], f.lo[lane], f.hi[lane])
        surprise = np.float64(bandit.loss[lane]) - np.float64(expected)
        estimate = np.float64(expected) + surprise / bandit.probability[lane]
        bandit.estimates[a, lane] = np.float32(estimate)
