"""Kinds of runs: the paper's algorithms, and learners of users, which have a prefix.

Another room knows how to read and make runs of users' learners. It is imported when such
a run is met, and not before.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from bakeoff.runs.run import Run

PREFIX = "python:"  # of learners that users wrote


def is_own(text: str) -> bool:
    """Whether a spec names a learner by import path.

    >>> is_own("python:mymodule.Mine"), is_own("greedy")
    (True, False)
    """
    return text.strip().startswith(PREFIX)


def run_from_text(text: str) -> Run:
    """The run that `str(run)` describes, of whatever kind."""
    return _learners().OwnRun.from_text(text) if is_own(text) else Run.from_text(text)


def spec_of(make: Callable[..., Any]) -> str:
    """The spec of a user's class or function."""
    spec: str = _learners().spec_of(make)
    return spec


def own_runs(
    text: str, rates: Sequence[float], offset: float, seeds: Sequence[int]
) -> Sequence[Run]:
    """Runs of a user's learner with every learning rate and seed, if it takes them."""
    return _learners().own_runs(text, rates, offset, seeds)


def _learners() -> Any:
    return importlib.import_module("bakeoff.learners")
