"""Encoder: turns contexts and actions into events for the engine.

The first context settles the kind of all: arrays of one length, or named features.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.live import LARGEST, Given
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Features, is_integer
from bakeoff.live.contexts import DOUBLE, NONE, from_json, is_named, numbers, plain, rows_of
from bakeoff.live.feature_names import MOST_BITS, Names
from bakeoff.live.paired import ActionRows, Paired, Row, stacked

_NO_VALUES = np.zeros(0)


class Space(NamedTuple):
    """The space of features: settings of an encoder."""

    n_features: int | None = None  # of arrays; None: that of the first event
    bits: int | None = 18  # of the space of named features; None: it grows
    interactions: bool = True  # of context and action, if actions share weights

    def checked(self) -> "Space":
        """The same settings, or an error if they are invalid."""
        n, bits = self.n_features, self.bits
        if n is not None and not (is_integer(n) and 0 <= n < 2**31):
            raise SpecError(f"n_features must be an integer from 0, got {n!r}")
        if bits is not None and not (is_integer(bits) and 1 <= bits <= MOST_BITS):
            raise SpecError(f"bits must lie between 1 and {MOST_BITS}, got {bits!r}")
        return self


class Encoder:
    """Encodes the contexts and actions of users."""

    def __init__(self, space: Space, columns: Features | None = None) -> None:
        self.space = space.checked()
        self.columns = columns  # how to encode contexts like a problem's, if at all
        self.n_features = space.n_features if columns is None else columns.n
        self.names: Names | None = None  # of features, once they are named
        self._start: Ints = np.array([0, self.n_features or 0])
        self._starts: dict[int, Ints] = {}
        self.action_rows = ActionRows(self.row)

    # Contexts

    def row(self, x: Any) -> Row:
        """One context as a row."""
        if self.columns is not None:
            index, values = self.columns.encode(x)
            return index.astype(np.int64), values.astype(np.float64)
        if (
            type(x) is np.ndarray
            and x.dtype == DOUBLE
            and x.ndim == 1
            and len(x) == self.n_features
        ):
            return NONE, x.copy()
        if type(x) is dict:
            return self._named().encode(x)
        x = plain(x)
        if isinstance(x, Mapping):
            return self._named().encode(x)
        return self._array(x)

    def _named(self) -> Names:
        """The names of features; refused if earlier contexts were arrays."""
        if self.names is None:
            if self.n_features is not None:
                raise DataError(
                    f"x must be an array of {self.n_features} features, as before, got named ones"
                )
            self.names = Names(self.space.bits)
        return self.names

    def _array(self, x: Any) -> Row:
        if sparse.issparse(x):
            rows = rows_of(x)
            if rows.n_rows != 1:
                raise DataError(f"x must be one row of features, got shape {x.shape}")
            self._settle(rows.n_features, rows.value)
            return rows.place, rows.value
        value = numbers(x)
        if value.ndim == 2 and len(value) == 1:
            value = value[0]
        if value.ndim != 1:
            raise DataError(f"x must be one row of features, got shape {value.shape}")
        self._settle(len(value), value)
        return NONE, value

    def _settle(self, n_features: int, value: Doubles) -> None:
        """Remember the length of the first array; refuse any other."""
        if n_features == self.n_features:
            return
        if self.names is not None:
            raise DataError("x must have named features, as before, got an array")
        if self.n_features is not None:
            raise DataError(f"x must have {self.n_features} features, got {n_features}")
        if n_features == 0:
            raise DataError("x must have at least one feature, got none")
        if not (np.abs(value) <= LARGEST).all():
            raise DataError(f"x must hold finite numbers of at most {LARGEST:g} in magnitude")
        self.settle(n_features)

    def settle(self, n_features: int) -> None:
        """Expect arrays of this length."""
        start = np.array([0, n_features])
        self._start, self.n_features = start, n_features  # no call between the two

    def can_continue_in(self, newer: "Encoder") -> bool:
        """Whether a newer encoder puts every feature in the same place."""
        mine, theirs = self.names, newer.names
        known = [] if mine is None else mine.known
        return (
            self.space[1:] == newer.space[1:]
            and self.n_features in (None, newer.n_features)
            and known == ([] if theirs is None else theirs.known[: len(known)])
            and (self.columns is None) == (newer.columns is None)
            and (
                self.columns is None
                or newer.columns is None
                or self.columns.as_dict() == newer.columns.as_dict()
            )
        )

    @property
    def width(self) -> int | None:
        """The number of features, if it is known."""
        return self.n_features if self.names is None else self.names.size

    # Events

    def by_number(self, x: Any) -> Given:
        """An event among all actions, which have weights of their own."""
        if type(x) is dict and self.names is not None:
            index, value = self.names.encode(x)
        else:
            index, value = self.row(x)
        if len(value) == self.n_features and not len(index):
            return Given(self._start, index, value, NONE, NONE)
        return Given(self._from_zero(len(value)), index, value, NONE, NONE)

    def _from_zero(self, length: int) -> Ints:
        """Where one row of this length begins and ends."""
        start = self._starts.get(length)
        if start is None:
            start = self._starts[length] = np.array([0, length])
        return start

    def batch(self, X: Any) -> Given:
        """Many events among all actions, which have weights of their own."""
        is_named = isinstance(X, list) and X and isinstance(X[0], Mapping)
        if is_named or (self.columns is not None and np.iterable(X)):
            return stacked([self.row(x) for x in X])._replace(first=NONE)
        if not sparse.issparse(X):
            X = numbers(X, "X")
        if X.ndim != 2 or not X.shape[0]:
            raise DataError(f"X must have one row per context, got shape {X.shape}")
        rows = rows_of(X)
        self._settle(rows.n_features, rows.value)
        return Given(rows.start, rows.place, rows.value, NONE, NONE)

    def among(self, x: Any, available: Ints) -> Given:
        """An event among some actions, which have weights of their own."""
        event = self.by_number(x)
        first = np.array([0, len(available)])
        return event._replace(first=first, actions=available)

    def by_features(self, x: Any, available: Ints, features: Sequence[Any]) -> Paired:
        """An event among some of the actions that have these features."""
        return self.paired(x, [features[a] for a in available.tolist()])

    def own(self, x: Any, actions: Any) -> Given | Paired:
        """An event with its own actions: a matrix, or named features of each."""
        if actions is not None:
            return self.paired(x, actions)
        x = plain(x)
        if isinstance(x, Sequence) and len(x) and is_named(x[0]):
            return self.paired(None, x)
        if isinstance(x, Mapping):
            raise DataError("this learner's actions come with the event: choose(x, actions=[...])")
        return self._matrix(x)

    def _matrix(self, x: Any) -> Given:
        what = "x must be one row per action"
        if not sparse.issparse(x):
            x = numbers(x)
            if x.ndim != 2:
                raise DataError(f"{what}, got shape {x.shape}")
        elif x.ndim != 2:
            raise DataError(f"{what}, got shape {x.shape}")
        if not x.shape[0]:
            raise DataError(f"{what}; x must have at least one action, got none")
        rows = rows_of(x)
        self._settle(rows.n_features, rows.value)
        first = np.array([0, rows.n_rows])
        return Given(rows.start, rows.place, rows.value, first, NONE)

    def paired(self, x: Any, actions: Sequence[Any]) -> Paired:
        """Rows of actions, to be paired with the context."""
        if isinstance(actions, Mapping) or hasattr(actions, "iloc") or hasattr(actions, "to_dicts"):
            raise DataError(
                f"actions must be a list with the features of each action, got a "
                f"{type(actions).__name__}; decision.action is a position in that list"
            )
        rows = self.action_rows.numbers(actions)
        if not len(rows):
            raise DataError("an event must have at least one action, got none")
        context, places = (NONE, _NO_VALUES), 0
        if x is not None and self.space.interactions:
            context = self.row(x)
            if self.names is None or self.names.size is None:
                raise DataError(
                    "interactions need named features in a space of fixed size: give "
                    "contexts and actions as dictionaries, or interactions=False"
                )
            places = self.names.size
        return Paired(self.action_rows.table, rows, context, np.array([0, len(rows), places]))

    # Files

    def header(self) -> dict[str, Any]:
        """The space of features, as files have it."""
        return {
            "space": self.space._asdict(),
            "n_features": self.n_features,
            "names": None if self.names is None else list(self.names.known),
            "columns": None if self.columns is None else self.columns.as_dict(),
        }

    @classmethod
    def restored(cls, header: Mapping[str, Any]) -> "Encoder":
        """The encoder that a header describes."""
        encoder = cls(Space(**header["space"]), columns_of(header))
        if header["n_features"] is not None:
            encoder.settle(Space(header["n_features"]).checked().n_features or 0)
        if header["names"] is not None:
            encoder.names = Names(encoder.space.bits, header["names"])
        return encoder

    def logged(self, context: Any) -> Given | Paired:
        """An event as it was, from its context in a log."""
        if is_named(context) and isinstance(context.get("actions"), list):
            shared = context.get("shared")
            return self.paired(None if shared is None else from_json(shared), context["actions"])
        return self.by_number(from_json(context))


def columns_of(header: Mapping[str, Any]) -> Features | None:
    """How to encode contexts like a problem's, if a header says so."""
    columns = header["columns"]
    return None if columns is None else Features.from_dict(columns)
