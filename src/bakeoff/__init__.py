"""Contextual bandits: compare them, run them, evaluate them."""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bakeoff.errors import (
        BakeoffError,
        DataError,
        DataNotice,
        ResourceError,
        ResultsError,
        SpecError,
    )
    from bakeoff.experiment import Experiment
    from bakeoff.grids import grid
    from bakeoff.learner import Decision, Learner
    from bakeoff.problems.problem import Problem
    from bakeoff.problems.sources import load
    from bakeoff.runs import Run
    from bakeoff.simulation import Curve, Result, simulate
    from bakeoff.specs import parse, to_text

_HOMES = {
    "BakeoffError": "errors",
    "Curve": "simulation",
    "DataError": "errors",
    "DataNotice": "errors",
    "Decision": "learner",
    "Experiment": "experiment",
    "Learner": "learner",
    "Problem": "problems.problem",
    "ResourceError": "errors",
    "Result": "simulation",
    "ResultsError": "errors",
    "Run": "runs",
    "SpecError": "errors",
    "grid": "grids",
    "load": "problems.sources",
    "parse": "specs",
    "simulate": "simulation",
    "to_text": "specs",
}

__all__ = [
    "BakeoffError",
    "Curve",
    "DataError",
    "DataNotice",
    "Decision",
    "Experiment",
    "Learner",
    "Problem",
    "ResourceError",
    "Result",
    "ResultsError",
    "Run",
    "SpecError",
    "grid",
    "load",
    "parse",
    "simulate",
    "to_text",
]


def __getattr__(name: str) -> Any:
    """Import what a name needs when it is first used: numba takes half a second."""
    if name not in _HOMES:
        raise AttributeError(f"module 'bakeoff' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"bakeoff.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
