"""Exploration rules of users: functions from scores to probabilities, as explorers.

    def softmax(scores, temperature=0.1):
        p = np.exp((scores.min() - scores) / temperature)
        return p / p.sum()

    grid(["greedy", softmax])          # in a notebook, a script or a module
    bakeoff run -a rules.py:softmax    # in a file
    bakeoff run -a rule-softmax        # in an installed package, by the entry point bakeoff.rules

A rule becomes an explorer whose name is "rule-softmax". The hash of its code is one of its
settings, and so part of the key of its results.
"""

import functools
import importlib
import importlib.util
import inspect
import pickle
import re
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from bakeoff.basics.errors import SpecError
from bakeoff.basics.notices import notify
from bakeoff.core.explorers import EXPLORERS, NAMES
from bakeoff.core.rules import explorer_of_rule, rule_of
from bakeoff.runs import specs
from bakeoff.runs.code_fingerprint import fingerprint

PREFIX = "rule-"
GROUP = "bakeoff.rules"  # of entry points
FILE_MODULE = "bakeoff_file_"  # begins the names of modules that are made of such files
_IN_FILE = re.compile(r"(?P<file>[^,]+\.py):(?P<name>\w+)(?P<rest>.*)", re.DOTALL)


def is_rule(function: Any) -> bool:
    """Whether a function is a rule: its first parameter is called `scores`."""
    while isinstance(function, functools.partial):
        function = function.func
    if inspect.isclass(function) or not callable(function):
        return False
    try:
        return next(iter(inspect.signature(function).parameters), "") == "scores"
    except (TypeError, ValueError):
        return False


def rule(function: Callable[..., Any]) -> str:
    """Make an exploration rule known, and return its spec.

    The rule gets the predicted losses of the actions and returns their probabilities. It may
    have parameters `t` (the round, from 1) and `K` (the number of actions); others are its
    settings, which need defaults. Its spec stands wherever that of another algorithm may:
    Learner(rule(mine), n_actions=3).

    Parameters
    ----------
    function
        The rule; its first parameter is called `scores`.

    Returns
    -------
    str
        The spec of the rule.

    Raises
    ------
    SpecError
        If the function has no parameter `scores`, or a setting has no default.

    Examples
    --------
    >>> def uniform(scores, K):
    ...     return scores * 0 + 1 / K
    >>> bakeoff.rule(uniform).split(":")[0]
    'rule-uniform'
    """
    if not is_rule(function):
        raise SpecError(
            f"a rule is a function whose first parameter is called 'scores', got {function!r}"
        )
    values: dict[str, Any] = {}
    while isinstance(function, functools.partial):
        values = {**function.keywords, **values}
        function = function.func
    name = _registered(function)
    parts = [key if value is True else f"{key}={value}" for key, value in values.items()
             if value is not False]  # fmt: skip
    return f"{name}:{','.join(parts)}" if parts else name


def _registered(function: Callable[..., Any], code: str = "") -> str:
    own = function.__name__
    if not own.isidentifier() or own in NAMES:
        raise SpecError(f"a rule needs a name of its own: define it with `def`, got {own!r}")
    name, code = f"{PREFIX}{own}", code or fingerprint(function)[:8]
    known = EXPLORERS.get(name)
    if known is None or known.settings().code != code:  # type: ignore[attr-defined]
        try:
            EXPLORERS[name] = explorer_of_rule(name, function, code, notify)
        except ValueError as error:
            raise SpecError(str(error)) from None
        specs.forget_parsed()
    return name


def spec_in_file(text: str) -> tuple[Callable[..., Any], str] | None:
    """What "rules.py:name,key=value" names in a file, and its parameters; None if nothing."""
    match = _IN_FILE.fullmatch(text.strip())
    if match is None:
        return None
    path = Path(match["file"]).expanduser()
    try:
        module = _module_of(path)
    except FileNotFoundError:
        raise SpecError(f"{text!r}: there is no file {str(path)!r}") from None
    except Exception as error:
        raise SpecError(
            f"{text!r}: cannot import {str(path)!r}: {type(error).__name__}: {error}"
        ) from error
    value = getattr(module, match["name"], None)
    if not callable(value):
        names = [key for key, one in vars(module).items() if is_rule(one)]
        hint = f"; its rules are {', '.join(names)}" if names else ""
        raise SpecError(f"{text!r}: {path} has no function or class {match['name']!r}{hint}")
    return value, match["rest"]


def _module_of(path: Path) -> Any:
    name = f"{FILE_MODULE}{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def install(name: str) -> bool:
    """Make the rule of this name known if an installed package has it."""
    wanted = name.removeprefix(PREFIX)
    for entry in metadata.entry_points(group=GROUP):
        if entry.name == wanted:
            return _registered(entry.load()) == name
    return False


def packed(explorer: str) -> bytes:
    """The rule of a spec for another process; empty if it is not a rule."""
    record = EXPLORERS.get(explorer.partition(":")[0])
    if record is None or not record.name.startswith(PREFIX):
        return b""
    known = rule_of(record)
    data: bytes = importlib.import_module("cloudpickle").dumps((known.function, known.code))
    return data


def unpack(data: bytes) -> None:
    """Make a rule known that another process has packed."""
    if data:
        _registered(*pickle.loads(data))
