"""Features: columns of a table as rows of a matrix (`Options.features`).

By default as the paper did it: a nominal value is the number of its category (in
declared order, else sorted) and a missing value is left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.data import LARGEST, Column, Features, Pieces, as_pieces, numbered
from bakeoff.reading.options import Options
from bakeoff.reading.tables.columns import coded_column
from bakeoff.reading.tables.table import Table, listed

CELLS = 2**15  # of a table that are looked at together: 1 MB of scratch
ROWS = 512  # at the least, unless there are thousands of columns


def features_of(table: Table, left_out: list[str], options: Options) -> Pieces:
    """All columns but those that tell the costs, as a matrix."""
    names = [c for c in table.frame.columns if c not in left_out]
    if not names:
        raise DataError(f"{table.file}: has no column besides its target")
    coded = [coded_column(table, name, options) for name in names]
    series, columns = [values for values, _ in coded], [column for _, column in coded]
    if options.features == "one-hot":
        features = numbered([_one_hot(values, column) for values, column in coded])
        return _as_flags(series, features)._replace(features=features)
    notify_of_constants(table.file, [c for s, c in coded if s.null_count()])
    physical = [s.to_physical() if isinstance(s.dtype, pl.Enum) else s for s in series]
    frame = pl.DataFrame([s.alias(str(number)) for number, s in enumerate(physical)])
    return _pieces(frame, names, table)._replace(features=numbered(columns))


def _one_hot(series: pl.Series, column: Column) -> Column:
    """A feature per category, and one for missing values if there are any."""
    missing = 0 if _is_missing(series).any() else None
    return replace(column, one_hot=column.categories is not None, missing=missing)


def notify_of_constants(file: str, columns: list[Column]) -> None:
    """Notify of columns with missing values that codes make constant."""
    lost = [column.name for column in columns if len(column.categories or ()) == 1]
    if lost:
        notify(
            f"{file}: {listed([repr(name) for name in lost])}: only one category and "
            f"missing values, which codes cannot tell apart; features="
            f'"one-hot" can'
        )


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
    if block.dtype.itemsize == 8:  # integers too: as one value would be converted
        block = block.astype(np.float64, copy=False)
    block = block.astype(np.float32, copy=False)
    present = (block != 0) & ~np.isnan(block)
    start = np.concatenate(([0], np.cumsum(present.sum(axis=1))))
    feature = np.nonzero(present)[1].astype(np.int32)
    return sparse.csr_array((block[present], feature, start), shape=block.shape)


def _as_flags(columns: list[pl.Series], features: Features) -> Pieces:
    """A feature per category, and one where a value is missing in some row."""
    rows, places, values = [], [], []
    for series, column in zip(columns, features.columns or (), strict=True):
        missing = _is_missing(series)
        known = np.flatnonzero(~missing.to_numpy())
        if column.one_hot:
            code = series.drop_nulls().to_physical().to_numpy().astype(np.int64)
            value = np.ones(len(known))
        else:
            code = np.zeros(len(known), np.int64)
            value = series.cast(pl.Float64).to_numpy()[known]
        absent = np.flatnonzero(missing.to_numpy())
        rows += [known, absent]
        places += [column.first + code, np.full(len(absent), column.missing or 0)]
        values += [value, np.ones(len(absent))]
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(places)))
    shape = (len(columns[0]), features.n)
    return as_pieces(sparse.csr_array(sparse.coo_array(entries, shape=shape)))


def _is_missing(series: pl.Series) -> pl.Series:
    missing = series.is_null()
    return missing | series.is_nan() if series.dtype.is_float() else missing
