"""Features: what the columns of a problem were, and how they became numbers.

Every problem keeps its own as `problem.features`, so that a later row is coded as the
rows of the problem were:

    features = problem.features
    index, value = features.encode({"age": 41, "color": "red"})
    again = Features.from_dict(json.loads(json.dumps(features.as_dict())))

A problem made of plain arrays has features without names; its rows are sequences.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import date, datetime, time, timedelta
from functools import cached_property
from numbers import Real
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import nearest
from bakeoff.core.types import Floats, Indices
from bakeoff.data.quantities import Form, quantity, text_of

LARGEST = 1e18  # features are squared in single precision
MISSING = (  # words for nothing
    "", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null",
)  # fmt: skip
_ENTRY = re.compile(r"(?P<column>.*)\[(?P<place>\d+)\]", re.DOTALL)  # of a column of lists
_FLAGS = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class Column:
    """A column and how its values become features."""

    name: str
    first: int  # the index of its first feature
    categories: tuple[str, ...] | None = None  # in order, if its values are names
    of_numbers: bool = False  # whether the categories were numbers
    one_hot: bool = False  # whether each category has a feature of its own
    missing: int | None = None  # the feature that says that a value is missing, if any
    form: Form | None = None  # how words are read as numbers, if they are
    origin: float = 0.0  # what is subtracted from them

    @property
    def n_features(self) -> int:
        """How many features the column has."""
        values = len(self.categories or ()) if self.one_hot else 1
        return values + (self.missing is not None)

    @property
    def feature_names(self) -> list[str]:
        """The names of its features: `age`, or `color=red` and `color is missing`."""
        names = [self.name]
        if self.one_hot:
            names = [f"{self.name}={category}" for category in self.categories or ()]
        return names + [f"{self.name} is missing"] * (self.missing is not None)

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.categories or ())}

    def entry(self, given: Any) -> tuple[int, float] | None:
        """The feature of a value and its number; None if it has none."""
        value = None if is_missing(given) else given
        if value is not None and self.categories is not None:
            value = self._code(value)
        elif value is not None:
            value = self._number(value)
        if value is None:
            return None if self.missing is None else (self.missing, 1.0)
        return (self.first + int(value), 1.0) if self.one_hot else (self.first, value)

    def _code(self, value: Any) -> float | None:
        """The number of a category; None if it is a new one."""
        names = _number_names(value) if self.of_numbers else _words(value)
        found = (self._codes.get(name) for name in names)
        return next((code for code in found if code is not None), None)

    def _number(self, value: Any) -> float | None:
        if isinstance(value, date | time | np.datetime64):
            value = _text(value)
        if isinstance(value, str) and value.strip() in MISSING:
            return None
        if self.form is None or (self.form in ("plain", "comma") and not isinstance(value, str)):
            number = _plain_number(value)
        else:
            number = quantity(_text(value), self.form)
        if number is None or not abs(number - self.origin) <= LARGEST:
            raise DataError(
                f"column {self.name!r} must hold finite numbers of at most "
                f"{LARGEST:g} in magnitude, got {value!r}"
            )
        return number - self.origin


@dataclass(frozen=True)
class Features:
    """The features of a problem; `columns` is None where they have no names.

    Parameters
    ----------
    n
        How many there are.
    columns
        The columns they were made of.
    is_sparse
        Whether rows are mostly zeros.

    Examples
    --------
    >>> problem = bakeoff.load(polars.DataFrame({"age": [41, 17], "buys": ["no", "yes"]}))
    >>> problem.features.names
    ['age']
    """

    n: int
    columns: tuple[Column, ...] | None = None
    is_sparse: bool = field(default=False, kw_only=True)  # absent columns are zero

    def __repr__(self) -> str:
        if self.columns is None:
            return f"Features({self.n}, without names)"
        return f"Features({self.n} of {len(self.columns)} columns)"

    @property
    def names(self) -> list[str] | None:
        """A name for each feature."""
        if self.columns is None:
            return None
        return [name for column in self.columns for name in column.feature_names]

    def encode(self, row: Any) -> tuple[Indices, Floats]:
        """The features of a row that are not zero, ascending, and their values.

        A row is a mapping from columns to values (a dictionary, a Series of pandas), a
        frame with one row, or a sequence of values in the order of the columns. Columns
        that are not features may be there too. A category that the problem did not have
        counts as missing.

        Parameters
        ----------
        row
            The values of one row.

        Returns
        -------
        tuple[Indices, Floats]
            Positions and values of the features that are not zero.

        Raises
        ------
        DataError
            If a column is missing, or a value cannot be read.
        """
        entries = self._entries(row)  # ascending
        index = np.array([i for i, _ in entries], np.int32)
        value = np.array([v for _, v in entries], np.float64).astype(np.float32)
        kept = value != 0
        return index[kept], value[kept]

    def dense(self, row: Any) -> Floats:
        """The features of a row, zeros included.

        Parameters
        ----------
        row
            As for `encode`.

        Returns
        -------
        Floats
            An array with one number for each feature.

        Raises
        ------
        DataError
            If a column is missing, or a value cannot be read.
        """
        index, value = self.encode(row)
        full = np.zeros(self.n, np.float32)
        full[index] = value
        return full

    def _entries(self, row: Any) -> list[tuple[int, float]]:
        columns = self.columns
        if columns is None:
            return _unnamed(row, self.n)
        values = _by_name(row, [column.name for column in columns])
        entries = [column.entry(self._value(values, column)) for column in columns]
        return [entry for entry in entries if entry is not None]

    def _value(self, values: Mapping[str, Any], column: Column) -> Any:
        if column.name in values:
            return values[column.name]
        entry = _ENTRY.fullmatch(column.name)
        if entry and entry["column"] in values:
            several = values[entry["column"]]
            return None if several is None else several[int(entry["place"])]
        if not self.is_sparse:
            near = nearest(column.name, map(str, values))
            hint = f"did you mean {near!r}?" if near else "give None if it is missing"
            raise DataError(f"the row has no column {column.name!r}; {hint}")
        if column.categories is None or column.of_numbers:
            return 0
        return column.categories[0]

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON: only what differs from the defaults.

        Returns
        -------
        dict[str, Any]
            A dictionary that JSON can hold.
        """
        defaults = {field.name: field.default for field in fields(Column)}
        columns = self.columns and [
            {k: v for k, v in asdict(column).items() if v != defaults[k]} for column in self.columns
        ]
        return {"n": self.n, "columns": columns, "is_sparse": self.is_sparse}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Features":
        """The features of which `as_dict` made plain data.

        Parameters
        ----------
        data
            What `as_dict` returned.

        Returns
        -------
        Features
            The features.
        """
        columns = data["columns"]
        if columns is not None:
            columns = tuple(_column(**column) for column in columns)
        return cls(data["n"], columns, is_sparse=data["is_sparse"])


def _column(**data: Any) -> Column:
    if data.get("categories") is not None:
        data["categories"] = tuple(data["categories"])
    return Column(**data)


# ---- rows


def _by_name(row: Any, names: list[str]) -> Mapping[str, Any]:
    """The values of a row by the names of their columns."""
    if isinstance(row, Mapping):
        return row
    for method in ("to_pylist", "to_dicts", "to_dict"):  # pyarrow, polars, pandas
        if hasattr(row, method):
            return _of_frame(row, method)
    values = list(row) if np.iterable(row) and not isinstance(row, str) else None
    if values is None or len(values) != len(names):
        found = f"{len(values)} values" if values is not None else repr(row)
        raise DataError(
            f"a row must be a mapping from columns to values, or the values of its "
            f"{len(names)} columns, got {found}"
        )
    return dict(zip(names, values, strict=True))


def _of_frame(row: Any, method: str) -> Mapping[str, Any]:
    """The one row of a frame, or a Series of pandas."""
    if method == "to_dict" and not hasattr(row, "columns"):
        return {str(key): value for key, value in row.to_dict().items()}
    rows = row.to_dict("records") if method == "to_dict" else getattr(row, method)()
    if len(rows) != 1:
        raise DataError(f"a row must be one, but the frame has {len(rows)}")
    return {str(key): value for key, value in rows[0].items()}


def _unnamed(row: Any, n: int) -> list[tuple[int, float]]:
    """Numbers by their place, all of them or those in a mapping."""
    pairs: Any = row.items() if isinstance(row, Mapping) else enumerate(np.ravel(row))
    entries = [(place, _plain_number(value)) for place, value in pairs]
    if not isinstance(row, Mapping) and len(entries) != n:
        raise DataError(f"a row must have {n} features, got {len(entries)}")
    for place, number in entries:
        if not (isinstance(place, int | np.integer) and 0 <= place < n):
            raise DataError(f"features count from 0 to {n - 1}, got {place!r}")
        if number is None or not abs(number) <= LARGEST:
            raise DataError(
                f"feature {place} must be a finite number of at most {LARGEST:g} in "
                f"magnitude, got {row[place]!r}"
            )
    return sorted((int(place), n) for place, n in entries if n is not None)


# ---- values


def is_missing(value: Any) -> bool:
    """Whether a value stands for nothing: None, NaN, or pandas' NA and NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, np.datetime64):
        return bool(np.isnat(value))
    return isinstance(value, float | np.floating) and math.isnan(value)


def class_name(value: Any) -> str:
    """What a class is called: `2` for 2.0."""
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _plain_number(value: Any) -> float | None:
    """A value as a number, as in a CSV file; None if it is not a number."""
    if isinstance(value, np.timedelta64):
        value = value.astype("timedelta64[us]").item()
    if isinstance(value, timedelta):
        return value / timedelta(hours=1)
    if isinstance(value, str):
        text = value.strip()
        if text in _FLAGS:
            return _FLAGS[text]
        value = text.replace("_", "?")  # Python alone allows underscores in numbers
    elif not isinstance(value, Real | np.generic) and not hasattr(value, "__float__"):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _number_names(value: Any) -> list[str]:
    """What a number may be called among categories: exactly, or in double precision."""
    number = _plain_number(value)
    if number is None:
        return []
    text = str(value).strip()
    exact = [str(int(text))] if re.fullmatch(r"[+-]?\d+", text) else []
    return [*exact, class_name(number)]


def _words(value: Any) -> list[str]:
    """What a value may be called among words: as it is, or without blanks."""
    text = _text(value)
    return [text, text.strip()]


def _text(value: Any) -> str:
    """A value as the text of a category."""
    if isinstance(value, np.datetime64):
        value = value.astype("datetime64[us]").item()
    if isinstance(value, datetime) and hasattr(value, "to_pydatetime"):
        value = value.to_pydatetime(warn=False)
    return text_of(value) if isinstance(value, date | time) else class_name(value)


def numbered(columns: Sequence[Column]) -> Features:
    """Columns one after the other, each with its features after those before it."""
    placed = []
    top = 0
    for column in columns:
        size = column.n_features
        missing = None if column.missing is None else top + size - 1
        placed.append(replace(column, first=top, missing=missing))
        top += size
    return Features(top, tuple(placed))
