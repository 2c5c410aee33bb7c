"""Players: what is replayed on a log, algorithms of ours and learners of one's own."""

from typing import Any, Protocol

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError, LearnerError, SpecError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles
from bakeoff.data import Log
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
from bakeoff.runs import Run, is_own


class Player(Protocol):
    """Someone who decides on the events of a log and may learn from them."""

    run: Run

    def distribution(self, e: int) -> Doubles:
        """The probabilities of the actions of event e; one, if it has decided."""

    def learn(self, e: int) -> None:
        """Learn from event e, about which it was asked last."""


def player_of(run: Any, log: Log) -> Player:
    """The player that the user names, or whose run or learner is given."""
    if isinstance(run, str):
        run = OwnRun(run) if is_own(run) else Run(run)
    if isinstance(run, OwnRun):
        maker = import_learner(parse_own(run.explorer))
        told = LearnerInfo(log.n_actions, log.n_features, _task(log))
        made = new_learner(maker, told, run.learning_rate, run.offset, run.seed)
        return _Own(log, made, run)
    if isinstance(run, Run):
        return _Ours(log, run)
    if callable(getattr(run, "choose", None)) and callable(getattr(run, "learn", None)):
        return _Own(log, run, Run("greedy"))
    raise SpecError(
        f"replay takes a spec, a Run or a learner with choose and learn, got {type(run).__name__}"
    )


def _task(log: Log) -> str:
    return "cost-sensitive" if log.first_row is None else "ranking"


class _Ours:
    """An algorithm of ours: it knows its whole distribution."""

    def __init__(self, log: Log, run: Run) -> None:
        self.run, self._log = run, log
        self._engine = new_engine(log, run)
        self._t = 1  # the round it plays
        self._given: Given
        self._p: Doubles

    def distribution(self, e: int) -> Doubles:
        """What it would do in this round, among the actions there are."""
        log, self._given = self._log, given_of(self._log, np.array([e]))
        K = log.n_actions if log.first_row is None else int(self._given.first[1])
        p = np.zeros(K)
        self._engine.choose(self._given, self._t, p)
        if log.available is not None and log.first_row is None:
            there = log.available[e]
            p *= there
            p = p / p.sum() if p.sum() > 0 else there / there.sum()
        self._p = p
        return p

    def learn(self, e: int) -> None:
        """Learn from the action that was logged."""
        loss = 1.0 - float(self._log.reward[e]) + self.run.offset
        action = int(self._log.action[e])
        self._engine.learn(self._given, self._t, action, self._p, loss)
        self._t += 1


class _Own:
    """A learner of one's own: it decides, and says only how likely that was.

    All probability is on what it decided, which is drawn as its distribution says: so
    is what counts.
    """

    def __init__(self, log: Log, learner: Any, run: Run) -> None:
        if log.available is not None and log.first_row is None:
            raise DataError(
                f"{log.name}: actions come and go, of which a learner of your own is not told"
            )
        self.run, self._log, self._learner = run, log, learner
        self._x: Any = None
        self._probability = 1.0

    def distribution(self, e: int) -> Doubles:
        """One for what it decides, zero for all else."""
        self._x = self._context(e)
        K = self._log.n_actions
        if self._log.first_row is not None:
            K = int(np.diff(self._log.first_row)[e])
        try:
            a, self._probability = checked_decision(call_learner(self._learner.choose, self._x), K)
        except LearnerError as error:
            raise LearnerError(f"event {e}: {error}") from error.__cause__
        p = np.zeros(K)
        p[a] = 1.0
        return p

    def learn(self, e: int) -> None:
        """Learn from the action that was logged, which is the one it decided on."""
        loss = 1.0 - float(self._log.reward[e]) + self.run.offset
        given = (self._x, int(self._log.action[e]), loss, self._probability)
        try:
            call_learner(self._learner.learn, *given)
        except LearnerError as error:
            raise LearnerError(f"event {e}: {error}") from error.__cause__

    def _context(self, e: int) -> Any:
        """What a simulation would show it: docs/own-learner.md."""
        rows = self._log.X[self._log.rows_of(np.array([e]))]
        if getattr(self._learner, "takes_sparse", False):
            return sparse.csr_array(rows, dtype=np.float32)
        dense = rows.toarray() if sparse.issparse(rows) else rows
        table = np.array(dense, np.float32)
        return table if self._log.first_row is not None else table[0]
