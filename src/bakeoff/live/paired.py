"""Paired events: a context and actions with features, whose products kernels make.

An action is encoded once while it lives: its row stays in a table, and an event is the
numbers of its actions' rows and the row of its context. So a decision that waits for
its outcome takes some bytes per action, and not all products.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.live import Given
from bakeoff.core.pairs import SPREAD
from bakeoff.core.types import Doubles, Ints
from bakeoff.live.contexts import NONE

Row = tuple[Ints, Doubles]  # places (none if dense) and values

_MOST_ROWS = 50_000  # of a table, and so are keys
_MOST_ENTRIES = 1_000_000
_PLAIN = (str, float, int, bool, type(None))


class Table:
    """Rows of features, one behind the other; rows are added and never changed."""

    def __init__(self) -> None:
        self.n_rows = 0
        self._start = np.zeros(64, np.int64)
        self._place, self._value = np.zeros(1024, np.int64), np.zeros(1024)

    @property
    def n_entries(self) -> int:
        """The features of all rows."""
        return int(self._start[self.n_rows])

    def add(self, row: Row) -> int:
        """Add a row; returns its number."""
        number = self.n_rows
        self._put(number, row)
        self.n_rows = number + 1
        return number

    def row(self, number: int) -> Row:
        """The row of this number."""
        part = slice(self._start[number], self._start[number + 1])
        return self._place[part], self._value[part]

    def with_context(self, context: Row) -> tuple[Ints, Ints, Doubles]:
        """All rows, and behind them a context, until the next one is asked for."""
        self._put(self.n_rows, context)
        return self._start[: self.n_rows + 2], self._place, self._value

    def _put(self, number: int, row: Row) -> None:
        """Write a row behind the first `number` rows."""
        place, value = row
        begin = self._start.item(number)
        end = begin + len(value)
        if number + 2 > len(self._start):
            self._start = _longer(self._start, 2 * len(self._start))
        if end > len(self._value):
            self._place = _longer(self._place, 2 * end)
            self._value = _longer(self._value, 2 * end)
        self._place[begin:end] = place if len(place) == len(value) else np.arange(len(value))
        self._value[begin:end] = value
        self._start[number + 1] = end


def _longer(array: Any, size: int) -> Any:
    longer = np.zeros(max(size, len(array)), array.dtype)
    longer[: len(array)] = array
    return longer


class Paired(NamedTuple):
    """An event of actions with features; see `Given`."""

    table: Table
    actions: Ints  # numbers of their rows in the table
    context: Row
    first: Ints  # 0, the number of actions, and that of places for products

    def given(self) -> Given:
        """The event as kernels take it, until the next one is asked for."""
        start, place, value = self.table.with_context(self.context)
        return Given(start, place, value, self.first, self.actions)

    def crossed(self) -> Given:
        """The event with all products, as kernels would make them."""
        return stacked([self.row(k) for k in range(len(self.actions))])

    def row(self, k: int) -> Row:
        """The features of action `k`, and behind them all products."""
        row, places = self.table.row(self.actions.item(k)), self.first.item(2)
        if not places:
            return row
        index, product = crossed(self.context, row, places)
        return np.concatenate((row[0], index)), np.concatenate((row[1], product))

    @property
    def longest_row(self) -> int:
        """The most features of an action, with its products."""
        start = self.table.with_context(self.context)[0]
        longest = int((start[self.actions + 1] - start[self.actions]).max(initial=0))
        return longest * (1 + (len(self.context[1]) if self.first[2] else 0))

    @property
    def largest_place(self) -> int:
        """The largest place of a feature."""
        largest = max(int(self.first[2]) - 1, int(self.context[0].max(initial=0)))
        start, place, _ = self.table.with_context(self.context)
        return max(largest, int(place[: start[-2]].max(initial=0)))


def crossed(left: Row, right: Row, size: int) -> Row:
    """All pairs of features, hashed into the same space; values are multiplied."""
    index = (left[0][:, None] * SPREAD ^ right[0][None, :]) * SPREAD
    index = ((index >> 16) ^ index) & (size - 1)
    value = left[1][:, None] * right[1][None, :]
    return index.ravel(), value.ravel()


def stacked(rows: list[Row]) -> Given:
    """All rows as one event."""
    sizes = [len(value) for _, value in rows]
    start = np.concatenate(([0], np.cumsum(sizes)))
    place = NONE
    if any(len(places) for places, _ in rows):  # dense and sparse rows may be mixed
        place = np.concatenate([_places(row) for row in rows])
    value = np.concatenate([value for _, value in rows])
    return Given(start, place, value, np.array([0, len(rows)]), NONE)


def _places(row: Row) -> Ints:
    """The places of a row's features, also if it is dense."""
    index, value = row
    return index if len(index) == len(value) else np.arange(len(value))


class ActionRows:
    """Remembers the rows of actions that come again and again.

    The same object is looked up by its address, and compared with what it was; another
    object with the same content is found by that.
    """

    def __init__(self, encode: Any) -> None:
        self._encode = encode
        self.forget()

    def forget(self) -> None:
        """Begin with another table."""
        self.table = Table()
        self._by_address: dict[int, tuple[dict[str, Any], list[str], int]] = {}
        self._by_content: dict[Any, int] = {}

    def numbers(self, actions: Sequence[Any]) -> Ints:
        """The numbers of the actions' rows in the table."""
        if self.table.n_rows > _MOST_ROWS or self.table.n_entries > _MOST_ENTRIES:
            self.forget()
        elif len(self._by_address) > _MOST_ROWS:
            self._by_address = {}
        known, numbers = self._by_address.get, []
        for action in actions:
            entry = known(id(action))
            if (
                entry is not None
                and type(action) is dict
                and entry[0] == action
                and entry[1] == list(action)  # sums depend on the order
            ):
                numbers.append(entry[2])
            else:
                numbers.append(self._number(action))
        return np.array(numbers, np.int64)

    def _number(self, action: Any) -> int:
        """The number of a row that is not known by its address."""
        content = _copy_of(action) if type(action) is dict else None
        if content is None:
            return self.table.add(self._encode(action))
        key = (tuple(content), tuple(map(_hashable, content.values())))
        number = self._by_content.get(key)
        if number is None:
            number = self._by_content[key] = self.table.add(self._encode(action))
        self._by_address[id(action)] = (content, list(content), number)
        return number


def _copy_of(action: Mapping[str, Any]) -> dict[str, Any] | None:
    """What an action is now; None if it has values that we would have to trust."""
    copy: dict[str, Any] = {}
    for name, value in action.items():
        kind = type(value)
        if kind in _PLAIN:
            copy[name] = value
        elif kind is list and all(type(text) is str for text in value):
            copy[name] = list(value)
        else:
            return None
    return copy


def _hashable(value: Any) -> Any:
    return tuple(value) if type(value) is list else value
