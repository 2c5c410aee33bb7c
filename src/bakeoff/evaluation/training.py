"""Train: learn a policy from a log, so that it can be evaluated on the same log.

    result = evaluate(log, train(log))

Each block of events is played by a policy that learned from the other blocks (from the earlier
ones, if the logger was learning), so that no policy has seen the reward of an event it plays.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Log
from bakeoff.evaluation.inputs import seen_by
from bakeoff.evaluation.models import blocks_of
from bakeoff.evaluation.policies import Policy, greedy_of, uniform_over
from bakeoff.live import NONE, Engine, Paired, Room
from bakeoff.runs import Run

DEFAULT = Run("epsilon-greedy:epsilon=0", reduction="iwr")


def train(log: Log, run: Run | str = DEFAULT, passes: int = 1) -> Policy:
    """The greedy policy that a run's algorithm learns from the log, cross-fitted.

    Parameters
    ----------
    log
        The log to learn from.
    run
        The algorithm and its settings.
    passes
        How often the events are learned.

    Returns
    -------
    Policy
        A policy for `evaluate`, on this log only.

    Raises
    ------
    SpecError
        If the run is not valid.

    Examples
    --------
    >>> X = [[1.0], [2.0]] * 50
    >>> log = bakeoff.Log.from_arrays(X, [0, 1] * 50, [0.5] * 100, [1, 0] * 50)
    >>> bakeoff.evaluate(log, bakeoff.train(log), "ips").n
    100
    """
    logged = log
    run, log, pairs = seen_by(Run(run) if isinstance(run, str) else run, log)
    if passes < 1:
        raise SpecError(f"passes must be at least 1, got {passes}")
    blocks = blocks_of(log.n, log.adaptive)
    table = np.zeros((log.n, log.n_actions))
    for b in range(blocks.number):
        first, last = int(blocks.starts[b]), int(blocks.starts[b + 1])
        teachers = blocks.teachers(b)
        if not teachers:
            table[first:last] = uniform_over(log, first, last)
            continue
        spans = [np.arange(blocks.starts[t], blocks.starts[t + 1]) for t in teachers]
        engine = new_engine(log, run, pairs)
        for _ in range(passes):
            teach(engine, log, np.concatenate(spans), pairs)
        table[first:last] = played(engine, log, np.arange(first, last), pairs)
    name = f"trained {run.explorer}"

    def probabilities(judging: Log, low: int, high: int) -> Doubles:
        if judging is not logged:
            raise DataError(
                f"the policy {name!r} was trained for the events of {log.name}, each by a policy "
                f"that had not learned from it; evaluate it on that whole log"
            )
        return table[low:high]

    return Policy(name, probabilities)


def new_engine(log: Log, run: Run, pairs: Sequence[Paired] | None = None) -> Engine:
    """A new engine with room for the events of a log."""
    shared = log.first_row is not None
    if pairs is not None:
        longest = max(event.longest_row for event in pairs) + 1
        width = max(event.largest_place for event in pairs) + 2
        return Engine([run], Room(width, max(2, log.n_actions), longest, False, shared))
    longest = log.n_features + 1
    room = Room(log.n_features + 1, max(2, log.n_actions), longest, False, shared)
    return Engine([run], room)


def given_of(log: Log, events: Ints) -> Given:
    """Some events as an engine takes them."""
    rows = log.X[log.rows_of(events)]
    first = NONE
    if log.first_row is not None:
        sizes = np.diff(log.first_row)[events]
        first = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    if sparse.issparse(rows):
        start, place = rows.indptr.astype(np.int64), rows.indices.astype(np.int64)
        return Given(start, place, rows.data.astype(np.float64), first, NONE)
    n, d = rows.shape
    start = np.arange(n + 1, dtype=np.int64) * d
    value = np.ascontiguousarray(rows, np.float64).ravel()
    return Given(start, NONE, value, first, NONE)


def teach(engine: Engine, log: Log, events: Ints, pairs: Sequence[Paired] | None = None) -> None:
    """Learn from events as they were logged, with their probabilities."""
    run = engine.runs[0]
    loss = 1.0 - log.reward[events] + run.offset
    t = np.arange(1, len(events) + 1, dtype=np.int64)
    p = _distributions(log, events)
    if pairs is not None:
        top = 0
        for i, e in enumerate(events.tolist()):
            end = top + pairs[e].first.item(1)
            engine.learn(pairs[e], i + 1, int(log.action[e]), p[top:end], loss.item(i))
            top = end
        return
    engine.learn_all(given_of(log, events), t, log.action[events], p, loss)


def _distributions(log: Log, events: Ints) -> Doubles:
    """The logger's probabilities, flat; the unknown ones are spread evenly."""
    K = log.n_actions
    if log.probabilities is not None:
        table = log.probabilities[events]
    else:
        own = log.probability[events]
        table = np.repeat(((1.0 - own) / max(1, K - 1))[:, None], K, axis=1)
        table[np.arange(len(events)), log.action[events]] = own
    if log.first_row is None:
        return np.ascontiguousarray(table).ravel()
    sizes = np.diff(log.first_row)[events]
    return np.asarray(table[np.arange(K) < sizes[:, None]])


def played(
    engine: Engine, log: Log, events: Ints, pairs: Sequence[Paired] | None = None
) -> Doubles:
    """The greedy decisions of the engine's policy: (m, K)."""
    K = log.n_actions
    sizes = np.full(len(events), K)
    if log.first_row is not None:
        sizes = np.diff(log.first_row)[events]
    p = np.zeros(int(sizes.sum()))
    action = np.zeros(len(events), np.int64)
    if pairs is None:
        engine.choose_all(given_of(log, events), 1, action, p)
    else:
        ends = np.cumsum(sizes).tolist()
        for e, size, end in zip(events.tolist(), sizes.tolist(), ends, strict=True):
            engine.choose(pairs[e], 1, p[end - size : end])
    table: Any = np.full((len(events), K), -1.0)
    table[np.arange(K) < sizes[:, None]] = p
    if log.available is not None:
        table[~log.available[events]] = -1.0
    return greedy_of(table)
