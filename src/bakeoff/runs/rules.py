"""Exploration rules and whole explorers of users.

A rule is a function from scores to probabilities:

    def softmax(scores, temperature=0.1):
        p = np.exp((scores.min() - scores) / temperature)
        return p / p.sum()

    grid(["greedy", softmax])          # in a notebook, a script or a module
    bakeoff run -a rules.py:softmax    # in a file
    bakeoff run -a rule-softmax        # in an installed package, by the entry point bakeoff.rules

It becomes an explorer whose name is "rule-softmax". A whole explorer is a record as in
core/explorers, whose name becomes "own-boltzmann":

    grid(["greedy", BOLTZMANN])
    bakeoff run -a explorers.py:boltzmann
    bakeoff run -a own-boltzmann       # by the entry point bakeoff.explorers

The hash of the code is one of its settings, and so part of the key of its results.
"""

import copyreg
import functools
import importlib
import importlib.util
import inspect
import pickle
import re
import sys
from collections.abc import Callable
from dataclasses import MISSING, fields
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from bakeoff.basics.errors import SpecError
from bakeoff.basics.notices import notify
from bakeoff.core.explorers import EXPLORERS, NAMES, Explorer
from bakeoff.core.own_explorers import Own, own_explorer
from bakeoff.core.rules import explorer_of_rule, rule_of
from bakeoff.runs import specs
from bakeoff.runs.by_value import FILE_MODULE, pickled_by_value
from bakeoff.runs.code_fingerprint import fingerprint
from bakeoff.runs.values_as_written import is_of_users

PREFIX, OWN = specs.OF_USERS
GROUPS = {PREFIX: "bakeoff.rules", OWN: "bakeoff.explorers"}  # of entry points
_NAME = re.compile(r"\w[\w-]*")
_IN_FILE = re.compile(r"(?P<file>[^,]+\.py):(?P<name>\w[\w-]*)(?P<rest>.*)", re.DOTALL)


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


def rule(function: Callable[..., Any] | Explorer) -> str:
    """Make an exploration rule known, and return its spec.

    The rule gets the predicted losses of the actions and returns their probabilities. It may
    have parameters `t` (the round, from 1) and `K` (the number of actions); others are its
    settings, which need defaults. Its spec stands wherever that of another algorithm may:
    Learner(rule(mine), n_actions=3). The record of a whole explorer may stand for a rule.

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
    if isinstance(function, Explorer):
        return _registered_explorer(function)
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
    return _known(name, code, lambda: explorer_of_rule(name, function, code, notify))


def _registered_explorer(record: Explorer, code: str = "") -> str:
    if record in EXPLORERS.values():  # one of ours, or known by the name that it got
        return record.name
    if not _NAME.fullmatch(record.name):
        raise SpecError(f"an explorer is called by one word, got {record.name!r}")
    if record.sees_all_costs:
        raise SpecError(f"explorer {record.name!r} sees all costs, which only the skyline may")
    name, code = f"{OWN}{record.name}", code or code_of_record(record)
    return _known(name, code, lambda: own_explorer(name, record, code, [*NAMES], notify))


def code_of_record(record: Explorer) -> str:
    """A hash of the code of an explorer."""
    usual = {one.name: one.default for one in fields(Explorer)}
    values = {name: getattr(record, name) for name in usual if name != "names"}
    said = {name: value for name, value in values.items() if value is not usual[name]}
    return fingerprint(tuple(item for pair in said.items() for item in pair))[:8]


def _known(name: str, code: str, made: Callable[[], Explorer]) -> str:
    """The name of a rule or explorer, which is made if it is not known with this code."""
    known = EXPLORERS.get(name)
    if known is None or known.settings().code != code:  # type: ignore[attr-defined]
        try:
            EXPLORERS[name] = made()
        except ValueError as error:
            raise SpecError(str(error)) from None
        specs.forget_parsed()
    return name


def spec_in_file(text: str) -> tuple[Any, str] | None:
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
    records = {one.name: one for one in vars(module).values() if isinstance(one, Explorer)}
    value = records.get(match["name"], getattr(module, match["name"], None))
    if not callable(value) and not isinstance(value, Explorer):
        rules = [key for key, one in vars(module).items() if is_rule(one)]
        hint = "".join(
            f"; its {what} are {', '.join(names)}"
            for what, names in (("rules", rules), ("explorers", [*records]))
            if names
        )
        raise SpecError(
            f"{text!r}: {path} has no function, class or explorer {match['name']!r}{hint}"
        )
    return value, match["rest"]


def spec_of_users(explorer: Any) -> Any:
    """The spec of a rule or an explorer, or of one in a file; anything else as it is."""
    if isinstance(explorer, str):
        found = spec_in_file(explorer) if ".py:" in explorer else None
        if found is None:
            return explorer
        spec = spec_with(*found)
        if spec is None:
            raise SpecError(
                f"{explorer!r} is a learner of your own, whose runs grid({explorer!r}) makes"
            )
        return spec
    return spec_with(explorer, "") or explorer


def spec_with(value: Any, rest: str) -> str | None:
    """The spec of a rule or an explorer with these parameters; None if it is neither."""
    if not isinstance(value, Explorer) and not is_rule(value):
        return None
    spec = rule(value)
    return spec + (rest if ":" in spec else re.sub("^,", ":", rest))


def _module_of(path: Path) -> Any:
    """A module made of a file, which finds the files beside it as a script does."""
    name, folder = f"{FILE_MODULE}{path.stem}", path.resolve().parent
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    _forget_edited(folder)
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("it is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    _note_imported(folder)
    return module


_imported: dict[str, tuple[ModuleType, bytes]] = {}  # helpers, with their files as they were


def _note_imported(folder: Path) -> None:
    for name, module in [*sys.modules.items()]:
        file = Path(str(getattr(module, "__file__", "")))
        is_known = name in _imported and _imported[name][0] is module
        if file.parent == folder and is_of_users(module) and not is_known:
            _imported[name] = module, file.read_bytes()


def _forget_edited(folder: Path) -> None:
    """Forget helpers in a folder if one of them has changed, so that they are imported anew."""
    files = {name: Path(str(module.__file__)) for name, (module, _) in _imported.items()}
    there = [name for name, file in files.items() if file.parent == folder]
    changed = [
        name for name in there
        if not files[name].is_file() or files[name].read_bytes() != _imported[name][1]
    ]  # fmt: skip
    for name in there if changed else ():
        if sys.modules.get(name) is _imported.pop(name)[0]:
            del sys.modules[name]
    importlib.invalidate_caches()


def install(name: str) -> bool:
    """Make the rule or explorer of this name known if an installed package has it."""
    prefix = PREFIX if name.startswith(PREFIX) else OWN
    wanted = name.removeprefix(prefix)
    for entry in metadata.entry_points(group=GROUPS[prefix]):
        if entry.name == wanted:
            return rule(entry.load()) == name
    return False


# what dataclasses mark missing defaults with, which a copy is not
copyreg.pickle(type(MISSING), lambda _: "MISSING")


_packed: dict[tuple[str, str], bytes] = {}  # by name and code


def packed(explorer: str) -> bytes:
    """The rule or explorer of a spec for another process; empty if it is one of ours."""
    record = EXPLORERS.get(explorer.partition(":")[0])
    if record is None or not record.name.startswith(specs.OF_USERS):
        return b""
    code = record.settings().code  # type: ignore[attr-defined]
    if (record.name, code) not in _packed:
        value: Any = record.source if isinstance(record, Own) else rule_of(record).function
        _packed[record.name, code] = pickled_by_value((value, code))
    return _packed[record.name, code]


def unpack(data: bytes) -> None:
    """Make a rule or explorer known that another process has packed."""
    if data:
        value, code = pickle.loads(data)
        if isinstance(value, Explorer):
            for module in (value.explore.__module__, value.learn.__module__):
                if module not in sys.modules and importlib.util.find_spec(module) is None:
                    sys.modules[module] = ModuleType(module)  # compiled code names it
            _registered_explorer(value, code)
        else:
            _registered(value, code)
