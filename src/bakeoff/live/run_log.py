"""Simulated logs: what a run would have logged on a supervised problem.

A simulation keeps the probability of the action taken. A live engine that is given the same events
makes the same decisions, to the last bit, and tells the probabilities of all actions.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.live import Given
from bakeoff.core.rounds import cost_of
from bakeoff.core.types import Contexts, Doubles
from bakeoff.data import Log, Problem, at_once, present
from bakeoff.live.engine import NONE, Engine, Room
from bakeoff.runs import RAW, Run, explorer_of, parse
from bakeoff.simulation import Result, all_inputs, contexts_of, simulate


def log_of_run(problem: Problem, run: Run, shuffle: int = 0) -> Log:
    """See `Log.from_run`."""
    played = problem if shuffle == 0 else problem.shuffled(shuffle)
    drawn = run.for_job(problem.draws, shuffle)
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
    seen = all_inputs(problem, run)
    engine = Engine([replace(run, inputs=RAW)], _room_of(problem, seen))
    table = np.zeros((problem.n, problem.n_actions))
    told = problem.true_costs if problem.told_costs is None else problem.told_costs
    schedule = problem.schedule or at_once(problem.n)
    waiting: dict[int, tuple[Given, Doubles]] = {}
    for e, event in enumerate(_events(problem, seen)):
        p = np.zeros(int(event.first[1]) if len(event.first) else problem.n_actions)
        engine.choose(event, e + 1, p)
        waiting[e] = event, p
        for past in schedule.order[schedule.begin[e] : schedule.begin[e + 1]].tolist():
            action = int(result.actions[past])
            loss = float(cost_of(told, past, action)) + run.offset
            engine.learn(waiting[past][0], past + 1, action, waiting.pop(past)[1], loss)
        table[e, : len(p)] = p
    own = table[np.arange(problem.n), result.actions]
    if not np.array_equal(own, result.probabilities):
        raise AssertionError(f"a live engine and a simulation of {run} differ")
    return table


def _room_of(problem: Problem, seen: Contexts) -> Room:
    """A room for the events of a problem."""
    longest = int(np.diff(seen.start).max(initial=1))
    shared = problem.shares_weights
    return Room(problem.n_features + 1, problem.n_actions, longest, False, shared)


def _events(problem: Problem, seen: Contexts) -> Iterator[Given]:
    """The events as an engine takes them: rows without their bias, which comes last."""
    start, feature, value, first_row = seen
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
