"""Model: what a learner decides by. It is saved, and `reload` replaces it as a whole."""

import itertools
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.basics.notices import notify
from bakeoff.core.live import Given
from bakeoff.core.safeguards import State as Safeguarded
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Features, Range, is_integer
from bakeoff.live.actions import Actions, Prior
from bakeoff.live.contexts import DOUBLE, NONE
from bakeoff.live.contexts import numbers as as_numbers
from bakeoff.live.decision import Decision, check_probability
from bakeoff.live.encoder import Encoder, Space
from bakeoff.live.engine import Engine, Room
from bakeoff.live.feedback import Waiting
from bakeoff.live.paired import Paired, stacked
from bakeoff.live.settings import default_of, fresh_seed, lanes_of, loss_scale, run_of
from bakeoff.runs import RAW, Run

_ARRAYS = (np.ndarray, list, tuple)
_NO_PRODUCTS = (
    "products of an action's features with a context's cannot be centred: give inputs='raw'"
)


class Model:
    """Actions, the encoder of their events, and the engine that scores and learns.

    An event among all actions has no list of actions. Otherwise `numbers` are the
    actions of the event, and probabilities and positions refer to this list.
    """

    def __init__(
        self,
        run: Run,
        least_loss: float,
        actions: Actions,
        encoder: Encoder,
        engine: Engine,
        rewards: Range,
    ) -> None:
        self.run, self.least_loss = run, least_loss
        self.rewards = rewards  # where rewards lie
        self.actions, self.encoder, self.engine = actions, encoder, engine
        self._has_room = False  # for all features that events can have
        self._is_floor_known = False  # to leave nothing to choose
        self._is_simple = False  # the above, and every event is among all actions

    @classmethod
    def from_settings(
        cls,
        explorer: Any,
        actions: Actions,
        space: Space,
        *,
        seed: int | None,
        floor: float,
        columns: Features | None,
        rewards: Range,
        settings: dict[str, Any],
    ) -> "Model":
        """A model that has learned nothing."""
        tunes_rate = settings.get("learning_rate") == "auto"
        if tunes_rate:
            settings = {**settings, "learning_rate": None}
        shared = actions.count == 0 or actions.features is not None
        if explorer is None:
            explorer = default_of(shared and space.interactions, settings)
        run = run_of(explorer, seed, settings)
        check_floor(floor, actions.count)
        if run.inputs != RAW and actions.features is not None and space.interactions:
            raise SpecError(f"{_NO_PRODUCTS}, or interactions=False")
        encoder = Encoder(space, columns)
        smallest = Room(1, max(actions.count, 2), 1, apart=False, shared=shared)
        engine = Engine(lanes_of(run, tunes_rate), smallest, floor)
        least_loss = loss_scale(run, explorer, settings)
        return cls(run, least_loss, actions, encoder, engine, rewards)

    @property
    def _maps_products(self) -> bool:
        """Whether products of features would have to be centred."""
        return self.run.inputs != RAW and self.encoder.space.interactions

    @property
    def learning_rate(self) -> float:
        """The learning rate with the lowest estimated cost so far."""
        return self.engine.runs[self._leading].learning_rate

    @property
    def restarts(self) -> int:
        """How often that regression has started anew since costs rose."""
        state = self.engine.state
        return int(state.restarts[self._leading]) if isinstance(state, Safeguarded) else 0

    @property
    def _leading(self) -> int:
        cost, weight = self.engine.progress
        return int(np.argmin((cost + 0.5) / (weight + 1.0)))

    def reseed(self) -> None:
        """Draw by a fresh seed from now on."""
        self.run = run_of(self.run, fresh_seed(), {})
        self.engine.reseed(self.run.seed)

    # Events

    def event(
        self, x: Any, available: Any = None, actions: Sequence[Any] | None = None
    ) -> tuple[Given | Paired, Ints | None]:
        """An event as the engine takes it, and the numbers of its actions unless all."""
        if available is None is actions and self._is_simple:
            return self.encoder.by_number(x), None
        mine = self.actions
        if mine.count == 0:
            if available is not None:
                raise DataError("available needs actions with names or numbers")
            if actions is not None is not x and self._maps_products:
                raise DataError(f"{_NO_PRODUCTS}, or no context beside the actions")
            return self._with_features(self.encoder.own(x, actions)), None
        if actions is not None:
            raise DataError("this learner has actions of its own: leave out actions=")
        if mine.features is not None:
            numbers = mine.available(available)
            paired = self.encoder.by_features(x, numbers, mine.features)
            return self._with_features(paired), numbers
        if available is None and not self.engine.room.apart:
            event = self._with_room(self.encoder.by_number(x))
            self._is_simple = self._has_room
            return event, None
        numbers = mine.available(available)
        event = self._with_room(self.encoder.among(x, numbers))
        self.separate_actions()
        return event, numbers

    def event_to_judge(
        self, x: Any, available: Any = None, actions: Sequence[Any] | None = None
    ) -> tuple[Given | Paired, Ints | None]:
        """The same, where actions with features need not be those of the learner."""
        if actions is None or self.actions.features is None:
            return self.event(x, available, actions)
        if available is not None:
            raise DataError("give available or actions, not both")
        return self._with_features(self.encoder.own(x, actions)), None

    def _with_features(self, event: Given | Paired) -> Given | Paired:
        """Make room for an event of actions with features, whose inputs may be mapped."""
        self._make_room()
        if self.engine.floor > 0.0 and not self._is_floor_known:
            self._look_at_floor(event.first.item(1))
        if isinstance(event, Paired) and self.engine.inputs is not None:
            return event.crossed()
        return event

    def _look_at_floor(self, n_actions: int) -> None:
        """Say once that the floor leaves nothing to choose."""
        if n_actions > 1 and n_actions * self.engine.floor >= 1.0:
            self._is_floor_known = True
            notify(
                f"an event has {n_actions} actions, so floor={self.engine.floor:g} makes all of "
                f"them equally likely; a floor well below {1 / n_actions:.2g} leaves a choice"
            )

    def batch_event(self, X: Any) -> Given:
        """Many events among all actions."""
        if self.actions.count == 0 or self.actions.features is not None or self.engine.room.apart:
            raise DataError(
                "choose_batch needs a fixed set of actions without features of their own: "
                "use choose"
            )
        if isinstance(X, list) and not X:
            raise DataError("a batch must have at least one context, got none")
        return self._with_room(self.encoder.batch(X))

    def _with_room(self, event: Given) -> Given:
        """Make room for all features as soon as their number is known."""
        self._make_room()
        return event

    def _make_room(self) -> None:
        if self._has_room:
            return
        width, room = self.encoder.width, self.engine.room
        if width is not None:
            if room.n_features <= width:
                self.engine.make_room(room._replace(n_features=width + 1))
            self._has_room = True

    def draw(self, event: Given | Paired, t: int) -> tuple[Given | Paired, Doubles, int]:
        """The event as it is learned later, probabilities of its actions, and a draw.

        The draw is the position of an action. Inputs that are not raw are mapped here.
        """
        p = np.empty(event.first.item(1) if len(event.first) else self.actions.count)
        inputs = self.engine.inputs
        if inputs is None:
            return event, p, self.engine.choose(event, t, p)
        inputs.begin(t)
        assert isinstance(event, Given)
        event, position = self.engine.choose_mapped(event, t, p)
        return event, p, position

    def draw_batch(self, event: Given, t: int) -> tuple[Given, Ints, Doubles]:
        """Events in rounds t, t + 1, ..., as they are learned later, and their draws.

        The draws are actions, and probabilities of all actions.
        """
        n, inputs = len(event.start) - 1, self.engine.inputs
        actions, p = np.empty(n, np.int64), np.empty((n, self.actions.count))
        if inputs is None:
            self.engine.choose_all(event, t, actions, p.reshape(-1))
            return event, actions, p
        self.engine.make_room_for(event)
        inputs.begin_batch(t)
        if not event.place.size:
            self.engine.choose_all(event, t, actions, p.reshape(-1))
            return event, actions, p
        parts = []
        for i, (low, high) in enumerate(itertools.pairwise(event.start.tolist())):
            one = Given(np.array([0, high - low]), event.place[low:high],
                        event.value[low:high], NONE, NONE)  # fmt: skip
            part, actions[i] = self.engine.choose_mapped(one, t + i, p[i])
            parts.append((part.place, part.value))
        return stacked(parts)._replace(first=NONE), actions, p

    def settle_inputs(self, t: int) -> None:
        """Count the contexts of all rounds up to `t` among the past."""
        if self.engine.inputs is not None:
            self.engine.inputs.settle(t + 1)

    def spread(self, p: Doubles, numbers: Ints | None) -> Doubles:
        """Probabilities of all actions, given those of the event's actions."""
        if numbers is None:
            return p
        all_actions = np.zeros(self.actions.count)
        all_actions[numbers] = p
        return all_actions

    # Decisions

    def decision(
        self,
        x: Any,
        event: Given | Paired,
        numbers: Ints | None,
        p: Doubles,
        position: int,
        id: str,
        t: int,
        version: int,
    ) -> Decision:
        """The decision as the user gets it; nothing needs to be checked."""
        decision = Decision.__new__(Decision)
        decision.id, decision.t, decision.version = id, t, version
        decision.seed = self.run.seed
        decision.probability = p.item(position)
        if numbers is None:
            decision.probabilities, decision.available = p.copy(), None
            number = position
        else:
            decision.probabilities = self.spread(p, numbers)
            decision.available = numbers.tolist()
            number = numbers.item(position)
        decision.action = number
        names = self.actions.names
        decision.name = None if names is None else names[number]
        decision.context = x if type(x) is dict else self._frozen(x, event)
        decision.actions = decision._explain = None
        return decision

    def _frozen(self, x: Any, event: Given | Paired) -> Any:
        """The context, or our copy of it if the caller may change an array."""
        if self.encoder.names or self.encoder.columns or isinstance(event, Paired):
            return x
        if self.engine.inputs is not None and isinstance(x, _ARRAYS):
            if type(x) is np.ndarray and x.ndim == 1:
                return x.copy() if x.dtype == DOUBLE else x.astype(np.float64)
            return as_numbers(x)  # the event is not the context any more
        if type(x) is np.ndarray and x.ndim == 1:
            return event.value
        if not isinstance(x, _ARRAYS):
            return x
        rows = len(event.start) - 1
        return event.value if rows == 1 else event.value.reshape(rows, -1)

    def admitted(
        self, decision: Decision, t: int, now: float
    ) -> tuple[Waiting, Callable[[], None] | None]:
        """A decision of another process, which arrives now, after round `t`.

        If inputs are not raw, there is also a function that counts the context, once.
        """
        event, numbers = self.event(decision.context, decision.available, decision.actions)
        p, position = decision.probabilities, decision.action
        if numbers is not None:
            position = int(np.searchsorted(numbers, decision.action))
            p = p[numbers[numbers < len(p)]]
        K = event.first.item(1) if len(event.first) else self.actions.count
        if (
            len(p) != K
            or position >= K
            or p[position] != decision.probability
            or (numbers is not None and numbers[position] != decision.action)
        ):
            raise DataError(f"decision {decision.id!r} does not fit this learner")
        check_probability(p[position], f"the probability of decision {decision.id!r}")
        self.engine.make_room_for(event)
        inputs, count = self.engine.inputs, None
        if inputs is not None:
            assert isinstance(event, Given)
            event, count = inputs.arrived(event, t + 1)
            self.engine.make_room_for(event)
        return Waiting(event, decision.t, position, p, decision.action, now), count

    def watched(
        self,
        x: Any,
        action: Any,
        probability: float,
        available: Any,
        actions: Any,
        t: int,
        theirs: Doubles | None = None,
    ) -> tuple[Waiting, Doubles]:
        """What another policy did, and this model's probabilities of all actions.

        `theirs` are the probabilities of the event's actions under that policy, if known.
        """
        event, numbers = self.event(x, available, actions)
        if self.actions.count == 0:
            K = event.first.item(1)
            if not (is_integer(action) and 0 <= action < K):
                raise DataError(f"action must be a position from 0 to {K - 1}, got {action!r:.80}")
            number = position = int(action)
        else:
            number = position = self.actions.number(action)
        event, mine, _ = self.draw(event, t)
        if numbers is not None:
            if number not in numbers:
                raise DataError(f"action {action!r} was not available")
            position = int(np.searchsorted(numbers, number))
        if theirs is None or len(theirs) != len(mine):
            theirs = np.full(len(mine), (1.0 - float(probability)) / max(1, len(mine) - 1))
        theirs = theirs.copy()
        theirs[position] = probability
        return Waiting(event, t, position, theirs, number, 0.0), self.spread(mine, numbers)

    # Actions that come and go

    def with_action(self, name: str | None, features: Any) -> tuple[Actions, int]:
        """Actions to use from now on, with one more or one brought back; its number."""
        self._check_fixed_actions()
        actions = self.actions.copy()
        number = actions.add(name, features)
        if actions.features is not None:
            self.encoder.row(actions.features[number])  # refuses invalid features
        self._make_room_for(actions)
        return actions, number

    def expect(self, number: int, prior: Prior, t: int, losses: Doubles) -> None:
        """Learn the prior of an action as outcomes of empty contexts, after round `t`.

        Losses that were learned become NaN, so a call that was cut short can be repeated.
        """
        n = prior.events
        empty = Given(np.zeros(n + 1, np.int64), NONE, np.zeros(0), np.arange(n + 1),
                      np.full(n, number))  # fmt: skip
        rounds, first = t + 1 + np.arange(n), np.zeros(n, np.int64)
        self.engine.learn_all(empty, rounds, first, np.ones(n), losses)

    def losses_of(self, prior: Prior) -> Doubles:
        """The losses that a prior stands for."""
        return np.full(prior.events, self.rewards.cost_of(prior.reward) + self.run.offset)

    def without_action(self, action: Any) -> Actions:
        """Actions to use from now on, with one retired."""
        self._check_fixed_actions()
        actions = self.actions.copy()
        actions.retire(action)
        self._make_room_for(actions)
        return actions

    def _check_fixed_actions(self) -> None:
        if self.actions.count == 0:
            raise DataError("this learner has no fixed actions: each event brings its own")

    def _make_room_for(self, actions: Actions) -> None:
        if actions.features is None:
            self.separate_actions()
            room = self.engine.room
            if actions.count > room.n_actions:
                self.engine.make_room(room._replace(n_actions=actions.count))

    def separate_actions(self) -> None:
        """Lay out weights so that actions may come and go (see engine.py)."""
        room = self.engine.room
        if not room.apart:
            self._is_simple = False
            self.engine.move_to(room._replace(apart=True))

    # Newer models

    def can_continue_in(self, newer: "Model") -> bool:
        """Whether pending decisions mean the same to a newer model."""
        mine, theirs = self.engine.room, newer.engine.room
        n, n_newer = self.actions.count, newer.actions.count
        names, newer_names = self.actions.names or [], newer.actions.names or []
        return (
            (mine.apart, mine.shared) == (theirs.apart, theirs.shared)
            and (n == n_newer or (mine.apart and n < n_newer))
            and names == newer_names[:n]
            and self.run.inputs == newer.run.inputs
            and self.encoder.can_continue_in(newer.encoder)
        )


def check_floor(floor: Any, n_actions: int) -> None:
    """Refuse a floor that n actions cannot all have."""
    most = 1.0 / max(n_actions, 1)
    if not isinstance(floor, Real) or not 0 <= float(floor) <= most:
        raise SpecError(f"floor must lie between 0 and {most:.4g}, got {floor!r}")
