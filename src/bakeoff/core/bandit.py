"""Bandit: what every explorer works on, for several runs (lanes) side by side."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from bakeoff.core.arrays import Doubles, Floats, Ints, Keys
from bakeoff.core.events import Event
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import Regressors
from bakeoff.core.random import ACTION, uniform


class Reduction(IntEnum):
    """How bandit feedback becomes updates of a policy (Section 2.3)."""

    NONE = 0  # the explorer has its own way
    IPS = 1
    DR = 2
    IWR = 3


class Bandit(NamedTuple):
    """Policies and the round in progress; policy i of a lane is column i * L + lane."""

    policies: Regressors  # C = N * L columns
    estimator: Regressors  # the loss estimator of DR: L columns; none otherwise
    reduction: int
    offset: Doubles  # (L,) loss = cost + offset (Eq. 7)
    c_min: Floats  # (L,) the smallest loss there can be
    c_max: Floats  # (L,) the largest
    key: Keys  # (L,) of random draws
    scores: Floats  # (K, C) by the policies
    p: Doubles  # (K, L) the exploration distribution p_t
    action: Ints  # (L,) a_t
    probability: Doubles  # (L,) p_t(a_t)
    loss: Floats  # (L,) the loss of a_t, all a learner gets to see
    importance: Floats  # (L,) of the update on it
    once: Ints  # (L,) ones: estimators learn once a round
    expected: Floats  # (K, L) scores by the estimator
    estimates: Floats  # (K, L) estimated losses
    targets: Floats  # (K, C) what csc_update regresses on
    repeats: Ints  # (C,) how many updates each policy makes


@kernel
def n_lanes(bandit: Bandit) -> int:
    """L, the number of runs side by side."""
    return bandit.loss.shape[0]


@kernel
def n_policies(bandit: Bandit) -> int:
    """N, the number of policies in each lane."""
    return bandit.scores.shape[1] // bandit.loss.shape[0]


@kernel
def draw_actions(bandit: Bandit, event: Event) -> None:
    """Draw a_t from p_t in each lane."""
    for lane in range(n_lanes(bandit)):
        u = uniform(bandit.key[lane], event.t, ACTION)
        total, chosen = 0.0, 0
        for k in range(event.K):
            if bandit.p[k, lane] > 0.0:
                chosen = k  # the last possible one, should rounding leave u beyond it
                total = total + bandit.p[k, lane]
                if u < total:
                    break
        bandit.action[lane] = chosen
        bandit.probability[lane] = bandit.p[chosen, lane]


@kernel
def spread_estimates(bandit: Bandit, K: int) -> None:
    """Make the loss estimates of a lane the targets of all its policies."""
    L = n_lanes(bandit)
    for k in range(K):
        for i in range(n_policies(bandit)):
            for lane in range(L):
                bandit.targets[k, i * L + lane] = bandit.estimates[k, lane]


@kernel
def count_not_finite(scores: Floats, K: int) -> int:
    """How many scores are infinite or not a number."""
    count = 0
    for k in range(K):
        for c in range(scores.shape[1]):
            count += not np.isfinite(scores[k, c])
    return count
