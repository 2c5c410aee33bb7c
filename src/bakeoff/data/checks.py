"""Checks: the user's arrays as canonical ones, or one sentence why not."""

import importlib
from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.core.types import Doubles, Indices, Ints
from bakeoff.data.features import LARGEST as LARGEST
from bakeoff.data.features import Features

_CELLS = 2**20  # of a dense matrix that are converted together
SMALLEST = 1e-19  # below this, x**2 underflows in float32
MOST_ACTIONS = 2**31 - 1  # right actions are 32-bit integers


def as_array(values: Any, what: str) -> Any:
    """Values as an array with nothing masked."""
    if np.ma.is_masked(values):
        raise DataError(f"{what} must not miss any value, but some are masked")
    try:
        return np.asarray(values)
    except ValueError:
        raise DataError(f"{what} must be an array, but its rows differ in length") from None


def as_labels(values: Any, what: str) -> Any:
    """One label per row: all of them numbers, or all of them strings."""
    labels = as_array(values, what)
    check_one_dimension(labels, what)
    if labels.dtype.kind in "US" and not isinstance(values, np.ndarray):
        labels = np.asarray(values, object)  # NumPy made strings of any numbers
    if labels.dtype.kind == "O":
        _check_kinds(labels, what)
        labels = np.array(labels.tolist())
    if labels.dtype.kind not in "iubfUS":
        raise DataError(f"{what} must hold numbers or strings, got {labels.dtype}")
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        row = int(np.flatnonzero(~np.isfinite(labels))[0])
        raise DataError(f"{what} must be finite, but row {row} holds {labels[row]}")
    return labels


def _check_kinds(labels: Any, what: str) -> None:
    for row, label in enumerate(labels):
        if not isinstance(label, str | bytes | Real | np.generic):
            raise DataError(f"{what} must hold numbers or strings, but row {row} holds {label!r}")
        if isinstance(label, str | bytes) != isinstance(labels[0], str | bytes):
            raise DataError(
                f"{what} must hold either numbers or strings, but row 0 holds "
                f"{labels[0]!r} and row {row} holds {label!r}"
            )


def as_count(value: Any, what: str) -> int:
    """A number of actions or documents."""
    if not (is_integer(value) and 2 <= value <= MOST_ACTIONS):
        raise DataError(f"{what} must be an integer from 2 to {MOST_ACTIONS}, got {value!r}")
    return int(value)


def as_codes(labels: Any, n_actions: int) -> Ints:
    """Labels as integers from 0 to n_actions - 1."""
    right = f"with n_actions={n_actions} y must hold integers from 0 to {n_actions - 1}"
    if labels.dtype.kind in "US":
        raise DataError(f"{right}, but it holds strings")
    fine = (labels >= 0) & (labels < n_actions) & (labels == np.floor(labels))
    if not fine.all():
        bad = int(np.flatnonzero(~fine)[0])
        raise DataError(f"{right}, but row {bad} holds {labels[bad]}")
    return labels.astype(np.int64)


def as_names(names: Any, n_actions: int) -> tuple[str, ...]:
    """One name per action."""
    if isinstance(names, str) or not np.iterable(names):
        raise DataError(f"class_names must be a list of strings, got {names!r}")
    result = tuple(str(name) for name in names)
    if len(result) != n_actions:
        raise DataError(f"class_names has {len(result)} names for {n_actions} actions")
    return result


def action_names(names: Any, table: Any, n_actions: int) -> tuple[str, ...] | None:
    """The names that were given, else those of a frame's columns, if it is one."""
    if names is None and is_frame(table):
        names = getattr(table, "column_names", table.columns)  # of pyarrow, or others
    return None if names is None else as_names(names, n_actions)


def label_sets(Y: Any) -> tuple[Ints, Indices, int]:
    """Where each row's labels begin, the labels, and how many labels there are."""
    if isinstance(Y, list | tuple):
        return _label_lists(list(Y))
    numbers = Y.copy() if sparse.issparse(Y) else _as_numbers(Y, "Y")
    if numbers.ndim != 2:
        raise DataError(f"Y must have two dimensions, got shape {numbers.shape}")
    matrix = sparse.csr_array(numbers)
    matrix.sum_duplicates()
    _check_entries(matrix, np.isin(matrix.data, (0, 1)), "Y must hold only 0 and 1")
    matrix.eliminate_zeros()
    start = matrix.indptr.astype(np.int64)
    return start, matrix.indices.astype(np.int32), matrix.shape[1]


def _label_lists(rows: list[Any]) -> tuple[Ints, Indices, int]:
    hint = "a 0/1 matrix is given as an array, not as lists"
    sets: list[list[int]] = []
    for number, row in enumerate(rows):
        labels: list[Any] = list(row) if np.iterable(row) else [None]
        if not all(is_integer(k) and 0 <= k < MOST_ACTIONS for k in labels):
            raise DataError(
                f"Y must hold a list of labels per row, integers from 0, but row "
                f"{number} holds {row!r}"
            )
        if len(set(labels)) < len(labels):
            raise DataError(
                f"Y must not repeat a label in a row, but row {number} holds {row!r} ({hint})"
            )
        sets.append(sorted(labels))
    start = np.concatenate(([0], np.cumsum([len(s) for s in sets]))).astype(np.int64)
    right = np.array([label for labels in sets for label in labels], dtype=np.int32)
    n_actions = int(right.max(initial=-1)) + 1
    if n_actions > 1 and len(right) == len(sets) * n_actions:
        raise DataError(f"Y must not hold every label in every row ({hint})")
    return start, right, n_actions


def is_integer(value: Any) -> bool:
    """Whether a value is an integer and not a flag."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _as_numbers(values: Any, what: str) -> Any:
    """Real numbers as an array of a type that SciPy can hold."""
    array = as_array(values, what)
    if array.dtype.kind in "iub" or array.dtype in (np.float32, np.float64):
        return array
    if array.dtype.kind not in "fO":
        raise DataError(f"{what} must hold real numbers, got {array.dtype}")
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{what} must hold real numbers: {error}") from None


def as_floats(values: Any, what: str) -> Doubles:
    """Real numbers in double precision, dense."""
    dense = values.toarray() if sparse.issparse(values) else values
    return np.asarray(_as_numbers(dense, what), np.float64)


def check_one_dimension(array: Any, what: str) -> None:
    """Refuse anything but a vector."""
    if array.ndim != 1:
        raise DataError(f"{what} must have one dimension, got shape {array.shape}")


def _check_entries(matrix: Any, fine: Any, right: str, top: int = 0) -> None:
    """Refuse a sparse matrix unless all its entries are fine."""
    if not fine.all():
        bad = int(np.flatnonzero(~fine)[0])
        row = int(np.searchsorted(matrix.indptr, bad, side="right")) - 1
        raise DataError(
            f"{right}, but row {top + row}, column {int(matrix.indices[bad])} holds "
            f"{matrix.data[bad]}"
        )


def check_range(values: Doubles, low: float, high: float, what: str) -> None:
    """Refuse values outside [low, high], and what is not a number."""
    fine = (values >= low) & (values <= high)  # false for NaN
    if not fine.all():
        place = tuple(int(i) for i in np.argwhere(~fine)[0])
        row = place[0]
        column = f", column {place[1]}" if len(place) > 1 else ""
        raise DataError(
            f"{what} must lie between {low:g} and {high:g}, "
            f"but row {row}{column} holds {values[place]}"
        )


def check_lengths(rows: int, n: int, what: str) -> None:
    """Refuse a matrix with more or fewer rows than there are labels."""
    if rows != n:
        raise DataError(f"X has {rows} rows but {what} has {n}")


class Pieces(NamedTuple):
    """A matrix as CSR matrices of a few rows each, canonical and checked.

    For readers: the whole matrix need not be in memory besides the final arrays.
    """

    rows: Callable[[], Iterator[Any]]
    shape: tuple[int, int]
    nnz: int
    features: Features | None = None  # what the columns were, if that is known

    @classmethod
    def of(cls, matrix: Any, size: int = 65536) -> "Pieces":
        """The rows of a canonical CSR matrix."""
        tops = range(0, matrix.shape[0], size)
        return cls(lambda: (matrix[top : top + size] for top in tops), matrix.shape, matrix.nnz)


def is_frame(value: Any) -> bool:
    """Whether a value is a frame of pandas, polars or pyarrow; imports none of them."""
    home = type(value).__module__.partition(".")[0]
    return home in ("pandas", "polars", "pyarrow") and hasattr(type(value), "columns")


def as_pieces(X: Any) -> Pieces:
    """X as pieces of a canonical matrix: in single precision, no zeros, finite."""
    if isinstance(X, Pieces):
        return X
    if is_frame(X):
        frames: Any = importlib.import_module("bakeoff.reading.tables.frames")
        made: Pieces = frames.pieces_of(X)
        return made
    numbers = X if sparse.issparse(X) else _as_numbers(X, "X")
    if numbers.ndim != 2:
        raise DataError(f"X must have two dimensions, got shape {numbers.shape}")
    if sparse.issparse(X):
        return Pieces.of(_canonical(numbers, 0))
    size = max(1, _CELLS // max(1, numbers.shape[1]))
    tops = range(0, numbers.shape[0], size)
    pieces = [_canonical(numbers[top : top + size], top) for top in tops]
    nnz = sum(piece.nnz for piece in pieces)
    return Pieces(lambda: iter(pieces), numbers.shape, nnz)


def _canonical(numbers: Any, top: int) -> Any:
    """Rows as a canonical CSR matrix; `top` is the number of the first."""
    if numbers.dtype.kind not in "fiub":
        raise DataError(f"X must hold real numbers, got {numbers.dtype}")
    matrix = sparse.csr_array(numbers)
    if not matrix.has_canonical_format:
        matrix = matrix.astype(np.float64)  # a copy: the caller's stays as it is
        matrix.sum_duplicates()
    fine = np.abs(matrix.data) <= LARGEST  # false for NaN
    right = f"X must hold finite numbers of at most {LARGEST:g} in magnitude"
    _check_entries(matrix, fine, right, top)
    if matrix.dtype != np.float32:
        nonzeros = np.count_nonzero(matrix.data)
        matrix = matrix.astype(np.float32)
        if np.count_nonzero(matrix.data) < nonzeros:
            warn_of_tiny("X")
    if not matrix.data.all():
        matrix = matrix.copy()
        matrix.eliminate_zeros()
    return matrix


def warn_of_tiny(what: str) -> None:
    """Say that some features are too small to be learned from."""
    notify(
        f"{what} holds numbers that are not zero, but below {SMALLEST:g} in magnitude; "
        f"their squares vanish in single precision, so little or nothing is learned "
        f"from them: scale those features up"
    )


def query_starts(queries: Any) -> Ints:
    """Where each query begins, and the end; equal ids must stand together."""
    if not len(queries):
        return np.zeros(1, np.int64)
    changes = np.flatnonzero(queries[1:] != queries[:-1]) + 1
    begins = np.concatenate(([0], changes)).astype(np.int64)
    _, first = np.unique(queries[begins], return_index=True)
    if len(first) != len(begins):
        again = int(np.setdiff1d(np.arange(len(begins)), first)[0])
        raise DataError(
            f"the documents of a query must stand together, but qid "
            f"{queries[begins[again]]} begins again in row {begins[again]}"
        )
    return np.concatenate((begins, [len(queries)])).astype(np.int64)
