"""What conditions make of the rows and costs of a problem, in the order played.

Rows are sorted first, then costs change, then actions go; what is learned comes last.
So it makes no difference in which order conditions are given.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Bools, Contexts, Costs, Doubles, Ints
from bakeoff.data.features import Column
from bakeoff.data.streams.conditions import (
    Available,
    Condition,
    Drift,
    Lives,
    Lost,
    Noise,
    Price,
    Shift,
)
from bakeoff.data.streams.schedule import chosen, draws, position, season_of
from bakeoff.data.streams.settled import settled

FEWEST = 2  # actions that are always there

C = TypeVar("C", bound=Condition)


class Rows(NamedTuple):
    """Contexts and costs of all events, and what they are."""

    contexts: Contexts
    costs: Costs
    n_actions: int
    n_features: int
    shares_weights: bool
    feature_names: Sequence[str] | None = None
    columns: Sequence[Column] = ()  # how they became features
    class_names: Sequence[str] | None = None

    @property
    def n(self) -> int:
        """How many events there are."""
        return len(self.costs.start) - 1


class Played(NamedTuple):
    """Rows as they are played, the costs that are learned, if these are others, and hours.

    A cost that is not a number is never told.
    """

    rows: Rows
    told: Costs | None
    hours: Doubles | None  # when each event is, where a condition goes by that


def played(rows: Rows, conditions: Sequence[Condition]) -> Played:
    """Rows under conditions."""
    for shift in _of(conditions, Shift):
        rows = _sorted(rows, shift)
    hours = None
    if timed := [one for one in conditions if getattr(one, "time", None) is not None]:
        rows, hours = _in_time(rows, timed)
    conditions = settled(conditions, rows.class_names, rows.columns, hours)
    for drift in _of(conditions, Drift):
        rows = _drifted(rows, drift)
    if prices := _of(conditions, Price):
        rows = _priced(rows, prices)
    lost = [one for one in _of(conditions, Lost) if one.action is not None]
    gaps = _gaps(rows, lost) if lost else None
    gone = [one for one in conditions if isinstance(one, Lives | Available)]
    if gone:
        present = _present(rows, gone)
        rows = _with_actions(rows, present)
        gaps = None if gaps is None else gaps[present]
    noise = _of(conditions, Noise)
    told = _told(rows, noise) if noise else None
    if gaps is not None:
        told = _with_gaps(told or rows.costs, gaps, rows)
    return Played(rows, told, hours)


def _of(conditions: Sequence[Condition], kind: type[C]) -> list[C]:
    return [one for one in conditions if isinstance(one, kind)]


# ---- the order of rows


def ranges(start: Ints, order: Ints) -> tuple[Ints, Ints]:
    """The positions of the given ranges one after the other, and where each begins."""
    sizes = np.diff(start)[order]
    begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    shift = np.repeat(start[:-1][order] - begins[:-1], sizes)
    return np.arange(begins[-1], dtype=np.int64) + shift, begins


def reordered_costs(costs: Costs, order: Ints) -> Costs:
    """The costs of some events, in that order."""
    items, start = ranges(costs.start, order)
    return Costs(
        start,
        costs.right[items] if costs.right.size else costs.right,
        costs.value[items] if costs.value.size else costs.value,
    )


def reordered_contexts(x: Contexts, order: Ints) -> Contexts:
    """The contexts of some events, in that order."""
    rows, first_row = ranges(x.first_row, order)
    kept, start = ranges(x.start, rows)
    return Contexts(start, x.feature[kept], x.value[kept], first_row)


def _sorted(rows: Rows, shift: Shift) -> Rows:
    if rows.shares_weights:
        raise DataError(
            f"{shift}: rows are sorted by a feature of the event, but actions have them"
        )
    key = _values(rows, _feature(rows, shift, shift.feature))
    rank = np.empty(rows.n)
    rank[np.argsort(key, kind="stable")] = np.arange(rows.n)
    stray = draws(shift, shift.seed).random(rows.n) * (shift.mix * rows.n)
    return _reordered(rows, np.argsort(rank + stray, kind="stable"))


def _in_time(rows: Rows, timed: Sequence[Any]) -> tuple[Rows, Doubles]:
    """Rows in the order of their time, and the hour of each."""
    one = timed[0]
    if rows.shares_weights:
        raise DataError(f"{one}: time is a feature of the event, but actions have them")
    j = _feature(rows, one, one.time)
    for other in timed:
        if _feature(rows, other, other.time) != j:
            raise DataError(f"{one} and {other} name two columns of time: rows have one order")
    column = next((column for column in rows.columns if column.first == j), None)
    if column is not None and column.categories is not None:
        raise DataError(
            f"{one}: {one.time!r} has been read as categories; read it as numbers (of dates: "
            f"days): numeric={one.time!r}, on the command line --numeric {one.time}"
        )
    is_date = column is not None and column.form == "date"
    hours = _values(rows, j) * (24.0 if is_date else 1.0)
    order = np.argsort(hours, kind="stable")
    return _reordered(rows, order), hours[order]


def _reordered(rows: Rows, order: Ints) -> Rows:
    return rows._replace(
        contexts=reordered_contexts(rows.contexts, order), costs=reordered_costs(rows.costs, order)
    )


def _values(rows: Rows, j: int) -> Doubles:
    """A feature of all events."""
    x = rows.contexts
    values = np.zeros(rows.n)
    is_it = x.feature == j + 1
    event = np.repeat(np.arange(rows.n), np.diff(x.start))
    values[event[is_it]] = x.value[is_it]
    return values


def _feature(rows: Rows, one: Condition, wanted: int | str) -> int:
    """The number of a feature that a condition names."""
    if isinstance(wanted, int):
        if wanted >= rows.n_features:
            raise DataError(
                f"{one}: features are numbered from 0 to {rows.n_features - 1}, got {wanted}"
            )
        return wanted
    names = list(rows.feature_names or ())
    if wanted not in names:
        what = f"there is no feature {wanted!r}"
        raise DataError(f"{one}: {what}" if names else f"{one}: features have no names here")
    return names.index(wanted)


# ---- costs


def turned(costs: Costs, by: Ints, n_actions: int) -> Costs:
    """Costs of which those of action a have become those of action a + by, event by event."""
    sizes = np.diff(costs.start)
    event = np.repeat(np.arange(len(sizes)), sizes)
    if costs.value.size:
        within = np.arange(len(event)) - costs.start[event]
        source = costs.start[event] + (within - by[event]) % sizes[event]
        return costs._replace(value=costs.value[source])
    right = (costs.right + by[event]) % n_actions
    order = np.lexsort((right, event))
    return costs._replace(right=right[order].astype(np.int32))


def _drifted(rows: Rows, drift: Drift) -> Rows:
    is_turned = _is_turned(drift, rows.n)
    costs = rows.costs
    if rows.shares_weights:
        flips = np.repeat(is_turned, np.diff(costs.start))
        return rows._replace(
            costs=costs._replace(value=np.where(flips, 1.0 - costs.value, costs.value))
        )
    by = np.where(is_turned, drift.turn % rows.n_actions, 0)
    return rows._replace(costs=turned(costs, by, rows.n_actions))


def _is_turned(drift: Drift, n: int) -> Bools:
    """The rounds in which the costs are the changed ones."""
    rounds = np.arange(n)
    if drift.every is not None:
        return np.asarray(season_of(drift.every, n) % 2 == 1)
    assert drift.after is not None
    first = position(drift.after, n)
    if drift.over is None:
        return np.asarray(rounds >= first)
    chance = (rounds - first) / max(1, position(drift.over, n))
    return np.asarray(draws(drift, drift.seed).random(n) < chance)


def matrix_of(costs: Costs, n_actions: int) -> Doubles:
    """The costs (n, K) of events that all have the same actions."""
    n = len(costs.start) - 1
    if costs.value.size:
        return costs.value.reshape(n, n_actions)
    matrix = np.ones((n, n_actions))
    matrix[np.repeat(np.arange(n), np.diff(costs.start)), costs.right] = 0.0
    return matrix


def _action_of(one: Price | Lost, rows: Rows) -> int:
    if not isinstance(one.action, int) or one.action >= rows.n_actions:
        raise DataError(
            f"{one}: actions are numbered from 0 to {rows.n_actions - 1}, got {one.action}"
        )
    return one.action


def _priced(rows: Rows, prices: Sequence[Price]) -> Rows:
    if rows.shares_weights:
        raise DataError(f"{prices[0]}: actions with features of their own have no numbers")
    edges = sorted({0, *(position(one.after, rows.n) for one in prices)})
    extra = np.zeros((len(edges), rows.n_actions))
    for one in prices:
        is_on = [edge >= position(one.after, rows.n) for edge in edges]
        extra[is_on, _action_of(one, rows)] += one.by
    low, high = min(0.0, extra.min()), max(0.0, extra.max())
    matrix = matrix_of(rows.costs, rows.n_actions).copy()
    for phase, (first, last) in enumerate(zip(edges, [*edges[1:], rows.n], strict=True)):
        matrix[first:last] += extra[phase] - low
    matrix /= 1.0 + high - low
    start = np.arange(rows.n + 1, dtype=np.int64) * rows.n_actions
    value = np.clip(matrix, 0.0, 1.0).ravel()  # rounding
    return rows._replace(costs=Costs(start, np.empty(0, np.int32), value))


def _told(rows: Rows, noise: Sequence[Noise]) -> Costs:
    """What is learned: costs of chosen rounds, rotated by a random number of actions."""
    sizes = np.full(rows.n, rows.n_actions)
    if rows.shares_weights:
        sizes = np.diff(rows.costs.start)
    told = rows.costs
    for one in noise:
        _, u = draws(one, one.seed).random((2, rows.n))  # the first chose the rounds
        by = 1 + (u * np.maximum(sizes - 1, 1)).astype(np.int64)
        told = turned(told, np.where(chosen(one, rows.n), by, 0), rows.n_actions)
    return told


def _gaps(rows: Rows, lost: Sequence[Lost]) -> Doubles:
    """What never comes, as NaN, and 0 elsewhere (n, K)."""
    if rows.shares_weights:
        raise DataError(f"{lost[0]}: actions with features of their own have no numbers")
    gaps = np.zeros((rows.n, rows.n_actions))
    for one in lost:
        gaps[chosen(one, rows.n), _action_of(one, rows)] = np.nan
    return gaps


def _with_gaps(costs: Costs, gaps: Doubles, rows: Rows) -> Costs:
    """Costs without those that never come."""
    if rows.shares_weights:
        return costs._replace(value=costs.value + gaps)
    start = np.arange(rows.n + 1, dtype=np.int64) * rows.n_actions
    value = (matrix_of(costs, rows.n_actions) + gaps).ravel()
    return Costs(start, np.empty(0, np.int32), value)


# ---- actions


def _present(rows: Rows, gone: Sequence[Lives | Available]) -> Bools:
    """Which actions are there (n, K)."""
    if rows.shares_weights:
        raise DataError(f"{gone[0]}: the actions of this problem come and go already")
    n, K = rows.n, rows.n_actions
    present = np.ones((n, K), np.bool_)
    for one in gone:
        if isinstance(one, Lives):
            present &= _alive(one, n, K)
        else:
            present &= draws(one, one.seed).random((n, K)) < one.share
    few = np.flatnonzero(present.sum(axis=1) < FEWEST)
    for e in few.tolist():  # the next ones in a fixed order of each event
        rest = np.random.default_rng([int(e), K]).permutation(K)
        missing = rest[~present[e, rest]]
        present[e, missing[: FEWEST - int(present[e].sum())]] = True
    return present


def _alive(lives: Lives, n: int, K: int) -> Bools:
    """Of the chosen actions every other is born late, and the others die early."""
    rng = draws(lives, lives.seed)
    mortal = rng.permutation(K)[: round(lives.share * K)]
    when = rng.integers(1, max(2, n), size=len(mortal))
    alive = np.ones((n, K), np.bool_)
    for number, (action, moment) in enumerate(zip(mortal, when, strict=True)):
        if number % 2 == 0:
            alive[:moment, action] = False
        else:
            alive[moment:, action] = False
    return alive


def _with_actions(rows: Rows, present: Bools) -> Rows:
    """Actions that are there have a row each: the event's features in a place of their own.

    Action a has the features from a (d + 1) on, its constant last of them.
    """
    x, d = rows.contexts, rows.n_features
    event, action = np.nonzero(present)
    kept, begins = ranges(x.start, event)
    row = np.repeat(np.arange(len(event)), np.diff(begins))
    feature = x.feature[kept].astype(np.int64)
    feature[begins[1:] - 1] = d + 1  # the bias comes last: now the constant of its action
    n_entries = len(kept) + len(event)
    all_features = np.zeros(n_entries, np.int32)
    all_values = np.ones(n_entries, np.float32)
    at = np.arange(len(kept)) + row
    all_features[at] = feature + action[row] * (d + 1)
    all_values[at] = x.value[kept]
    first_row = np.concatenate(([0], np.cumsum(present.sum(axis=1)))).astype(np.int64)
    value = matrix_of(rows.costs, rows.n_actions)[event, action]
    return Rows(
        Contexts(begins + np.arange(len(begins)), all_features, all_values, first_row),
        Costs(first_row, np.empty(0, np.int32), value),
        int(present.sum(axis=1).max()),
        rows.n_actions * (d + 1),
        True,
    )
