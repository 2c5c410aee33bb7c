"""Simulated: what a log of a supervised problem holds besides the decisions."""

from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.core.arrays import Doubles
from bakeoff.problems.problem import Problem

_DENSE = 0.1  # from this share of nonzeros on, rows are kept dense


def contexts_of(problem: Problem) -> Any:
    """The features of all rows without the bias, dense unless most are zero."""
    x = problem.contexts
    rows = len(x.start) - 1
    given = x.feature > 0  # index 0 is the bias, one in each row
    start = x.start - np.arange(rows + 1)
    entries = (x.value[given].astype(np.float64), x.feature[given] - 1, start)
    matrix = sparse.csr_array(entries, shape=(rows, problem.n_features))
    return matrix.toarray() if matrix.nnz >= _DENSE * np.prod(matrix.shape) else matrix


def true_costs_of(problem: Problem) -> Doubles:
    """The cost of every action of every event; 1 where an event has no such action."""
    costs = problem.true_costs
    table = np.ones((problem.n, problem.n_actions))
    sizes = np.diff(costs.start)
    event = np.repeat(np.arange(problem.n), sizes)
    if costs.value.size:
        table[event, np.arange(len(event)) - np.repeat(costs.start[:-1], sizes)] = costs.value
    else:
        table[event, costs.right] = 0.0
    return table
