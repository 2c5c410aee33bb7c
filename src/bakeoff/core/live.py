"""Live rounds: one event or a batch of them, chosen or learned in one compiled call.

Python hands over the context as it is, and one address for everything else.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.arrays import Doubles, Floats, Indices, Ints
from bakeoff.core.bandit import Bandit, count_not_finite, draw_actions, n_lanes
from bakeoff.core.events import Contexts, Event
from bakeoff.core.explorers.base import Explorer, explore, learn
from bakeoff.core.jit import bind, kernel, type_of, unpack
from bakeoff.core.oracles.csc import best_score
from bakeoff.core.oracles.regression import predict

LARGEST = 1e18  # features are squared in single precision

FINE, NOT_FINITE, ROOM, BAD_VALUE = 0, 1, 2, 3  # how a call ended
ENDINGS = 4


class Desk(NamedTuple):
    """What a live learner has besides its bandit."""

    start: Ints  # (rows + 1,) the context of the event, as kernels want it
    feature: Indices
    value: Floats
    stride: Ints  # (1,) features of an action, if each has its own; or 0
    floor: Doubles  # (1,) the least probability of an action
    progress: Doubles  # (2, L) costs and weights of lanes, see `_count_progress`


class Given(NamedTuple):
    """Events as Python gives them: rows of features without a bias.

    An event has one row, or one per action if actions have features of their own.
    """

    start: Ints  # (rows + 1,) where each row begins in `value`
    place: Ints  # of the features; empty if all are there in order
    value: Doubles
    first: Ints  # (n + 1,) where each event's actions begin, if they vary
    actions: Ints  # numbers of the available actions, if actions have numbers


@kernel
def _write_rows(
    bandit: Bandit, desk: Desk, given: Given, e: int, K: int, shared: bool
) -> int:
    """Write the rows of event `e` onto the desk, the bias last in each."""
    f, stride = bandit.policies, desk.stride[0]
    n_rows = K if shared else 1
    if bandit.p.shape[0] < K or n_rows >= desk.start.shape[0]:
        return ROOM
    top = 0
    for k in range(n_rows):
        row, base, end = e, 0, f.w.shape[0]
        if stride > 0:
            base = stride * given.actions[given.first[e] + k]
            end = min(stride, end - base)
        elif shared:
            row = given.first[e] + k
        begin = top
        for i in range(given.start[row], given.start[row + 1]):
            if not abs(given.value[i]) <= LARGEST:
                return BAD_VALUE
            value = np.float32(given.value[i])
            if value != np.float32(0):
                j = i - given.start[row]
                if given.place.shape[0] > 0:
                    j = given.place[i]
                if j < 0 or j + 1 >= end or top + 1 >= desk.value.shape[0]:
                    return ROOM
                desk.feature[top] = base + j + 1
                desk.value[top] = value
                top += 1
        if end < 1 or top >= desk.value.shape[0] or top - begin >= f.steps.shape[0]:
            return ROOM
        desk.feature[top] = base
        desk.value[top] = np.float32(1)
        top += 1
        desk.start[k + 1] = top
    return FINE


@kernel
def _lead(progress: Doubles) -> int:
    """The lane to follow: the least estimated cost so far, the first of equals.

    The estimate is self-normalised; one imaginary event of cost 1/2 keeps it sane.
    """
    best, least = 0, np.inf
    for lane in range(progress.shape[1]):
        cost = (progress[0, lane] + 0.5) / (progress[1, lane] + 1.0)
        if cost < least:
            best, least = lane, cost
    return best


@kernel
def _count_progress(bandit: Bandit, desk: Desk, K: int) -> None:
    """Add this event to what each lane would have paid, before it learns.

    An event counts for lanes whose best action was taken, with weight 1 / p.
    """
    for lane in range(n_lanes(bandit)):
        a, weight = bandit.action[lane], 1.0 / bandit.probability[lane]
        best, n_tied = best_score(bandit.scores, K, lane)
        if bandit.scores[a, lane] == best:
            cost = np.float64(bandit.loss[lane]) - bandit.offset[lane]
            desk.progress[0, lane] += weight * cost / n_tied
            desk.progress[1, lane] += weight / n_tied


@kernel
def _keep_floor(p: Doubles, K: int, floor: float) -> None:
    """Mix in the uniform distribution, so that no action is rarer than `floor`."""
    if floor > 0.0:
        share = min(1.0, K * floor)
        for k in range(K):
            for lane in range(p.shape[1]):
                p[k, lane] = (1.0 - share) * p[k, lane] + share / K


def _choose(
    address: int,
    start: Ints,
    place: Ints,
    value: Doubles,
    first: Ints,
    actions: Ints,
    t: int,
    action: Ints,
    p: Doubles,
) -> int:
    """Draw actions for rounds t, t + 1, ...; how it ended, and at which event."""
    state, bandit, desk = unpack(address, TYPE)
    given = Given(start, place, value, first, actions)
    x = Contexts(desk.start, desk.feature, desk.value, desk.start)
    shared = bandit.policies.w.shape[1] == bandit.policies.eta.shape[0]
    for e in range(action.shape[0]):
        K, top = bandit.p.shape[0], e * bandit.p.shape[0]
        if shared:
            K, top = first[e + 1] - first[e], first[e]
        ending = _write_rows(bandit, desk, given, e, K, shared)
        if ending != FINE:
            return ENDINGS * e + ending
        event = Event(0, K, t + e)
        predict(bandit.policies, x, event, bandit.scores)
        if count_not_finite(bandit.scores, K) > 0:
            return ENDINGS * e + NOT_FINITE
        explore(state, bandit, x, event)
        _keep_floor(bandit.p, K, desk.floor[0])
        draw_actions(bandit, event)
        lane = _lead(desk.progress)
        action[e] = bandit.action[lane]
        for k in range(K):
            p[top + k] = bandit.p[k, lane]
    return FINE


def _learn(
    address: int,
    start: Ints,
    place: Ints,
    value: Doubles,
    first: Ints,
    actions: Ints,
    t: Ints,
    action: Ints,
    p: Doubles,
    loss: Doubles,
    begin: int,
) -> int:
    """Learn from events `begin` and on; how it ended, and at which event.

    Every lane learns from the action that was taken. A loss that is not a number
    teaches nothing.
    """
    state, bandit, desk = unpack(address, TYPE)
    given = Given(start, place, value, first, actions)
    x = Contexts(desk.start, desk.feature, desk.value, desk.start)
    shared = bandit.policies.w.shape[1] == bandit.policies.eta.shape[0]
    for e in range(begin, action.shape[0]):
        if np.isnan(loss[e]):
            continue
        K, top = bandit.p.shape[0], e * bandit.p.shape[0]
        if shared:
            K, top = first[e + 1] - first[e], first[e]
        ending = _write_rows(bandit, desk, given, e, K, shared)
        if ending != FINE:
            return ENDINGS * e + ending
        for lane in range(n_lanes(bandit)):
            bandit.action[lane] = action[e]
            bandit.probability[lane] = p[top + action[e]]
            bandit.loss[lane] = np.float32(loss[e])
            for k in range(K):
                bandit.p[k, lane] = p[top + k]
        event = Event(0, K, t[e])
        predict(bandit.policies, x, event, bandit.scores)
        if n_lanes(bandit) > 1:
            _count_progress(bandit, desk, K)
        learn(state, bandit, x, event)
    return FINE


class LiveLoops(NamedTuple):
    """What a live learner calls: each compiles when it is first called."""

    choose: Callable[..., int]
    learn: Callable[..., int]


TYPE: Any = None  # filled in: of what is packed
_known: dict[str, LiveLoops] = {}


def live_loops_of(explorer: Explorer, packed: tuple[Any, ...]) -> LiveLoops:
    """The loops of an explorer for what its learners pack."""
    name = explorer.kernels
    if name not in _known:
        inside = {
            "explore": explorer.explore,
            "learn": explorer.learn,
            "TYPE": type_of(packed),
        }
        _known[name] = LiveLoops(
            bind(_choose, f"live_choose_{name}", **inside),
            bind(_learn, f"live_learn_{name}", **inside),
        )
    return _known[name]
