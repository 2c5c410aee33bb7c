"""Contexts: what a user hands over as rows of features that the engine takes."""

from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles, Ints

NONE = np.zeros(0, np.int64)


class Rows(NamedTuple):
    """Rows of features: dense ones have no index."""

    start: Ints
    place: Ints
    value: Doubles
    n_features: int

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return len(self.start) - 1


def is_text(text: str) -> bool:
    """Whether UTF-8 can hold a string, as files and hashes need."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_named(x: Any) -> bool:
    """Whether a context has names for its features."""
    return isinstance(x, Mapping)


def plain(x: Any) -> Any:
    """Rows of pandas and polars as dictionaries; everything else as it is."""
    if isinstance(x, Mapping | np.ndarray | list | tuple) or sparse.issparse(x):
        return x
    if hasattr(x, "to_dicts"):  # a polars frame
        return _only(x.to_dicts(), x)
    if hasattr(x, "iloc"):  # pandas
        if x.ndim == 2:
            return _only(x.to_dict("records"), x)
        return {str(name): value for name, value in x.items()}
    return x


def plain_rows(X: Any) -> Any:
    """Frames of pandas and polars as lists of dictionaries; everything else as it is.

    So they are coded as their rows are, one by one.
    """
    if hasattr(X, "to_dicts"):
        return X.to_dicts()
    return X.to_dict("records") if hasattr(X, "iloc") else X


def _only(rows: list[Any], x: Any) -> Any:
    if len(rows) != 1:
        raise DataError(f"x must be one row of features, got {len(rows)} rows")
    return rows[0]


def numbers(x: Any, what: str = "x") -> Doubles:
    """An array or lists of numbers in double precision, as an own copy."""
    if np.ma.is_masked(x):
        raise DataError(f"{what} has masked values: fill them in first")
    try:
        found = np.asarray(x)
    except (ValueError, OverflowError):
        raise DataError(f"{what} must hold rows of the same length") from None
    if found.dtype.kind == "O" and not all(isinstance(value, Real) for value in found.ravel()):
        raise DataError(f"{what} must hold numbers, got {x!r:.80}")
    if found.dtype.kind not in "fiubO":
        raise DataError(f"{what} must hold numbers, got {found.dtype}")
    try:
        return np.array(found, np.float64, order="C")
    except OverflowError:
        raise DataError(f"{what} must hold finite numbers, but one is huge") from None


def rows_of(x: Any) -> Rows:
    """A matrix, dense or sparse, as rows."""
    if sparse.issparse(x):
        return _sparse_rows(x)
    matrix = np.atleast_2d(numbers(x))
    n, d = matrix.shape
    return Rows(np.arange(n + 1) * d, NONE, matrix.ravel(), d)


def _sparse_rows(x: Any) -> Rows:
    matrix = sparse.csr_array(x if x.ndim == 2 else x.reshape(1, -1))
    if matrix.dtype.kind not in "fiub":
        raise DataError(f"x must hold numbers, got {matrix.dtype}")
    if not matrix.has_canonical_format:
        matrix = matrix.astype(np.float64)  # a copy: the caller's stays as it is
        matrix.sum_duplicates()
    start, place = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    return Rows(start, place, matrix.data.astype(np.float64), matrix.shape[1])


def to_json(x: Any) -> Any:
    """A context as decision logs have it."""
    if type(x) is np.ndarray and x.ndim == 1:
        return x.tolist()
    if x is None:  # there are features of actions alone
        return None
    if isinstance(x, Mapping):
        return {str(name): _scalar(value) for name, value in x.items()}
    if sparse.issparse(x):
        rows = [_sparse_json(sparse.csr_array(x)[[i]]) for i in range(x.shape[0])]
        return rows[0] if len(rows) == 1 else {"actions": rows, "shared": None}
    array = np.asarray(x)
    if array.ndim == 2 and len(array) != 1:
        return {"actions": array.tolist(), "shared": None}
    return array.ravel().tolist()


def _sparse_json(row: Any) -> dict[str, Any]:
    return {
        "indices": row.indices.tolist(),
        "values": row.data.tolist(),
        "n_features": row.shape[1],
    }


def _scalar(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, set | frozenset):
        return sorted(value)
    return value


def from_json(found: Any) -> Any:
    """The context that `to_json` wrote."""
    if isinstance(found, Mapping) and "indices" in found and "values" in found:
        index, value = found["indices"], found["values"]
        shape = (1, int(found["n_features"]))
        return sparse.csr_array((value, ([0] * len(index), index)), shape=shape)
    if isinstance(found, Mapping) and set(found) == {"actions", "shared"}:
        if found["shared"] is not None:
            return found
        rows = [from_json(row) for row in found["actions"]]
        if rows and sparse.issparse(rows[0]):
            return sparse.vstack(rows, format="csr")
        return rows if rows and is_named(rows[0]) else np.array(rows, np.float64)
    return found if isinstance(found, Mapping) else np.array(found, np.float64)
