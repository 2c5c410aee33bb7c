"""DR, doubly robust: a loss estimator, corrected by IPS (Eq. 4-5, Algorithm 8)."""

import numpy as np

from bakeoff.bandit import Bandit
from bakeoff.jit import kernel
from bakeoff.oracles.regression import Event, clip, place, predict, reg_update
from bakeoff.problems.problem import Contexts

ESTIMATE_FIRST = False
"""Whether estimates come from before the estimator's update (deviation 5)."""

ROOM = 0.0
"""How far estimates may lie outside the losses seen, in lengths of their range (15)."""


@kernel
def dr_estimates(bandit: Bandit, x: Contexts, event: Event) -> None:
    """Write the loss estimates, and let the estimator learn, once per round.

    estimates[k] = e(x, k) + (loss - e(x, a)) / p * [k = a]
    """
    predict(bandit.estimator, x, event, bandit.expected)
    if bandit.estimate_first:
        _correct(bandit, event.K)
    for lane in range(bandit.loss.shape[0]):
        a = bandit.action[lane]
        row, block = place(bandit.estimator, event, a)
        e = bandit.expected[a, lane]
        reg_update(
            bandit.estimator, x, row, block, lane, e, bandit.loss[lane], np.float32(1)
        )
    if not bandit.estimate_first:
        predict(bandit.estimator, x, event, bandit.expected)
        _correct(bandit, event.K)


@kernel
def _correct(bandit: Bandit, K: int) -> None:
    f = bandit.estimator
    for k in range(K):
        for lane in range(bandit.loss.shape[0]):
            room = np.float32(bandit.room) * (f.hi[lane] - f.lo[lane])
            low, high = f.lo[lane] - room, f.hi[lane] + room
            bandit.estimates[k, lane] = clip(bandit.expected[k, lane], low, high)
    for lane in range(bandit.loss.shape[0]):
        a = bandit.action[lane]
        expected = np.float64(bandit.estimates[a, lane])
        surprise = np.float64(bandit.loss[lane]) - expected
        estimate = expected + surprise / bandit.probability[lane]
        bandit.estimates[a, lane] = np.float32(estimate)
