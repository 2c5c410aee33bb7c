"""Simulated logs: what a run would have logged on a supervised problem.

A simulation keeps the probability of the action taken. A live engine that is given the same events
makes the same decisions, to the last bit, and tells the probabilities of all actions.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles
from bakeoff.data import Log, Problem, present
from bakeoff.live.engine import NONE, Engine, Room
from bakeoff.runs import Run, explorer_of, parse
from bakeoff.simulation import Result, simulate

_DENSE = 0.1  # from this share of nonzeros on, rows are kept dense


def log_of_run(problem: Problem, run: Run, shuffle: int = 0) -> Log:
    """See `Log.from_run`."""
    played = problem if shuffle == 0 else problem.shuffled(shuffle)
    drawn = run.for_job(problem.digest, shuffle)
    (result,) = simulate(played, [drawn], record=True)
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
        probabilities=_distributions(played, drawn, result),
        action_names=problem.class_names,
        adaptive=True,
        name=f"{problem.name} by {run.explorer}",
        true_rewards=1.0 - true_costs_of(played),
    )


def _distributions(problem: Problem, run: Run, result: Result) -> Doubles | None:
    """The probabilities of all actions (n, K); None if only the run itself knows them."""
    if run.player != Run.player or explorer_of(parse(run.explorer)).sees_all_costs:
        return None
    assert result.actions is not None
    assert result.costs is not None
    assert result.probabilities is not None
    engine = Engine([run], _room_of(problem))
    table = np.zeros((problem.n, problem.n_actions))
    losses = result.costs + run.offset
    for e, event in enumerate(_events(problem)):
        p = np.zeros(int(event.first[1]) if len(event.first) else problem.n_actions)
        engine.choose(event, e + 1, p)
        engine.learn(event, e + 1, int(result.actions[e]), p, float(losses[e]))
        table[e, : len(p)] = p
    own = table[np.arange(problem.n), result.actions]
    if not np.array_equal(own, result.probabilities):
        raise AssertionError(f"a live engine and a simulation of {run} differ")
    return table


def _room_of(problem: Problem) -> Room:
    """A room for the events of a problem."""
    longest = int(np.diff(problem.contexts.start).max(initial=1))
    shared = problem.shares_weights
    return Room(problem.n_features + 1, problem.n_actions, longest, False, shared)


def _events(problem: Problem) -> Iterator[Given]:
    """The events as an engine takes them: rows without their bias, which comes last."""
    start, feature, value, first_row = problem.contexts
    shared = problem.shares_weights
    for e in range(problem.n):
        rows = np.arange(first_row[e], first_row[e + 1]) if shared else np.array([e])
        entries = [slice(int(start[row]), int(start[row + 1]) - 1) for row in rows]
        sizes = [part.stop - part.start for part in entries]
        yield Given(
            np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
            np.concatenate([feature[part] for part in entries]).astype(np.int64) - 1,
            np.concatenate([value[part] for part in entries]).astype(np.float64),
            np.array([0, len(rows)]) if shared else NONE,
            NONE,
        )


def contexts_of(problem: Problem) -> Any:
    """The features of all rows without the bias, dense unless most are zero."""
    x = problem.contexts
    rows = len(x.start) - 1
    is_feature = x.feature > 0  # index 0 is the bias, one in each row
    start = x.start - np.arange(rows + 1)
    entries = (x.value[is_feature].astype(np.float64), x.feature[is_feature] - 1, start)
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
