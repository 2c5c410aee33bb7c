"""Fingerprints: a hash of the code of a function or class that users wrote.

It covers what the code refers to: helper functions, base classes and constants (numbers, texts,
tuples, arrays), in its own module and in other modules of the user. Lists, dictionaries and
objects count as they were written (values_as_written.py). Comments, docstrings and spaces do
not count. A notebook has no file to hash, so this works on objects.
"""

import hashlib
import inspect
import sys
import textwrap
import types
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff.core.code_hash import shape_of
from bakeoff.runs.values_as_written import Names, definition_of, first_seen, is_of_users

_PLAIN = (int, float, complex, str, bytes, type(None))
_CONSTANTS = (*_PLAIN, tuple, np.ndarray, np.generic)
_CONTAINERS = (list, dict, set, frozenset)


def fingerprint(value: Any) -> str:
    """A hash of the code of a function or class.

    >>> fingerprint(lambda x: x + 1) == fingerprint(lambda x: x + 2)
    False
    """
    content = "\n".join(_parts(value, set()))
    return hashlib.sha256(content.encode(errors="replace")).hexdigest()[:16]


def _parts(value: Any, seen: set[int]) -> Iterator[str]:
    """The texts that make up the code of a value, each part once."""
    if isinstance(value, _PLAIN):
        yield repr(value)
        return
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, (np.ndarray, np.generic)):
        yield f"{value.dtype} {value.shape} {value.tolist()}"
    elif isinstance(value, types.ModuleType):
        yield shape_of(Path(str(value.__file__)).read_bytes())
    elif isinstance(value, tuple):
        for item in value:
            yield from _parts(item, seen)
    elif isinstance(value, _CONTAINERS):
        yield first_seen(value, _items(value, seen))
    elif isinstance(value, (classmethod, staticmethod)):
        yield from _parts(value.__func__, seen)
    elif isinstance(value, property):
        for part in (value.fget, value.fset):
            yield from _parts(part, seen)
    elif isinstance(value, type):
        yield from _parts_of_class(value, seen)
    elif isinstance(unwrapped := _unwrapped(value), types.FunctionType):
        yield from _parts_of_function(unwrapped, seen)
    else:
        yield f"{type(value).__module__}.{type(value).__qualname__}"


def _items(value: Any, seen: set[int]) -> Iterator[str]:
    several = value.items() if isinstance(value, dict) else value
    for item in several if isinstance(value, (list, dict)) else sorted(several, key=repr):
        yield from _parts(item, seen)


def _unwrapped(value: Any) -> Any:
    """The function in a decorated one, such as numba's."""
    try:
        value = inspect.unwrap(value)
    except ValueError:
        return value
    return getattr(value, "py_func", value)


def _parts_of_class(value: type, seen: set[int]) -> Iterator[str]:
    for base in value.__mro__:
        if base.__module__ == value.__module__:
            yield base.__qualname__
            names = vars(sys.modules.get(base.__module__, types.ModuleType("nowhere")))
            outermost = base.__qualname__.partition(".")[0]
            for name, member in sorted(vars(base).items()):
                is_code = callable(member) or isinstance(
                    member, (classmethod, staticmethod, property)
                )
                if is_code or not name.startswith("__"):
                    yield name
                    is_kept = not is_code and not isinstance(member, _CONSTANTS)
                    written = definition_of(outermost, names) if is_kept else None
                    yield from [written.shape] if written else _parts(member, seen)


def _parts_of_function(function: types.FunctionType, seen: set[int]) -> Iterator[str]:
    yield _code_of(function)
    yield from _parts(function.__defaults__ or (), seen)
    for name, default in sorted((function.__kwdefaults__ or {}).items()):
        yield name
        yield from _parts(default, seen)
    names = function.__code__.co_freevars
    for name, cell in zip(names, function.__closure__ or (), strict=True):
        yield name
        try:
            yield from _parts(cell.cell_contents, seen)
        except ValueError:  # a name that has no value yet
            continue
    yield from _parts_named(_names_in(function.__code__), function.__globals__, seen)


def _parts_named(uses: Iterable[str], names: Names, seen: set[int]) -> Iterator[str]:
    """The parts of what code uses by name, among the names of its module."""
    for name in sorted(one for one in uses if one in names):
        used = names[name]
        home = getattr(used, "__module__", None)
        if _is_kept(used):
            if id(used) not in seen:
                seen.add(id(used))
                yield name
                yield from _as_written(name, used, names, seen)
        elif isinstance(used, _CONSTANTS) or home == names.get("__name__") or _is_of_a_user(used):
            yield name
            yield from _parts(used, seen)


def _is_kept(value: Any) -> bool:
    """Whether a value may change while a learner plays."""
    fixed = (*_CONSTANTS, type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)
    return not isinstance(_unwrapped(value), fixed)


def _as_written(name: str, value: Any, names: Names, seen: set[int]) -> Iterator[str]:
    written = definition_of(name, names)
    if written is not None:
        yield written.shape
        yield from _parts_named(written.uses - {name}, names, seen)
    elif isinstance(value, _CONTAINERS):
        yield first_seen(value, _items(value, seen))


def _is_of_a_user(value: Any) -> bool:
    """Whether a helper, or a module of them, stands in a file that no library has."""
    value = _unwrapped(value)
    if not isinstance(value, (types.FunctionType, type, types.ModuleType)):
        return False
    home = str(getattr(value, "__module__", None))
    return is_of_users(value if isinstance(value, types.ModuleType) else sys.modules.get(home))


def _code_of(function: types.FunctionType) -> str:
    """The source of a function in one form, or its bytecode if there is no source.

    A file that was edited after the function was made is no source of it.
    """
    try:
        shape = shape_of(textwrap.dedent(inspect.getsource(function)).encode())
        return shape if _is_as_in_file(function.__code__) else _bytecode(function.__code__)
    except (OSError, TypeError, SyntaxError, IndentationError):
        return _bytecode(function.__code__)


def _is_as_in_file(code: types.CodeType) -> bool:
    """Whether its file still says this; cells and texts are never edited."""
    path = Path(code.co_filename)
    return not path.is_file() or _bytecode(code) in _bytecodes(path.read_bytes())


@lru_cache(maxsize=100)
def _bytecodes(source: bytes) -> frozenset[str]:
    """The bytecode of all that a file defines."""
    todo = [compile(source, "<file>", "exec", dont_inherit=True)]
    found: set[str] = set()
    while todo:
        inner = [one for one in todo.pop().co_consts if isinstance(one, types.CodeType)]
        found.update(map(_bytecode, inner))
        todo += inner
    return frozenset(found)


def _bytecode(code: types.CodeType) -> str:
    constants = [
        _bytecode(one) if isinstance(one, types.CodeType) else repr(one)
        for one in code.co_consts[code.co_consts[:1] != (None,) :]  # without a docstring
    ]
    return f"{code.co_code.hex()} {code.co_names} {constants}"


def _names_in(code: types.CodeType) -> set[str]:
    """The names that code refers to, in inner functions too."""
    inner = [one for one in code.co_consts if isinstance(one, types.CodeType)]
    return {*code.co_names}.union(*map(_names_in, inner))
