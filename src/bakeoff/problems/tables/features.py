"""Features: columns of a table as rows of a matrix (`Options.features`).

By default as the paper did it: a nominal value is the number of its category (in
declared order, else sorted) and a missing value is left out.
"""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse

from bakeoff.errors import DataError, DataNotice
from bakeoff.problems.checks import LARGEST, Pieces
from bakeoff.problems.readers.options import Options
from bakeoff.problems.tables.classes import MANY, class_name
from bakeoff.problems.tables.table import Table, column_of

CELLS = 2**15  # of a table that are looked at together: 1 MB of scratch
ROWS = 512  # at the least, unless there are thousands of columns


def features_of(table: Table, left_out: list[str], options: Options) -> Any:
    """All columns but those that tell the costs, as a matrix."""
    columns = [c for c in table.frame.columns if c not in left_out]
    if not columns:
        raise DataError(f"{table.file}: has no column besides its target")
    series = [_column_of(table, c, c in options.categorical) for c in columns]
    if options.features == "one-hot":
        return _one_hot(series, table)
    coded = [s.to_physical() if isinstance(s.dtype, pl.Enum) else s for s in series]
    frame = pl.DataFrame([s.alias(str(number)) for number, s in enumerate(coded)])
    return _pieces(frame, columns, table)


def _column_of(table: Table, column: str, categorical: bool) -> pl.Series:
    """A column of numbers, or of categories in their order."""
    series = column_of(table, column)
    if isinstance(series.dtype, pl.Enum):
        return series
    if categorical and series.dtype.is_numeric():
        return _named(series)
    if series.dtype in (pl.String, pl.Categorical):
        text = series.cast(pl.String)
        categories = text.unique().drop_nulls().sort()
        if len(text) >= MANY and 2 * len(categories) > len(text):
            warnings.warn(
                f"{table.file}: column {column!r} holds {len(categories)} different "
                f"words in {len(text)} rows, numbered in sorted order; `ignore` it if "
                f"it is no category",
                DataNotice,
                stacklevel=2,
            )
        return text.cast(pl.Enum(categories))
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null):
        return series
    raise DataError(
        f"{table.file}: column {column!r} holds {series.dtype}; features must be "
        f"numbers, booleans or strings"
    )


def _named(numbers: pl.Series) -> pl.Series:
    """Numbers that are only names, as categories in the order of the numbers."""
    if numbers.dtype.is_float():
        numbers = numbers.fill_nan(None)
    values = np.unique(numbers.drop_nulls().to_numpy())  # -0 is 0
    names = pl.Series([class_name(value) for value in values], dtype=pl.String)
    places = np.searchsorted(values, numbers.fill_null(0).to_numpy())
    found = pl.Series(np.minimum(places, max(0, len(values) - 1)))
    found = found.set(numbers.is_null(), None)
    return names.gather(found).cast(pl.Enum(names))


def _pieces(frame: pl.DataFrame, names: list[str], table: Table) -> Pieces:
    """The rows of a table of numbers, some at a time: no large copy on the way."""
    size = max(1, CELLS // frame.width, min(ROWS, 16 * CELLS // frame.width))
    value = pl.all().cast(pl.Float32)
    present = value.ne(0) & value.is_not_nan()
    nonzeros = int(frame.select(present.sum()).sum_horizontal()[0])

    def pieces() -> Iterator[Any]:
        for top in range(0, frame.height, size):
            yield _rows(frame.slice(top, size), names, top, table)

    return Pieces(pieces, frame.shape, nonzeros)


def _rows(frame: pl.DataFrame, names: list[str], top: int, table: Table) -> Any:
    """Some rows as a sparse matrix; missing values are left out."""
    block = np.ascontiguousarray(frame.to_numpy())
    if block.dtype.kind not in "iuf":
        block = block.astype(np.float64)
    far = np.abs(block) > LARGEST  # false for NaN
    if far.any():
        row, column = np.argwhere(far)[0]
        raise DataError(
            f"{table.at(top + int(row))}: column {names[column]!r} must be "
            f"finite and at most {LARGEST:g} in magnitude, got {block[row, column]}"
        )
    block = block.astype(np.float32, copy=False)
    present = (block != 0) & ~np.isnan(block)
    start = np.concatenate(([0], np.cumsum(present.sum(axis=1))))
    feature = np.nonzero(present)[1].astype(np.int32)
    return sparse.csr_array((block[present], feature, start), shape=block.shape)


def _one_hot(columns: list[pl.Series], table: Table) -> Any:
    """A feature per category, and one where a value is missing in some row."""
    rows, features, values = [], [], []
    width = 0
    for series in columns:
        missing = series.is_null()
        if series.dtype.is_float():
            missing = missing | series.is_nan()
        known = np.flatnonzero(~missing.to_numpy())
        if isinstance(series.dtype, pl.Enum):
            code = series.drop_nulls().to_physical().to_numpy().astype(np.int64)
            value = np.ones(len(known))
            taken = len(series.dtype.categories)
        else:
            code = np.zeros(len(known), np.int64)
            value = series.cast(pl.Float64).to_numpy()[known]
            taken = 1
        rows.append(known)
        features.append(width + code)
        values.append(value)
        width += taken
        if missing.any():
            absent = np.flatnonzero(missing.to_numpy())
            rows.append(absent)
            features.append(np.full(len(absent), width))
            values.append(np.ones(len(absent)))
            width += 1
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(features)))
    return sparse.csr_array(sparse.coo_array(entries, shape=(len(columns[0]), width)))
