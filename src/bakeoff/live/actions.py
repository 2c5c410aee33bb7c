"""Actions: their names and features, and which of them are there."""

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Ints
from bakeoff.data import is_integer
from bakeoff.live.contexts import is_text

FLAGS = (bool, np.bool_)


class Actions:
    """Numbered from 0 for good: one that is added comes last, one retired stays."""

    def __init__(self, n_actions: Any, given: Any) -> None:
        self.count = 0  # each event brings its own
        self.names: list[str] | None = None
        self.features: list[Any] | None = None  # of each, if they share weights
        self.retired: set[int] = set()
        if given is not None:
            self._take(given)
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
        """The same actions, which may change by themselves."""
        other = copy.copy(self)
        other.names = None if self.names is None else list(self.names)
        other.features = None if self.features is None else list(self.features)
        other.retired = set(self.retired)
        return other

    def _take(self, given: Any) -> None:
        """Names, or names and features."""
        if isinstance(given, Mapping):
            self.features = list(given.values())
        elif isinstance(given, str) or not isinstance(given, Sequence):
            raise SpecError(f"actions must be a list of names, got {given!r}")
        names: list[Any] = list(given)
        for name in names:
            if not isinstance(name, str) or not name or not is_text(name):
                raise SpecError(
                    f"names of actions must be strings that UTF-8 can hold, got {name!r:.80}"
                )
        self.names, self.count = [str.__str__(name) for name in names], len(names)
        if len(set(self.names)) < self.count or self.count < 2:
            raise SpecError(f"actions must be two or more different names, got {self.names!r:.200}")

    def _refresh(self) -> None:
        self._numbers = {name: i for i, name in enumerate(self.names or [])}
        kept = [a for a in range(self.count) if a not in self.retired]
        self.all = np.array(kept, np.int64)

    @property
    def is_whole(self) -> bool:
        """Whether no action is retired."""
        return not self.retired

    def name(self, number: int) -> str | None:
        """The name of an action, if it has one."""
        return None if self.names is None else self.names[number]

    def number(self, action: Any) -> int:
        """The number of an action that is given by name or number."""
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
        """Let there be one more action; a retired one comes back as it was."""
        if isinstance(name, str):
            name = str.__str__(name)  # and no subclass, which may be equal to nothing
        if isinstance(name, str) and name in self._numbers:
            number = self._numbers[name]
            if number not in self.retired:
                raise DataError(f"there is an action {name!r} already")
            self.retired.discard(number)
        else:
            if self.names is not None and not (isinstance(name, str) and name):
                raise DataError(f"the name of an action must be a string, got {name!r}")
            if self.names is None and name is not None:
                raise DataError(f"actions have numbers here, not names, got {name!r:.80}")
            if name is not None and not is_text(name):
                raise DataError(f"UTF-8 cannot hold the name of the action {name!r}")
            number, self.count = self.count, self.count + 1
            if self.names is not None:
                self.names.append(name)
            if self.features is not None:
                self.features.append(features)
        self._refresh()
        return number

    def retire(self, action: Any) -> int:
        """Let an action be chosen no more; what was learned of it stays."""
        number = self.number(action)
        if len(self.all) <= 1:
            raise DataError("the last action cannot be retired")
        self.retired.add(number)
        self._refresh()
        return number

    def available(self, given: Any) -> Ints:
        """Numbers of the actions of an event: names, numbers, or a mask of flags."""
        if given is None:
            return self.all
        try:
            listed = None if isinstance(given, str | bytes | Mapping) else list(given)
        except TypeError:
            listed = None
        if listed is None:
            raise DataError(f"available must be a list of actions, got {given!r:.80}")
        if np.ma.is_masked(given):
            raise DataError("available must not be masked; give flags, or a list")
        if isinstance(given, np.ndarray) and given.dtype == np.bool_:
            is_mask = True
        else:
            is_mask = bool(listed) and all(isinstance(one, FLAGS) for one in listed)
        if is_mask:
            if np.shape(given) != (self.count,):
                raise DataError(
                    f"a mask of actions must have {self.count} flags, got shape {np.shape(given)}"
                )
            numbers = np.flatnonzero(listed)
        else:
            numbers = np.array([self.number(action) for action in listed], np.int64)
        if len(set(numbers.tolist())) < len(numbers):
            raise DataError(f"available actions must differ, got {given!r:.200}")
        if self.retired:
            numbers = numbers[[a not in self.retired for a in numbers.tolist()]]
        if not len(numbers):
            raise DataError("an event must have at least one available action")
        return np.sort(numbers)
