"""Trainer: the one process that learns, saves the model, and writes the decision log."""

import json
import logging
import time
from collections import deque
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bakeoff.basics.errors import BakeoffError, ResultsError, SpecError
from bakeoff.live import Feedback, Learner, LogWriter
from bakeoff.live.serving.config import Config
from bakeoff.live.serving.packing import unpacked
from bakeoff.live.serving.rollouts import FACT, Trial
from bakeoff.live.serving.state import Outcome, State
from bakeoff.reading.logs import DECISION, OUTCOME, placed_records_of

MODEL, LOG, STATE = "model", "decisions.jsonl", "state.sqlite"
_MOST = 500  # outcomes at a time
_messages = logging.getLogger("bakeoff.live.serving")


class Trainer:
    """Learns what the state has for it, in order, each outcome once."""

    def __init__(self, config: Config) -> None:
        self.config, self.folder = config, config.make_folder()
        service = config.service
        self.log = LogWriter(
            self.folder / LOG,
            most_bytes=service.log_bytes,
            sync=service.sync,
            without=service.left_out,
        )
        self.state = State(self.folder / STATE, sync=service.sync)
        self.state.check()
        self.learner = self._learner()
        self.trial = None
        if config.rollout is not None:
            self.trial = Trial(config, self.state, self.learner)
        else:
            self.state.forget_fact(FACT)
        self.saved_at, self.unsaved = 0.0, 0
        self._taken: deque[Outcome] = deque()  # of the state, not learned yet
        self._catch_up()
        self.save()

    def _learner(self) -> Learner:
        """The saved model, or a new one if this is the beginning."""
        path, rewards = self.folder / MODEL, (self.config.rewards.low, self.config.rewards.high)
        if path.exists():
            learner = Learner.load(path, log=self.log)
        elif self.config.model is not None:
            learner = Learner.load(Path(self.config.model), log=self.log)
        else:
            learner = Learner(**self.config.learner, log=self.log, reward_range=rewards)
        if learner.reward_range != rewards:
            low, high = learner.reward_range
            raise SpecError(
                f"the model's rewards lie between {low:g} and {high:g}: write [rewards] "
                f"low = {low:g} and high = {high:g}"
            )
        pending = learner.ledger.pending
        pending.feedback = Feedback(limit=1000)  # decisions wait in the state, not here
        for id in learner.pending:
            learner.give_up(id)
        return learner

    def _catch_up(self) -> None:
        """Learn again what came after the model was saved."""
        version = self.learner.version
        if self.trial is not None:
            version = min(version, self.trial.least_version)
        outcomes = [*self.state.outcomes_after(version), *self.state.given_up()]
        decided, learned = _logged(self.folder / LOG, {outcome.id for outcome in outcomes})
        for outcome in outcomes:
            self._learn(outcome, outcome.id in decided, outcome.id in learned)
        if outcomes:
            _messages.info("learned %d outcomes again after a stop", len(outcomes))

    def step(self, now: float | None = None) -> int:
        """Learn what is there to learn; returns how many decisions have ended.

        If the log cannot be written, the next call goes on where this one ended.
        """
        now = time.time() if now is None else now
        if not self._taken:
            self._take(now)
        n = len(self._taken)
        while self._taken:
            self._learn(self._taken[0])
            self._taken.popleft()
            self.unsaved += 1
        if self._is_old(now):
            self.save()
        return n

    def _take(self, now: float) -> None:
        """Take outcomes from the state."""
        state, rewards, version = self.state, self.config.rewards, self.learner.version
        outcomes = state.take(version, now, _MOST)
        self._taken += outcomes
        if len(outcomes) < _MOST:
            before = None if rewards.wait is None else now - rewards.wait
            version += len(outcomes)
            limit, default = rewards.limit, rewards.default
            self._taken += state.take_overdue(version, now, before, limit, default, _MOST)
        self._count(self._taken)

    def _learn(self, outcome: Outcome, decided: bool = False, learned: bool = False) -> None:
        """Learn an outcome; `decided` and `learned` say which lines the log has already.

        One that does not fit counts as learned, so that versions agree with the state.
        """
        learner, ledger = self.learner, self.learner.ledger
        try:
            noted = unpacked(outcome.body)
            if outcome.reward is None or outcome.version > ledger.version:
                ledger.set_time(outcome.decided)
                with _silent(learner, decided):
                    if outcome.id not in ledger.pending.waiting:  # as after a full disk
                        learner.admit(noted.decision)
                ledger.set_time(outcome.time)
                if outcome.reward is None:
                    learner.give_up(outcome.id)
                else:
                    with _silent(learner, learned):
                        learner.learn(outcome.id, reward=outcome.reward)
            if self.trial is not None and outcome.reward is not None:
                self.trial.learn(outcome, noted)
        except ResultsError:
            raise  # it is learned when the log can be written again
        except (BakeoffError, ValueError, KeyError) as error:
            learner.give_up(outcome.id)
            _messages.warning("decision %r taught nothing: %s", outcome.id, error)
            self.state.add_counts({"bakeoff_refused_total": 1})
        ledger.version = max(ledger.version, outcome.version)

    def _count(self, outcomes: Collection[Outcome]) -> None:
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
        service, new = self.config.service, self.unsaved
        is_recent = 0 <= now - self.saved_at <= service.save_seconds  # clocks may be set back
        return new >= service.save_every or (new > 0 and not is_recent)

    def save(self) -> None:
        """Save the model, from which the other processes decide."""
        learner = self.learner
        t = self.state.decisions()
        learner.ledger.t = max(learner.ledger.t, t)
        learner.save(self.folder / MODEL)
        if self.trial is not None:
            self.trial.save(t)
        self.unsaved, self.saved_at = 0, time.time()
        self.state.forget_outcomes(learner.version)
        self.state.set_fact("monitor", json.dumps(self.monitor()))

    def monitor(self) -> dict[str, Any]:
        """What the monitor page shows."""
        statistics = {**self.learner.monitor(), "pending": self.state.count("pending")}
        statistics["time"] = time.time()
        if self.learner.n_actions is None:
            statistics["actions"] = []  # positions of a request mean nothing
        if self.trial is not None:
            statistics["rollout"] = self.trial.stages.report()
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


def _logged(log: Path, ids: set[str]) -> tuple[set[str], set[str]]:
    """Which of some ids have a decision in the log, and which have an outcome."""
    decided: set[str] = set()
    learned: set[str] = set()
    if not ids or not log.exists():
        return decided, learned
    for _, record in placed_records_of(log):
        if record.get("id") in ids:
            if record["kind"] == DECISION:
                decided.add(record["id"])
            elif record["kind"] == OUTCOME:
                learned.add(record["id"])
    return decided, learned
