"""Inputs: a log as a run sees it, when the means of the past are taken out of contexts."""

from dataclasses import replace

import numpy as np

from bakeoff.data import Log, Problem
from bakeoff.runs import RAW, Run
from bakeoff.simulation import seen_contexts


def seen_by(run: Run, log: Log) -> tuple[Run, Log]:
    """A run on a log as a run with raw inputs on the log that it sees.

    Contexts count as the past of those that were logged after them.
    """
    if run.inputs == RAW:
        return run, log
    if log.first_row is None:
        problem = Problem.from_costs(log.X, np.zeros((log.n, 2)))
    else:
        events = np.repeat(np.arange(log.n), np.diff(log.first_row))
        problem = Problem.from_action_costs(log.X, np.zeros(len(events)), events)
    return replace(run, inputs=RAW), replace(log, X=seen_contexts(problem, run))
