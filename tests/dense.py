"""Features of a problem as a dense matrix, to be compared with what was written."""

from typing import Any

import numpy as np

from bakeoff.data.problem import Problem


def features(problem: Problem) -> Any:
    """The features as a dense matrix, without the bias."""
    dense = np.zeros((len(problem.contexts.start) - 1, problem.n_features + 1))
    for row in range(len(dense)):
        part = slice(*problem.contexts.start[row : row + 2])
        dense[row, problem.contexts.feature[part]] = problem.contexts.value[part]
    return dense[:, 1:]
