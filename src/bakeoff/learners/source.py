"""The source of a learner: what a spec imports, and what is known of it before it plays."""

import ast
import hashlib
import importlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, get_args

from bakeoff.basics.errors import BakeoffError, SpecError
from bakeoff.basics.text import did_you_mean, in_one_line
from bakeoff.core.code_hash import files_with, shape_of
from bakeoff.data import Task
from bakeoff.learners.by_value import value_of
from bakeoff.learners.contract import RUN_SETTINGS, Factory, describe_error
from bakeoff.learners.spec import OwnSpec, parse_own
from bakeoff.runs import fingerprint

TASKS: tuple[str, ...] = get_args(Task)


class LearnerSource(NamedTuple):
    """What is known of a learner before it plays."""

    file: str  # that defines it; empty if there is none
    digest: str  # of the code in this file and those beside it that it imports
    tasks: tuple[str, ...]  # that it can play
    takes: tuple[str, ...]  # settings of a run that it has parameters for
    old_digest: str = ""  # as version 0.2 computed it
    selects: bool = False  # whether it has `accepts(facts)`

    @property
    def is_current(self) -> bool:
        """Whether the files still hold the same code."""
        return _digests(self.file)[0] == self.digest


def inspect_learner(explorer: str) -> LearnerSource:
    """Import the learner of a spec, and look at it."""
    spec = parse_own(explorer)
    factory = import_learner(spec)
    tasks, takes = tasks_of(factory), tuple(sorted(factory.takes))
    selects = callable(getattr(factory.make, "accepts", None))
    if value_of(spec.path) is not None:
        return LearnerSource("", fingerprint(factory.make), tasks, takes, selects=selects)
    file = _file_of(factory.make)
    digest, old_digest = _digests(file)
    return LearnerSource(file, digest, tasks, takes, old_digest, selects)


def import_learner(spec: OwnSpec) -> Factory:
    """Import the class or function of a spec, and check that it takes the parameters."""
    kept = value_of(spec.path)
    if kept is not None:
        return factory_of(kept, spec.text, spec.parameters)
    module = _import_module(spec)
    name = spec.path.rpartition(".")[2]
    if not hasattr(module, name):
        others = [key for key, value in vars(module).items() if hasattr(value, "choose")]
        hint = did_you_mean(name, others)
        raise SpecError(f"{spec.text!r}: {module.__name__} has no learner {name!r}{hint}")
    make = getattr(module, name)
    if not callable(make):
        kind = type(make).__name__
        raise SpecError(f"{spec.text!r} must be a class or a function, got {kind}")
    return factory_of(make, spec.text, spec.parameters)


def factory_of(make: Callable[..., Any], text: str, parameters: dict[str, Any]) -> Factory:
    """Find the settings that a class or function takes besides its parameters."""
    by_name = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    try:
        signature = inspect.signature(make)
        named = {p.name for p in signature.parameters.values() if p.kind in by_name}
        takes = named.intersection(RUN_SETTINGS)
        signature.bind(**dict.fromkeys(takes), **parameters)
    except (TypeError, ValueError) as error:
        raise SpecError(f"{text!r}: {in_one_line(str(error))}") from None
    return Factory(text, make, frozenset(takes), parameters)


def tasks_of(factory: Factory) -> tuple[str, ...]:
    """The tasks that a learner plays: its attribute `tasks`, or all."""
    tasks = getattr(factory.make, "tasks", TASKS)
    named = [tasks] if isinstance(tasks, str) else list(tasks)
    for name in named:
        if name not in TASKS:
            hint = did_you_mean(str(name), TASKS)
            raise SpecError(f"{factory.text!r}: unknown task {name!r} in its tasks{hint}")
    return tuple(task for task in TASKS if task in named)


def _import_module(spec: OwnSpec) -> ModuleType:
    name = spec.path.rpartition(".")[0]
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)  # as `python -m` does
    try:
        return importlib.import_module(name)
    except (BakeoffError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise SpecError(f"{spec.text!r}: cannot import {name}: {describe_error(error)}") from error


def _file_of(make: Callable[..., Any]) -> str:
    """The file that defines a class or function; empty if there is none."""
    try:
        file = inspect.getsourcefile(inspect.unwrap(make))
    except TypeError:  # a partial, or something built in
        module = sys.modules.get(getattr(make, "__module__", ""), None)
        file = getattr(module, "__file__", None)
    return file or ""


def _digests(file: str) -> tuple[str, str]:
    """Hashes of the code of a file: today's, and that of version 0.2.

    Today, the files beside it that it imports count, too. Comments, docstrings and spaces do
    not, nor does the version of Python.
    """
    try:
        sources = [path.read_bytes() for path in files_with(Path(file))]
        codes = "\n".join(map(shape_of, sources)), ast.dump(ast.parse(sources[0]))
    except (OSError, SyntaxError, ValueError, RecursionError):  # no file, or not Python
        return "", ""
    today, old = (hashlib.sha256(code.encode()).hexdigest()[:16] for code in codes)
    return today, old
