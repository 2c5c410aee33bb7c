"""Simulated logs: what a run would have logged on a supervised problem."""

from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Contexts, Doubles
from bakeoff.data import Log, Problem, present
from bakeoff.runs import Run
from bakeoff.simulation.inputs import all_inputs
from bakeoff.simulation.simulate import simulate

_DENSE = 0.1  # from this share of nonzeros on, rows are kept dense


def log_of_run(problem: Problem, run: Run, shuffle: int = 0) -> Log:
    """See `Log.from_run`."""
    played = problem if shuffle == 0 else problem.shuffled(shuffle)
    (result,) = simulate(played, [run.for_job(problem.digest, shuffle)], record=True)
    if result.error is not None:
        raise DataError(f"{run} on {problem.name!r}: {result.error}")
    assert result.actions is not None
    assert result.probabilities is not None
    assert result.costs is not None
    first_row = played.contexts.first_row if problem.shares_weights else None
    return Log(
        X=contexts_of(played),
        action=result.actions,
        probability=result.probabilities,
        reward=1.0 - result.costs,
        n_actions=problem.n_actions,
        first_row=first_row,
        available=present(first_row, problem.n_actions),
        action_names=problem.class_names,
        adaptive=True,
        name=f"{problem.name} by {run.explorer}",
        true_rewards=1.0 - true_costs_of(played),
    )


def contexts_of(problem: Problem) -> Any:
    """The features of all rows without the bias, dense unless most are zero."""
    return matrix_of(problem.contexts, problem.n_features)


def seen_contexts(problem: Problem, run: Run) -> Any:
    """The same as a run sees them."""
    return matrix_of(all_inputs(problem, run), problem.n_features)


def matrix_of(x: Contexts, n_features: int) -> Any:
    """Rows without the bias, dense unless most of their values are zero."""
    rows = len(x.start) - 1
    is_feature = x.feature > 0  # index 0 is the bias, one in each row
    start = x.start - np.arange(rows + 1)
    entries = (x.value[is_feature].astype(np.float64), x.feature[is_feature] - 1, start)
    matrix = sparse.csr_array(entries, shape=(rows, n_features))
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
