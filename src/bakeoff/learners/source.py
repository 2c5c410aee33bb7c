"""Own sources: the code of a learner of one's own, and what it says of itself."""

import ast
import hashlib
import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, get_args

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.data import Task
from bakeoff.learners.spec import maker_of, parse_own

TASKS: tuple[str, ...] = get_args(Task)


class OwnSource(NamedTuple):
    """What is known of a learner before it plays."""

    digest: str  # of the file that defines it; empty if that cannot be found
    tasks: tuple[str, ...]  # that it can play


def own_source(explorer: str) -> OwnSource:
    """Import the learner of a spec, and look at it."""
    spec = parse_own(explorer)
    make = maker_of(spec).make
    return OwnSource(_digest(_file_of(make)), tasks_of(make, spec.text))


def _file_of(make: Callable[..., Any]) -> Path | None:
    """The file that defines what makes a learner."""
    try:
        found = inspect.getsourcefile(inspect.unwrap(make))
    except TypeError:  # a partial, or something built in
        module = sys.modules.get(getattr(make, "__module__", ""), None)
        found = getattr(module, "__file__", None)
    return None if found is None else Path(found)


def _digest(file: Path | None) -> str:
    """A hash of the code of a file; comments and spaces do not count."""
    try:
        code = "" if file is None else ast.dump(ast.parse(file.read_bytes()))
    except (OSError, SyntaxError, ValueError):
        code = ""
    return hashlib.sha256(code.encode()).hexdigest()[:16] if code else ""


def tasks_of(make: Callable[..., Any], text: str) -> tuple[str, ...]:
    """The tasks that a learner plays: those of its attribute `tasks`, or all."""
    said = getattr(make, "tasks", TASKS)
    named = [said] if isinstance(said, str) else list(said)
    for one in named:
        if one not in TASKS:
            hint = did_you_mean(str(one), TASKS)
            raise SpecError(f"{text!r}: there is no task {one!r} in its tasks{hint}")
    return tuple(task for task in TASKS if task in named)
