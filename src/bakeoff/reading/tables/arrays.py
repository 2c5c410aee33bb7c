"""Arrays in memory as problems: `load((X, y))`."""

from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.data import Problem
from bakeoff.reading.options import Options
from bakeoff.reading.tables.classes import classes_of
from bakeoff.reading.tables.ranking import ranking_problem

NAME = "arrays"  # of a problem without a name


def problem_of_arrays(arrays: tuple[Any, ...], options: Options) -> Problem:
    """The problem of (X, y), or of (X, grades, qid) if it ranks."""
    name = options.name or NAME
    if options.task == "ranking":
        if len(arrays) != 3:
            raise DataError(f"ranking takes arrays (X, grades, qid), got {len(arrays)} of them")
        X, grades, qid = arrays
        return ranking_problem(X, np.asarray(grades, np.float64), qid, name, options, name)
    if len(arrays) != 2:
        raise DataError(f"a problem takes two arrays, (X, y), got {len(arrays)}")
    X, y = arrays
    if options.task == "multilabel":
        return Problem.from_labels(X, y, name=name)
    if options.task == "cost-sensitive":
        return Problem.from_costs(X, y, name=name)
    labels = np.asarray(y)
    if labels.ndim != 1:
        raise DataError(
            f"{name}: y must have one class per row, got shape {labels.shape}; say with `task` "
            f"if it holds labels (multilabel) or costs (cost-sensitive)"
        )
    codes, names = classes_of(labels.astype(str) if labels.dtype.kind == "O" else labels, name)
    return Problem.from_classes(X, codes, len(names), names, name=name)
