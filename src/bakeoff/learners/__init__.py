"""Learners: those that users write, played beside the paper's algorithms.

The contract, specs such as "python:module.Name", the processes that play them, the checks of
`check_learner`, and an adapter for Vowpal Wabbit.

Imports: basics, core, runs, data, simulation.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.learners.check import check_learner, parametrize_with_checks
from bakeoff.learners.play import asked, decision, new_learner
from bakeoff.learners.play_apart import play_apart
from bakeoff.learners.process import Pool
from bakeoff.learners.run import OwnRun
from bakeoff.learners.source import own_source
from bakeoff.learners.spec import maker_of, parse_own

__all__ = [
    "OwnRun",
    "Pool",
    "asked",
    "check_learner",
    "decision",
    "maker_of",
    "new_learner",
    "own_source",
    "parametrize_with_checks",
    "parse_own",
    "play_apart",
]
