"""Ledger: what a learner has done so far, and the steps that change it.

A *step* may be called again until it has run to its end (see steps.py). It writes its
lines of the log first: if that fails, nothing has changed.
"""

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.core.types import Doubles
from bakeoff.live.advice import advice
from bakeoff.live.batch import Batch
from bakeoff.live.decision import Decision
from bakeoff.live.decision_log import DecisionLog
from bakeoff.live.feedback import GIVEN_UP, LEARNED, Pending, Waiting
from bakeoff.live.log_writer import Lines
from bakeoff.live.model import Model
from bakeoff.live.monitor import Monitor
from bakeoff.live.steps import Steps
from bakeoff.live.warm_start import WarmStart


class Ledger:
    """Rounds, outcomes and pending decisions of a learner, and its log."""

    def __init__(self, pending: Pending, monitor: Monitor, t: int = 0, version: int = 0) -> None:
        self.pending, self.monitor = pending, monitor
        self.t = t  # rounds so far
        self.version = version  # outcomes learned so far
        self.session = secrets.token_hex(5)  # ids of decisions begin with it
        self.sessions: dict[str, int] | None = {}  # earlier ones; None: an old file does not tell
        self.warm_starts: tuple[WarmStart, ...] = ()  # logs it has learned from
        self.learns = True  # False: decisions wait for their outcomes in another process
        self.log: DecisionLog | None = None
        self.clock: Callable[[], float] = time.time
        self.steps = Steps()

    def after_fork(self) -> None:
        """Use ids of our own; the log stays with the parent process."""
        self.sessions = self.all_sessions()
        self.session = secrets.token_hex(5)
        if self.log is not None:
            self.log.writer.disown()

    def all_sessions(self) -> dict[str, int] | None:
        """Sessions whose decisions may have been learned, each with its last round."""
        if self.sessions is None or not self.learns:
            return self.sessions
        return {**self.sessions, self.session: self.t}

    def check_learns(self) -> None:
        """Refuse to learn if another process does."""
        if not self.learns:
            raise DataError(
                "this learner was loaded to decide only: call the process that learns instead"
            )

    # Replaying a log

    @contextmanager
    def replaying(self) -> Iterator[None]:
        """Write no log; afterwards, the log and the clock are as before."""
        log, clock = self.log, self.clock
        self.log = None
        try:
            yield
        finally:
            self.log, self.clock = log, clock

    def set_time(self, seconds: float) -> None:
        """Let the clock stand still at this time."""
        self.clock = lambda: seconds

    # What happens; the caller holds the lock

    def decide(
        self,
        model: Model,
        decision: Decision,
        waiting: Waiting,
        own_actions: Sequence[Any] | None = None,
    ) -> None:
        """Log and count a decision, which waits for its outcome from now on."""
        id, steps, lines = decision.id, self.steps, None
        if self.log is not None:
            features, position, now = model.actions.features, waiting.action, waiting.time
            lines = Lines(
                self.log.decision(
                    decision, position, now, own_actions, features, active=waiting.is_active
                )
            )
        steps.under_way = (self._decide, id, waiting, lines)
        try:  # as `steps.do`, which would take longer
            self._decide(id, waiting, lines)
        except BakeoffError:
            steps.under_way = None
            raise
        steps.under_way = None

    def admit(
        self,
        model: Model,
        id: str,
        decision: Decision,
        waiting: Waiting,
        count: Callable[[], None] | None,
    ) -> None:
        """Log a decision of another process, and let it wait for its outcome.

        `count` counts its context among the past of this learner.
        """
        lines = None
        if self.log is not None:
            features, position, now = model.actions.features, waiting.action, waiting.time
            own = decision.actions
            lines = Lines(self.log.decision(decision, position, now, own, features, True))
        self.steps.do(self._admit, id, waiting, lines, count)

    def activate(self, id: str, waiting: Waiting) -> None:
        """Log that a decision is shown from now on."""
        lines = None
        if self.log is not None and not waiting.is_active:
            lines = Lines(self.log.activation(id, self.clock()))
        self.steps.do(self._activate, waiting, lines)

    def learn(
        self,
        model: Model,
        id: str,
        waiting: Waiting,
        cost: float,
        reward: float | None = None,
        is_default: bool = False,
    ) -> None:
        """Log and learn the outcome of a pending decision, which then waits no longer."""
        steps, lines, version = self.steps, None, self.version + 1
        if self.log is not None:
            now, rewards = self.clock(), model.rewards
            lines = Lines(self.log.outcome(id, cost, now, rewards, reward, is_default))
        steps.under_way = (self._learn, model, id, waiting, cost, lines, version, is_default)
        try:  # as `steps.do`, which would take longer
            self._learn(model, id, waiting, cost, lines, version, is_default)
        except BakeoffError:
            steps.under_way = None
            raise
        steps.under_way = None

    def imitate(self, model: Model, waiting: Waiting, cost: float) -> None:
        """Learn the outcome of what another policy did; it is not logged."""
        self.steps.do(self._imitate, model, waiting, cost, self.version + 1)

    def forget_overdue(self, model: Model) -> None:
        """End the decisions that have waited too long."""
        pending = self.pending
        feedback = pending.feedback
        if feedback.wait is None and len(pending.waiting) <= feedback.limit:
            return
        for id in pending.overdue(self.clock()):
            waiting = pending.waiting[id]
            if feedback.default_reward is not None and waiting.is_active:
                reward = feedback.default_reward
                cost = model.rewards.cost_of(reward)
                self.learn(model, id, waiting, cost, reward, is_default=True)
            else:
                pending.end(id, GIVEN_UP)

    def decide_batch(self, model: Model, batch: Batch, X: Any) -> None:
        """Log and count the decisions of a batch."""
        lines = None
        if self.log is not None:
            names, seed = model.actions.names, model.run.seed
            lines = self.log.decisions(batch, X, names, seed, self.version, self.clock())
        self.steps.do(self._decide_batch, batch, lines)

    def learn_batch(self, model: Model, batch: Batch, costs: Doubles) -> int:
        """Log and learn the outcomes of a batch that are not NaN; how many there are."""
        n = int((~np.isnan(costs)).sum())
        losses, lines = costs + model.run.offset, None
        if self.log is not None and n:
            lines = self.log.outcomes(batch, costs, self.clock(), model.rewards)
        self.steps.do(self._learn_batch, model, batch, costs, losses, lines, self.version + n)
        return n

    def continue_from(self, newer: "Ledger", keeps_pending: bool) -> None:
        """Count on from a newer ledger; give up pending decisions if they do not fit it."""
        monitor, pending = self.monitor, self.pending
        if not keeps_pending:
            monitor = Monitor()
            for id in list(pending.waiting):
                pending.end(id, GIVEN_UP)
        t = max(self.t, newer.t)
        sessions = newer.sessions
        self.t, self.version, self.monitor = t, newer.version, monitor  # no call from here on
        self.sessions, self.warm_starts = sessions, newer.warm_starts
        monitor.version, pending.feedback = newer.version, newer.pending.feedback

    def summary(self, model: Model) -> dict[str, Any]:
        """What `Learner.monitor` returns."""
        pending, names = self.pending, model.encoder.names
        return {
            "run": str(model.run),
            "learning_rate": model.learning_rate,
            "decisions": self.t,
            "outcomes": self.version,
            "pending": len(pending.waiting),
            "repeated": pending.repeated,
            "given_up": pending.given_up,
            "defaulted": pending.defaulted,
            "collisions": 0 if names is None else names.collisions,
            "restarts": model.restarts,
            **self.monitor.over_time(model.rewards),
            "drift": self.monitor.drift(),
            "advice": advice(model, self.monitor),
            "actions": self.monitor.actions(model.actions, model.rewards),
        }

    # Steps

    def _decide(self, id: str, waiting: Waiting, lines: Lines | None) -> None:
        """Count a decision, which waits for its outcome from now on."""
        if lines is not None and self.log is not None:
            self.log.put(lines)
        if self.learns:
            self.pending.waiting[id] = waiting
        if waiting.t > self.t:
            sums = self.monitor.sums(waiting.number)
            sums.decisions, self.t = sums.decisions + 1, waiting.t

    def _admit(
        self, id: str, waiting: Waiting, lines: Lines | None, count: Callable[[], None] | None
    ) -> None:
        """Let a decision of another process wait for its outcome."""
        if lines is not None and self.log is not None:
            self.log.put(lines)
        if count is not None:
            count()
        sums = self.monitor.sums(waiting.number)
        if id not in self.pending.waiting:
            self.pending.waiting[id] = waiting  # no call from here on
            sums.decisions += 1

    def _activate(self, waiting: Waiting, lines: Lines | None) -> None:
        """Count a decision as shown."""
        if lines is not None and self.log is not None:
            self.log.put(lines)
        waiting.is_active = True

    def _learn(
        self,
        model: Model,
        id: str,
        waiting: Waiting,
        cost: float,
        lines: Lines | None,
        version: int,
        is_default: bool,
    ) -> None:
        """Learn the outcome of a pending decision."""
        if lines is not None and self.log is not None:
            self.log.put(lines)
        engine, action = model.engine, waiting.action
        if not waiting.is_prepared:
            engine.prepare(waiting.t, action, cost + model.run.offset)
            waiting.is_prepared = True
        engine.learn_prepared(waiting.event, waiting.p)
        self.pending.end(id, LEARNED)
        p = waiting.p.item(action)
        self.monitor.learned(waiting.number, cost, p, version)
        if self.version < version:
            self.pending.defaulted += is_default
            self.version = version

    def _imitate(self, model: Model, waiting: Waiting, cost: float, version: int) -> None:
        """Learn from what another policy did."""
        engine = model.engine
        if not waiting.is_prepared:
            engine.prepare(waiting.t, waiting.action, cost + model.run.offset)
            waiting.is_prepared = True
        engine.learn_prepared(waiting.event, waiting.p)
        self.t, self.version, self.monitor.version = waiting.t, version, version

    def _decide_batch(self, batch: Batch, lines: Lines | None) -> None:
        """Count the decisions of a batch."""
        if lines is not None and self.log is not None:
            self.log.put(lines)
        if self.t < batch.t:
            by_action, t = self.monitor.decided_all(batch.actions), batch.rounds[-1]
            last = t.item()
            self.monitor.by_action, self.t = by_action, last

    def _learn_batch(
        self,
        model: Model,
        batch: Batch,
        costs: Doubles,
        losses: Doubles,
        lines: Lines | None,
        version: int,
    ) -> None:
        """Learn the outcomes of a batch, without those that are NaN."""
        if lines is not None and self.log is not None:
            self.log.put(lines)
        p = batch.probabilities.reshape(-1)
        model.engine.learn_all(batch.event, batch.rounds, batch.actions, p, losses)
        known = ~np.isnan(costs)
        probability = batch.probability[known]
        self.monitor.learned_all(batch.actions[known], costs[known], probability, version)
        self.version, batch.is_learned = version, True
