"""Contexts: arrays, dictionaries and frames of users as rows of features."""

from collections.abc import Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles, Ints

NONE = np.zeros(0, np.int64)
_TEXT = frozenset([str])
_JSON = frozenset([float, int, str, bool, list, type(None)])  # logs store them as they are
DOUBLE = np.dtype(np.float64)  # compared faster than np.float64


class Rows(NamedTuple):
    """Rows of features; dense rows have no places."""

    start: Ints
    place: Ints
    value: Doubles
    n_features: int

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.start) - 1


def is_text(text: str) -> bool:
    """Whether UTF-8 can encode a string, as files and hashes require."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_named(x: Any) -> bool:
    """Whether the features of a context have names."""
    return isinstance(x, Mapping)


def plain(x: Any) -> Any:
    """Rows of pandas and polars as dictionaries; everything else unchanged."""
    if isinstance(x, Mapping | np.ndarray | list | tuple) or sparse.issparse(x):
        return x
    if hasattr(x, "to_dicts"):  # a polars frame
        return _only(x.to_dicts(), x)
    if hasattr(x, "iloc"):  # pandas
        if x.ndim == 2:
            return _only(_records(x), x)
        return {str(name): value for name, value in _with_none(x).items()}
    return x


def plain_rows(X: Any) -> Any:
    """Frames of pandas and polars as lists of dictionaries; everything else unchanged.

    This way they are encoded like single rows.
    """
    if hasattr(X, "to_dicts"):
        return X.to_dicts()
    return _records(X) if hasattr(X, "iloc") else X


def _records(frame: Any) -> list[dict[Any, Any]]:
    """Rows of pandas as dictionaries."""
    return list(_with_none(frame).to_dict("records"))


def _with_none(data: Any) -> Any:
    """What is missing, which is NaN in pandas, as None."""
    missing = data.isna()
    return data.astype(object).where(~missing, None) if missing.to_numpy().any() else data


def _only(rows: list[Any], x: Any) -> Any:
    if len(rows) != 1:
        raise DataError(f"x must be one row of features, got {len(rows)} rows")
    return rows[0]


def numbers(x: Any, what: str = "x") -> Doubles:
    """A copy of an array or of lists of numbers, in double precision."""
    if np.ma.is_masked(x):
        raise DataError(f"{what} has masked values: fill them in first")
    try:
        array = np.asarray(x)
    except (ValueError, OverflowError):
        raise DataError(f"{what} must hold rows of the same length") from None
    if array.dtype.kind == "O" and not all(isinstance(value, Real) for value in array.ravel()):
        raise DataError(f"{what} must hold numbers, got {x!r:.80}")
    if array.dtype.kind not in "fiubO":
        raise DataError(f"{what} must hold numbers, got {array.dtype}")
    try:
        return np.array(array, np.float64, order="C")
    except OverflowError:
        raise DataError(f"{what} must hold finite numbers, but one is too large") from None


def rows_of(x: Any) -> Rows:
    """A dense or sparse matrix as rows."""
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
        matrix = matrix.astype(np.float64)  # a copy: the caller's matrix must not change
        matrix.sum_duplicates()
    start, place = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    return Rows(start, place, matrix.data.astype(np.float64), matrix.shape[1])


def to_json(x: Any) -> Any:
    """A context as decision logs store it."""
    kind = type(x)
    if kind is np.ndarray and x.ndim == 1:
        return x.tolist()
    if kind is dict and _TEXT.issuperset(map(type, x)) and _JSON.issuperset(map(type, x.values())):
        return x.copy()  # several times as fast as one by one
    if x is None:  # only actions have features
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


def from_json(data: Any) -> Any:
    """The context that `to_json` wrote."""
    if isinstance(data, Mapping) and "indices" in data and "values" in data:
        index, value = data["indices"], data["values"]
        shape = (1, int(data["n_features"]))
        return sparse.csr_array((value, ([0] * len(index), index)), shape=shape)
    if isinstance(data, Mapping) and set(data) == {"actions", "shared"}:
        if data["shared"] is not None:
            return data
        rows = [from_json(row) for row in data["actions"]]
        if rows and sparse.issparse(rows[0]):
            return sparse.vstack(rows, format="csr")
        return rows if rows and is_named(rows[0]) else np.array(rows, np.float64)
    return data if isinstance(data, Mapping) else np.array(data, np.float64)


def split_json(data: Any, has_own: bool) -> tuple[Any, list[Any] | None]:
    """A logged context, and the features of the event's own actions.

    Without `has_own` the learner knows the features of its actions.
    """
    if isinstance(data, Mapping) and set(data) == {"actions", "shared"}:
        shared = data["shared"]
        if not has_own:
            return None if shared is None else from_json(shared), None
        if shared is not None:
            return from_json(shared), [from_json(row) for row in data["actions"]]
    return from_json(data), None
