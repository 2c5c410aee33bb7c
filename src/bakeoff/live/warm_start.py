"""Warm start: a learner learns from a log that it did not write.

Each event is one round: the learner's kernels learn the logged action with the probability it
was drawn with, as if the learner had made the decision itself. Nothing is drawn or logged.
"""

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.basics.text import counted
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Log, is_number
from bakeoff.live.contexts import split_json
from bakeoff.live.model import Model

_MOST = 1000.0  # times that an event is learned


@dataclass(frozen=True)
class WarmStart:
    """A log that a learner has learned from."""

    log: str  # its name
    events: int
    last: str | None  # id of the last event, if events have ids
    digest: str

    @classmethod
    def of(cls, log: Log) -> "WarmStart":
        """The note about a log."""
        last = None if log.origin is None else log.origin.ids[-1]
        return cls(log.name, log.n, last, _digest(log, log.n))

    def events_in(self, log: Log) -> int:
        """How many events, from the beginning of `log`, were learned in this warm start."""
        if self.last is not None and log.origin is not None and self.last in log.origin.ids:
            return log.origin.ids.index(self.last) + 1
        is_same = log.n >= self.events and _digest(log, self.events) == self.digest
        return self.events if is_same else 0

    def __str__(self) -> str:
        return f"{counted(self.events, 'event')} of {self.log!r}"


def _digest(log: Log, n: int) -> str:
    """A fingerprint of the first n events."""
    parts = [log.action[:n].tobytes(), log.reward[:n].tobytes()]
    return hashlib.blake2b(b"".join(parts), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Taught:
    """An event of a log, as a model takes it."""

    x: Any
    action: int  # its number, or its position if the event brings its own actions
    p: Doubles | None  # of all actions of the event, in the order of their numbers
    probability: float
    reward: float  # in the units of the log
    available: list[int] | None
    actions: list[Any] | None


def repeats(n: int, weight: Any) -> Ints:
    """How often to learn each of n events, so that each counts `weight` times on average."""
    if not (is_number(weight) and 0 < weight <= _MOST):
        raise DataError(f"weight must lie above 0 and be at most {_MOST:g}, got {weight!r:.80}")
    return np.diff(np.floor(np.arange(n + 1) * float(weight))).astype(np.int64)


def taught(model: Model, log: Log) -> Iterator[Taught]:
    """The events of a log in their order, for a model with these actions."""
    numbers = _numbers(model, log)
    known = None if log.is_estimated else log.probabilities
    if log.is_estimated:
        notify(
            f"{log.name}: no probabilities were logged, so events are learned with importance 1: "
            f"actions that the log prefers are not weighted down"
        )
    for e in range(log.n):
        available, p = None, None
        action = int(log.action[e])
        x, actions = _context(model, log, e)
        if numbers is not None:
            listed = np.ones(log.n_actions, np.bool_) if log.available is None else log.available[e]
            among = np.flatnonzero(listed)
            order = np.argsort(numbers[among])
            if len(among) < model.actions.count:
                available = numbers[among][order].tolist()
            p = None if known is None else known[e][among][order]
            action = int(numbers[action])
        elif known is not None:
            p = known[e][: _n_own(log, e)]
        probability = 1.0 if log.is_estimated else float(log.probability[e])
        reward = log.in_units(float(log.reward[e]))
        yield Taught(x, action, p, probability, reward, available, actions)


def _n_own(log: Log, e: int) -> int:
    """How many actions an event brings."""
    assert log.first_row is not None
    return int(log.first_row[e + 1] - log.first_row[e])


def _numbers(model: Model, log: Log) -> Ints | None:
    """The model's numbers of the log's actions; None if events bring their own."""
    mine = model.actions
    if mine.count == 0 or log.first_row is not None:
        if mine.count == 0 and log.first_row is not None:
            return None
        kinds = ["features of their own with each event", "a fixed list"]
        of_learner, of_log = kinds if mine.count == 0 else kinds[::-1]
        raise DataError(f"the learner's actions have {of_learner}, those of {log.name} {of_log}")
    if mine.names is not None and log.action_names is not None:
        unknown = [name for name in log.action_names if name not in mine.names]
        if unknown:
            raise DataError(
                f"{log.name} has an action {unknown[0]!r}, which the learner does not know: "
                f"add_action({unknown[0]!r}) first"
            )
        numbers = np.array([mine.number(name) for name in log.action_names], np.int64)
    elif log.n_actions > mine.count:
        raise DataError(f"{log.name} has {log.n_actions} actions, but the learner {mine.count}")
    else:
        numbers = np.arange(log.n_actions)
    retired = [a for a in itertools.compress(numbers.tolist(), _used(log)) if a in mine.retired]
    if retired:
        name = mine.name(retired[0])
        raise DataError(
            f"{log.name} has action {name or retired[0]!r}, which the learner has retired: "
            f"bring it back with add_action first"
        )
    return numbers


def _used(log: Log) -> list[bool]:
    """Which actions of a log were taken."""
    return (np.bincount(log.action, minlength=log.n_actions) > 0).tolist()


def _context(model: Model, log: Log, e: int) -> tuple[Any, list[Any] | None]:
    """The context of an event as `choose` takes it, and its own actions."""
    if log.raw is not None:
        return split_json(log.raw[e], has_own=model.actions.count == 0)
    if log.first_row is not None:
        rows = log.X[log.first_row[e] : log.first_row[e + 1]]
        return rows, None
    return (log.X[[e]] if sparse.issparse(log.X) else log.X[e]), None
