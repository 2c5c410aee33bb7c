"""Live rounds: one event or a batch of them, chosen or learned in one compiled call.

Python hands over the context as it is, and one address for everything else.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, count_not_finite, draw_actions, n_lanes
from bakeoff.core.explorers.base import Explorer, explore, learn
from bakeoff.core.inputs import (
    Filled,
    Means,
    Seen,
    centre_row,
    complete_row,
    count_lacking,
    see_row,
    settle,
)
from bakeoff.core.jit import bind, kernel, loop_name, short_name, type_of, unpack
from bakeoff.core.oracles.csc import best_score
from bakeoff.core.oracles.regression import predict, predict_row
from bakeoff.core.pairs import (
    SPREAD,
    LiveContexts,
    Pairs,
    for_pairs,
    lay_out,
    live_sensitivity,
    pair_place,
    score_pairs,
)
from bakeoff.core.types import Contexts, Doubles, Event, Floats, Indices, Ints
from bakeoff.core.types import Given as Given

LARGEST = 1e18  # features are squared in single precision

FINE, NOT_FINITE, ROOM, BAD_VALUE, LACKING = 0, 1, 2, 3, 4  # how a call ended
ENDINGS = 5


class Desk(NamedTuple):
    """What a live learner has besides its bandit."""

    start: Ints  # (rows + 1,) the context of the event, as kernels want it
    feature: Indices
    value: Floats
    stride: Ints  # (1,) features of an action, if each has its own; or 0
    floor: Doubles  # (1,) the least probability of an action
    progress: Doubles  # (2, L) costs and weights of lanes, see `_count_progress`
    centres: Ints  # (1,) 1 if the means of the past are taken out of rows, or 0
    means: Means
    seen: Seen
    filled: Filled
    reads: Ints  # (2,) 1 if `explore`, 1 if `learn` looks at the rows of all actions, or 0
    pairs: Pairs


@kernel
def _write_rows(bandit: Bandit, desk: Desk, given: Given, e: int, K: int, shared: bool) -> int:
    """Write the rows of event `e` onto the desk, the bias last in each."""
    f, stride = bandit.policies, desk.stride[0]
    n_rows = K if shared else 1
    if bandit.p.shape[0] < K or n_rows >= desk.start.shape[0]:
        return ROOM
    top = 0
    for k in range(n_rows):
        row, base, size = e, 0, f.w.shape[0]
        if stride > 0:
            base = stride * given.actions[given.first[e] + k]
            size = min(stride, size - base)
        elif shared:
            row = given.first[e] + k
        begin, end = given.start[row], given.start[row + 1]
        if end - begin >= min(f.steps.shape[0], desk.value.shape[0] - top):
            return ROOM
        value = given.value[begin:end]
        place = given.place[begin:end]
        ending, zeros = _look_at(value, place, size)
        if ending != FINE:
            return ending
        _write_row(desk.feature[top:], desk.value[top:], value, place, base, zeros)
        top += end - begin - zeros + 1
        desk.start[k + 1] = top
    return FINE


@kernel
def _is_paired(desk: Desk, given: Given, shared: bool) -> bool:
    """Whether products of context and actions are still to be made."""
    return shared and desk.stride[0] == 0 and given.actions.shape[0] > 0


@kernel
def _look_at_pairs(bandit: Bandit, desk: Desk, given: Given, K: int) -> int:
    """Whether all rows of a paired event can be written and scored."""
    last, size = given.start.shape[0] - 2, bandit.policies.w.shape[0]
    if bandit.p.shape[0] < K or desk.start.shape[0] <= K:
        return ROOM
    n_context, largest = given.start[last + 1] - given.start[last], 0.0
    for i in range(given.start[last], given.start[last + 1]):
        if not abs(given.value[i]) <= LARGEST:
            return BAD_VALUE
        largest = max(largest, abs(given.value[i]))
    if given.first[2] == 0:
        n_context = 0
    elif given.first[2] >= size:
        return ROOM
    most = min(bandit.policies.steps.shape[0], desk.value.shape[0] // K)
    for k in range(K):
        begin, end = given.start[given.actions[k]], given.start[given.actions[k] + 1]
        if (end - begin) * (n_context + 1) >= most:
            return ROOM
        for i in range(begin, end):
            value, place = abs(given.value[i]), given.place[i]
            if not value <= LARGEST or (n_context > 0 and not value * largest <= LARGEST):
                return BAD_VALUE
            if not 0 <= place < size - 1:
                return ROOM
    return FINE


@kernel
def _write_paired(desk: Desk, given: Given, k: int, top: int) -> int:
    """Write the row of action k, its products and the bias at `top`; where it ends."""
    last, places, row = given.start.shape[0] - 2, given.first[2], given.actions[k]
    begin, end = given.start[row], given.start[row + 1]
    desk.start[k] = top
    for j in range(begin, end):
        value = np.float32(given.value[j])
        desk.value[top], desk.feature[top] = value, given.place[j] + 1
        top += value != np.float32(0)  # a zero is overwritten by what follows
    if places > 0:
        for i in range(given.start[last], given.start[last + 1]):
            context, factor = given.place[i] * SPREAD, given.value[i]
            for j in range(begin, end):
                value = np.float32(factor * given.value[j])
                place = pair_place(context, given.place[j], places)
                desk.value[top], desk.feature[top] = value, place + 1
                top += value != np.float32(0)
    desk.value[top], desk.feature[top] = np.float32(1), 0
    desk.start[k + 1] = top + 1
    return top + 1


@kernel
def _contexts(desk: Desk, given: Given, is_paired: bool) -> LiveContexts:
    """The contexts of an event: rows on the desk, and pairs."""
    begin, end, places = 0, 0, 0
    if is_paired:
        last = given.start.shape[0] - 2
        begin, end, places = given.start[last], given.start[last + 1], given.first[2]
    return LiveContexts(
        desk.start, desk.feature, desk.value, desk.start, is_paired, desk.pairs,
        given.place[begin:end], given.value[begin:end], places,
    )  # fmt: skip


@kernel
def _choose_paired(bandit: Bandit, desk: Desk, given: Given, K: int, x: LiveContexts) -> int:
    """Write the rows of a paired event, if they are read, and the scores of its actions."""
    ending = _look_at_pairs(bandit, desk, given, K)
    if ending != FINE:
        return ending
    lay_out(desk.pairs, given, K)
    score_pairs(bandit.policies, x, K, bandit.scores)
    if desk.reads[0] > 0:
        top = 0
        for k in range(K):
            top = _write_paired(desk, given, k, top)
    return FINE


@kernel
def _learn_paired(bandit: Bandit, desk: Desk, given: Given, K: int, x: Contexts, a: int) -> int:
    """Write the rows of a paired event that action `a` is learned from, and their scores."""
    ending = _look_at_pairs(bandit, desk, given, K)
    if ending != FINE:
        return ending
    if desk.reads[1] > 0:
        top = 0
        for k in range(K):
            top = _write_paired(desk, given, k, top)
        predict(bandit.policies, x, Event(0, K, 0), bandit.scores)
        return FINE
    _write_paired(desk, given, a, 0)
    if n_lanes(bandit) > 1:
        lay_out(desk.pairs, given, K)
        score_pairs(bandit.policies, _contexts(desk, given, True), K, bandit.scores)
    else:
        predict_row(bandit.policies, x, a, a, a + 1, bandit.scores)
    return FINE


@kernel
def _choose_rows(
    bandit: Bandit, desk: Desk, given: Given, e: int, K: int, shared: bool, t: int
) -> int:
    """Write the rows of event `e` without the means of the rounds before `t`."""
    if bandit.p.shape[0] < K or (K if shared else 1) >= desk.start.shape[0]:
        return ROOM
    settle(desk.means, desk.seen, t)
    desk.filled.start[1] = 0
    ending = _centre_rows(bandit, desk, given, e, K, shared)
    if ending == LACKING and _can_complete(bandit, desk, given):
        see_row(desk.seen, 0, given.value, given.place)
        given = _completed(desk, given)
        centre_row(desk.means, given.value, given.place)
        ending = FINE
    if ending != FINE:
        return ending
    desk.seen.t[0] = t
    return _write_rows(bandit, desk, given, e, K, shared)


@kernel
def _can_complete(bandit: Bandit, desk: Desk, given: Given) -> bool:
    """Whether what the only row of an event lacks can be added here; else Python does it."""
    most = given.place.shape[0] + desk.means.n_centred[0]
    room = min(desk.filled.place.shape[0], desk.seen.place.shape[0])
    return given.start.shape[0] == 2 and most < bandit.policies.steps.shape[0] and most <= room


@kernel
def _completed(desk: Desk, given: Given) -> Given:
    """The event with the centred places that its row lacks, on the desk.

    `_centre_rows` has looked at what there is.
    """
    filled = desk.filled
    n = complete_row(desk.means, given.place, given.value, filled.place, filled.value)
    filled.start[1] = n
    return Given(filled.start, filled.place[:n], filled.value[:n], given.first, given.actions)


@kernel
def _centre_rows(bandit: Bandit, desk: Desk, given: Given, e: int, K: int, shared: bool) -> int:
    """Take the means out of the rows of event `e`, in place.

    Nothing changes unless all rows can be written.
    """
    stride = desk.stride[0]
    first, n_rows = e, 1
    if shared and stride == 0:
        first, n_rows = given.first[e], K
    size = desk.means.total.shape[0] + 1
    if stride > 0:
        for k in range(K):
            if stride * (given.actions[given.first[e] + k] + 1) > bandit.policies.w.shape[0]:
                return ROOM
    entries = given.start[first + n_rows] - given.start[first]
    if n_rows >= desk.seen.start.shape[0] or entries > desk.seen.value.shape[0]:
        return ROOM
    for row in range(first, first + n_rows):
        begin, end = given.start[row], given.start[row + 1]
        if end - begin >= bandit.policies.steps.shape[0]:
            return ROOM
        place = given.place[begin:end]
        ending, _ = _look_at(given.value[begin:end], place, size)
        if ending != FINE:
            return ending
        if (place.shape[0] > 0 or end == begin) and count_lacking(desk.means, place) > 0:
            return LACKING
    for k in range(n_rows):
        begin, end = given.start[first + k], given.start[first + k + 1]
        value, place = given.value[begin:end], given.place[begin:end]
        see_row(desk.seen, k, value, place)
        centre_row(desk.means, value, place)
    return FINE


@kernel
def _look_at(value: Doubles, place: Ints, size: int) -> tuple[int, int]:
    """Whether a row can be written for `size` weights, and how many zeros it has."""
    n, wrong, zeros, outside = value.shape[0], 0, 0, 0
    for i in range(n):
        wrong += not abs(value[i]) <= LARGEST
        zeros += np.float32(value[i]) == np.float32(0)
    for i in range(place.shape[0]):
        outside += not 0 <= place[i] < size - 1
    if wrong > 0:
        return BAD_VALUE, 0
    if outside > 0 or size < 1 or (place.shape[0] == 0 and n >= size):
        return ROOM, 0
    return FINE, zeros


@kernel
def _write_row(
    to_feature: Indices, to_value: Floats, value: Doubles, place: Ints, base: int, zeros: int
) -> None:
    """Write a row whose weights begin at `base`, without its zeros."""
    n = value.shape[0]
    if zeros == 0:
        for i in range(n):
            to_value[i] = np.float32(value[i])
        for i in range(place.shape[0]):
            to_feature[i] = base + place[i] + 1
        if place.shape[0] == 0:
            for i in range(n):
                to_feature[i] = base + i + 1
    else:
        top = 0
        for i in range(n):  # a zero is overwritten by what follows
            to_value[top] = np.float32(value[i])
            to_feature[top] = base + 1 + (place[i] if place.shape[0] > 0 else i)
            top += np.float32(value[i]) != np.float32(0)
    to_value[n - zeros] = np.float32(1)
    to_feature[n - zeros] = base


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
        event = Event(0, K, t + e)
        is_paired = _is_paired(desk, given, shared)
        if is_paired:
            ending = _choose_paired(bandit, desk, given, K, _contexts(desk, given, True))
        elif desk.centres[0] > 0:
            ending = _choose_rows(bandit, desk, given, e, K, shared, t + e)
        else:
            ending = _write_rows(bandit, desk, given, e, K, shared)
        if ending != FINE:
            return ENDINGS * e + ending
        if not is_paired:
            predict(bandit.policies, x, event, bandit.scores)
        if count_not_finite(bandit.scores, K) > 0:
            return ENDINGS * e + NOT_FINITE
        pairs = _contexts(desk, given, is_paired and desk.reads[0] == 0)
        explore(state, bandit, pairs, event)  # type: ignore[arg-type]
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
) -> int:
    """Learn from events; how it ended, and at which event.

    Every lane learns from the action that was taken. A loss that is not a number
    teaches nothing; a loss that was learned becomes one, so a call that is made again
    learns only what is left.
    """
    state, bandit, desk = unpack(address, TYPE)
    given = Given(start, place, value, first, actions)
    x = Contexts(desk.start, desk.feature, desk.value, desk.start)
    shared = bandit.policies.w.shape[1] == bandit.policies.eta.shape[0]
    for e in range(action.shape[0]):
        if np.isnan(loss[e]):
            continue
        K, top = bandit.p.shape[0], e * bandit.p.shape[0]
        if shared:
            K, top = first[e + 1] - first[e], first[e]
        if _is_paired(desk, given, shared):
            ending = _learn_paired(bandit, desk, given, K, x, action[e])
        else:
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
        if not _is_paired(desk, given, shared):
            predict(bandit.policies, x, event, bandit.scores)
        if n_lanes(bandit) > 1:
            _count_progress(bandit, desk, K)
        learn(state, bandit, x, event)
        loss[e] = np.nan
    return FINE


class LiveLoops(NamedTuple):
    """What a live learner calls: each compiles when it is first called."""

    choose: Callable[..., int]
    learn: Callable[..., int]


TYPE: Any = None  # filled in: of what is packed
_known: dict[str, LiveLoops] = {}


def live_loops_of(explorer: Explorer, packed: tuple[Any, ...]) -> LiveLoops:
    """The loops of an explorer for what its learners pack."""
    inside = _inside(explorer, packed)
    names = live_names(explorer, packed)
    if names[0] not in _known:
        choose, learn = map(short_name, names)
        _known[names[0]] = LiveLoops(bind(_choose, choose, **inside), bind(_learn, learn, **inside))
    return _known[names[0]]


def live_names(explorer: Explorer, packed: tuple[Any, ...]) -> tuple[str, str]:
    """The names of an explorer's loops in the cache."""
    inside = _inside(explorer, packed)
    return (
        loop_name(f"live_choose_{explorer.kernels}", _choose, inside),
        loop_name(f"live_learn_{explorer.kernels}", _learn, inside),
    )


def _inside(explorer: Explorer, packed: tuple[Any, ...]) -> dict[str, Any]:
    own = {"explore": for_pairs(explorer.explore), "live_sensitivity": live_sensitivity}
    return {**explorer.open_names, **own, "TYPE": type_of(packed)}
