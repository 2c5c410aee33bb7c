"""Nested columns: lists of numbers as features, lists of words as labels."""

import numpy as np
import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.reading.tables.table import Table, column_of

SEPARATORS = ("|", ";", ",")  # of labels in a text


def expanded(table: Table, left_out: list[str]) -> Table:
    """The table with a column for each place of its columns of lists, such as embeddings.

    The column `e` becomes `e[0]`, `e[1]`, and so on. Lists must have equal lengths; a row
    without a list has missing values.
    """
    if not any(series.dtype.is_nested() for series in table.frame):
        return table
    columns: list[pl.Series] = []
    for name in table.frame.columns:
        series = table.frame[name]
        if name not in left_out and isinstance(series.dtype, (pl.List, pl.Array)):
            columns += _places(table, name)
        else:
            columns.append(series)
    return table._replace(frame=pl.DataFrame(columns))


def _places(table: Table, name: str) -> list[pl.Series]:
    series = column_of(table, name)
    if isinstance(series.dtype, pl.Array):
        series = series.arr.to_list()
    inner = series.dtype.inner if isinstance(series.dtype, pl.List) else None
    if inner is None or not (inner.is_numeric() or inner in (pl.Boolean, pl.Null)):
        raise DataError(
            f"{table.file}: column {name!r} holds lists of {inner}; features may be lists of "
            f"numbers: leave it out with `ignore`"
        )
    lengths = series.list.len()
    width = next(iter(lengths.drop_nulls().to_list()), 0)
    differs = (lengths != width).fill_null(value=False)
    if differs.any():
        row = int(differs.arg_max() or 0)
        raise DataError(
            f"{table.at(row)}: column {name!r} holds lists of different lengths, {width} and "
            f"{lengths[row]}; features must be as many in every row"
        )
    if not width:
        raise DataError(f"{table.file}: column {name!r} holds empty lists; `ignore` it")
    return [series.list.get(place).alias(f"{name}[{place}]") for place in range(width)]


def holds_lists(table: Table, column: str) -> bool:
    """Whether a column holds a list in each row."""
    return isinstance(table.frame[column].dtype, (pl.List, pl.Array))


def label_lists(table: Table, column: str) -> tuple[list[list[int]], list[str]] | None:
    """Each row's labels as numbers, and their names; None if the column holds no such lists.

    Labels are lists, or texts such as "red|blue".
    """
    series = column_of(table, column)
    if isinstance(series.dtype, pl.Array):
        series = series.arr.to_list()
    if series.dtype == pl.String:
        marks = [mark for mark in SEPARATORS if series.str.contains(mark, literal=True).any()]
        if not marks:
            return None
        series = series.str.split(marks[0])
    if not isinstance(series.dtype, pl.List):
        return None
    if series.null_count():
        row = int(series.is_null().arg_max() or 0)
        raise DataError(f"{table.at(row)}: the target {column!r} is missing")
    rows = [[str(label).strip() for label in labels] for labels in series.to_list()]
    rows = [[label for label in dict.fromkeys(labels) if label] for labels in rows]
    values = {label for labels in rows for label in labels}
    if isinstance(series.dtype.inner, pl.DataType) and series.dtype.inner.is_numeric():
        names = [str(value) for value in np.sort(series.explode().drop_nulls().unique().to_numpy())]
    else:
        names = sorted(values)
    numbers = {name: number for number, name in enumerate(names)}
    return [[numbers[label] for label in labels] for labels in rows], names
