"""Agents that `replay` plays on a log: the package's algorithms, and learners that users write."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError, LearnerError, SpecError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation.inputs import seen_by
from bakeoff.evaluation.training import given_of, new_engine
from bakeoff.learners import (
    LearnerInfo,
    OwnRun,
    call_learner,
    checked_decision,
    import_learner,
    new_learner,
    parse_own,
)
from bakeoff.live import Paired
from bakeoff.runs import Run, is_own


class Agent(Protocol):
    """Decides on the events of a log, one after the other, and may learn from them."""

    run: Run

    def distribution(self, e: int) -> Doubles:
        """The probabilities of the actions of event e."""

    def learn(self, e: int) -> None:
        """Learn from the logged action of event e, the last one asked about."""


def agent_of(run: Any, log: Log) -> Agent:
    """The agent for a spec, a run, or a learner object."""
    if isinstance(run, str):
        run = OwnRun(run) if is_own(run) else Run(run)
    if isinstance(run, OwnRun):
        task = "cost-sensitive" if log.first_row is None else "ranking"
        info = LearnerInfo(log.n_actions, log.n_features, task)
        factory = import_learner(parse_own(run.explorer))
        learner = new_learner(factory, info, run.learning_rate, run.offset, run.seed)
        return _LearnerAgent(log, learner, run)
    if isinstance(run, Run):
        return _AlgorithmAgent(*seen_by(run, log))
    if callable(getattr(run, "choose", None)) and callable(getattr(run, "learn", None)):
        return _LearnerAgent(log, run, Run("greedy"))
    raise SpecError(
        f"replay takes a spec, a Run or a learner with choose and learn, got {type(run).__name__}"
    )


def _loss(log: Log, e: int, run: Run) -> float:
    """The loss of the logged action."""
    return 1.0 - float(log.reward[e]) + run.offset


@contextmanager
def _at_event(e: int) -> Iterator[None]:
    """Name the event in what a learner does wrong."""
    try:
        yield
    except LearnerError as error:
        raise LearnerError(f"event {e}: {error}") from error.__cause__


class _AlgorithmAgent:
    """An algorithm of the package: its whole distribution is known."""

    def __init__(self, run: Run, log: Log, pairs: Sequence[Paired] | None) -> None:
        self.run, self._log, self._pairs = run, log, pairs
        self._engine = new_engine(log, run, pairs)
        self._round = 1
        self._event: Given | Paired
        self._p: Doubles

    def distribution(self, e: int) -> Doubles:
        """What the algorithm would do in this round, among the available actions."""
        log = self._log
        self._event = given_of(log, np.array([e])) if self._pairs is None else self._pairs[e]
        K = log.n_actions if log.first_row is None else int(self._event.first[1])
        p = np.zeros(K)
        self._engine.choose(self._event, self._round, p)
        if log.available is not None and log.first_row is None:
            available = log.available[e]
            p *= available
            p = p / p.sum() if p.sum() > 0 else available / available.sum()
        self._p = p
        return p

    def learn(self, e: int) -> None:
        """Learn from the logged action."""
        action, loss = int(self._log.action[e]), _loss(self._log, e, self.run)
        self._engine.learn(self._event, self._round, action, self._p, loss)
        self._round += 1


class _LearnerAgent:
    """A user's learner: it draws an action, and tells only the probability of this action.

    Its distribution has all probability on the drawn action. Since the action is drawn from
    the learner's real distribution, the replay remains unbiased.
    """

    def __init__(self, log: Log, learner: Any, run: Run) -> None:
        if log.available is not None and log.first_row is None:
            raise DataError(
                f"{log.name}: some actions are not always available, which a learner of your "
                f"own cannot be told"
            )
        self.run, self._log, self._learner = run, log, learner
        self._x: Any = None
        self._probability = 1.0

    def distribution(self, e: int) -> Doubles:
        """1 for the action that the learner draws, 0 for all others."""
        self._x = self._context(e)
        K = self._log.n_actions
        if self._log.first_row is not None:
            K = int(np.diff(self._log.first_row)[e])
        with _at_event(e):
            drawn = call_learner(self._learner.choose, self._x)
            action, self._probability = checked_decision(drawn, K)
        p = np.zeros(K)
        p[action] = 1.0
        return p

    def learn(self, e: int) -> None:
        """Learn from the logged action, which is the one that the learner drew."""
        action, loss = int(self._log.action[e]), _loss(self._log, e, self.run)
        with _at_event(e):
            call_learner(self._learner.learn, self._x, action, loss, self._probability)

    def _context(self, e: int) -> Any:
        """The context as a simulation would show it: docs/guide/own-learner.md."""
        rows = self._log.X[self._log.rows_of(np.array([e]))]
        if getattr(self._learner, "takes_sparse", False):
            return sparse.csr_array(rows, dtype=np.float32)
        dense = rows.toarray() if sparse.issparse(rows) else rows
        table = np.array(dense, np.float32)
        return table if self._log.first_row is not None else table[0]
