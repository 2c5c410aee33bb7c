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
    from bakeoff.evaluation.compare import compare_policies
    from bakeoff.evaluation.evaluate import evaluate
    from bakeoff.evaluation.found import Estimate, Evaluation
    from bakeoff.evaluation.replay import replay
    from bakeoff.evaluation.training import train
    from bakeoff.learner import Decision, Learner
    from bakeoff.logs.log import Log
    from bakeoff.logs.pieces import read_pieces
    from bakeoff.logs.reading import read_log
    from bakeoff.notebook.experiment import Experiment
    from bakeoff.notebook.results import Results
    from bakeoff.notebook.results import open as open
    from bakeoff.problems.catalog.sources import load
    from bakeoff.problems.features import Features
    from bakeoff.problems.problem import Problem
    from bakeoff.runs.grids import grid
    from bakeoff.runs.run import Run
    from bakeoff.runs.specs import parse, to_text
    from bakeoff.simulation.check_learner import check_learner, parametrize_with_checks
    from bakeoff.simulation.own import LearnerError
    from bakeoff.simulation.result import Curve, Result
    from bakeoff.simulation.simulate import simulate

_HOMES = {
    "BakeoffError": "errors",
    "Curve": "simulation.result",
    "DataError": "errors",
    "DataNotice": "errors",
    "Decision": "learner",
    "Estimate": "evaluation.found",
    "Evaluation": "evaluation.found",
    "Experiment": "notebook.experiment",
    "Features": "problems.features",
    "Learner": "learner",
    "LearnerError": "simulation.own",
    "Log": "logs.log",
    "Problem": "problems.problem",
    "ResourceError": "errors",
    "Result": "simulation.result",
    "Results": "notebook.results",
    "ResultsError": "errors",
    "Run": "runs.run",
    "SpecError": "errors",
    "check_learner": "simulation.check_learner",
    "compare_policies": "evaluation.compare",
    "evaluate": "evaluation.evaluate",
    "grid": "runs.grids",
    "load": "problems.catalog.sources",
    "open": "notebook.results",
    "parametrize_with_checks": "simulation.check_learner",
    "parse": "runs.specs",
    "read_log": "logs.reading",
    "read_pieces": "logs.pieces",
    "replay": "evaluation.replay",
    "simulate": "simulation.simulate",
    "to_text": "runs.specs",
    "train": "evaluation.training",
}

__all__ = [
    "BakeoffError",
    "Curve",
    "DataError",
    "DataNotice",
    "Decision",
    "Estimate",
    "Evaluation",
    "Experiment",
    "Features",
    "Learner",
    "LearnerError",
    "Log",
    "Problem",
    "ResourceError",
    "Result",
    "Results",
    "ResultsError",
    "Run",
    "SpecError",
    "check_learner",
    "compare_policies",
    "evaluate",
    "grid",
    "load",
    "parametrize_with_checks",
    "parse",
    "read_log",
    "read_pieces",
    "replay",
    "simulate",
    "to_text",
    "train",
]


def __getattr__(name: str) -> Any:
    """Import what a name needs when it is first used: numba takes half a second."""
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("bakeoff")
    if name not in _HOMES:
        raise AttributeError(f"module 'bakeoff' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"bakeoff.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__", "open"])  # `import *` keeps the old open
