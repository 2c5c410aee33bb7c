"""Actions: their names and features, and which of them are in use."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Ints
from bakeoff.data import Range, is_integer, is_number
from bakeoff.live.contexts import is_text

FLAGS = (bool, np.bool_)
_MOST_IMAGINARY = 10_000  # events of a prior


class Prior(NamedTuple):
    """What is expected of a new action: as if `events` empty contexts had paid `reward`."""

    reward: float
    events: int = 10

    def checked(self, rewards: Range) -> "Prior":
        """A prior that a learner with these rewards can have."""
        if not (is_number(self.reward) and rewards.low <= self.reward <= rewards.high):
            raise DataError(
                f"prior must lie between {rewards.low:g} and {rewards.high:g}, got "
                f"{self.reward!r:.80}"
            )
        if not (is_integer(self.events) and 1 <= self.events <= _MOST_IMAGINARY):
            raise DataError(
                f"prior_events must be an integer from 1 to {_MOST_IMAGINARY:,}, got "
                f"{self.events!r:.80}"
            )
        return Prior(float(self.reward), int(self.events))


class Actions:
    """Numbered actions. A number never changes: new ones come last, retired ones stay."""

    def __init__(self, n_actions: Any, actions: Any) -> None:
        self.count = 0  # 0: each event brings its own
        self.names: list[str] | None = None
        self.features: list[Any] | None = None  # one per action, if actions share weights
        self.retired: set[int] = set()
        self.priors: dict[int, Prior] = {}  # of actions that were added with one
        if actions is not None:
            self._read(actions)
            if n_actions not in (None, self.count):
                raise SpecError(f"n_actions is {n_actions!r}, but there are {self.count} actions")
        elif n_actions is not None:
            if not (is_integer(n_actions) and n_actions >= 2):
                raise SpecError(
                    f"n_actions must be an integer from 2, got {n_actions!r} "
                    f"(leave it out if actions have features of their own)"
                )
            self.count = int(n_actions)
        self._refresh()

    def copy(self) -> "Actions":
        """A copy that can be changed independently."""
        other = copy.copy(self)
        other.names = None if self.names is None else list(self.names)
        other.features = None if self.features is None else list(self.features)
        other.retired, other.priors = set(self.retired), dict(self.priors)
        return other

    def _read(self, actions: Any) -> None:
        """Take names, or names and features, from what a user provides."""
        if isinstance(actions, Mapping):
            self.features = list(actions.values())
        elif isinstance(actions, str) or not isinstance(actions, Sequence):
            raise SpecError(f"actions must be a list of names, got {actions!r}")
        names: list[Any] = list(actions)
        for name in names:
            if not isinstance(name, str) or not name or not is_text(name):
                raise SpecError(
                    f"names of actions must be strings that UTF-8 can encode, got {name!r:.80}"
                )
        self.names, self.count = [str.__str__(name) for name in names], len(names)
        if len(set(self.names)) < self.count or self.count < 2:
            raise SpecError(f"actions must be two or more different names, got {self.names!r:.200}")

    def _refresh(self) -> None:
        self._numbers = {name: i for i, name in enumerate(self.names or [])}
        active = [a for a in range(self.count) if a not in self.retired]
        self.active = np.array(active, np.int64)

    def name(self, number: int) -> str | None:
        """The name of an action, if it has one."""
        return None if self.names is None else self.names[number]

    def number(self, action: Any) -> int:
        """The number of an action, which is identified by name or number."""
        if isinstance(action, str):
            if action in self._numbers:
                return self._numbers[action]
        elif is_integer(action) and 0 <= action < self.count:
            return int(action)
        raise DataError(
            f"there is no action {action!r}; actions are "
            f"{self.names if self.names else f'0 to {self.count - 1}'!s:.200}"
        )

    def add(self, name: Any, features: Any = None) -> int:
        """Add an action, or bring back a retired one; returns its number."""
        if isinstance(name, str):
            name = str.__str__(name)  # a subclass may redefine equality
        if isinstance(name, str) and name in self._numbers:
            number = self._numbers[name]
            if number not in self.retired:
                raise DataError(f"there is an action {name!r} already")
            self.retired.discard(number)
        else:
            if self.names is not None and not (isinstance(name, str) and name):
                raise DataError(f"the name of an action must be a string, got {name!r}")
            if self.names is None and name is not None:
                raise DataError(f"this learner's actions have numbers, not names, got {name!r:.80}")
            if name is not None and not is_text(name):
                raise DataError(f"UTF-8 cannot encode the name of the action {name!r}")
            number, self.count = self.count, self.count + 1
            if self.names is not None:
                self.names.append(name)
            if self.features is not None:
                self.features.append(features)
        self._refresh()
        return number

    def retire(self, action: Any) -> int:
        """Stop using an action, which keeps its number; returns the number."""
        number = self.number(action)
        if len(self.active) <= 1:
            raise DataError("the last action cannot be retired")
        self.retired.add(number)
        self._refresh()
        return number

    def available(self, choice: Any) -> Ints:
        """Numbers of an event's actions, chosen by names, numbers, or a mask of flags."""
        if choice is None:
            return self.active
        try:
            listed = None if isinstance(choice, str | bytes | Mapping) else list(choice)
        except TypeError:
            listed = None
        if listed is None:
            raise DataError(f"available must be a list of actions, got {choice!r:.80}")
        if np.ma.is_masked(choice):
            raise DataError("available must not be masked; give flags, or a list")
        if isinstance(choice, np.ndarray) and choice.dtype == np.bool_:
            is_mask = True
        else:
            is_mask = bool(listed) and all(isinstance(flag, FLAGS) for flag in listed)
        if is_mask:
            if np.shape(choice) != (self.count,):
                raise DataError(
                    f"a mask of actions must have {self.count} flags, got shape {np.shape(choice)}"
                )
            numbers = np.flatnonzero(listed)
        else:
            numbers = np.array([self.number(action) for action in listed], np.int64)
        if len(set(numbers.tolist())) < len(numbers):
            raise DataError(f"available actions must differ, got {choice!r:.200}")
        if self.retired:
            numbers = numbers[[a not in self.retired for a in numbers.tolist()]]
        if not len(numbers):
            raise DataError("an event must have at least one available action")
        return np.sort(numbers)
