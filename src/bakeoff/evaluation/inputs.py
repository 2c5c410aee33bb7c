"""Inputs: a log as a run sees it, encoded, and with the means of the past taken out of contexts."""

from dataclasses import replace

import numpy as np

from bakeoff.data import Log, Problem
from bakeoff.evaluation.encoded import as_seen, pairs_of
from bakeoff.live import Paired
from bakeoff.runs import RAW, Run
from bakeoff.simulation import seen_contexts


def seen_by(run: Run, log: Log) -> tuple[Run, Log, list[Paired] | None]:
    """A run on a log as a run with raw inputs on what it sees; with products, if it makes any.

    Contexts count as the past of those that were logged after them.
    """
    if run.inputs == RAW:
        return run, as_seen(log), pairs_of(log)
    log = as_seen(log)
    if log.first_row is None:
        problem = Problem.from_costs(log.X, np.zeros((log.n, 2)))
    else:
        events = np.repeat(np.arange(log.n), np.diff(log.first_row))
        problem = Problem.from_action_costs(log.X, np.zeros(len(events)), events)
    return replace(run, inputs=RAW), replace(log, X=seen_contexts(problem, run)), None
