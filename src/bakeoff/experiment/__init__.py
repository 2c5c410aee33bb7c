"""Experiment: problems x runs x shuffles, planned and carried out once.

Plans, engines (threads or Dask), progress, and estimates of what is left.

Imports: basics, core, runs, data, reading, simulation, learners, store.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.experiment.display import Bars, Lines, Tally, duration, size
from bakeoff.experiment.engines import EngineName, check_engine
from bakeoff.experiment.engines.workbench import Engine, Where
from bakeoff.experiment.estimate import DryRun, Estimate
from bakeoff.experiment.experiment import Experiment, Resources, check_shuffles, compute
from bakeoff.experiment.progress import progress_of
from bakeoff.experiment.progress_listener import ProgressListener, Watcher
from bakeoff.experiment.summary import Reason, Summary

__all__ = [
    "Bars",
    "DryRun",
    "Engine",
    "EngineName",
    "Estimate",
    "Experiment",
    "Lines",
    "ProgressListener",
    "Reason",
    "Resources",
    "Summary",
    "Tally",
    "Watcher",
    "Where",
    "check_engine",
    "check_shuffles",
    "compute",
    "duration",
    "progress_of",
    "size",
]
