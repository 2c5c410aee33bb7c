"""Frames: tables in memory, of pandas, polars or pyarrow, as tables of a file.

None of them is imported here but polars; the same rows in a file give the same problem.
"""

import re
from collections import Counter
from typing import Any

import numpy as np
import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.data import Pieces, Place, Problem, class_name, is_missing
from bakeoff.reading.options import Options
from bakeoff.reading.tables.features import features_of
from bakeoff.reading.tables.table import Table
from bakeoff.reading.tables.tables import problem_of

NAME = "frame"  # of a problem without a name


def problem_of_frame(frame: Any, options: Options) -> Problem:
    """The problem in a frame: its target columns as costs, the others as features."""
    name = options.name or NAME
    return problem_of(table_of(frame, name), options, name)


def pieces_of(frame: Any, name: str = "X") -> Pieces:
    """All columns of a frame as features."""
    return features_of(table_of(frame, name), [], Options())


def table_of(frame: Any, name: str) -> Table:
    """A frame as a table; `name` begins messages."""
    return without_index(Table(as_polars(frame, name), Place(name)))


def without_index(table: Table) -> Table:
    """The table without what pandas keeps its index in."""
    columns = table.frame.columns
    index = [c for c in columns if re.fullmatch(r"__index_level_\d+__", c)]
    if index:
        notify(f"{table.file}: {index[0]!r} is an index of pandas, not a column; left out")
    return table._replace(frame=table.frame.drop(index))


def as_polars(frame: Any, name: str) -> pl.DataFrame:
    """A frame of pandas, polars or pyarrow as one of polars; `name` begins messages."""
    if isinstance(frame, pl.LazyFrame):
        return frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame
    if type(frame).__module__.partition(".")[0] == "pandas":
        return _of_pandas(frame, name)
    return _of_arrow(frame)


def _of_arrow(table: Any) -> pl.DataFrame:
    """A table of pyarrow; ordered dictionaries keep their order."""
    frame = pl.DataFrame(table)
    for field in table.schema:
        if getattr(field.type, "ordered", False):
            chunks = table.column(field.name).unify_dictionaries().chunks
            names = [str(name) for name in chunks[0].dictionary.to_pylist()] if chunks else []
            words = frame[field.name].cast(pl.String).cast(pl.Enum(names))
            frame = frame.with_columns(words.alias(field.name))
    return frame


def _of_pandas(frame: Any, name: str) -> pl.DataFrame:
    """Column by column, without need of pyarrow."""
    names = [str(label) for label in frame.columns]
    for label, times in Counter(names).items():
        if times > 1:
            raise DataError(f"{name}: the column name {label!r} occurs twice")
    if any(label is not None for label in frame.index.names):
        notify(f"{name}: the index {frame.index.names[0]!r} is not a column; left out")
    columns = [
        _series(frame.iloc[:, place], f"{name}: column {label!r}").alias(label)
        for place, label in enumerate(names)
    ]
    return pl.DataFrame(columns)


def _series(column: Any, where: str) -> pl.Series:
    """A column of pandas: NumPy's types as they are, others value by value."""
    kind = getattr(column.dtype, "kind", "O")
    if isinstance(column.dtype, np.dtype) and kind in "iufb":
        return pl.Series(column.to_numpy())
    if kind == "M":
        if getattr(column.dtype, "tz", None) is not None:
            column = column.dt.tz_convert("UTC").dt.tz_localize(None)
        return pl.Series(column.to_numpy().astype("datetime64[us]"))
    if kind == "m":
        return pl.Series(column.to_numpy().astype("timedelta64[us]"))
    values = [None if is_missing(value) else _plain(value) for value in column.to_list()]
    if getattr(column.dtype, "ordered", False):
        names = [class_name(category) for category in column.dtype.categories]
        words = [None if value is None else class_name(value) for value in values]
        return pl.Series(words, dtype=pl.Enum(names))
    try:
        return pl.Series(values, strict=True)
    except (TypeError, pl.exceptions.PolarsError):
        raise DataError(
            f"{where} mixes values of several types; make it all numbers or all words"
        ) from None


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.generic, np.ndarray)) else value
