"""Learners by value: classes of a notebook, a script or a function, which have no import path.

They have a spec as all learners have, such as "python:__main__.Mine". Where another process
needs one, the class itself is sent along.
"""

import base64
import functools
import importlib
import sys
from collections.abc import Callable
from typing import Any

import cloudpickle

from bakeoff.basics.errors import SpecError
from bakeoff.runs import FILE_MODULE, PREFIX, pickled_by_value

_MAIN = "__main__."
_kept: dict[str, Callable[..., Any]] = {}  # by path


def spec_of(make: Callable[..., Any]) -> str:
    """The spec of a class or function, and of a `functools.partial` of one.

    A class that cannot be imported by its path is kept, so that its spec finds it.
    """
    parameters: dict[str, Any] = {}
    inner = make
    while isinstance(inner, functools.partial):
        if inner.args:
            raise SpecError(f"give the parameters of {inner.func!r} by name: partial(..., k=v)")
        parameters = {**inner.keywords, **parameters}
        inner = inner.func
    path = f"{inner.__module__}.{_name_of(inner)}"
    if not _is_importable(path, inner):
        _kept[path] = inner
    return ",".join([f"{PREFIX}{path}", *(_text(path, *item) for item in parameters.items())])


def _name_of(make: Any) -> str:
    name = getattr(make, "__name__", "")
    if not name.isidentifier():
        raise SpecError(f"a learner needs a name: define {make!r} with `class` or `def`")
    return name


def _text(path: str, name: str, value: Any) -> str:
    if isinstance(value, bool):
        return f"{name}={str(value).lower()}"
    if not isinstance(value, (int, float, str)) or "," in str(value):
        raise SpecError(
            f"the parameter {name!r} of {path} must be a number, True, False or a text without "
            f"commas, got {value!r}"
        )
    return f"{name}={value}"


def _is_importable(path: str, make: Callable[..., Any]) -> bool:
    module, _, name = path.rpartition(".")
    if module == "__main__" or module.startswith(FILE_MODULE):
        return False
    try:
        return getattr(importlib.import_module(module), name, None) is make
    except ImportError:
        return False


def value_of(path: str) -> Callable[..., Any] | None:
    """The class or function behind a path that cannot be imported; None if it can."""
    if path in _kept:
        return _kept[path]
    is_of_main = path.startswith(_MAIN)
    return getattr(sys.modules["__main__"], path.removeprefix(_MAIN), None) if is_of_main else None


def packed(path: str) -> str:
    """A learner as text for another process; empty if it is imported there."""
    value = value_of(path)
    if value is None:
        return ""
    try:
        return base64.b64encode(pickled_by_value(value)).decode()
    except Exception as error:  # whatever the class refers to may object
        raise SpecError(
            f"{path} cannot be sent to another process ({error}); put it into a module of its own"
        ) from error


def unpack(path: str, text: str) -> None:
    """Keep a learner that another process has packed."""
    if text:
        _kept[path] = cloudpickle.loads(base64.b64decode(text))
