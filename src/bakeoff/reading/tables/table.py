"""Table: columns as a file gives them."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import counted, nearest
from bakeoff.data import Place
from bakeoff.reading.options import Options, columns_named

SHOWN = 100  # names of columns in a message


class Table(NamedTuple):
    """Columns as a file gives them: numbers, booleans, strings, or declared categories.

    A column of declared categories has the data type `pl.Enum`; null and NaN are
    missing values.
    """

    frame: pl.DataFrame
    at: Place  # where a row stands, for messages

    @property
    def file(self) -> str:
        """The file or the name of the table, for messages."""
        return self.at.file


def chosen(table: Table, options: Options) -> Table:
    """The table without the columns to ignore."""
    for name in columns_named(options):
        if name not in table.frame.columns:
            raise DataError(f"{table.file}: {no_column(table, name)}")
    kept = [name for name in table.frame.columns if name not in options.ignore]
    return table._replace(frame=columns_of(table, kept))


def column_of(table: Table, name: str) -> pl.Series:
    """A column, renamed: names such as `*` are patterns to polars."""
    series = table.frame[name].alias("column")
    if series.dtype in (
        pl.Int128,
        pl.UInt128,
        pl.Float16,
    ):  # types that NumPy lacks or barely supports
        return series.cast(pl.Float64)
    return series


def columns_of(table: Table, names: Sequence[str]) -> pl.DataFrame:
    """Some columns; in polars' own `select`, names such as `*` are patterns."""
    return pl.DataFrame([table.frame[name] for name in names])


def no_column(table: Table, name: str | int) -> str:
    """That a table lacks a column, and which it has."""
    return f"has no column {name!r}; {hint_at(str(name), table.frame.columns)}"


def hint_at(name: str, columns: Sequence[str]) -> str:
    """The column that was probably meant, or all that there are."""
    alike = {column.casefold(): column for column in columns}
    near = nearest(name.casefold(), alike)
    if near:
        return f"did you mean {alike[near]!r}?"
    return f"its {counted(len(columns), 'column')} are {listed(columns)}"


def listed(columns: Sequence[str]) -> str:
    """The names of columns, all of them unless there are very many."""
    more = f", and {len(columns) - SHOWN} more" if len(columns) > SHOWN else ""
    return ", ".join(columns[:SHOWN]) + more
