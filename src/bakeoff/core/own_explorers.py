"""Explorers of users: records as those of the files in `explorers`, from anywhere else.

Their kernels are compiled into loops of their own, or the loops run in plain Python if numba
cannot compile them. What they write is checked in each round.
"""

import sys
import time
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cache
from types import FunctionType
from typing import Any, cast

import numpy as np

from bakeoff.core import jit
from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.code_hash import PACKAGE
from bakeoff.core.explorers.base import Explorer, Name
from bakeoff.core.jit import KERNELS, kernel
from bakeoff.core.rules import CODE, ROUNDING, RuleError, plain_notice
from bakeoff.core.types import Contexts, Event, Revealed, Sizes

Tell = Callable[[str], None]
COMPILED = 0.3  # microseconds in a round of a run (benchmarks/own_rules.py)
BROKEN = "own_broken"  # in the state: the round in which a lane first had no distribution, or 0


@dataclass(frozen=True)
class Own(Explorer):
    """The record of a user's explorer."""

    code: str = ""  # a hash of it
    source: Explorer | None = None  # as the user wrote it
    tell: Tell = print  # the user

    @property
    def kernels(self) -> str:
        """A name of its own, as a file of users may be called as one of ours is."""
        return f"{self.name.replace('-', '_')}_{self.code}"

    @property
    def open_names(self) -> dict[str, Any]:
        """The user's functions too, which `explore` calls by another name."""
        source = cast("Explorer", self.source)
        users = {"users_explore": source.explore, "users_new_state": source.new_state}
        return {**super().open_names, **users}

    def runnable(
        self, loop: Callable[..., None], plain: Callable[[], Callable[..., None]]
    ) -> Callable[..., None]:
        """See `Explorer.runnable`."""
        return _Loop(self, loop, plain)


class _Loop:
    """A loop, in plain Python if it cannot be compiled."""

    def __init__(
        self, owner: Own, loop: Callable[..., None], plain: Callable[[], Callable[..., None]]
    ) -> None:
        self._owner, self._loop, self._plain = owner, loop, plain
        self._told = False

    def __call__(self, state: Any, bandit: Bandit, *others: Any) -> None:
        try:
            self._loop(state, bandit, *others)
        except Exception as error:
            is_compiled = bool(getattr(self._loop, "signatures", not jit.compiled))
            if is_compiled or self._told:
                what = f"explorer {self._owner.name!r}: {type(error).__name__}: {error}"
                raise RuleError(what) from error
            self._fall_back(error, state, bandit, *others)

    def _fall_back(self, error: Exception, *arguments: Any) -> None:
        """Play in plain Python from now on, and say so with the time of the first rounds."""
        self._loop, self._told = self._plain(), True
        began = time.thread_time()
        self(*arguments)
        rounds = arguments[-1] - arguments[-2]
        taken = (time.thread_time() - began) / rounds / n_lanes(arguments[1]) * 1e6
        self._owner.tell(plain_notice(f"explorer {self._owner.name!r}", taken, COMPILED, error))


def own_explorer(
    name: str, record: Explorer, code: str, taken_labels: Sequence[str], tell: Tell
) -> Own:
    """The record of a user's explorer; labels that are taken get an ending.

    Its functions are taken as they are now: a notebook may define them anew.
    """
    taken: dict[Any, Any] = {}
    explore = _copied(record.explore, taken)
    names = {**_checked.__globals__, "users_explore": explore}
    settings = make_dataclass(
        record.settings.__name__,
        [(CODE, str, field(default=code))],
        bases=(record.settings,), frozen=True, slots=True,
    )  # fmt: skip
    settings.__module__ = record.settings.__module__
    values = {one.name: getattr(record, one.name) for one in fields(Explorer)} | {
        "name": name,
        "settings": settings,
        "new_state": _new_state(record, code),
        "explore": kernel(jit.with_globals(_checked, names, _checked.__name__)),
        "learn": _copied(record.learn, taken),
        "names": tuple(_own_name(one, taken_labels) for one in record.names),
        "check": _check(name, record),
    }
    return Own(**values, code=code, source=record, tell=tell)


def _own_name(name: Name, taken: Sequence[str]) -> Name:
    if name.label not in taken:
        return name
    return name._replace(label=f"{name.label}-own", title=f"{name.title} (own)")


def _copied(function: Any, taken: dict[Any, Any]) -> Any:
    """A copy of a user's kernel, and of all that it calls, as they are now.

    Whether they are marked as kernels does not matter. What is in the package stays as it is.
    """
    if not isinstance(function, FunctionType) or _is_ours(function):
        return function
    if function.__closure__:
        raise ValueError(
            f"{function.__name__!r} refers to {', '.join(function.__code__.co_freevars)} of the "
            f"function around it: define both at the top of a file or a cell"
        )
    if function not in taken:
        names = {**function.__globals__}
        copy = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        copy.__module__ = function.__module__
        taken[function] = kernel(copy)
        for name in function.__code__.co_names:
            used = names.get(name)
            is_function = isinstance(used, FunctionType)
            if is_function and (used in KERNELS or used.__module__ == function.__module__):
                names[name] = _copied(used, taken)
    return taken[function]


def _is_ours(value: Any) -> bool:
    return str(value.__module__).partition(".")[0] == PACKAGE.partition(".")[0]


def _new_state(record: Explorer, code: str) -> Callable[..., Any]:
    def new_state(settings: Sequence[Any], sizes: Sizes, revealed: Revealed | None) -> Any:
        for one in settings:
            if getattr(one, CODE) != code:
                raise ValueError(
                    f"explorer {record.name!r} has changed since this run was made (its code was "
                    f"{getattr(one, CODE)}, and is {code}): make the runs again"
                )
        try:
            values = record.new_state(settings, sizes, revealed)._asdict()
        except Exception as error:
            what = f"new_state of explorer {record.name!r}: {type(error).__name__}: {error}"
            raise RuleError(what) from error
        kind = _state_class(*values, BROKEN)
        return kind(*values.values(), np.zeros(len(settings), np.int64))

    return new_state


def _check(name: str, record: Explorer) -> Callable[[Any], None]:
    def check(state: Any) -> None:
        broken = getattr(state, BROKEN)
        if broken.any():
            raise RuleError(
                f"explorer {name!r} in round {broken[np.flatnonzero(broken)[0]]}: it must write "
                f"probabilities, which are 0 or more and sum to 1"
            )
        record.check(state)

    return check


@kernel
def users_explore(state: Any, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Stands for the user's `explore`."""


def _checked(state: Any, bandit: Bandit, x: Contexts, event: Event) -> None:
    """P is what the user's `explore` writes; uniform if that is no distribution."""
    users_explore(state, bandit, x, event)
    K = event.K
    for lane in range(n_lanes(bandit)):
        total, wrong = 0.0, 0
        for k in range(K):
            wrong += not bandit.p[k, lane] >= 0.0
            total = total + bandit.p[k, lane]
        if wrong > 0 or not abs(total - 1.0) <= ROUNDING:
            if state.own_broken[lane] == 0:
                state.own_broken[lane] = event.t
            for k in range(K):
                bandit.p[k, lane] = 1.0 / K


# ---- states: one class for all that have the same fields, which other processes find by its name


@cache
def _state_class(*names: str) -> Any:
    kind = namedtuple("State", names)  # type: ignore[misc]
    kind.__name__ = kind.__qualname__ = f"State({','.join(names)})"
    kind.__module__ = __name__
    setattr(sys.modules[__name__], kind.__name__, kind)
    return kind


def __getattr__(name: str) -> Any:
    if name.startswith("State(") and name.endswith(")"):
        return _state_class(*name[len("State(") : -1].split(","))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
