"""Learner: one algorithm in an application, one event at a time.

The same kernels as a simulation, with one lane: fed the events of a simulated run, it
takes the same actions to the last bit. Many threads may use one learner: each call is
one step, and what happens depends only on the order of the steps.
"""

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
from bakeoff.errors import BakeoffError, DataError, SpecError
from bakeoff.live import snapshot
from bakeoff.live.actions import Actions
from bakeoff.live.batch import Batch, costs_of
from bakeoff.live.decision import Decision
from bakeoff.live.decision_log import DecisionLog
from bakeoff.live.encoder import Encoder, Space
from bakeoff.live.engine import Engine, Room
from bakeoff.live.feedback import GIVEN_UP, LEARNED, Feedback, Pending, Waiting
from bakeoff.live.model_file import Arrays, read_model, write_model
from bakeoff.live.settings import loss_scale, run_of
from bakeoff.logs.schema import FORMAT, HEADER
from bakeoff.logs.writer import LogWriter
from bakeoff.runs.run import Run


class Learner:
    """A contextual bandit to run: `choose` an action, `learn` what came of it.

    `explorer` is a spec, a `Run` or its text. Actions have numbers (`n_actions`), names
    (`actions=["sport", "news"]`) or names and features (`actions={"sport": {...}}`);
    with neither, every event brings rows of features of its own actions. `reduction`,
    `learning_rate`, `offset` and `baseline` are those of `Run`. A seed is drawn unless
    one is given. `floor` is the least probability of any action.
    """

    def __init__(
        self,
        explorer: Any,
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
        warm_up: bool = True,
        **settings: Any,
    ) -> None:
        self.run = run_of(explorer, seed, settings)
        self._least_loss = loss_scale(self.run, explorer, settings)
        self._actions = Actions(n_actions, actions)
        _check_floor(floor, self._actions.count)
        self._encoder = Encoder(Space(n_features, bits, interactions), self._actions)
        self._engine = Engine([self.run], self._first_room(), floor)
        self._pending = Pending(feedback or Feedback())
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
    def pending(self) -> list[str]:
        """Ids of the decisions that wait for an outcome, oldest first."""
        with self._lock:
            return list(self._pending.waiting)

    def warm_up(self) -> None:
        """Compile what deciding and learning need: some 15 seconds, once a machine."""
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
            if type(x) is not np.ndarray:
                x = self._encoder.read(x)
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
            waiting = Waiting(given, t, action, p, decision.action, now)
            waiting.is_active = active
            self._pending.waiting[decision.id] = waiting
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
        width, room = self._encoder.width, self._engine.room
        if width is not None and room.n_features <= width:
            self._engine.make_room(room._replace(n_features=width + 1))
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
        decision.probabilities = (
            p.copy() if numbers is None else self._spread(p, numbers)
        )
        decision.available = None if numbers is None else numbers.tolist()
        number = action if numbers is None else numbers.item(action)
        decision.action = number
        names = self._actions.names
        decision.name = None if names is None else names[number]
        decision.seed, decision.version, decision.t = self.run.seed, self.version, t
        decision.context = x
        if isinstance(x, np.ndarray | list | tuple) and not self._encoder.names:
            rows = len(given.start) - 1  # our copy: the caller's array may change
            decision.context = (
                given.value if rows == 1 else given.value.reshape(rows, -1)
            )
        return decision

    def _spread(self, p: Doubles, numbers: Any) -> Doubles:
        """Probabilities of all actions, from those of the available ones."""
        if numbers is None:
            return p
        whole = np.zeros(self._actions.count)
        whole[numbers] = p
        return whole

    def _check_id(self, id: Any) -> None:
        if not isinstance(id, str) or not id:
            raise DataError(f"id must be a text, got {id!r}")
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
            "n_features": self.n_features,
            "spec": str(self.run),
            "adaptive": True,
            "settings": {
                "t": self.t,
                "version": self.version,
                "least_loss": self._least_loss,
                "actions": snapshot.actions_header(mine),
                "space": self._encoder.space._asdict(),
                **snapshot.engine_header(self._engine),
            },
        }

    # Learning

    def learn(
        self,
        decision: Decision | str,
        loss: float | None = None,
        *,
        cost: float | None = None,
        reward: float | None = None,
    ) -> bool:
        """Learn what came of a decision, given by itself or by its id.

        Give a cost in [0, 1], a reward in [0, 1], or a loss: cost + offset, or the cost
        if the learner was made without an offset. Feedback may come late, in any order.
        A second outcome teaches nothing: the result says whether one was learned.
        """
        cost = self._cost(loss, cost, reward)
        with self._lock:
            self._forget_overdue()
            id = _id_of(decision)
            waiting = self._pending.waiting.get(id)
            if waiting is None:
                self._pending.refuse(id)
                return False
            if isinstance(decision, Decision):
                _check_same(decision, waiting)
            self._teach(id, waiting, cost)
            return True

    def _teach(
        self, id: str, waiting: Waiting, cost: float, is_default: bool = False
    ) -> None:
        """Learn from a decision that waits, and let it wait no more."""
        if self._log is not None:
            self._log.outcome(id, cost, self._clock(), is_default)
        self._engine.learn(
            waiting.given, waiting.t, waiting.action, waiting.p, cost + self.run.offset
        )
        self._pending.end(id, LEARNED)
        self.version += 1

    def close(self) -> None:
        """Let go of the log, if there is one."""
        with self._lock:
            if self._log is not None:
                self._log.writer.close()

    def activate(self, decision: Decision | str) -> None:
        """Say that a decision was shown after all."""
        id = _id_of(decision)
        with self._lock:
            if id not in self._pending.waiting:
                raise DataError(f"no decision {id!r} waits for an outcome")
            self._pending.waiting[id].is_active = True

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
                self._teach(id, waiting, 1.0 - feedback.default_reward, True)
                pending.defaulted += 1
            else:
                pending.end(id, GIVEN_UP)
                pending.given_up += 1

    def _cost(self, loss: Any, cost: Any, reward: Any) -> float:
        """The cost, checked, from whichever was given."""
        names = ("loss", "cost", "reward")
        given = [
            (n, v)
            for n, v in zip(names, (loss, cost, reward), strict=True)
            if v is not None
        ]
        if len(given) != 1:
            raise DataError("learn takes one of loss, cost and reward")
        [(what, value)] = given
        if not isinstance(value, Real | np.bool_):
            raise DataError(f"{what} must be a number, got {value!r}")
        low = self._least_loss if what == "loss" else 0.0
        number = float(value)
        if not low <= number <= low + 1:
            why = " (offset to offset + 1)" if what == "loss" else ""
            raise DataError(
                f"{what} must lie between {low:g} and {low + 1:g}{why}, got {number}"
            )
        return 1.0 - number if what == "reward" else number - low

    # Batches

    def choose_batch(self, X: Any) -> Batch:
        """Actions for many contexts (a matrix, or a list of dictionaries) at once.

        For learners whose actions have numbers or names, and are all available.
        """
        with self._lock:
            mine, engine = self._actions, self._engine
            if mine.count == 0 or mine.features is not None or engine.room.apart:
                raise DataError(
                    "choose_batch needs actions without features of their own that "
                    "do not come and go: use choose"
                )
            given = self._fit(self._encoder.batch(X))
            n = len(given.start) - 1
            actions, p = np.empty(n, np.int64), np.empty((n, mine.count))
            engine.choose_all(given, self.t + 1, actions, p.reshape(-1))
            batch = Batch(given, self.t + 1, actions, p, self._session)
            self._log_batch(X, batch)
            self.t += n
            return batch

    def learn_batch(
        self, batch: Batch, loss: Any = None, *, cost: Any = None, reward: Any = None
    ) -> int:
        """Learn what came of a batch, in order; how many outcomes were learned.

        Outcomes that are not a number teach nothing, and never will.
        """
        if sum(value is not None for value in (loss, cost, reward)) != 1:
            raise DataError("learn_batch takes one of loss, cost and reward")
        costs, what, low = costs_of(loss, cost, reward, self._least_loss)
        if costs.shape != (len(batch),):
            raise DataError(f"{what} must have {len(batch)} entries, got {costs.shape}")
        if ((costs < 0) | (costs > 1)).any():
            raise DataError(f"{what} must lie between {low:g} and {low + 1:g}")
        with self._lock:
            if batch.session != self._session:
                raise DataError("the batch is another learner's, or from before a load")
            if batch.is_learned:
                self._pending.repeat("the batch was learned before")
                return 0
            batch.is_learned = True
            return self._teach_batch(batch, costs)

    def _teach_batch(self, batch: Batch, costs: Doubles) -> int:
        there = ~np.isnan(costs)
        if self._log is not None:
            now = self._clock()
            for i in np.flatnonzero(there).tolist():
                self._log.outcome(batch.ids[i], costs.item(i), now, False)
        self._engine.learn_all(
            batch.given,
            batch.rounds,
            batch.actions,
            batch.probabilities.reshape(-1),
            costs + self.run.offset,
        )
        self.version += int(there.sum())
        return int(there.sum())

    def _log_batch(self, X: Any, batch: Batch) -> None:
        """Write the decisions of a batch, one by one."""
        if self._log is None:
            return
        now = self._clock()
        rows = X if isinstance(X, list) else [X[[i]] for i in range(len(batch))]
        for i, (x, action) in enumerate(zip(rows, batch.actions.tolist(), strict=True)):
            p = batch.probabilities[i]
            decision = Decision(
                action, p, context=x, id=batch.ids[i], name=self._actions.name(action),
                seed=self.run.seed, version=self.version, t=batch.t + i,
            )  # fmt: skip
            self._log.decision(decision, action, now, None, None)

    # Files

    def save(self, path: str | Path) -> None:
        """Write all that this learner is to a file; it appears at once, or not at all.

        Decisions that wait for an outcome are part of it.
        """
        with self._lock:
            header, arrays = self._snapshot()
        write_model(Path(path), header, arrays)

    def _snapshot(self) -> tuple[dict[str, Any], Arrays]:
        header = {
            "run": str(self.run),
            "least_loss": self._least_loss,
            "t": self.t,
            "version": self.version,
            "actions": snapshot.actions_header(self._actions),
            "encoder": snapshot.encoder_header(self._encoder),
            "engine": snapshot.engine_header(self._engine),
            "pending": snapshot.feedback_header(self._pending),
        }
        arrays = snapshot.engine_arrays(self._engine)
        return header, arrays | snapshot.pending_arrays(self._pending)

    @classmethod
    def load(
        cls,
        path: str | Path,
        *,
        seed: int | None = None,
        log: str | Path | LogWriter | None = None,
        warm_up: bool = True,
    ) -> "Learner":
        """The learner in a file: it goes on as if it had never stopped, bit for bit.

        Copies that should explore differently each get a `seed`.
        """
        header, arrays = read_model(Path(path))
        try:
            learner = cls.__new__(cls)
            learner._restore(header, arrays, seed)
            learner._start_session(log)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, BakeoffError) and not isinstance(error, DataError):
                raise
            raise DataError(
                f"{path} is damaged or not a learner: {error!s:.100}; "
                f"load an earlier copy"
            ) from None
        if warm_up:
            learner.warm_up()
        return learner

    def _restore(
        self, header: dict[str, Any], arrays: Arrays, seed: int | None
    ) -> None:
        self.run = run_of(Run.from_text(header["run"]), seed, {})
        self._least_loss = float(header["least_loss"])
        self.t, self.version = int(header["t"]), int(header["version"])
        self._engine = snapshot.restored_engine(header["engine"], arrays, self.run)
        snapshot.check_count(header["actions"], self._engine.room)
        self._actions = snapshot.restored_actions(header["actions"])
        _check_floor(self._engine.floor, self._actions.count)
        self._encoder = snapshot.restored_encoder(header["encoder"], self._actions)
        room = self._engine.room
        self._pending = snapshot.restored_pending(header["pending"], arrays, room)

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


def _id_of(decision: Any) -> str:
    """The id of a decision, which may be given by itself."""
    id = decision.id if isinstance(decision, Decision) else decision
    if not isinstance(id, str):
        raise DataError(f"learn takes a decision or its id, got {decision!r:.80}")
    return id


def _check_same(decision: Decision, waiting: Waiting) -> None:
    """Refuse a decision that is not as it was made."""
    made = waiting.number, waiting.p.item(waiting.action)
    if (decision.action, decision.probability) != made:
        raise DataError(
            f"decision {decision.id!r} was action {made[0]} with probability {made[1]}"
            f", not action {decision.action} with probability {decision.probability}"
        )


def _check_floor(floor: Any, n_actions: int) -> None:
    most = 1.0 / max(n_actions, 1)
    if not isinstance(floor, Real) or not 0 <= float(floor) <= most:
        raise SpecError(f"floor must lie between 0 and {most:.4g}, got {floor!r}")
