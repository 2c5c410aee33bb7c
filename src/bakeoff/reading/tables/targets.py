"""Targets: which columns of a table tell the costs, and how."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.core.types import Ints
from bakeoff.data import Problem
from bakeoff.reading.options import Options
from bakeoff.reading.tables.classes import classes_of, two_or_more
from bakeoff.reading.tables.columnless import blaming
from bakeoff.reading.tables.nested import holds_lists, label_lists
from bakeoff.reading.tables.ranking import ranking_problem
from bakeoff.reading.tables.table import Table, column_of, no_column


def target_columns(table: Table, options: Options) -> list[str]:
    """The names of the target columns: one, or for some tasks a list with commas."""
    columns, target = table.frame.columns, options.target
    if target is None and options.task == "ranking" and columns[-1:] == ["qid"]:
        target = -2
    several = options.task in ("multilabel", "cost-sensitive")
    if len(columns) < 2:
        raise DataError(
            f"{table.file}: features and a target need at least two columns, found {len(columns)}"
        )
    if several and target is None and holds_lists(table, columns[-1]):
        target = -1
    if several and target is None:
        raise DataError(
            f"{table.file}: a {options.task} table needs the names of its target "
            f"columns, one per action, with commas between them"
        )
    if isinstance(target, str) and target not in columns and several:
        target = tuple(part.strip() for part in target.split(","))
    if not isinstance(target, tuple):
        return [_column(table, -1 if target is None else target)]
    if len(target) > 1 and not several:
        raise DataError(
            f"{table.file}: several targets are for the tasks multilabel and "
            f"cost-sensitive; say which with `task`"
        )
    return _all_different(table, [_column(table, part) for part in target])


def _all_different(table: Table, names: list[str]) -> list[str]:
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{table.file}: the target {name!r} is named twice")
    return names


def _column(table: Table, target: str | int) -> str:
    columns = table.frame.columns
    if isinstance(target, str) and target in columns:
        return target
    try:
        return columns[int(target)]
    except (ValueError, IndexError):
        raise DataError(f"{table.file}: {no_column(table, target)}") from None


def with_targets(X: Any, table: Table, targets: list[str], options: Options, name: str) -> Problem:
    """The problem of features and of the columns that tell the costs."""
    with blaming(Path(table.file)):
        return _problem(X, table, targets, options, name)


def _problem(X: Any, table: Table, targets: list[str], options: Options, name: str) -> Problem:
    is_listed = options.task is None and holds_lists(table, targets[0])
    if (options.task == "multilabel" and len(targets) == 1) or is_listed:
        listed = label_lists(table, targets[0])
        if listed is not None:
            names = two_or_more(listed[1], f"{table.file}: the target {targets[0]!r}")
            if is_listed:
                notify(
                    f"{table.file}: the target {targets[0]!r} holds lists, so each row may have "
                    f"several right actions, of {len(names)} in all; `task='multilabel'` says the "
                    f"same, `target` names another column"
                )
            return Problem.from_labels(X, listed[0], class_names=names, name=name)
    if options.task == "multilabel":
        Y = _flags(table, targets)
        return Problem.from_labels(X, Y, class_names=targets, name=name)
    if options.task == "cost-sensitive":
        C = _costs(table, targets)
        return Problem.from_costs(X, C, class_names=targets, name=name)
    if options.task == "ranking":
        grades = _numbers(table, targets)[:, 0]
        queries = _query_ids(table)
        return ranking_problem(X, grades, queries, table.file, options, name)
    codes, names = _classes(table, targets[0])
    return Problem.from_classes(X, codes, len(names), names, name=name)


def _classes(table: Table, column: str) -> tuple[Ints, list[str]]:
    """Each row's class as a number, and the names of the classes that occur."""
    series = _complete(table, column)
    where = f"{table.file}: the target {column!r}"
    exact = table.frame[column]
    if exact.dtype in (pl.Int128, pl.UInt128):
        return classes_of(np.array(exact.to_list(), object), where)
    if isinstance(series.dtype, pl.Enum):
        occurring, codes = np.unique(series.to_physical().to_numpy(), return_inverse=True)
        declared = series.dtype.categories.to_list()
        return codes, two_or_more([declared[i] for i in occurring], where)
    if series.dtype.is_float():
        _check_finite(table, column, series)
    elif series.dtype in (pl.String, pl.Categorical, pl.Boolean):
        series = series.cast(pl.String)
    elif not series.dtype.is_numeric():
        raise DataError(
            f"{where} holds {series.dtype}, not classes; name another column in `target`"
        )
    return classes_of(series.to_numpy(), where)


def _check_finite(table: Table, column: str, series: pl.Series) -> None:
    infinite = series.is_infinite()
    if infinite.any():
        row = int(infinite.arg_max() or 0)
        raise DataError(f"{table.at(row)}: the target {column!r} must be finite, got {series[row]}")


def _complete(table: Table, column: str) -> pl.Series:
    """A target column, with no value missing."""
    series = column_of(table, column)
    if not len(series):
        raise DataError(f"{table.file}: has no rows, but a problem needs at least one")
    missing = series.is_null()
    if series.dtype.is_float():
        missing = missing | series.is_nan()
    if missing.any():
        row = int(missing.arg_max() or 0)
        raise DataError(f"{table.at(row)}: the target {column!r} is missing")
    return series


def _numbers(table: Table, columns: list[str]) -> Any:
    """Target columns that hold numbers, such as costs or grades."""
    numbers = []
    for column in columns:
        series = _complete(table, column)
        if not (series.dtype.is_numeric() or series.dtype == pl.Boolean):
            raise DataError(
                f"{table.file}: the target {column!r} must hold numbers, "
                f"but it holds {series.dtype}"
            )
        numbers.append(series.cast(pl.Float64).to_numpy())
    return np.stack(numbers, axis=1)


def _costs(table: Table, columns: list[str]) -> Any:
    """Target columns that hold costs."""
    costs = _numbers(table, columns)
    wrong = ~((costs >= 0) & (costs <= 1))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise DataError(
            f"{table.at(int(row))}: the cost {columns[column]!r} must lie between "
            f"0 and 1, got {costs[row, column]}; rescale them"
        )
    return costs


def _flags(table: Table, columns: list[str]) -> Any:
    """Target columns of a multilabel problem as a 0/1 matrix."""
    names = {"0": 0.0, "1": 1.0, "false": 0.0, "true": 1.0}
    flags = []
    for column in columns:
        series = _complete(table, column)
        if series.dtype.is_nested() or series.dtype == pl.Object:
            raise DataError(
                f"{table.file}: the label {column!r} must hold 0 and 1, but it holds {series.dtype}"
            )
        if series.dtype.is_numeric():
            values = series.cast(pl.Float64)
        else:
            words = series.cast(pl.String).str.to_lowercase()
            values = words.replace_strict(names, default=None, return_dtype=pl.Float64)
        wrong = ~values.is_in([0.0, 1.0]).fill_null(False)
        if wrong.any():
            row = int(wrong.arg_max() or 0)
            raise DataError(
                f"{table.at(row)}: the label {column!r} must be 0 or 1, got {series[row]}"
            )
        flags.append(values.cast(pl.UInt8).to_numpy())
    return np.stack(flags, axis=1)


def sorted_by_query(table: Table) -> Table:
    """The table with the documents of each query together, and a notice if they were not."""
    if "qid" not in table.frame.columns:
        return table
    queries = column_of(table, "qid")
    first = queries.to_frame("q").with_row_index("row").select(pl.col("row").min().over("q"))["row"]
    order = first.arg_sort()
    if order.is_sorted():
        return table
    notify(f"{table.file}: the rows of a query do not stand together; they are put together")
    return Table(table.frame[order], table.at.of(order))


def _query_ids(table: Table) -> Any:
    if "qid" not in table.frame.columns:
        raise DataError(f"{table.file}: ranking {no_column(table, 'qid')}")
    return _complete(table, "qid").to_numpy()
