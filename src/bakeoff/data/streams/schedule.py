"""Schedules: when the feedback of each round comes, worked out before the first round."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from bakeoff.core.types import Bools, Doubles, Ints
from bakeoff.data.streams.conditions import (
    BatchDelay,
    Condition,
    Drift,
    ExponentialDelay,
    FixedDelay,
    Lost,
    Noise,
    Price,
)

DELAYS = (FixedDelay, ExponentialDelay, BatchDelay, Lost)


class Schedule(NamedTuple):
    """Events by the round after which their feedback comes.

    After event e is decided, the feedback of `order[begin[e]:begin[e + 1]]` comes, oldest
    first. An event waits in its `slot`, or has none (-1) if its feedback never comes.
    """

    order: Ints
    begin: Ints  # (n + 1,)
    slot: Ints  # (n,)
    n_slots: int  # the most events that wait at a time


def position(moment: float | str, n: int) -> int:
    """How many rounds come before a moment of a stream, which is no date any more."""
    assert not isinstance(moment, str)
    return min(n, int(moment) if moment >= 1 else round(moment * n))


def season_of(every: float, n: int) -> Ints:
    """The season of each round, from 0."""
    length = max(1.0, every if every >= 1 else every * n)
    return (np.arange(n) / length).astype(np.int64)


def draws(one: Condition, seed: int) -> np.random.Generator:
    """Random numbers of a condition; other conditions have others."""
    return np.random.default_rng([seed, *one.word.encode()])


def chosen(one: Noise | Lost, n: int) -> Bools:
    """The rounds that a condition has chosen at random."""
    first = position(one.after, n)
    last = n if one.until is None else position(one.until, n)
    is_chosen: Bools = draws(one, one.seed).random(n) < one.share
    is_chosen[:first] = False
    is_chosen[last:] = False
    return is_chosen


def arrivals(conditions: Sequence[Condition], n: int, hours: Doubles | None = None) -> Ints:
    """The event after which the feedback of each event comes; n or more: never.

    `hours` say when each event is; where that is not known, hours last until the end, and
    nothing is lost between dates.
    """
    arrival = np.arange(n)
    for one in conditions:
        if isinstance(one, FixedDelay) and one.rounds is not None:
            arrival = arrival + one.rounds
        elif isinstance(one, ExponentialDelay):
            late = draws(one, one.seed).exponential(one.mean, n)
            arrival = arrival + np.rint(late).astype(np.int64)
    for one in conditions:
        if isinstance(one, FixedDelay) and one.hours is not None:
            last = np.full(n, n - 1)
            if hours is not None:
                last = np.searchsorted(hours, hours + one.hours) - 1
            arrival = np.where(arrival < n, last[np.minimum(arrival, n - 1)], arrival)
    for one in conditions:
        if isinstance(one, BatchDelay) and one.every is not None:
            arrival = (arrival // one.every + 1) * one.every - 1
        elif isinstance(one, BatchDelay) and one.hours is not None:
            period = np.zeros(n) if hours is None else np.floor(hours / one.hours)
            last = np.searchsorted(period, period, side="right") - 1
            arrival = np.where(arrival < n, last[np.minimum(arrival, n - 1)], arrival)
        elif isinstance(one, Lost) and one.action is None and one.time is None:
            arrival = np.where(chosen(one, n), n, arrival)
    return arrival


@lru_cache(maxsize=16)
def schedule_of(conditions: tuple[Condition, ...], n: int) -> Schedule | None:
    """The schedule of a stream; None if all feedback comes at once by itself."""
    return scheduled(arrivals(conditions, n)) if is_late(conditions) else None


def is_late(conditions: Sequence[Condition]) -> bool:
    """Whether some feedback may not come at once."""
    return any(isinstance(one, DELAYS) for one in conditions)


def scheduled(arrival: Ints) -> Schedule:
    """The schedule of events whose feedback comes after these events."""
    n = len(arrival)
    order = np.argsort(arrival, kind="stable")
    order = order[arrival[order] < n]
    begin = np.searchsorted(arrival[order], np.arange(n + 1))
    slot = np.full(n, -1)
    free: list[int] = []
    n_slots = 0
    comes, ends, events = (arrival < n).tolist(), begin.tolist(), order.tolist()
    for e in range(n):
        if comes[e]:
            if free:
                slot[e] = free.pop()
            else:
                slot[e] = n_slots
                n_slots += 1
        for i in range(ends[e], ends[e + 1]):
            free.append(int(slot[events[i]]))
    return Schedule(order, begin.astype(np.int64), slot, n_slots)


def at_once(n: int) -> Schedule:
    """The schedule of events whose feedback comes at once."""
    return Schedule(np.arange(n), np.arange(n + 1), np.zeros(n, np.int64), min(n, 1))


def phases(conditions: Sequence[Condition], n: int) -> list[tuple[int, int]]:
    """The stretches of a stream in which true costs follow one rule: first, and last + 1."""
    ends = {n}
    for one in conditions:
        if isinstance(one, Drift) and one.every is not None:
            seasons = season_of(one.every, n)
            ends.update((np.flatnonzero(np.diff(seasons)) + 1).tolist())
        elif isinstance(one, Drift) and one.after is not None:
            first = position(one.after, n)
            ends.add(first)
            if one.over is not None:
                ends.add(min(n, first + position(one.over, n)))
        elif isinstance(one, Price):
            ends.add(position(one.after, n))
    edges = sorted(ends | {0})
    return list(pairwise(edges))
