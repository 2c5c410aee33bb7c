"""Inputs: rows of features with the means of the past taken out, for loops of both worlds.

A simulation maps rows block by block, a live learner event by event; both call the
kernels below, so they see the same numbers. All actions, lanes and policies see the same
mapped rows. docs/reference/arithmetic.md has the rule, tests/reference/inputs.py a slow version.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.jit import bind, kernel, prefetch, type_of, unpack
from bakeoff.core.types import Bools, Contexts, Doubles, Floats, Indices, Ints

START, STOP = 2, 4  # nonzero in 1 of 2 rows: centred from then on; in fewer than 1 of 4: not
NEAR_DENSE = 4  # times its nonzeros that a row may have places, to be mapped place by place


class Means(NamedTuple):
    """What is known of the rows so far, by place: feature j has place j, the bias has none."""

    rows: Ints  # (1,) how many there were
    total: Doubles  # (D,) the sum of the values
    nonzero: Ints  # (D,) in how many rows a place was not zero
    first: Doubles  # (D,) how many rows came before the first of these
    is_centred: Bools  # (D,) whether the mean is taken out
    centred: Ints  # (D,) the places of which it is, ascending
    n_centred: Ints  # (1,) how many these are
    mark: Ints  # (D,) in which row a place was met last, as a number
    n_marks: Ints  # (1,) of which this many were given


def new_means(n_features: int) -> Means:
    """The means of no rows."""
    return Means(
        rows=np.zeros(1, np.int64),
        total=np.zeros(n_features),
        nonzero=np.zeros(n_features, np.int64),
        first=np.zeros(n_features),
        is_centred=np.zeros(n_features, np.bool_),
        centred=np.zeros(n_features, np.int64),
        n_centred=np.zeros(1, np.int64),
        mark=np.zeros(n_features, np.int64),
        n_marks=np.zeros(1, np.int64),
    )


def longest_mapped(n_features: int, longest_row: int) -> int:
    """The most features that a mapped row can have, given the most of a raw one."""
    return min(n_features, (1 + STOP) * longest_row)


@kernel
def _mean(means: Means, j: int) -> float:
    """The mean of a place since its first value that was not zero."""
    return means.total[j] / (np.float64(means.rows[0]) - means.first[j])


@kernel
def _map_row(means: Means, place: Any, value: Any, shift: int, to_place: Any, to_value: Any) -> int:
    """Write a row without its means, places ascending; returns how many were written.

    `shift` is what places are counted from. In the very first row everything is a mean.
    """
    top, c, n = 0, 0, means.n_centred[0]
    if means.rows[0] == 0:
        return 0
    for i in range(place.shape[0]):
        j = place[i] - shift
        while c < n and means.centred[c] < j:
            k = means.centred[c]
            to_value[top] = np.float32(0.0 - _mean(means, k))
            to_place[top] = k + shift
            top += to_value[top] != 0
            c += 1
        x = np.float32(value[i])
        if c < n and means.centred[c] == j:  # another value of the same place keeps its own
            x = np.float32(np.float64(x) - _mean(means, j))
            c += 1
        to_value[top] = x
        to_place[top] = j + shift
        top += to_value[top] != 0
    while c < n:
        k = means.centred[c]
        to_value[top] = np.float32(0.0 - _mean(means, k))
        to_place[top] = k + shift
        top += to_value[top] != 0
        c += 1
    return top


@kernel
def _count_row(means: Means, place: Any, value: Any, shift: int, before: int) -> None:
    """Add a row to the means; `before` is how many came before its event."""
    last = -1
    for i in range(place.shape[0]):
        x = np.float32(value[i])
        if x != 0:
            j = place[i] - shift
            if means.nonzero[j] == 0:
                means.first[j] = before
            means.nonzero[j] += j != last
            means.total[j] += np.float64(x)
            last = j
    means.rows[0] += 1


@kernel
def _start_centring(means: Means, place: Any, shift: int) -> None:
    """Centre the places of a row that have become frequent."""
    rows = means.rows[0]
    for i in range(place.shape[0]):
        j = place[i] - shift
        if (means.nonzero[j] * START >= rows) & (not means.is_centred[j]):  # one branch, rarely
            at = means.n_centred[0]
            while at > 0 and means.centred[at - 1] > j:
                means.centred[at] = means.centred[at - 1]
                at -= 1
            means.centred[at] = j
            means.is_centred[j] = True
            means.n_centred[0] += 1


@kernel
def _stop_centring(means: Means) -> None:
    """Leave alone the places that have become rare."""
    rows, top, n_rare = means.rows[0], 0, 0
    for c in range(means.n_centred[0]):
        n_rare += means.nonzero[means.centred[c]] * STOP < rows
    if n_rare == 0:
        return
    for c in range(means.n_centred[0]):
        j = means.centred[c]
        if means.nonzero[j] * STOP < rows:
            means.is_centred[j] = False
        else:
            means.centred[top] = j
            top += 1
    means.n_centred[0] = top


@kernel
def _map_dense_row(
    means: Means, place: Indices, value: Floats, to_place: Indices, to_value: Floats
) -> int:
    """What `_map_row` does, if all places are centred; several times as fast."""
    D, zeros, rows = means.total.shape[0], 0, np.float64(means.rows[0])
    if place.shape[0] == D:
        for j in range(D):
            mean = means.total[j] / (rows - means.first[j])
            to_value[j] = np.float32(np.float64(value[j]) - mean)
            zeros += to_value[j] == 0
    else:
        to_value[:D] = 0
        for i in range(place.shape[0]):
            to_value[place[i] - 1] = value[i]
        for j in range(D):
            mean = means.total[j] / (rows - means.first[j])
            to_value[j] = np.float32(np.float64(to_value[j]) - mean)
            zeros += to_value[j] == 0
    for j in range(D):
        to_place[j] = j + 1
    if zeros > 0:
        top = 0
        for j in range(D):
            to_value[top] = to_value[j]
            to_place[top] = j + 1
            top += to_value[j] != 0
    return D - zeros


@kernel
def _map_near_dense_row(
    means: Means, place: Indices, value: Floats, to_place: Indices, to_value: Floats
) -> int:
    """What `_map_row` does after the first row, if places ascend; else -1.

    Means of all places are computed, as vectors. Twice as fast if most places are not zero.
    """
    D, rows, last, is_ascending = means.total.shape[0], np.float64(means.rows[0]), 0, True
    for j in range(D):
        to_value[j] = 0
    for i in range(place.shape[0]):
        is_ascending = is_ascending and place[i] > last
        last = place[i]
        to_value[last - 1] = value[i]
    if not is_ascending:
        return -1
    for j in range(D):
        mean = means.total[j] / (rows - means.first[j])
        x = to_value[j]
        centred = np.float32(np.float64(x) - mean)
        to_value[j] = centred if means.is_centred[j] else x
    top = 0
    for j in range(D):
        to_value[top] = to_value[j]
        to_place[top] = j + 1
        top += to_value[j] != 0
    return top


@kernel
def _is_settled(means: Means) -> bool:
    """Whether every place is centred that is frequent, and none that is rare."""
    rows, n_wrong = means.rows[0], 0
    for j in range(means.total.shape[0]):
        times = means.nonzero[j]
        n_wrong += times * STOP < rows if means.is_centred[j] else times * START >= rows
    return n_wrong == 0


@kernel
def _count_full_row(means: Means, value: Floats) -> None:
    """What `_count_row` does with a row that has all places and no zeros."""
    for j in range(means.total.shape[0]):
        means.total[j] += np.float64(value[j])
        means.nonzero[j] += 1
    means.rows[0] += 1


# ---- simulations


def _map_events(means: Means, x: Contexts, first: int, last: int, to: Contexts) -> int:
    """Map events from `first` on, the first at position 0; returns where it stopped.

    It stops at `last`, or before an event for which there may be too little room.
    """
    top, D = 0, means.total.shape[0]
    total, nonzero = means.total.reshape(1, D), means.nonzero.reshape(1, D)
    to.start[x.first_row[first]] = 0
    for e in range(first, last):
        begin, end = x.first_row[e], x.first_row[e + 1]
        longest = x.start[end] - x.start[begin] + (end - begin) * means.n_centred[0]
        whole = (end - begin) * (means.total.shape[0] + 1)
        is_near = means.rows[0] > 0 and whole <= NEAR_DENSE * (x.start[end] - x.start[begin])
        if is_near:
            longest = max(longest, whole)
        if longest > to.value.shape[0] - top:
            return e
        if not is_near and e + 1 < last:  # what the next event will need
            for i in range(x.start[end], x.start[x.first_row[e + 2]]):
                byte = 8 * (np.int64(x.feature[i]) - 1)
                if byte >= 0:
                    prefetch(total, np.int64(0), byte)
                    prefetch(nonzero, np.int64(0), byte)
        before = means.rows[0]
        is_dense = means.n_centred[0] == D
        is_full = is_dense and end == begin + 1 and x.start[end] - x.start[begin] == D + 1
        for row in range(begin, end):
            low, high = x.start[row], x.start[row + 1] - 1  # without the bias
            place, value = x.feature[low:high], x.value[low:high]
            if is_dense:
                top += _map_dense_row(means, place, value, to.feature[top:], to.value[top:])
            else:
                n = -1
                if is_near:
                    n = _map_near_dense_row(means, place, value, to.feature[top:], to.value[top:])
                if n < 0:
                    n = _map_row(means, place, value, 1, to.feature[top:], to.value[top:])
                top += n
            to.feature[top] = 0
            to.value[top] = np.float32(1)
            top += 1
            to.start[row + 1] = top
        if is_full:  # no place can have become rare
            _count_full_row(means, x.value[x.start[begin] : x.start[end] - 1])
            continue
        for row in range(begin, end):
            low, high = x.start[row], x.start[row + 1] - 1
            _count_row(means, x.feature[low:high], x.value[low:high], 1, before)
        if is_near and _is_settled(means):
            continue
        for row in range(begin, end):
            _start_centring(means, x.feature[x.start[row] : x.start[row + 1] - 1], 1)
        _stop_centring(means)
    return last


@cache
def map_events() -> Callable[..., int]:
    """The loop that maps events of a simulation."""
    return bind(_map_events, "map_events")


# ---- live learners


class Seen(NamedTuple):
    """The last event of a live learner, which counts once its round has passed.

    Until then the decision may still fail, and then it never happened.
    """

    t: Ints  # (1,) its round; 0: there is none
    n_rows: Ints  # (1,)
    start: Ints  # (rows + 1,) where its rows begin
    place: Ints  # of its values that are not zero
    value: Floats  # as they came


def new_seen(n_rows: int, entries: int) -> Seen:
    """No event, and room for one."""
    one = np.zeros(1, np.int64)
    return Seen(
        t=one,
        n_rows=one.copy(),
        start=np.zeros(n_rows + 1, np.int64),
        place=np.zeros(entries, np.int64),
        value=np.zeros(entries, np.float32),
    )


class Filled(NamedTuple):
    """A row that lacked some of the places that are centred, with all of them."""

    start: Ints  # (2,) 0, and its length; 0 if the last event lacked none
    place: Ints
    value: Doubles


def new_filled(longest_row: int) -> Filled:
    """Room for a row."""
    return Filled(np.zeros(2, np.int64), np.zeros(longest_row, np.int64), np.zeros(longest_row))


@kernel
def settle(means: Means, seen: Seen, t: int) -> None:
    """Count the last event if it belongs to a round before `t`, and forget it."""
    if 0 < seen.t[0] < t:
        before = means.rows[0]
        if _is_full(means, seen):  # no place can have become rare
            _count_full_row(means, seen.value)
            seen.t[0] = 0
            return
        for row in range(seen.n_rows[0]):
            low, high = seen.start[row], seen.start[row + 1]
            _count_row(means, seen.place[low:high], seen.value[low:high], 0, before)
        _renew(means, seen.start[: seen.n_rows[0] + 1], seen.place)
    seen.t[0] = 0


@kernel
def _is_full(means: Means, seen: Seen) -> bool:
    """Whether the last event is one row of all places in order, and all are centred."""
    D, in_order = means.total.shape[0], 0
    if means.n_centred[0] < D or seen.n_rows[0] != 1 or seen.start[1] != D:
        return False
    for i in range(D):
        in_order += seen.place[i] == i
    return in_order == D


@kernel
def _renew(means: Means, start: Ints, place: Ints) -> None:
    """Find out which places to centre after an event with these rows."""
    for row in range(start.shape[0] - 1):
        _start_centring(means, place[start[row] : start[row + 1]], 0)
    _stop_centring(means)


@kernel
def see_row(seen: Seen, row: int, value: Doubles, place: Ints) -> None:
    """Remember a row of the event as it came."""
    top = seen.start[row]
    for i in range(value.shape[0]):
        seen.value[top] = np.float32(value[i])
        seen.place[top] = place[i] if place.shape[0] > 0 else i
        top += seen.value[top] != 0
    seen.start[row + 1] = top
    seen.n_rows[0] = row + 1


@kernel
def centre_row(means: Means, value: Doubles, place: Ints) -> None:
    """Take the means out of a row in place; it has every place that is centred."""
    D, rows = means.total.shape[0], np.float64(means.rows[0])
    if place.shape[0] == 0 and 0 < D == value.shape[0] == means.n_centred[0]:
        for j in range(D):
            mean = means.total[j] / (rows - means.first[j])
            value[j] = np.float64(np.float32(np.float64(np.float32(value[j])) - mean))
        return
    if means.rows[0] == 0:
        value[:] = 0.0
        return
    means.n_marks[0] += 1
    mark = means.n_marks[0]
    for i in range(value.shape[0]):  # which places are centred is hard to guess: no branches
        j = place[i] if place.shape[0] > 0 else i
        x = np.float32(value[i])
        without = np.float32(np.float64(x) - _mean(means, j))
        is_first = means.is_centred[j] & (means.mark[j] != mark)
        value[i] = np.float64(without if is_first else x)
        means.mark[j] = mark


@kernel
def count_lacking(means: Means, place: Ints) -> int:
    """How many centred places a row lacks; marks those that it has."""
    means.n_marks[0] += 1
    mark, lacking = means.n_marks[0], means.n_centred[0]
    for i in range(place.shape[0]):
        j = place[i]
        if 0 <= j < means.mark.shape[0]:
            lacking -= means.is_centred[j] & (means.mark[j] != mark)
            means.mark[j] = mark
    return lacking


@kernel
def complete_row(
    means: Means, place: Ints, value: Doubles, to_place: Ints, to_value: Doubles
) -> int:
    """Write a row with zeros for the centred places that it lacks; returns its length.

    `count_lacking` has marked its places. Where they ascend they still do; elsewhere, what was
    lacking comes last.
    """
    mark, n, disorder = means.n_marks[0], place.shape[0], 0
    for i in range(1, n):
        disorder += place[i - 1] >= place[i]
    if disorder > 0:
        for i in range(n):  # slices would need reference counts
            to_place[i], to_value[i] = place[i], value[i]
        top = n
        for c in range(means.n_centred[0]):
            to_place[top], to_value[top] = means.centred[c], 0.0
            top += means.mark[means.centred[c]] != mark
        return top
    c, top = 0, 0
    for i in range(n + 1):
        while c < means.n_centred[0] and (i == n or means.centred[c] < place[i]):
            if means.mark[means.centred[c]] != mark:
                to_place[top], to_value[top] = means.centred[c], 0.0
                top += 1
            c += 1
        if i < n:
            to_place[top], to_value[top] = place[i], value[i]
            top += 1
    return top


def _complete(
    address: int, t: int, start: Ints, place: Ints, value: Doubles,
    to_start: Ints, to_place: Ints, to_value: Doubles,
) -> int:  # fmt: skip
    """Write the rows of round `t` with zeros for the centred places that they lack."""
    means, seen = unpack(address, TYPE)
    settle(means, seen, t)
    top = 0
    to_start[0] = 0
    for row in range(start.shape[0] - 1):
        low, high = start[row], start[row + 1]
        count_lacking(means, place[low:high])
        top += complete_row(means, place[low:high], value[low:high], to_place[top:], to_value[top:])
        to_start[row + 1] = top
    return top


def _settle(address: int, t: int) -> None:
    """Count the last event if it belongs to a round before `t`."""
    means, seen = unpack(address, TYPE)
    settle(means, seen, t)


def _centre(address: int, start: Ints, place: Ints, value: Doubles) -> None:
    """Take the means out of the rows of an event, in place."""
    means, _ = unpack(address, TYPE)
    for row in range(start.shape[0] - 1):
        low, high = start[row], start[row + 1]
        centre_row(means, value[low:high], place[low:high])


def _count(address: int, start: Ints, place: Ints, value: Doubles, before: int) -> None:
    """Count an event whose places are all given, unless there were rows after `before`."""
    means, _ = unpack(address, TYPE)
    if means.rows[0] == before:
        for row in range(start.shape[0] - 1):
            low, high = start[row], start[row + 1]
            _count_row(means, place[low:high], value[low:high], 0, before)
        _renew(means, start, place)


class InputLoops(NamedTuple):
    """What live learners call; each finds `Means` and `Seen` at an address."""

    complete: Callable[..., int]
    settle: Callable[..., None]
    centre: Callable[..., None]
    count_event: Callable[..., None]


TYPE: Any = None  # filled in: of what is packed
NAMES = InputLoops._fields


@cache
def input_loops() -> InputLoops:
    """The loops, which compile when they are first called."""
    inside = {"TYPE": type_of((new_means(0), new_seen(0, 0)))}
    loops: Any = (_complete, _settle, _centre, _count)
    return InputLoops(
        *(bind(loop, f"inputs_{name}", **inside) for loop, name in zip(loops, NAMES, strict=True))
    )
