"""Tables: columns of numbers and categories as a problem.

What the CSV, Parquet and dense ARFF readers share: which columns are the target, and
how the others become features. By default as the paper did it: a nominal value is the
number of its category (declared order, else sorted) and a missing value is left out.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse

from bakeoff.arrays import Ints
from bakeoff.errors import DataError
from bakeoff.problems.checks import LARGEST, Pieces
from bakeoff.problems.options import Options
from bakeoff.problems.problem import Problem
from bakeoff.problems.ranking import ranking_problem

CELLS = 2**21  # of a table that are looked at together


class Table(NamedTuple):
    """Columns as a file gives them: numbers, booleans, strings, or declared categories.

    A column of declared categories has the data type `pl.Enum`; null and NaN are
    missing values.
    """

    frame: pl.DataFrame
    file: str  # for messages
    line_of: Callable[[int], int] | None = None  # the line of a row, if rows have lines

    def at(self, row: int) -> str:
        """Where a row stands, for messages."""
        if self.line_of is None:
            return f"{self.file}: row {row + 1}"
        return f"{self.file}:{self.line_of(row)}"


def problem_of(table: Table, options: Options, name: str) -> Problem:
    """The problem of a table: its target columns as costs, the others as features."""
    table = _chosen(table, options)
    task = options.task or "multiclass"
    targets = _target_columns(table, options.target, several=task in _SEVERAL)
    dropped = [*targets, "qid"] if task == "ranking" else targets
    X = _features(table, dropped, options)
    if task == "multilabel":
        return Problem.from_labels(X, _flags(table, targets), name=name,
                                   class_names=targets)  # fmt: skip
    if task == "cost-sensitive":
        return Problem.from_costs(X, _numbers(table, targets), name=name,
                                  class_names=targets)  # fmt: skip
    if task == "ranking":
        grades = _numbers(table, targets)[:, 0]
        qid = _query_ids(table)
        return ranking_problem(X, grades, qid, table.file, options, name)
    codes, names = _classes(table, targets[0])
    return Problem.from_classes(
        X, codes, n_actions=len(names), class_names=names, name=name
    )


_SEVERAL = ("multilabel", "cost-sensitive")  # tasks with one target column per action


# ---- target columns


def _chosen(table: Table, options: Options) -> Table:
    """The table without the columns to ignore."""
    for name in (*options.categorical, *options.ignore):
        if name not in table.frame.columns:
            raise DataError(f"{table.file}: {_no_column(table, name)}")
    return table._replace(frame=table.frame.drop(options.ignore))


def _no_column(table: Table, name: str | int) -> str:
    columns = table.frame.columns
    shown = ", ".join(columns[:8]) + (", ..." if len(columns) > 8 else "")
    return f"has no column {name!r}; its {len(columns)} columns are {shown}"


def _target_columns(
    table: Table, target: str | int | None, *, several: bool
) -> list[str]:
    """The names of the target columns: one, or for some tasks a list with commas."""
    columns = table.frame.columns
    if len(columns) < 2:
        raise DataError(
            f"{table.file}: has {len(columns)} column, but features and a target "
            f"need at least two"
        )
    if several and target is None:
        raise DataError(
            f"{table.file}: the task needs the names of its target columns, one per "
            f"action, with commas between them"
        )
    if isinstance(target, str) and target not in columns and several:
        return [_column(table, part) for part in target.split(",")]
    return [_column(table, -1 if target is None else target)]


def _column(table: Table, target: str | int) -> str:
    columns = table.frame.columns
    if isinstance(target, str) and target in columns:
        return target
    try:
        return columns[int(target)]
    except (ValueError, IndexError):
        raise DataError(f"{table.file}: {_no_column(table, target)}") from None


def _classes(table: Table, column: str) -> tuple[Ints, list[str]]:
    """Each row's class as a number, and the names of the classes that occur."""
    series = _complete(table, column)
    if isinstance(series.dtype, pl.Enum):
        found = np.unique(series.to_physical().to_numpy(), return_inverse=True)
        declared = series.dtype.categories.to_list()
        return _two_or_more(table, column, found[1], [declared[i] for i in found[0]])
    if series.dtype.is_numeric():
        _check_classes(table, series)
    elif series.dtype in (pl.String, pl.Categorical, pl.Boolean):
        series = series.cast(pl.String)
    else:
        raise DataError(
            f"{table.file}: the target {column!r} holds {series.dtype}, not classes"
        )
    values, codes = np.unique(series.to_numpy(), return_inverse=True)
    return _two_or_more(table, column, codes, [_class_name(v) for v in values])


def _two_or_more(
    table: Table, column: str, codes: Ints, names: list[str]
) -> tuple[Ints, list[str]]:
    if len(names) < 2:
        raise DataError(
            f"{table.file}: the target {column!r} holds only the class {names[0]!r}, "
            f"but a problem needs at least two"
        )
    return codes, names


def _class_name(value: Any) -> str:
    if isinstance(value, float | np.floating) and float(value).is_integer():
        return str(int(value))
    return str(value)


def _complete(table: Table, column: str) -> pl.Series:
    """A target column, with no value missing."""
    series = table.frame[column]
    if not len(series):
        raise DataError(f"{table.file}: has no rows, but a problem needs at least one")
    missing = series.is_null()
    if series.dtype.is_float():
        missing = missing | series.is_nan()
    if missing.any():
        row = int(missing.arg_max() or 0)
        raise DataError(f"{table.at(row)}: the target {column!r} is missing")
    return series


def _check_classes(table: Table, series: pl.Series) -> None:
    """Refuse numbers that are no classes: infinite ones, and those of a regression."""
    if not series.dtype.is_float():
        return
    numbers = series.to_numpy()
    if not np.isfinite(numbers).all():
        row = int(np.flatnonzero(~np.isfinite(numbers))[0])
        raise DataError(
            f"{table.at(row)}: the target {series.name!r} must be finite, "
            f"got {numbers[row]}"
        )
    fractions = int((numbers != np.floor(numbers)).sum())
    if fractions and len(np.unique(numbers)) > max(2, len(numbers) // 2):
        raise DataError(
            f"{table.file}: the target {series.name!r} holds {len(np.unique(numbers))} "
            f"different numbers in {len(numbers)} rows; a regression target must be "
            f"made classes first"
        )


def _numbers(table: Table, columns: list[str]) -> Any:
    """Target columns that hold numbers, such as costs or grades."""
    for column in columns:
        series = _complete(table, column)
        if not (series.dtype.is_numeric() or series.dtype == pl.Boolean):
            raise DataError(
                f"{table.file}: the target {column!r} must hold numbers, "
                f"but it holds {series.dtype}"
            )
    return table.frame.select(columns).cast(pl.Float64).to_numpy()


def _flags(table: Table, columns: list[str]) -> Any:
    """Target columns of a multilabel problem as a 0/1 matrix."""
    names = {"0": 0, "1": 1, "false": 0, "true": 1}
    flags = []
    for column in columns:
        series = _complete(table, column)
        text = series.cast(pl.Int64) if series.dtype.is_float() else series
        found = text.cast(pl.String).str.to_lowercase()
        wrong = ~found.is_in(list(names))
        if wrong.any():
            row = int(wrong.arg_max() or 0)
            raise DataError(
                f"{table.at(row)}: the label {column!r} must be 0 or 1, "
                f"got {series[row]}"
            )
        flags.append(found.replace_strict(names, return_dtype=pl.UInt8).to_numpy())
    return np.stack(flags, axis=1)


def _query_ids(table: Table) -> Any:
    if "qid" not in table.frame.columns:
        raise DataError(f"{table.file}: ranking {_no_column(table, 'qid')}")
    return _complete(table, "qid").to_numpy()


# ---- features


def _features(table: Table, targets: list[str], options: Options) -> Any:
    """All columns but the targets as a matrix."""
    columns = [c for c in table.frame.columns if c not in targets]
    if not columns:
        raise DataError(f"{table.file}: has no column besides its target")
    series = [_column_of(table, c, c in options.categorical) for c in columns]
    if options.features == "one-hot":
        return _one_hot(series, table)
    coded = [s.to_physical() if isinstance(s.dtype, pl.Enum) else s for s in series]
    return _pieces(pl.DataFrame(coded), table)


def _column_of(table: Table, column: str, categorical: bool) -> pl.Series:
    """A column of numbers, or of categories in their order."""
    series = table.frame[column]
    if isinstance(series.dtype, pl.Enum):
        return series
    if categorical and series.dtype.is_numeric():
        values = series.unique().drop_nulls().sort().cast(pl.String)
        return series.cast(pl.String).cast(pl.Enum(values))
    if series.dtype in (pl.String, pl.Categorical):
        text = series.cast(pl.String)
        return text.cast(pl.Enum(text.unique().drop_nulls().sort()))
    if series.dtype.is_numeric() or series.dtype in (pl.Boolean, pl.Null):
        return series
    raise DataError(
        f"{table.file}: column {column!r} holds {series.dtype}; features must be "
        f"numbers, booleans or strings"
    )


def _pieces(frame: pl.DataFrame, table: Table) -> Pieces:
    """The rows of a table of numbers, some at a time: no large copy on the way."""
    size = max(1, CELLS // frame.width)
    nonzero = frame.lazy().select(pl.all().cast(pl.Float64).ne(0).sum()).collect()

    def pieces() -> Iterator[Any]:
        for top in range(0, frame.height, size):
            yield _rows(frame.slice(top, size), top, table)

    return Pieces(pieces, (frame.height, frame.width), int(nonzero.sum_horizontal()[0]))


def _rows(frame: pl.DataFrame, top: int, table: Table) -> Any:
    """Some rows as a sparse matrix; missing values are left out."""
    block = np.ascontiguousarray(frame.to_numpy())
    if block.dtype.kind not in "iuf":
        block = block.astype(np.float64)
    if block.dtype.kind == "f":
        block[np.isnan(block)] = 0
    if np.abs(block).max(initial=0) > LARGEST:
        row, column = np.argwhere(np.abs(block) > LARGEST)[0]
        raise DataError(
            f"{table.at(top + int(row))}: column {frame.columns[column]!r} must be "
            f"finite and at most {LARGEST:g} in magnitude, got {block[row, column]}"
        )
    present = block != 0
    start = np.concatenate(([0], np.cumsum(present.sum(axis=1))))
    value = block[present].astype(np.float32)
    column = np.nonzero(present)[1].astype(np.int32)
    return sparse.csr_array((value, column, start), shape=block.shape)


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
