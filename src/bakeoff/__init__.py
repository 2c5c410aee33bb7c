"""Contextual bandits: compare them, run them, evaluate them."""

import importlib
from typing import TYPE_CHECKING, Any

from bakeoff.basics.moved import keep_old_names as _keep_old_names

if TYPE_CHECKING:
    from bakeoff.basics.errors import BakeoffError as BakeoffError
    from bakeoff.basics.errors import DataError as DataError
    from bakeoff.basics.errors import DataNotice as DataNotice
    from bakeoff.basics.errors import DeclinedError as DeclinedError
    from bakeoff.basics.errors import LearnerError as LearnerError
    from bakeoff.basics.errors import ResourceError as ResourceError
    from bakeoff.basics.errors import ResultsError as ResultsError
    from bakeoff.basics.errors import SpecError as SpecError
    from bakeoff.data import Features as Features
    from bakeoff.data import Log as Log
    from bakeoff.data import Problem as Problem
    from bakeoff.evaluation import Estimate as Estimate
    from bakeoff.evaluation import Evaluation as Evaluation
    from bakeoff.evaluation import compare_policies as compare_policies
    from bakeoff.evaluation import evaluate as evaluate
    from bakeoff.evaluation import replay as replay
    from bakeoff.evaluation import train as train
    from bakeoff.experiment import Experiment as Experiment
    from bakeoff.judging import Results as Results
    from bakeoff.judging import open as open
    from bakeoff.learners import check_learner as check_learner
    from bakeoff.learners import parametrize_with_checks as parametrize_with_checks
    from bakeoff.live import Decision as Decision
    from bakeoff.live import Feedback as Feedback
    from bakeoff.live import Learner as Learner
    from bakeoff.live import LogWriter as LogWriter
    from bakeoff.live import Rollout as Rollout
    from bakeoff.live import Shadow as Shadow
    from bakeoff.live import Why as Why
    from bakeoff.live import catch_up as catch_up
    from bakeoff.live import verify as verify
    from bakeoff.reading.catalog import load as load
    from bakeoff.reading.logs import read_log as read_log
    from bakeoff.reading.logs import read_pieces as read_pieces
    from bakeoff.runs import Run as Run
    from bakeoff.runs import grid as grid
    from bakeoff.runs import parse as parse
    from bakeoff.runs import rule as rule
    from bakeoff.runs import to_text as to_text
    from bakeoff.simulation import Curve as Curve
    from bakeoff.simulation import Result as Result
    from bakeoff.simulation import Simulated as Simulated
    from bakeoff.simulation import simulate as simulate

_HOMES = {
    "BakeoffError": "basics.errors",
    "Curve": "simulation",
    "DataError": "basics.errors",
    "DataNotice": "basics.errors",
    "Decision": "live",
    "DeclinedError": "basics.errors",
    "Estimate": "evaluation",
    "Evaluation": "evaluation",
    "Experiment": "experiment",
    "Features": "data",
    "Feedback": "live",
    "Learner": "live",
    "LearnerError": "basics.errors",
    "Log": "data",
    "LogWriter": "live",
    "Problem": "data",
    "ResourceError": "basics.errors",
    "Result": "simulation",
    "Results": "judging",
    "ResultsError": "basics.errors",
    "Rollout": "live",
    "Run": "runs",
    "Shadow": "live",
    "Simulated": "simulation",
    "SpecError": "basics.errors",
    "Why": "live",
    "catch_up": "live",
    "check_learner": "learners",
    "compare_policies": "evaluation",
    "evaluate": "evaluation",
    "grid": "runs",
    "load": "reading.catalog",
    "open": "judging",
    "parametrize_with_checks": "learners",
    "parse": "runs",
    "read_log": "reading.logs",
    "read_pieces": "reading.logs",
    "replay": "evaluation",
    "rule": "runs",
    "simulate": "simulation",
    "to_text": "runs",
    "train": "evaluation",
    "verify": "live",
}

__all__ = [name for name in _HOMES if name != "open"]  # `import *` keeps the old open

_keep_old_names()


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
    return sorted([*_HOMES, "__version__"])
