"""Deciding: actions for contexts, and decisions that wait for their outcome."""

import secrets
import threading
import time
from collections.abc import Sequence
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.core.arrays import Doubles
from bakeoff.core.live import Given
from bakeoff.errors import DataError, SpecError
from bakeoff.live import snapshot
from bakeoff.live.actions import Actions
from bakeoff.live.contexts import plain
from bakeoff.live.decision import Decision
from bakeoff.live.decision_log import DecisionLog
from bakeoff.live.encoder import Encoder, Space
from bakeoff.live.engine import Engine, Room
from bakeoff.live.feedback import GIVEN_UP, LEARNED, Feedback, Pending, Waiting
from bakeoff.live.monitor import Monitor
from bakeoff.live.settings import lanes_of, loss_scale, run_of
from bakeoff.logs.schema import FORMAT, HEADER
from bakeoff.logs.writer import LogWriter
from bakeoff.problems.features import Features

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
        self._lock = threading.RLock()
        self._learns = True  # or another process does, and this one decides only
        self._fits = False  # whether weights have room for all features there can be
        self._stamp: tuple[int, ...] = ()  # of the file that was loaded last
        self._reloading = threading.Lock()
        self._clock = time.time

    def _first_room(self) -> Room:
        """As little as can be: arrays grow with the first event."""
        shared = self._actions.count == 0 or self._actions.features is not None
        n_actions = max(self._actions.count, 2)
        return Room(1, n_actions, 1, apart=False, shared=shared)

    def __repr__(self) -> str:
        return (
            f"Learner({self.run}, n_actions={self.n_actions}, t={self.t}, "
            f"version={self.version})"
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
        with self._lock:
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
        with self._lock:
            if id is not None:
                self._check_id(id)
            if type(x) is not np.ndarray and type(x) is not dict:
                x = plain(x)
            given, numbers = self._event(x, available, actions)
            t = self.t + 1
            p, action = self._draw(given, numbers, t)
            decision = self._decision(x, id, t, p, action, numbers, given)
            now = self._clock()
            if self._log is not None:
                self._log.decision(
                    decision, action, now, actions, self._actions.features
                )
            self.t = t
            if self._learns:
                waiting = Waiting(given, t, action, p, decision.action, now)
                waiting.is_active = active
                self._pending.waiting[decision.id] = waiting
            self._monitor.decided(decision.action)
            self._forget_overdue()
            return decision

    def probabilities(
        self, x: Any, *, available: Any = None, actions: Sequence[Any] | None = None
    ) -> Doubles:
        """How likely each action would be now; nothing changes."""
        with self._lock:
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

    def _event(
        self, x: Any, available: Any, actions: Sequence[Any] | None
    ) -> tuple[Given, Any]:
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
            return self._fit(self._encoder.by_number(x)), None
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
        self,
        x: Any,
        id: str | None,
        t: int,
        p: Doubles,
        action: int,
        numbers: Any,
        given: Given,
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
        decision.context = x
        if type(x) is not dict:
            decision.context = self._kept(x, given)
        return decision

    def _kept(self, x: Any, given: Given) -> Any:
        """A context that stays as it is: our copy, if the caller's may change."""
        is_coded = self._encoder.names or self._encoder.columns
        if is_coded or not isinstance(x, _ARRAYS):
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

    def _check_id(self, id: Any) -> None:
        if not isinstance(id, str) or not id:
            raise DataError(f"id must be a string, got {id!r}")
        if self._pending.knows(id):
            raise DataError(f"there is a decision {id!r} already")

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
        if self._log is not None:
            self._log.outcome(id, cost, self._clock(), reward, is_default)
        self._engine.learn(
            waiting.given, waiting.t, waiting.action, waiting.p, cost + self.run.offset
        )
        self._pending.end(id, LEARNED)
        p = waiting.p.item(waiting.action)
        self._monitor.learned(waiting.number, cost, p)
        self.version += 1

    def close(self) -> None:
        """Let go of the log, if there is one."""
        with self._lock:
            if self._log is not None:
                self._log.writer.close()

    def forget_overdue(self) -> int:
        """Let decisions go that have waited too long; how many there were.

        `choose` and `learn` do so, too.
        """
        with self._lock:
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
                pending.defaulted += 1
            else:
                pending.end(id, GIVEN_UP)
                pending.given_up += 1

    # Actions that come and go

    def add_action(self, name: str | None = None, features: Any = None) -> int:
        """Let there be one more action, or a retired one again; its number."""
        with self._lock:
            self._check_own_actions()
            number = self._actions.add(name, features)
            self._actions_changed()
            if self._actions.features is None:
                self._separate()
                room = self._engine.room
                if number >= room.n_actions:
                    self._engine.make_room(room._replace(n_actions=number + 1))
            return number

    def retire_action(self, action: Any) -> None:
        """Choose an action no more; what was learned of it stays."""
        with self._lock:
            self._check_own_actions()
            self._actions.retire(action)
            self._actions_changed()
            if self._actions.features is None:
                self._separate()

    def _actions_changed(self) -> None:
        if self._log is not None:
            self._log.restart()  # with a header of the new actions

    def _separate(self) -> None:
        """Lay out weights so that actions may come and go; see engine.py."""
        room = self._engine.room
        if room.apart:
            return
        self._engine.move_to(room._replace(apart=True))
        everyone = np.arange(room.n_actions)
        first = np.array([0, room.n_actions])
        for waiting in self._pending.waiting.values():
            waiting.given = waiting.given._replace(first=first, actions=everyone)

    def _check_own_actions(self) -> None:
        if self._actions.count == 0:
            raise DataError("every event brings its own actions here")


def check_floor(floor: Any, n_actions: int) -> None:
    """Refuse a floor that cannot be kept."""
    most = 1.0 / max(n_actions, 1)
    if not isinstance(floor, Real) or not 0 <= float(floor) <= most:
        raise SpecError(f"floor must lie between 0 and {most:.4g}, got {floor!r}")
