"""Engine: the arrays of a live learner, and the compiled loops that work on them.

There are three layouts of the weights. With *blocks*, as in a simulation, each action
has a block of its own. If weights are *shared*, all actions use the same block, and an
event has one row of features per action. If actions are *apart*, there is one block,
too, in which the features of action a begin at a * stride. Blocks are faster; if
actions are apart, any subset of them can take part in an event, and their number can
grow. Both learn the same to the last bit.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff.basics.errors import BakeoffError, DataError, LearnerError, ResourceError
from bakeoff.basics.memory import available_memory
from bakeoff.core import live
from bakeoff.core.bandit import Bandit, Regressors
from bakeoff.core.explorers import Explorer
from bakeoff.core.inputs import Filled, new_filled
from bakeoff.core.jit import Packed, announce_compilation, compiled
from bakeoff.core.live import Desk, Given, live_loops_of, live_names
from bakeoff.core.own_explorers import Own
from bakeoff.core.pairs import new_pairs
from bakeoff.core.random import key_of
from bakeoff.core.rules import RuleError, reason_of
from bakeoff.core.types import Doubles, Ints, Sizes
from bakeoff.live.inputs import RAW as RAW_INPUTS
from bakeoff.live.inputs import Inputs
from bakeoff.live.paired import Paired
from bakeoff.runs import RAW, Run, explorer_of
from bakeoff.simulation import bytes_per_lane, new_lanes

NONE = np.zeros(0, np.int64)
_ROWS = 4096  # rows of weights to search at once


class Room(NamedTuple):
    """The capacity of an engine's arrays, and the layout of its weights."""

    n_features: int  # with the bias; of an action, if actions are apart
    n_actions: int
    longest_row: int
    apart: bool  # whether actions have weights of their own in one block
    shared: bool  # whether all actions have the same weights

    @property
    def sizes(self) -> Sizes:
        """The sizes of a bandit with this capacity."""
        features = self.n_features * (self.n_actions if self.apart else 1)
        blocks = 1 if self.apart or self.shared else self.n_actions
        stride = self.n_features if self.apart else 0
        return Sizes(features, self.n_actions, blocks, self.longest_row, stride=stride)


@dataclass(frozen=True, slots=True)
class _Arrays:
    """Everything whose size depends on the room; replaced as a whole if that changes."""

    room: Room
    is_apart: bool  # of the room, where it is found faster
    state: Any
    bandit: Bandit
    filled: Filled
    packed: Packed  # owns the memory at the address
    address: int
    choose: Callable[..., int]
    learn: Callable[..., int]

    @property
    def memories(self) -> list[tuple[str, NDArray[Any]]]:
        """The arrays of the explorer's state, and their names."""
        return list(arrays_in(self.state))


def arrays_in(state: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    """The arrays of an explorer's state, those of the explorer within safeguards too."""
    for name, value in state._asdict().items():
        if isinstance(value, np.ndarray):
            yield name, value
        elif isinstance(value, tuple):
            yield from ((f"{name}.{inner}", array) for inner, array in arrays_in(value))


class Engine:
    """The state of a learner's bandit; chooses actions and learns."""

    def __init__(self, runs: Sequence[Run], room: Room, floor: float = 0.0) -> None:
        self.runs, self.floor = list(runs), floor
        self.progress = np.zeros((2, len(runs)))
        self._action, self._loss = np.zeros(1, np.int64), np.zeros(1)
        self._t = np.zeros(1, np.int64)
        self._starts: dict[int, Ints] = {}
        self.inputs = None if self.runs[0].inputs == RAW else Inputs()
        with _of_users(runs[0]):
            self._arrays = self._new_arrays(room)

    def _new_arrays(self, room: Room) -> "_Arrays":
        """Arrays for `room`, with nothing learned."""
        _check_memory(self.runs, room)
        if room.sizes.n_features >= 2**31:  # places are 32-bit integers
            raise ResourceError(
                f"{room.n_actions:,} actions with {room.n_features:,} "
                f"features each are too many; fewer bits take less"
            )
        explorer, state, bandit = new_lanes(self.runs, room.sizes)
        one_row = not (room.apart or room.shared)
        n_rows = 1 if one_row else room.n_actions
        entries = n_rows * room.longest_row
        means, seen, filled = RAW_INPUTS
        if self.inputs is not None:
            events = 1 if room.apart else n_rows
            means, seen = self.inputs.grow(room.n_features - 1, events, events * room.longest_row)
            filled = new_filled(room.longest_row)
        desk = Desk(
            start=np.zeros(n_rows + 1, np.int64),
            feature=np.zeros(entries, np.int32),
            value=np.zeros(entries, np.float32),
            stride=np.array([room.n_features if room.apart else 0]),
            floor=np.array([self.floor]),
            progress=self.progress,
            centres=np.array([int(self.inputs is not None)]),
            means=means,
            seen=seen,
            filled=filled,
            reads=np.array(_reads(explorer, self.runs[0]), np.int64),
            pairs=new_pairs(*((room.n_features, n_rows, entries) if room.shared else (0, 0, 0))),
        )
        values = (state, bandit, desk)
        packed = Packed(values, explorer.kernels)
        self.loop_names = live_names(explorer, values)
        loops = live_loops_of(explorer, values)
        return _Arrays(room, room.apart, state, bandit, filled, packed, packed.address, *loops)

    @property
    def room(self) -> Room:
        """The capacity of the arrays."""
        return self._arrays.room

    @property
    def state(self) -> Any:
        """The state of the explorer."""
        return self._arrays.state

    @property
    def bandit(self) -> Bandit:
        """The regressors and other arrays of the bandit."""
        return self._arrays.bandit

    def choose(self, event: Given | Paired, t: int, p: Doubles) -> int:
        """Draw the action of one event, and write all probabilities into `p`."""
        action, arrays = self._action, self._arrays
        given = event.given() if isinstance(event, Paired) else event
        if arrays.choose(arrays.address, *given, t, action, p) != live.FINE:
            self.choose_all(event, t, action, p)
        return action.item()

    def choose_mapped(self, event: Given, t: int, p: Doubles) -> tuple[Given, int]:
        """Take means out of an event and draw its action; the event may be longer then."""
        assert self.inputs is not None
        action = self._action
        while True:
            arrays = self._arrays
            ending = arrays.choose(arrays.address, *event, t, action, p)
            if ending == live.FINE:
                n = arrays.filled.start.item(1)
                if n:
                    _, place, value = arrays.filled
                    place, value = place[:n].copy(), value[:n].copy()
                    event = Given(self._start_of(n), place, value, event.first, event.actions)
                return event, action.item()
            if ending == live.LACKING:
                event = self.inputs.completed(event, t)
            else:
                self._mend(ending, event, t)

    def _start_of(self, n: int) -> Ints:
        """Where one row of n features begins and ends; nobody writes into it."""
        start = self._starts.get(n)
        if start is None:
            start = self._starts[n] = np.array([0, n])
        return start

    def choose_all(self, event: Given | Paired, t: int, action: Ints, p: Doubles) -> None:
        """Draw the actions of events in rounds t, t + 1, ..."""
        given = event.given() if isinstance(event, Paired) else event
        while True:
            arrays = self._arrays
            ending = arrays.choose(arrays.address, *given, t, action, p)
            if ending == live.FINE:
                return
            self._mend(ending, event, t)

    def learn(self, event: Given | Paired, t: int, action: int, p: Doubles, loss: float) -> None:
        """Learn the loss of one event's action."""
        self.prepare(t, action, loss)
        self.learn_prepared(event, p)

    def prepare(self, t: int, action: int, loss: float) -> None:
        """Set what `learn_prepared` will learn."""
        self._t[0], self._action[0], self._loss[0] = t, action, loss

    def learn_prepared(self, event: Given | Paired, p: Doubles) -> None:
        """Learn what was prepared, unless that has been done."""
        arrays, t, action, loss = self._arrays, self._t, self._action, self._loss
        if isinstance(event, Paired):
            given = event.given()
        else:
            given = self.as_laid_out(event, p) if arrays.is_apart else event
        if arrays.learn(arrays.address, *given, t, action, p, loss) != live.FINE:
            self.learn_all(event, t, action, p, loss)

    def learn_all(
        self, event: Given | Paired, t: Ints, action: Ints, p: Doubles, loss: Doubles
    ) -> None:
        """Learn the losses of events, one after the other.

        Losses that have been learned become NaN, so the call can be repeated if an
        exception cuts it short.
        """
        given = event.given() if isinstance(event, Paired) else self.as_laid_out(event, p)
        while True:
            arrays = self._arrays
            ending = arrays.learn(arrays.address, *given, t, action, p, loss)
            if ending == live.FINE:
                return
            self._mend(ending, event, int(t[ending // live.ENDINGS]))

    def _mend(self, ending: int, event: Given | Paired, t: int) -> None:
        """Make room if there was too little; any other ending is an error."""
        kind = ending % live.ENDINGS
        if kind == live.BAD_VALUE:
            raise _bad_value()
        if kind == live.NOT_FINITE:
            raise BakeoffError(
                f"scores stopped being finite in round {t + ending // live.ENDINGS}; "
                f"smaller features or a smaller learning rate may help"
            )
        self.make_room(_needed(event, self.room))

    def make_room(self, needed: Room) -> None:
        """Increase the capacity; sizes at least double, so that this is rare."""
        old = self.room
        grown = [max(2 * a, b) if b > a else a for a, b in zip(old[:3], needed[:3], strict=True)]
        if not (needed.apart or needed.shared):
            grown[1] = needed.n_actions
        features, actions, longest = grown
        room = Room(features, actions, longest, needed.apart, needed.shared)
        if room == old:
            raise AssertionError(f"{old} already has room for {needed}")
        self.move_to(room)

    def move_to(self, room: Room) -> None:
        """Move the weights into arrays of another capacity or layout."""
        old, new = self._arrays, self._new_arrays(room)
        for ours, theirs in (
            (new.bandit.policies, old.bandit.policies),
            (new.bandit.estimator, old.bandit.estimator),
        ):
            _move(theirs, ours, old.room, room)
        for (_, mine), (_, before) in zip(new.memories, old.memories, strict=True):
            shared = tuple(map(slice, np.minimum(mine.shape, before.shape)))
            mine[shared] = before[shared]
        self._arrays = new

    def as_laid_out(self, event: Given, p: Doubles) -> Given:
        """Events with probabilities `p` in the present layout of the weights.

        They may have been encoded before actions were apart.
        """
        if len(event.first) or not self.room.apart:
            return event
        n = len(event.start) - 1
        n_actions = len(p) // n
        first, actions = np.arange(n + 1) * n_actions, np.tile(np.arange(n_actions), n)
        return event._replace(first=first, actions=actions)

    def make_room_for(self, event: Given | Paired) -> None:
        """Make room for an event of another process; refuse invalid values."""
        if isinstance(event, Paired):
            event = event.crossed()  # rare
        if not (np.abs(event.value) <= live.LARGEST).all():
            raise _bad_value()
        needed = _needed(event, self.room)
        if needed != self.room:
            self.make_room(needed)

    def reseed(self, seed: int) -> None:
        """Use another seed from now on; keep what was learned."""
        self.runs = [replace(run, seed=seed) for run in self.runs]
        self.bandit.key[:] = key_of(seed)

    def warm_up(self) -> None:
        """Compile the loops, or read them from the cache, before they are needed."""
        twin = Engine(self.runs, Room(3, 2, 3, self.room.apart, self.room.shared))
        shared = self.room.shared
        event = Given(
            start=np.array([0, 1, 2] if shared else [0, 1]),
            place=NONE,
            value=np.ones(2 if shared else 1),
            first=np.array([0, 2]),
            actions=np.array([0, 1]) if self.room.apart else NONE,
        )
        for name in self.loop_names:
            announce_compilation(name)
        p = np.zeros(2)
        if twin.inputs is not None:
            twin.inputs.warm_up()
        with _of_users(self.runs[0]):
            action = twin.choose(event, 1, p)
            twin.learn(event, 1, action, p, self.runs[0].offset)


if not compiled:  # uncompiled kernels would warn of numbers that are not finite
    for name in ("choose", "choose_mapped", "choose_all", "learn_prepared", "learn_all"):
        setattr(Engine, name, np.errstate(all="ignore")(getattr(Engine, name)))


@contextmanager
def _of_users(run: Run) -> Iterator[None]:
    """Refuse a user's explorer that cannot be compiled, or does not work."""
    try:
        yield
    except RuleError as error:
        raise LearnerError(str(error)) from error.__cause__
    except Exception as error:
        record = explorer_of(run.settings).innermost
        if not isinstance(record, Own) or isinstance(error, BakeoffError):
            raise
        raise LearnerError(
            f"explorer {record.name!r} cannot be compiled, as that of a live learner must be: "
            f"{reason_of(error)}"
        ) from error


def _bad_value() -> DataError:
    return DataError(f"x must hold finite numbers of at most {live.LARGEST:g} in magnitude")


def _check_memory(runs: Sequence[Run], room: Room) -> None:
    """Refuse arrays that do not fit into memory."""
    needed = len(runs) * bytes_per_lane(runs[0], room.sizes)
    limit = available_memory()
    if needed > limit:
        raise ResourceError(
            f"a learner of {room.n_features:,} features and {room.n_actions:,} actions "
            f"takes up to {needed / 1e6:,.0f} MB, but {limit / 1e6:,.0f} MB are free; "
            f"fewer bits or fewer policies take less"
        )


def _reads(explorer: Explorer, run: Run) -> tuple[bool, bool]:
    """Whether exploring, and whether learning looks at the rows of all actions."""
    learns_all = explorer.own_oracle or run.reduction not in (None, "iwr")
    is_own = isinstance(explorer.innermost, Own)  # its code may look at anything
    return explorer.own_oracle or (is_own and explorer.looks_at_steps(run.settings)), learns_all


def _needed(event: Given | Paired, room: Room) -> Room:
    """The room that events need, and no less than there is."""
    if isinstance(event, Paired):
        longest = max(room.longest_row, event.longest_row + 1)
        width = max(room.n_features, event.largest_place + 2)
        return room._replace(
            n_features=width,
            longest_row=longest,
            n_actions=max(room.n_actions, event.first.item(1)),
        )
    longest = int(np.diff(event.start).max(initial=0)) + 1
    width = int(event.place.max(initial=-1)) + 2 if event.place.size else longest
    most = room.n_actions
    if room.apart:
        most = max(most, int(event.actions.max(initial=0)) + 1)
    elif room.shared:
        most = max(most, int(np.diff(event.first).max(initial=0)))
    return Room(
        max(room.n_features, width), most, max(room.longest_row, longest), room.apart, room.shared
    )


def _by_action(weights: NDArray[Any], room: Room, columns: int) -> NDArray[Any]:
    """Weights as a view (actions, features, columns) for any layout."""
    if room.apart:
        return weights.reshape(room.n_actions, room.n_features, columns)
    blocks = 1 if room.shared else room.n_actions
    return weights.reshape(room.n_features, blocks, columns).transpose(1, 0, 2)


def _move(old: Regressors, new: Regressors, before: Room, after: Room) -> None:
    """Copy the rows in which `old` has learned something into `new`."""
    columns = len(old.eta)
    for rows in used_rows(old):
        for name in ("w", "A", "N"):
            source = getattr(old, name)
            target = _by_action(getattr(new, name), after, columns)
            if before.apart:
                target[np.divmod(rows, before.n_features)] = source[rows]
            else:
                blocks = source[rows].reshape(len(rows), -1, columns)
                target[: blocks.shape[1], rows] = blocks.transpose(1, 0, 2)
    for name in ("T", "S", "lo", "hi", "w0", "A0"):
        getattr(new, name)[:] = getattr(old, name)


def used_rows(f: Regressors) -> Iterator[Ints]:
    """Numbers of the rows in which something was learned, in chunks."""
    for top in range(0, len(f.w), _ROWS):
        part = slice(top, top + _ROWS)
        used = f.N[part].any(axis=1) | f.A[part].any(axis=1) | f.w[part].any(axis=1)
        if used.any():
            yield np.flatnonzero(used) + top
