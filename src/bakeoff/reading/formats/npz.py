"""NPZ files: named NumPy arrays, as `np.savez("x.npz", X=X, y=y)` writes them.

    X                     features (n, d), or the parts of a CSR matrix:
    X_data, X_indices, X_indptr, X_shape
    y                     classes (n,), numbers or strings; or instead of y
    Y                     labels (n, K), 0 or 1, or parts Y_data, Y_indices, ...; or
    C                     costs (n, K) in [0, 1]; or
    relevance, qid        grades (n,) and queries (n,) of documents, with or without
    max_relevance         the best grade, one number
    class_names           optional (K,): of Y and C, or of y if it holds integers: the
                          name of class k in place k, or of the classes that occur

A sparse matrix is written so:

    np.savez("x.npz", X_data=X.data, X_indices=X.indices, X_indptr=X.indptr,
             X_shape=X.shape, y=y)
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles
from bakeoff.data import (
    LARGEST,
    Problem,
    Task,
    as_floats,
    as_labels,
    check_one_dimension,
    check_range,
)
from bakeoff.reading.files import plain_stem
from bakeoff.reading.formats.npz_arrays import arrays_in
from bakeoff.reading.options import Options
from bakeoff.reading.tables.classes import classes_of
from bakeoff.reading.tables.columnless import blaming, check_options, check_task
from bakeoff.reading.tables.ranking import ranking_problem

_PARTS = ("data", "indices", "indptr", "shape")
_TARGETS: dict[str, Task] = {
    "y": "multiclass",
    "Y": "multilabel",
    "C": "cost-sensitive",
    "relevance": "ranking",
}
_OPTIONAL: dict[str, set[str]] = {
    "y": {"class_names"},
    "Y": {"class_names"},
    "C": {"class_names"},
    "relevance": {"qid", "max_relevance"},
}
_LARGEST_SIDE = 2**31 - 2  # of a matrix: its indices are 32-bit integers


def read(path: Path, options: Options) -> Problem:
    """The problem in an NPZ file."""
    check_options(path, options, "it is the array y, Y, C or relevance")
    arrays = arrays_in(path)
    with blaming(path):
        arrays = _with_matrices(arrays)
        target = _target(arrays)
        check_task(path, options, _TARGETS[target], f"it holds the array {target}")
        return _problem(arrays, target, path, options)


def _problem(arrays: Mapping[str, Any], target: str, path: Path, options: Options) -> Problem:
    X, name = arrays["X"], options.name or plain_stem(path)
    if X.ndim == 2 and X.shape[1] == 0:
        raise DataError("X has no columns")
    names = _names(arrays)
    if target == "Y":
        return Problem.from_labels(X, arrays["Y"], class_names=names, name=name)
    if target == "C":
        return Problem.from_costs(X, arrays["C"], class_names=names, name=name)
    if target == "relevance":
        options = replace(options, max_relevance=_best_grade(arrays, options))
        grades = _grades(arrays["relevance"])
        return ranking_problem(X, grades, arrays["qid"], str(path), options, name)
    codes, found = classes_of(_classes(arrays["y"]), f"{path}:")
    if names is not None:
        found = _class_names(arrays["y"], names, found)
    return Problem.from_classes(X, codes, len(found), found, name=name)


# ---- which arrays there are


def _target(arrays: Mapping[str, Any]) -> str:
    """The name of the target's array, if the arrays are those of a problem."""
    targets = [name for name in _TARGETS if name in arrays]
    target = targets[0] if len(targets) == 1 else ""
    others = set(arrays) - {"X", target} - _OPTIONAL.get(target, set())
    complete = target != "relevance" or "qid" in arrays
    if "X" not in arrays or not target or others or not complete:
        found = ", ".join([repr(name) for name in sorted(arrays)][:9]) or "none"
        raise DataError(
            f"holds the arrays {found}; expected X (or X_data, X_indices, X_indptr and "
            f"X_shape) and one of y, Y, C, or relevance and qid"
        )
    return target


def _with_matrices(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays, with the parts of a sparse X or Y put together."""
    together = dict(arrays)
    for name in ("X", "Y"):
        parts = [f"{name}_{part}" for part in _PARTS]
        if name not in arrays and all(part in arrays for part in parts):
            together[name] = _matrix(name, *(together.pop(part) for part in parts))
    return together


def _matrix(name: str, data: Any, indices: Any, indptr: Any, shape: Any) -> Any:
    """A sparse matrix of parts that fit together."""
    for part, array in (("indices", indices), ("indptr", indptr), ("shape", shape)):
        if array.dtype.kind not in "iu" or array.ndim != 1:
            raise DataError(
                f"{name}_{part} must hold integers in one dimension, got shape "
                f"{array.shape} of {array.dtype}"
            )
    if shape.size != 2 or shape.min() < 0 or shape.max() > _LARGEST_SIDE:
        raise DataError(f"{name}_shape must be rows and columns, got {shape.tolist()}")
    rows, columns = shape.tolist()
    if data.shape != indices.shape:
        raise DataError(
            f"{name}_data and {name}_indices must have the same length, got "
            f"{data.shape} and {indices.shape}"
        )
    if not _is_indptr(indptr, rows, len(indices)):
        raise DataError(
            f"{name}_indptr must hold {rows + 1} numbers that ascend from 0 to {len(indices)}"
        )
    if indices.size and not 0 <= indices.min() <= indices.max() < columns:
        raise DataError(
            f"{name}_indices must lie between 0 and {columns - 1}, found "
            f"{indices.min()} to {indices.max()}"
        )
    if data.dtype.kind not in "biuf":
        raise DataError(f"{name}_data must hold numbers, got {data.dtype}")
    if data.dtype.kind == "f" and data.dtype != np.float32:
        data = data.astype(np.float64)  # halves overflow in the checks
    parts = (data, indices.astype(np.int32), indptr.astype(np.int64))
    return sparse.csr_array(parts, (rows, columns))


def _is_indptr(indptr: Any, rows: int, end: int) -> bool:
    return (
        len(indptr) == rows + 1
        and indptr[0] == 0
        and indptr[-1] == end
        and bool((indptr[1:] >= indptr[:-1]).all())
    )


# ---- what they say


def _classes(y: Any) -> Any:
    """Labels as numbers or as text."""
    labels = as_labels(y, "y")
    if labels.dtype.kind != "S":
        return labels
    try:
        return np.char.decode(labels, "utf-8")
    except UnicodeDecodeError:
        raise DataError("y holds strings that are not UTF-8 text") from None


def _names(arrays: Mapping[str, Any]) -> list[str] | None:
    if "class_names" not in arrays:
        return None
    names = arrays["class_names"]
    if names.dtype.kind != "U" or names.ndim != 1:
        raise DataError(
            f"class_names must hold strings in one dimension, got shape {names.shape} "
            f"of {names.dtype}"
        )
    return [str(name) for name in names]


def _class_names(y: Any, names: list[str], occurring: list[str]) -> list[str]:
    """The names of the classes that occur in `y`."""
    if y.dtype.kind not in "iu":
        raise DataError(f"class_names name integers, but y holds {y.dtype}")
    if 0 <= y.min() <= y.max() < len(names):
        return [names[int(k)] for k in occurring]
    if len(names) == len(occurring):
        return names
    raise DataError(
        f"class_names has {len(names)} names, but y holds {len(occurring)} classes from "
        f"{y.min()} to {y.max()}"
    )


def _grades(relevance: Any) -> Doubles:
    grades = as_floats(relevance, "relevance")
    check_one_dimension(grades, "relevance")
    check_range(grades, 0.0, LARGEST, "relevance")
    return grades


def _best_grade(arrays: Mapping[str, Any], options: Options) -> float | None:
    """The best grade that the user or else the file gives."""
    if options.max_relevance is not None or "max_relevance" not in arrays:
        return options.max_relevance
    best = arrays["max_relevance"]
    if best.size != 1 or best.dtype.kind not in "iuf":
        raise DataError(f"max_relevance must be one number, got shape {best.shape} of {best.dtype}")
    return float(best.item())
