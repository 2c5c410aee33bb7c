"""Encoded: the contexts of a log as the learner that wrote it saw them.

A learner hashes names and pairs features of the context with those of actions. `train`, `replay`
and reward models see the same: the header says how, and the learner's own encoder does it. Logs of
others, and arrays, have the features that were read (`Log.X`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.core.live import Given
from bakeoff.core.types import Ints
from bakeoff.data import Log
from bakeoff.live import NONE, Encoder, Paired, Space

_ROWS = 4096  # of which products are made at a time
_events: WeakKeyDictionary[Log, list[Given | Paired] | None] = WeakKeyDictionary()


class Rows(NamedTuple):
    """The rows of a log as regressions see them."""

    X: Any  # (rows, d) without products; unused if there are `pairs`
    first_row: Ints | None
    pairs: list[Paired] | None  # of each event
    places: Ints  # of the columns, if there are products: those of the actions taken

    @property
    def number(self) -> int:
        """The number of rows."""
        return int(self.X.shape[0])

    @property
    def n_features(self) -> int:
        """The number of columns."""
        return int(self.X.shape[1]) if self.pairs is None else len(self.places)

    def parts(self, rows: Ints) -> Iterator[Any]:
        """Some rows, in matrices that fit memory."""
        size = max(1, len(rows)) if self.pairs is None else _ROWS
        for top in range(0, len(rows), size):
            yield self.of(rows[top : top + size])

    def of(self, rows: Ints) -> Any:
        """Some rows as one matrix."""
        if self.pairs is None:
            return self.X[rows]
        assert self.first_row is not None
        events = np.searchsorted(self.first_row, rows, side="right") - 1
        positions = rows - self.first_row[events]
        known = [
            self.pairs[e].row(k) for e, k in zip(events.tolist(), positions.tolist(), strict=True)
        ]
        return _matrix(known, self.places)


def rows_of(log: Log) -> Rows:
    """The rows of a log, with the products that its learner makes."""
    log = as_seen(log)
    pairs = _pairs(_events_of(log))
    if pairs is None:
        return Rows(log.X, log.first_row, None, NONE)
    taken = [event.row(a)[0] for event, a in zip(pairs, log.action.tolist(), strict=True)]
    return Rows(log.X, log.first_row, pairs, np.unique(np.concatenate([NONE, *taken])))


def as_seen(log: Log) -> Log:
    """A log whose `X` has named features in the places where its learner has them."""
    events = _events_of(log)
    if events is None or _pairs(events) is not None:
        return log
    rows = [(event.place, event.value) for event in events if isinstance(event, Given)]
    places = np.unique(np.concatenate([NONE, *(place for place, _ in rows)]))
    return replace(log, X=_matrix(rows, places))


def pairs_of(log: Log) -> list[Paired] | None:
    """The events of a log with products; None if its learner made none.

    A log that does not say who wrote it has the pairs that learners make by default.
    """
    events = _events_of(log)
    if events is None and log.raw is not None and log.first_row is not None:
        if not all(map(_is_split, log.raw)):
            return None
        encoder = Encoder(Space())
        events = [encoder.logged(context) for context in log.raw]
    return _pairs(events)


def _is_split(context: Any) -> bool:
    """Whether shared features and those of the actions have names."""
    if not isinstance(context, Mapping) or not isinstance(context.get("actions"), list):
        return False
    return all(isinstance(x, Mapping) for x in (context.get("shared"), *context["actions"])) and (
        bool(context["shared"])
    )


def _pairs(events: Sequence[Given | Paired] | None) -> list[Paired] | None:
    """Events with rows of actions, if all are such."""
    pairs = [event for event in events or [] if isinstance(event, Paired)]
    return pairs if events and len(pairs) == len(events) else None


def _events_of(log: Log) -> list[Given | Paired] | None:
    """Named contexts as the learner that wrote them encoded them; None if it does not say."""
    if log not in _events:
        _events[log] = _encoded(log)
    return _events[log]


def _encoded(log: Log) -> list[Given | Paired] | None:
    settings = None if log.origin is None else log.origin.settings
    if not isinstance(settings, Mapping) or "space" not in settings or log.raw is None:
        return None
    if settings.get("n_features") is not None and settings.get("columns") is None:
        return None  # arrays: X has them as they are
    if not all(isinstance(context, Mapping) for context in log.raw):
        return None
    try:
        encoder = Encoder.restored(settings)
        events = [encoder.logged(context) for context in log.raw]
    except (BakeoffError, AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{log.name}: the settings in its header do not fit its contexts: {error!s:.100}"
        ) from None
    are_named = encoder.names is not None or encoder.columns is not None
    return events if are_named else None


def _matrix(rows: Sequence[tuple[Ints, Any]], places: Ints) -> Any:
    """Rows as a matrix with a column per place; what has no column is left out.

    Places that come twice in a row, by a collision, stay apart, as kernels see them.
    """
    start = np.cumsum([0, *(len(value) for _, value in rows)])
    place = np.concatenate([NONE, *(place for place, _ in rows)])
    value = np.concatenate([np.zeros(0), *(value for _, value in rows)])
    column = np.searchsorted(places, place)
    has = places[np.minimum(column, len(places) - 1)] == place if len(places) else place < 0
    if not has.all():
        kept = np.concatenate(([0], np.cumsum(has)))
        start, column, value = kept[start], column[has], value[has]
    return sparse.csr_array((value, column, start), shape=(len(rows), len(places)))
