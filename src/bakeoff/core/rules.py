"""Rules: exploration as a function from scores to probabilities, written by users.

One loop serves all rules. It calls a rule by its address, which is that of compiled code or of
a callback into Python, so a new rule compiles nothing but itself.
"""

import ctypes
import importlib
import inspect
import linecache
import math
import os
import re
import sysconfig
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core import jit
from bakeoff.core.bandit import Bandit, Reduction, n_lanes
from bakeoff.core.explorers.base import REDUCTIONS, Explorer, Name, Settings
from bakeoff.core.explorers.regcb import RegCB, lcb, ucb
from bakeoff.core.jit import call_rule, kernel
from bakeoff.core.reductions.direct import direct_update
from bakeoff.core.reductions.off_policy import opl_update
from bakeoff.core.safeguards import Safeguards
from bakeoff.core.types import Contexts, Doubles, Event, Floats, Ints, Revealed, Sizes

FROM_ROUND = ("t", "K", "lower", "upper")  # what a rule gets if it has parameters so called
BOUNDS = {"lower", "upper"}  # RegCB's, on each action's loss
SAFEGUARDS = [one.name for one in fields(Safeguards)]
WIDTH = "c0"  # the setting that makes them wide or narrow, if a rule has it
CODE = "code"  # a setting: the hash of the rule's code
ROUNDING = 1e-6  # of the sum of probabilities
TRIALS = 200  # calls that are timed
COMPILED = 0.6  # microseconds in a round of a run (benchmarks/own_rules.py)
_PLACES = re.compile(r'File "([^"]+)", line (\d+)|(\S+) \((\d+)\)')  # as numba names them
_LIBRARIES = tuple({*map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))})
_SIGNATURE = ctypes.CFUNCTYPE(
    None, *3 * [ctypes.POINTER(ctypes.c_double)], ctypes.c_int64, ctypes.c_int64
)


class RuleError(Exception):
    """A rule raised, or returned something else than probabilities."""


@dataclass
class Rule:
    """A user's function, and how loops call it."""

    name: str
    function: Callable[..., Any]
    defaults: dict[str, int | float | bool]  # of its settings, by name
    wants: tuple[str, ...]  # which of `FROM_ROUND`
    code: str
    tell: Callable[[str], None]  # the user
    error: BaseException | None = None  # that it raised last
    _address: int = 0
    _kept: Any = None
    _lock: Any = field(default_factory=threading.Lock)

    @property
    def asks_bounds(self) -> bool:
        """Whether RegCB's bounds are to be computed for it."""
        return not BOUNDS.isdisjoint(self.wants)

    def address(self) -> int:
        """Where loops find it; it is compiled when it is first needed."""
        with self._lock:
            if not self._address:
                self._address, self._kept = self._made()
            return self._address

    def _made(self) -> tuple[int, Any]:
        if not jit.compiled:
            return jit.callable_at(self._call), None
        compiler: Any = importlib.import_module("bakeoff.core.compiler")
        try:
            function = _with_helpers(self.function, compiler.numba.njit(error_model="numpy"), {})
            return compiler.compiled_rule(function, self.wants, self.defaults)
        except Exception as error:  # numba raises errors of many kinds
            reason = error
        callback = _SIGNATURE(self._from_pointers)
        microseconds = self._microseconds(callback) + COMPILED
        self.tell(plain_notice(f"rule {self.name!r}", microseconds, COMPILED, reason))
        return int(ctypes.cast(callback, ctypes.c_void_p).value or 0), callback

    def _microseconds(self, callback: Any) -> float:
        """How long a call into Python takes, without what other programs take."""
        settings = [float(value) for value in self.defaults.values()]
        numbers = [*3 * [k / 9 for k in range(10)]], 10 * [0.0], settings or [0.0]
        arrays = [(ctypes.c_double * len(some))(*some) for some in numbers]
        began = time.thread_time()
        for t in range(TRIALS):
            callback(*arrays, 10, t + 1)
        self.error = None
        return (time.thread_time() - began) / TRIALS * 1e6

    def _from_pointers(self, scores: Any, p: Any, settings: Any, K: int, t: int) -> None:
        array = np.ctypeslib.as_array
        several = array(settings, (max(1, len(self.defaults)),))
        self._call(array(scores, (3 * K,)), array(p, (K,)), several, K, t)

    def _call(self, scores: Doubles, p: Doubles, settings: Doubles, K: int, t: int) -> None:
        """Write the probabilities into `p`, which stays as it is if the rule fails."""
        try:
            values: dict[str, Any] = {
                name: type(default)(settings[place])
                for place, (name, default) in enumerate(self.defaults.items())
            }
            bounds = scores[K : 2 * K].copy(), scores[2 * K : 3 * K].copy()
            given = zip(FROM_ROUND, (t, K, *bounds), strict=True)
            values |= {name: value for name, value in given if name in self.wants}
            probabilities = np.asarray(self.function(scores[:K].copy(), **values), np.float64)
            if probabilities.shape != (K,):
                raise RuleError(f"it must return {K} numbers, got shape {probabilities.shape}")
            p[:K] = probabilities
        except BaseException as error:
            self.error = error


def _with_helpers(function: Any, compiled: Callable[[Any], Any], made: dict[Any, Any]) -> Any:
    """A copy of a function of users that calls compiled copies of their other functions."""
    if not isinstance(function, FunctionType):
        return function
    code, names = function.__code__, {**function.__globals__}
    copy = FunctionType(code, names, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    made[function] = compiled(copy)
    for name in code.co_names:
        used = names.get(name)
        if isinstance(used, FunctionType) and not used.__code__.co_filename.startswith(_LIBRARIES):
            if used not in made:
                _with_helpers(used, compiled, made)
            names[name] = made[used]
    return copy


def plain_notice(what: str, microseconds: float, compiled: float, error: Exception) -> str:
    """Says that something of users is not compiled, what that costs, and why."""
    times = float(f"{microseconds / compiled:.1g}")
    return (
        f"{what} runs as plain Python, about {times:,.0f} times slower: {microseconds:.0f} "
        f"microseconds in a round of a run, where compiled code takes about {compiled:g}. "
        f"Numba says {reason_of(error)}"
    )


def reason_of(error: Exception) -> str:
    """What numba says of a function that it cannot compile, and of which line of the user.

    Its first lines name phases. It quotes lines of its own and of the user's files.
    """
    text = str(error)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    said = [line for line in lines if not line.startswith("Failed in ")] or [type(error).__name__]
    call = next((line[4:] for line in said if line.startswith(">>> ")), "")
    number, code = _line_of_user(text)
    parts = [f"call: {call[:100]!r}"] if call else []
    parts += [f"line {number}: {code[:100]!r}"] if code else []
    return f"{said[0][:200]!r}" + (f" ({'; '.join(parts)})" if parts else "")


def _line_of_user(text: str) -> tuple[int, str]:
    """The first line of a file or a cell of the user in an error of numba."""
    for file, number, other, other_number in _PLACES.findall(text):
        name, line = file or other, int(number or other_number)
        path = os.path.normpath(Path.cwd() / name)
        known = path if Path(path).is_file() else name
        code = linecache.getline(known, line).strip()
        if code and not known.startswith(_LIBRARIES):
            return line, code
    return 0, ""


class State(NamedTuple):
    """The rule and the settings of each lane, and room for one lane's numbers."""

    address: Ints
    settings: Doubles  # (L, S)
    scores: Doubles  # (3 K,) with the bounds behind them
    p: Doubles  # (K,)
    broken: Ints  # (L,) the round in which a rule first gave no probabilities, or 0
    c0: Doubles  # (L,) of the bounds
    any_bounds: bool  # whether some lane asks for them
    label: Floats  # (L,) the artificial label of the bounds
    lower: Doubles  # (K, L)
    upper: Doubles  # (K, L)


_rules: dict[type, Rule] = {}  # by the class of settings


def new_state(settings: Sequence[Any], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`; lanes may have different rules."""
    rules = [_rules[type(one)] for one in settings]
    for rule, one in zip(rules, settings, strict=True):
        if one.code != rule.code:
            raise ValueError(
                f"rule {rule.name!r} has changed since this run was made (its code was "
                f"{one.code}, and is {rule.code}): make the runs again"
            )
    numbers = np.zeros((len(rules), max(1, *(len(rule.defaults) for rule in rules))))
    for lane, (rule, one) in enumerate(zip(rules, settings, strict=True)):
        for place, name in enumerate(rule.defaults):
            numbers[lane, place] = float(getattr(one, name))
    shape = sizes.n_actions, len(rules)
    return State(
        np.array([rule.address() for rule in rules]),
        numbers,
        np.zeros(3 * sizes.n_actions),
        np.zeros(sizes.n_actions),
        np.zeros(len(rules), np.int64),
        np.array([float(getattr(one, WIDTH, RegCB().c0)) for one in settings]),
        any(rule.asks_bounds for rule in rules),
        np.zeros(len(rules), np.float32),
        np.zeros(shape),
        np.zeros(shape),
    )


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """P is what the rule of the lane says; uniform if that is no distribution."""
    K = event.K
    if state.any_bounds:
        log_Kt = math.log(K * event.t)
        lcb(state, bandit, x, event, log_Kt)
        ucb(state, bandit, x, event, log_Kt)
    for lane in range(n_lanes(bandit)):
        for k in range(K):
            state.scores[k] = np.float64(bandit.scores[k, lane])
            state.scores[K + k] = state.lower[k, lane]
            state.scores[2 * K + k] = state.upper[k, lane]
            state.p[k] = -1.0
        call_rule(state.address[lane], state.scores, state.p, state.settings[lane], K, event.t)
        total, wrong = 0.0, 0
        for k in range(K):
            wrong += not state.p[k] >= 0.0
            total = total + state.p[k]
            bandit.p[k, lane] = state.p[k]
        if wrong > 0 or not abs(total - 1.0) <= ROUNDING:
            if state.broken[lane] == 0:
                state.broken[lane] = event.t
            for k in range(K):
                bandit.p[k, lane] = 1.0 / K


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Regress on the loss of the action taken, or learn off-policy by a reduction."""
    if bandit.reduction == Reduction.NONE:
        direct_update(bandit, x, event)
    else:
        opl_update(bandit, x, event)


def check(state: State) -> None:
    """Raise what a rule did wrong."""
    if not state.broken.any():
        return
    lane = int(np.flatnonzero(state.broken)[0])
    rule = next(one for one in _rules.values() if one._address == state.address[lane])
    error, rule.error = rule.error, None
    what = "it must return probabilities, which are 0 or more and sum to 1"
    if error is not None:
        what = str(error) if isinstance(error, RuleError) else f"{type(error).__name__}: {error}"
    raise RuleError(f"rule {rule.name!r} in round {state.broken[lane]}: {what}") from error


def explorer_of_rule(
    name: str, function: Callable[..., Any], code: str, tell: Callable[[str], None]
) -> Explorer:
    """The record of a rule; a `ValueError` says what is wrong with the function."""
    wants, defaults = _parameters(function)
    rule = Rule(function.__name__, function, defaults, wants, code, tell)
    declared = [(key, type(value), field(default=value)) for key, value in defaults.items()]
    settings = make_dataclass(
        f"Rule_{function.__name__}",
        [*declared, (CODE, str, field(default=code))],
        bases=(Settings,),
        frozen=True,
        slots=True,
    )
    _rules[settings] = rule
    title = (inspect.getdoc(function) or function.__name__).splitlines()[0].rstrip(".")
    return Explorer(
        name, settings, new_state, explore, learn,
        names=(Name(function.__name__, title, 50, "#666666"),),
        reductions=REDUCTIONS, state_numbers=6, check=check,
        asks_sensitivity=rule.asks_bounds, counts_rounds=True,
    )  # fmt: skip


def _parameters(function: Callable[..., Any]) -> tuple[tuple[str, ...], dict[str, Any]]:
    """What a rule wants of a round, and its settings with their defaults."""
    _, *others = inspect.signature(function).parameters.values()
    wants = tuple(p.name for p in others if p.name in FROM_ROUND)
    defaults = {p.name: p.default for p in others if p.name not in FROM_ROUND}
    for name, value in defaults.items():
        if name in SAFEGUARDS:
            raise ValueError(
                f"the parameter {name!r} of rule {function.__name__!r} has the name of a "
                f"safeguard, which every rule has: call it something else"
            )
        if not isinstance(value, (bool, int, float)) or name in (CODE, "label"):
            raise ValueError(
                f"the parameter {name!r} of rule {function.__name__!r} must have a default that "
                f"is a number, True or False"
            )
    return wants, defaults


def rule_of(record: Explorer) -> Rule:
    """The rule behind a record."""
    return _rules[record.settings]
