"""Waiting: rounds whose feedback comes later, or is not the truth.

The schedule says beforehand after which round each feedback comes, so that all lanes of a
pass learn at the same time. A waiting round is what a live learner keeps of a decision:
the actions, their probabilities, and where its context is. Scores are computed again
when it is learned, as a live learner does.
"""

from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.chosen import predict_taken
from bakeoff.core.oracles.regression import predict
from bakeoff.core.types import Contexts, Costs, Doubles, Event, Ints


class Waiting(NamedTuple):
    """The schedule of a stream, and the rounds that wait."""

    told: Costs  # the costs that are learned
    order: Ints  # events in the order in which their feedback comes
    begin: Ints  # (n + 1,) after event e come those from begin[e] to begin[e + 1]
    slot: Ints  # (n,) where an event waits, or -1: its feedback never comes
    action: Ints  # (slots, L)
    probability: Doubles  # (slots, L)
    p: Doubles  # (slots, K or 0, L), where learning looks at all actions


def new_waiting(
    told: Costs, order: Ints, begin: Ints, slot: Ints, n_slots: int, lanes: int, n_actions: int
) -> Waiting:
    """No round waits; `n_actions` is 0 where learning looks at the action taken alone."""
    return Waiting(
        told,
        order,
        begin,
        slot,
        np.zeros((n_slots, lanes), np.int64),
        np.zeros((n_slots, lanes)),
        np.zeros((n_slots, n_actions, lanes)),
    )


def waiting_bytes(n_slots: int, n_actions: int) -> int:
    """The memory of one lane."""
    return n_slots * (16 + 8 * n_actions)


@kernel
def let_wait(waiting: Waiting, bandit: Bandit, event: Event) -> None:
    """Keep the round that was decided, if its feedback comes."""
    slot = waiting.slot[event.t - 1]
    if slot < 0:
        return
    for lane in range(n_lanes(bandit)):
        waiting.action[slot, lane] = bandit.action[lane]
        waiting.probability[slot, lane] = bandit.probability[lane]
    if waiting.p.shape[1] > 0:
        for k in range(event.K):
            for lane in range(n_lanes(bandit)):
                waiting.p[slot, k, lane] = bandit.p[k, lane]


@kernel
def recall(waiting: Waiting, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Make a round that waits the one to learn from, with scores as they are now."""
    slot = waiting.slot[event.t - 1]
    for lane in range(n_lanes(bandit)):
        bandit.action[lane] = waiting.action[slot, lane]
        bandit.probability[lane] = waiting.probability[slot, lane]
    if waiting.p.shape[1] > 0:
        for k in range(event.K):
            for lane in range(n_lanes(bandit)):
                bandit.p[k, lane] = waiting.p[slot, k, lane]
        predict(bandit.policies, x, event, bandit.scores)
    else:
        predict_taken(bandit.policies, x, event, bandit.scores, bandit.action)
