"""Specs of own learners: "python:module.Name,alpha=0.1" and what they import."""

import importlib
import inspect
import sys
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from bakeoff.basics.errors import BakeoffError, SpecError
from bakeoff.basics.text import did_you_mean, in_one_line, printable
from bakeoff.runs import PREFIX, is_own

PACKAGE = str(Path(__file__).parents[1])
LIBRARIES = tuple({*map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))})
GIVEN = ("n_actions", "n_features", "task", "learning_rate", "offset", "seed")  # to all


class OwnSpec(NamedTuple):
    """What "python:module.Name,label=mine,key=value,flag" says."""

    text: str
    path: str
    label: str  # in tables
    parameters: dict[str, Any]


def parse_own(text: str) -> OwnSpec:
    """Read the spec of a learner; nothing is imported.

    >>> parse_own("python:my.Learner,depth=3,alpha=0.1,lazy").parameters
    {'depth': 3, 'alpha': 0.1, 'lazy': True}
    """
    if not text.isprintable():
        raise SpecError(f"the spec of a learner is text that can be printed, got {printable(text)}")
    path, *parts = (part.strip() for part in text.strip().split(","))
    if not is_own(path) or "." not in path:
        raise SpecError(f"a learner is named 'python:module.Name', got {text!r}")
    values: dict[str, Any] = {}
    for part in filter(None, parts):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if name in values:
            raise SpecError(f"{name!r} is given twice in {text!r}")
        if name in GIVEN:
            raise SpecError(f"{name!r} in {text!r} is a setting of the run: leave it out")
        values[name] = _value(value) if equals else True
    label = str(values.pop("label", path.rpartition(".")[2]))
    return OwnSpec(text.strip(), path.removeprefix(PREFIX), label, values)


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)


class Maker(NamedTuple):
    """What makes a learner, and which of `GIVEN` it wants to be told."""

    text: str  # for messages
    make: Callable[..., Any]
    takes: frozenset[str]
    parameters: dict[str, Any]  # of the spec


def maker_of(spec: OwnSpec) -> Maker:
    """Import the class or function of a spec, and see that it takes what is given."""
    return maker_from(_imported(spec), spec.text, spec.parameters)


def maker_from(make: Callable[..., Any], text: str, parameters: dict[str, Any]) -> Maker:
    """See what a class or function wants to be told besides its parameters."""
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    try:
        signature = inspect.signature(make)
        named = {p.name for p in signature.parameters.values() if p.kind in by_name}
        takes = named.intersection(GIVEN)
        signature.bind(**dict.fromkeys(takes), **parameters)
    except (TypeError, ValueError) as error:
        raise SpecError(f"{text!r}: {in_one_line(str(error))}") from None
    return Maker(text, make, frozenset(takes), parameters)


def _imported(spec: OwnSpec) -> Callable[..., Any]:
    module = _module(spec)
    name = spec.path.rpartition(".")[2]
    if not hasattr(module, name):
        others = [key for key, one in vars(module).items() if hasattr(one, "choose")]
        hint = did_you_mean(name, others)
        raise SpecError(f"{spec.text!r}: {module.__name__} has no learner {name!r}{hint}")
    found = getattr(module, name)
    if not callable(found):
        kind = type(found).__name__
        raise SpecError(f"{spec.text!r} must be a class or a function, got {kind}")
    return found


def _module(spec: OwnSpec) -> ModuleType:
    name = spec.path.rpartition(".")[0]
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)  # as `python -m` does
    try:
        return importlib.import_module(name)
    except BakeoffError:
        raise
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise SpecError(
            f"{spec.text!r}: cannot import {name}: {said(error)}{where(error)}"
        ) from error


def said(error: BaseException) -> str:
    """The type and the text of an exception in one line, if it has a text."""
    name = str(type(error).__name__)
    try:
        text = str(error)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = ""
    return printable(in_one_line(f"{name}: {text}".removesuffix(": ")))


def shown(given: object) -> str:
    """What `repr` gives in one line, if it gives anything."""
    try:
        text = repr(given)
    except KeyboardInterrupt:
        raise
    except BaseException:
        text = f"an object of {type(given).__name__} that has no repr"
    return printable(in_one_line(text))


def short(file: str) -> str:
    """A file as seen from the current folder, if it is below it."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except (ValueError, OSError):
        return file


def where(error: BaseException) -> str:
    """The last line of other people's code that an exception came through."""
    lines = [
        f" (at {printable(short(frame.f_code.co_filename))}:{line})"
        for frame, line in traceback.walk_tb(error.__traceback__)
        if not frame.f_code.co_filename.startswith((PACKAGE, *LIBRARIES, "<"))
    ]
    return lines[-1] if lines else ""
