"""Learners: algorithms that users write, played beside the paper's algorithms.

What a learner must offer (`contract`), specs such as "python:module.Name", the processes that
play them, the checks of `check_learner`, and an adapter for Vowpal Wabbit.

Imports: basics, core, runs, data, simulation.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.learners.by_value import spec_of
from bakeoff.learners.checks import check_learner, parametrize_with_checks
from bakeoff.learners.contract import (
    LearnerInfo,
    ProblemFacts,
    call_learner,
    checked_decision,
    new_learner,
)
from bakeoff.learners.play import facts_of
from bakeoff.learners.process import LearnerProcess, Pool, own_runs, own_source, source_text
from bakeoff.learners.source import import_learner
from bakeoff.learners.spec import OwnRun, parse_own

__all__ = [
    "LearnerInfo",
    "LearnerProcess",
    "OwnRun",
    "Pool",
    "ProblemFacts",
    "call_learner",
    "check_learner",
    "checked_decision",
    "facts_of",
    "import_learner",
    "new_learner",
    "own_runs",
    "own_source",
    "parametrize_with_checks",
    "parse_own",
    "source_text",
    "spec_of",
]
