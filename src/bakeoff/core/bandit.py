"""Bandit: what every explorer works on, for several runs (lanes) side by side."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np

from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import FEWEST
from bakeoff.core.oracles.regression import Regressors as Regressors
from bakeoff.core.oracles.regression import new_regressors as new_regressors
from bakeoff.core.random import ACTION, uniform
from bakeoff.core.types import Doubles, Event, Floats, Ints, Keys


class Reduction(IntEnum):
    """How bandit feedback becomes updates of a policy (Section 2.3)."""

    NONE = 0  # the explorer has its own way
    IPS = 1
    DR = 2
    IWR = 3
    DR_UNWEIGHTED = 4  # its estimator learns with importance 1, as in the paper's text


class Bandit(NamedTuple):
    """Policies and the round in progress; policy i of a lane is column i * L + lane."""

    policies: Regressors  # C = N * L columns
    estimator: Regressors  # the loss estimator of DR: L columns; none otherwise
    reduction: int
    needs_steps: bool  # whether a round looks at the step sizes of all actions
    offset: Doubles  # (L,) loss = cost + offset (Eq. 7)
    c_min: Floats  # (L,) the smallest loss there can be
    c_max: Floats  # (L,) the largest
    key: Keys  # (L,) of random draws
    scores: Floats  # (K, C) by the policies
    best: Floats  # (C,) the smallest of each column, by `best_scores`
    n_tied: Floats  # (C,) how many actions have it
    p: Doubles  # (K, L) the exploration distribution p_t
    action: Ints  # (L,) a_t
    probability: Doubles  # (L,) p_t(a_t)
    loss: Floats  # (L,) the loss of a_t, all a learner gets to see
    weight: Floats  # (C,) of each policy's update, besides that of its reduction
    importance: Floats  # (C,) of the update on the loss
    once: Ints  # (L,) ones: estimators learn once a round
    expected: Floats  # (K, L) scores by the estimator
    estimates: Floats  # (K, L) estimated losses
    targets: Floats  # (K, C) what csc_update regresses on
    repeats: Ints  # (C,) how many updates each policy makes
    spare: Doubles  # (2, L) scratch space


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
    """Draw a_t from p_t in each lane: the action at which the sum of p passes u.

    Should rounding leave u beyond all of them, it is the last possible one.
    """
    if n_lanes(bandit) < FEWEST:
        for lane in range(n_lanes(bandit)):
            bandit.action[lane] = _drawn(bandit, event, lane)
    else:
        _draw_side_by_side(bandit, event)
    for lane in range(n_lanes(bandit)):
        bandit.probability[lane] = bandit.p[bandit.action[lane], lane]


@kernel
def _drawn(bandit: Bandit, event: Event, lane: int) -> int:
    """The action of one lane."""
    u = uniform(bandit.key[lane], event.t, ACTION)
    total, chosen = 0.0, 0
    for k in range(event.K):
        if bandit.p[k, lane] > 0.0:
            chosen = k
            total = total + bandit.p[k, lane]
            if u < total:
                break
    return chosen


@kernel
def _draw_side_by_side(bandit: Bandit, event: Event) -> None:
    """The actions of all lanes, without a branch: a sum that has passed u stays."""
    p, u, total = bandit.p, bandit.spare[0], bandit.spare[1]
    for lane in range(n_lanes(bandit)):
        u[lane] = uniform(bandit.key[lane], event.t, ACTION)
        total[lane] = 0.0
        bandit.action[lane] = 0
    for k in range(event.K):
        for lane in range(n_lanes(bandit)):
            is_next = (p[k, lane] > 0.0) & (u[lane] >= total[lane])
            bandit.action[lane] = k if is_next else bandit.action[lane]
            total[lane] = total[lane] + (p[k, lane] if is_next else 0.0)


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
