"""Trainer: the one process that learns, saves the model, and writes the decision log."""

import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bakeoff.basics.errors import BakeoffError
from bakeoff.live import Feedback, Learner, LogWriter
from bakeoff.live.serving.config import Config
from bakeoff.live.serving.decider import unpacked
from bakeoff.live.serving.log_tail import logged_since
from bakeoff.live.serving.state import Outcome, State

MODEL, LOG, STATE = "model", "decisions.jsonl", "state.sqlite"
_MOST = 500  # outcomes at a time
_messages = logging.getLogger("bakeoff.live.serving")


class Trainer:
    """Learns what the state has for it, in order, each outcome once."""

    def __init__(self, config: Config) -> None:
        self.config, self.folder = config, config.folder
        self.folder.mkdir(parents=True, exist_ok=True)
        service = config.service
        self.log = LogWriter(self.folder / LOG, most_bytes=service.log_bytes, sync=service.sync)
        self.state = State(self.folder / STATE, sync=service.sync)
        self.learner = self._learner()
        self.saved_at, self.saved = 0.0, -1
        self._catch_up()
        self.save()

    def _learner(self) -> Learner:
        """The saved model, or a new one if this is the beginning."""
        path = self.folder / MODEL
        if path.exists():
            learner = Learner.load(path, log=self.log)
        elif self.config.model is not None:
            learner = Learner.load(Path(self.config.model), log=self.log)
        else:
            learner = Learner(**self.config.learner, log=self.log)
        pending = learner.ledger.pending
        pending.feedback = Feedback(limit=1000)  # decisions wait in the state, not here
        for id in learner.pending:
            learner.give_up(id)
        return learner

    def _catch_up(self) -> None:
        """Learn again what came after the model was saved."""
        outcomes = list(self.state.outcomes_after(self.learner.version))
        decided, learned = logged_since(self.folder / LOG, {outcome.id for outcome in outcomes})
        for outcome in outcomes:
            self._learn(outcome, outcome.id in decided, outcome.id in learned)
        if outcomes:
            _messages.info("learned %d outcomes again after a stop", len(outcomes))

    def step(self, now: float | None = None) -> int:
        """Learn what is there to learn; returns how many decisions have ended."""
        now = time.time() if now is None else now
        state, rewards, version = self.state, self.config.rewards, self.learner.version
        outcomes = state.take(version, now, _MOST)
        if len(outcomes) < _MOST:
            before = None if rewards.wait is None else now - rewards.wait
            default = None if rewards.default is None else rewards.scaled(rewards.default)
            version += len(outcomes)
            limit = rewards.limit
            outcomes += state.take_overdue(version, now, before, limit, default, _MOST)
        for outcome in outcomes:
            self._learn(outcome)
        self._count(outcomes)
        if self._is_old(now):
            self.save()
        return len(outcomes)

    def _learn(self, outcome: Outcome, decided: bool = False, learned: bool = False) -> None:
        """Learn an outcome; `decided` and `learned` say which lines the log has already.

        One that does not fit counts as learned, so that versions agree with the state.
        """
        learner, ledger = self.learner, self.learner.ledger
        try:
            decision, _, _ = unpacked(outcome.body)
            ledger.set_time(outcome.decided)
            with _silent(learner, decided):
                learner.admit(decision)
            ledger.set_time(outcome.time)
            if outcome.reward is None:
                learner.give_up(outcome.id)
            else:
                with _silent(learner, learned):
                    learner.learn(outcome.id, reward=outcome.reward)
        except (BakeoffError, ValueError, KeyError) as error:
            learner.give_up(outcome.id)
            _messages.warning("decision %r taught nothing: %s", outcome.id, error)
            self.state.add_counts({"bakeoff_refused_total": 1})
        ledger.version = max(ledger.version, outcome.version)

    def _count(self, outcomes: list[Outcome]) -> None:
        counts = {
            'bakeoff_outcomes_total{kind="reward"}': 0.0,
            'bakeoff_outcomes_total{kind="default"}': 0.0,
            'bakeoff_outcomes_total{kind="given up"}': 0.0,
        }
        for outcome in outcomes:
            kind = "default" if outcome.is_default else "reward"
            kind = "given up" if outcome.reward is None else kind
            counts[f'bakeoff_outcomes_total{{kind="{kind}"}}'] += 1
        if outcomes:
            self.state.add_counts(counts)

    def _is_old(self, now: float) -> bool:
        service, new = self.config.service, self.learner.version - self.saved
        return new >= service.save_every or (new > 0 and now - self.saved_at > service.save_seconds)

    def save(self) -> None:
        """Save the model, from which the other processes decide."""
        learner = self.learner
        learner.ledger.t = max(learner.ledger.t, self.state.decisions())
        learner.save(self.folder / MODEL)
        self.saved, self.saved_at = learner.version, time.time()
        self.state.forget_outcomes(self.saved)
        self.state.set_fact("monitor", json.dumps(self.monitor()))

    def monitor(self) -> dict[str, Any]:
        """What the monitor page shows."""
        statistics = self.learner.monitor()
        if self.learner.n_actions is None:
            statistics["actions"] = []  # positions of a request mean nothing
        return statistics

    def beat(self) -> None:
        """Tell the other processes that this one is alive."""
        self.state.set_fact("beat", repr(time.time()))

    def close(self) -> None:
        """Learn what is left, save, and close everything."""
        while self.step():
            pass
        self.save()
        self.learner.close()
        self.state.close()


@contextmanager
def _silent(learner: Learner, silent: bool) -> Iterator[None]:
    """Write no log if `silent`."""
    log = learner.ledger.log
    if silent:
        learner.ledger.log = None
    try:
        yield
    finally:
        learner.ledger.log = log
