"""Deciding: actions for contexts, and decisions that wait for their outcome."""

import secrets
import threading
import time
from collections.abc import Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.basics.errors import BakeoffError, DataError, SpecError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles
from bakeoff.data import Features
from bakeoff.live import snapshot
from bakeoff.live.actions import Actions
from bakeoff.live.contexts import is_text, plain
from bakeoff.live.decision import Decision
from bakeoff.live.decision_log import DecisionLog
from bakeoff.live.encoder import Encoder, Space
from bakeoff.live.engine import Engine, Room
from bakeoff.live.feedback import GIVEN_UP, LEARNED, Feedback, Pending, Waiting
from bakeoff.live.log_writer import Lines, LogWriter
from bakeoff.live.monitor import Monitor
from bakeoff.live.settings import fresh_seed, lanes_of, loss_scale, run_of
from bakeoff.live.steps import Steps, watch_forks
from bakeoff.reading.logs import FORMAT, HEADER

_ARRAYS = (np.ndarray, list, tuple)


class Deciding:
    """A learner that decides; see `Learner`."""

    def __init__(
        self,
        explorer: Any = None,
        n_actions: int | None = None,
        *,
        actions: Any = None,
        seed: int | None = None,
        n_features: int | None = None,
        bits: int | None = 18,
        interactions: bool = True,
        floor: float = 0.0,
        feedback: Feedback | None = None,
        log: str | Path | LogWriter | None = None,
        columns: Features | None = None,
        warm_up: bool = True,
        **settings: Any,
    ) -> None:
        finds_rate = settings.get("learning_rate") == "auto"
        if finds_rate:
            settings.pop("learning_rate")
        self.run = run_of(explorer, seed, settings)
        self._least_loss = loss_scale(self.run, explorer, settings)
        self._actions = Actions(n_actions, actions)
        check_floor(floor, self._actions.count)
        space = Space(n_features, bits, interactions)
        self._encoder = Encoder(space, self._actions, columns)
        lanes = lanes_of(self.run, finds_rate)
        self._engine = Engine(lanes, self._first_room(), floor)
        self._pending = Pending(feedback or Feedback())
        self._monitor = Monitor()
        self.t = 0  # rounds so far
        self.version = 0  # outcomes learned so far
        self._start_session(log)
        if warm_up:
            self.warm_up()

    def _start_session(self, log: str | Path | LogWriter | None) -> None:
        """What a learner has in one process alone."""
        self._log = None if log is None else DecisionLog(log, self._log_header)
        self._session = secrets.token_hex(5)  # ids begin with it
        self._steps = Steps()
        self._learns = True  # or another process does, and this one decides only
        self._fits = False  # whether weights have room for all features there can be
        self._is_plain = False  # and all actions are there, with blocks of weights
        self._stamp: tuple[int, ...] = ()  # of the file that was loaded last
        self._reloading = threading.Lock()
        self._clock = time.time
        watch_forks(self)

    def _forked(self) -> None:
        """In a copy of the process: ids, draws and a lock of its own, and no log."""
        self._steps, self._reloading = Steps(), threading.Lock()
        self._session = secrets.token_hex(5)
        self.run = run_of(self.run, fresh_seed(), {})
        self._engine.reseed(self.run.seed)
        if self._log is not None:
            self._log.writer.disown()

    @property
    def _lock(self) -> threading.RLock:
        return self._steps.lock

    def _first_room(self) -> Room:
        """As little as can be: arrays grow with the first event."""
        shared = self._actions.count == 0 or self._actions.features is not None
        n_actions = max(self._actions.count, 2)
        return Room(1, n_actions, 1, apart=False, shared=shared)

    def __repr__(self) -> str:
        return (
            f"Learner({self.run}, n_actions={self.n_actions}, t={self.t}, version={self.version})"
        )

    @property
    def n_actions(self) -> int | None:
        """How many actions there are; none if each event brings its own."""
        return self._actions.count or None

    @property
    def actions(self) -> list[str] | None:
        """Names of the actions, if they have names."""
        return None if self._actions.names is None else list(self._actions.names)

    @property
    def n_features(self) -> int | None:
        """Length of contexts that are arrays, once it is known."""
        return self._encoder.n_features

    @property
    def seed(self) -> int:
        """Of all draws."""
        return self.run.seed

    @property
    def learning_rate(self) -> float:
        """The one it decides by: its own, or with "auto" the best so far."""
        cost, weight = self._engine.progress
        best = int(np.argmin((cost + 0.5) / (weight + 1.0)))
        return self._engine.runs[best].learning_rate

    @property
    def pending(self) -> list[str]:
        """Ids of the decisions that wait for an outcome, oldest first."""
        with self._steps.lock:
            self._steps.settle()
            return list(self._pending.waiting)

    def warm_up(self) -> None:
        """Compile what deciding and learning need: 10 to 30 seconds, once a machine."""
        self._engine.warm_up()

    # Deciding

    def choose(
        self,
        x: Any,
        *,
        available: Any = None,
        actions: Sequence[Any] | None = None,
        id: str | None = None,
        active: bool = True,
    ) -> Decision:
        """An action for context `x`, drawn with the probability it reports.

        `available` are the names or numbers of the actions there are, or a mask of
        flags; `actions` are the features of the event's own actions. `id` is a name for
        the decision, made up unless given. With `active=False` the decision counts as
        not shown until `activate` is called.
        """
        steps = self._steps
        with steps.lock:
            if steps.under_way is not None:
                steps.settle()
            if id is not None:
                id = self._checked_id(id)
            if type(x) is not np.ndarray and type(x) is not dict:
                x = plain(x)
            if available is None is actions and self._is_plain:
                given, numbers = self._encoder.by_number(x), None
            else:
                given, numbers = self._event(x, available, actions)
            t = self.t + 1
            p, action = self._draw(given, numbers, t)
            decision = self._decision(x, id, t, p, action, numbers, given)
            now = self._clock()
            waiting = Waiting(given, t, action, p, decision.action, now)
            waiting.is_active = active
            lines = None
            if self._log is not None:
                features = self._actions.features
                line = self._log.decision(decision, action, now, actions, features)
                lines = Lines(line)
            steps.under_way = (self._decide, decision.id, waiting, lines)
            try:  # `steps.do`, without the time it takes
                self._decide(decision.id, waiting, lines)
            except BakeoffError:
                steps.under_way = None
                raise
            steps.under_way = None
            self._forget_overdue()
            return decision

    def _decide(self, id: str, waiting: Waiting, lines: Lines | None) -> None:
        """The step of a decision."""
        if lines is not None and self._log is not None:
            self._log.put(lines)
        if self._learns:
            self._pending.waiting[id] = waiting
        if waiting.t > self.t:
            sums = self._monitor.sums(waiting.number)
            sums.decisions, self.t = sums.decisions + 1, waiting.t

    def probabilities(
        self, x: Any, *, available: Any = None, actions: Sequence[Any] | None = None
    ) -> Doubles:
        """How likely each action would be now; nothing changes."""
        with self._steps.lock:
            self._steps.settle()
            given, numbers = self._event(x, available, actions)
            p, _ = self._draw(given, numbers, self.t + 1)
            return self._spread(p, numbers)

    def _draw(self, given: Given, numbers: Any, t: int) -> tuple[Doubles, int]:
        """Probabilities of the event's actions, and the position of the one drawn."""
        if len(given.first):
            p = np.empty(given.first.item(1))
        else:
            p = np.empty(self._actions.count)
        return p, self._engine.choose(given, t, p)

    def _event(self, x: Any, available: Any, actions: Sequence[Any] | None) -> tuple[Given, Any]:
        """The event for the engine, and the numbers of its actions if not all."""
        mine = self._actions
        if mine.count == 0:
            if available is not None:
                raise DataError("available needs actions with names or numbers")
            return self._fit(self._encoder.own(x, actions)), None
        if actions is not None:
            raise DataError("this learner has actions of its own: leave out actions=")
        if mine.features is not None:
            numbers = mine.available(available)
            return self._fit(self._encoder.by_features(x, numbers)), numbers
        if available is None and not self._engine.room.apart:
            given = self._fit(self._encoder.by_number(x))
            self._is_plain = self._fits
            return given, None
        numbers = mine.available(available)
        if not self._engine.room.apart:
            self._fit(self._encoder.by_number(x))
            self._separate()
        return self._fit(self._encoder.among(x, numbers)), numbers

    def _fit(self, given: Given) -> Given:
        """Make room for all features there can be, once that is known."""
        if self._fits:
            return given
        width, room = self._encoder.width, self._engine.room
        if width is not None:
            if room.n_features <= width:
                self._engine.make_room(room._replace(n_features=width + 1))
            self._fits = True
        return given

    def _decision(
        self, x: Any, id: str | None, t: int, p: Doubles, action: int, numbers: Any, given: Given
    ) -> Decision:
        """The decision as a user gets it."""
        decision = Decision.__new__(Decision)
        decision.id = f"{self._session}-{t}" if id is None else id
        decision.probability = p.item(action)
        if numbers is None:
            decision.probabilities, decision.available = p.copy(), None
            number = action
        else:
            decision.probabilities = self._spread(p, numbers)
            decision.available = numbers.tolist()
            number = numbers.item(action)
        decision.action = number
        names = self._actions.names
        decision.name = None if names is None else names[number]
        decision.seed, decision.version, decision.t = self.run.seed, self.version, t
        if type(x) is dict:
            decision.context = x
        else:
            decision.context = self._kept(x, given)
        return decision

    def _kept(self, x: Any, given: Given) -> Any:
        """A context that stays as it is: our copy, if the caller's may change."""
        if self._encoder.names or self._encoder.columns:
            return x
        if type(x) is np.ndarray and x.ndim == 1:
            return given.value
        if not isinstance(x, _ARRAYS):
            return x
        rows = len(given.start) - 1
        return given.value if rows == 1 else given.value.reshape(rows, -1)

    def _spread(self, p: Doubles, numbers: Any) -> Doubles:
        """Probabilities of all actions, from those of the available ones."""
        if numbers is None:
            return p
        whole = np.zeros(self._actions.count)
        whole[numbers] = p
        return whole

    def _checked_id(self, id: Any) -> str:
        """An id that a decision may have."""
        if not isinstance(id, str) or not id or not is_text(id):
            raise DataError(f"id must be a string that UTF-8 can hold, got {id!r:.80}")
        id = str.__str__(id)  # and no subclass, which may be equal to nothing
        if self._pending.knows(id):
            raise DataError(f"there is a decision {id!r} already")
        return id

    def _log_header(self) -> dict[str, Any]:
        """The first line of this learner's log."""
        mine = self._actions
        has_own = mine.count == 0 or mine.features is not None
        return {
            "kind": HEADER,
            "format": FORMAT,
            "actions": None if has_own else mine.names,
            "n_actions": None if has_own else mine.count,
            "n_features": None if self._encoder.columns else self.n_features,
            "spec": str(self.run),
            "adaptive": True,
            "settings": {
                "t": self.t,
                "version": self.version,
                "least_loss": self._least_loss,
                "actions": snapshot.actions_header(mine),
                **snapshot.encoder_header(self._encoder),
                **snapshot.engine_header(self._engine),
            },
        }

    def _teach(
        self,
        id: str,
        waiting: Waiting,
        cost: float,
        reward: float | None = None,
        is_default: bool = False,
    ) -> None:
        """Learn from a decision that waits, and let it wait no more."""
        lines = None
        if self._log is not None:
            line = self._log.outcome(id, cost, self._clock(), reward, is_default)
            lines = Lines(line)
        steps, version = self._steps, self.version + 1
        steps.under_way = (self._learn, id, waiting, cost, lines, version, is_default)
        try:  # `steps.do`, without the time it takes
            self._learn(id, waiting, cost, lines, version, is_default)
        except BakeoffError:
            steps.under_way = None
            raise
        steps.under_way = None

    def _learn(
        self,
        id: str,
        waiting: Waiting,
        cost: float,
        lines: Lines | None,
        version: int,
        is_default: bool,
    ) -> None:
        """The step of an outcome."""
        if lines is not None and self._log is not None:
            self._log.put(lines)
        engine, action = self._engine, waiting.action
        if not waiting.is_prepared:
            engine.prepare(waiting.t, action, cost + self.run.offset)
            waiting.is_prepared = True
        engine.learn_prepared(waiting.given, waiting.p)
        self._pending.end(id, LEARNED)
        p = waiting.p.item(action)
        self._monitor.learned(waiting.number, cost, p, version)
        if self.version < version:
            self._pending.defaulted += is_default
            self.version = version

    def close(self) -> None:
        """Let go of the log, if there is one."""
        with self._steps.lock:
            self._steps.settle()
            if self._log is not None:
                self._log.writer.close()

    def forget_overdue(self) -> int:
        """Let decisions go that have waited too long; how many there were.

        `choose` and `learn` do so, too.
        """
        with self._steps.lock:
            self._steps.settle()
            before = len(self._pending.waiting)
            self._forget_overdue()
            return before - len(self._pending.waiting)

    def _forget_overdue(self) -> None:
        pending = self._pending
        feedback = pending.feedback
        if feedback.wait is None and len(pending.waiting) <= feedback.limit:
            return
        for id in pending.overdue(self._clock()):
            waiting = pending.waiting[id]
            if feedback.default_reward is not None and waiting.is_active:
                reward = feedback.default_reward
                self._teach(id, waiting, 1.0 - reward, reward, is_default=True)
            else:
                pending.end(id, GIVEN_UP)

    # Actions that come and go

    def add_action(self, name: str | None = None, features: Any = None) -> int:
        """Let there be one more action, or a retired one again; its number."""
        with self._steps.lock:
            self._steps.settle()
            self._check_own_actions()
            actions = self._actions.copy()
            number = actions.add(name, features)
            if actions.features is not None:
                self._encoder.row(actions.features[number])  # or it is refused
            self._change_actions(actions)
            return number

    def retire_action(self, action: Any) -> None:
        """Choose an action no more; what was learned of it stays."""
        with self._steps.lock:
            self._steps.settle()
            self._check_own_actions()
            actions = self._actions.copy()
            actions.retire(action)
            self._change_actions(actions)

    def _change_actions(self, actions: Actions) -> None:
        """Have other actions from now on, which fit the weights."""
        if actions.features is None:
            self._separate()
            room = self._engine.room
            if actions.count > room.n_actions:
                self._engine.make_room(room._replace(n_actions=actions.count))
        if self._log is not None:
            self._log.restart()  # with a header of the new actions
        self._actions = self._encoder.actions = actions

    def _separate(self) -> None:
        """Lay out weights so that actions may come and go; see engine.py."""
        if not self._engine.room.apart:
            self._steps.do(self._lay_out_apart)

    def _lay_out_apart(self) -> None:
        """The step of `_separate`."""
        room = self._engine.room
        if not room.apart:
            self._is_plain = False
            self._engine.move_to(room._replace(apart=True))
        everyone = np.arange(room.n_actions)
        first = np.array([0, room.n_actions])
        for waiting in self._pending.waiting.values():
            if not len(waiting.given.first):
                waiting.given = waiting.given._replace(first=first, actions=everyone)

    def _check_own_actions(self) -> None:
        if self._actions.count == 0:
            raise DataError("every event brings its own actions here")


def check_floor(floor: Any, n_actions: int) -> None:
    """Refuse a floor that cannot be kept."""
    most = 1.0 / max(n_actions, 1)
    if not isinstance(floor, Real) or not 0 <= float(floor) <= most:
        raise SpecError(f"floor must lie between 0 and {most:.4g}, got {floor!r}")
