"""Experiment: problems x runs x shuffles, planned and carried out once.

Plans, engines (threads or Dask), progress, and estimates of what is left.

Imports: basics, core, runs, data, reading, simulation, learners, store.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.experiment.display import Bars, Lines, Tally, duration, size
from bakeoff.experiment.engines import EngineName
from bakeoff.experiment.engines.base import Engine
from bakeoff.experiment.engines.data import Problems
from bakeoff.experiment.estimate import Estimate, Means, estimate
from bakeoff.experiment.experiment import Experiment, Resources, compute, shares_of
from bakeoff.experiment.progress import progress_of
from bakeoff.experiment.summary import Reason, Summary
from bakeoff.experiment.watcher import Watcher

__all__ = [
    "Bars",
    "Engine",
    "EngineName",
    "Estimate",
    "Experiment",
    "Lines",
    "Means",
    "Problems",
    "Reason",
    "Resources",
    "Summary",
    "Tally",
    "Watcher",
    "compute",
    "duration",
    "estimate",
    "progress_of",
    "shares_of",
    "size",
]
