"""Evaluation: what another policy would have earned on a log.

Policies, estimators, intervals, the verdict on whether a log can answer, and gates for releases.

Imports: basics, core, runs, data, reading, simulation, learners, live.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.evaluation.compare import compare_policies
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.evaluate import DEFAULT, evaluate, needs_model
from bakeoff.evaluation.gate import GateResult, check_gate, estimators_in
from bakeoff.evaluation.intervals import INTERVALS
from bakeoff.evaluation.page import write_page
from bakeoff.evaluation.plan import (
    RATES,
    Needed,
    Question,
    checked,
    events_needed,
    from_log,
    simulated_power,
    table,
)
from bakeoff.evaluation.problem import source_of
from bakeoff.evaluation.replay import replay
from bakeoff.evaluation.results import Estimate, Evaluation
from bakeoff.evaluation.training import train

__all__ = [
    "DEFAULT",
    "ESTIMATORS",
    "INTERVALS",
    "RATES",
    "Estimate",
    "Evaluation",
    "GateResult",
    "Needed",
    "Question",
    "check_gate",
    "checked",
    "compare_policies",
    "estimators_in",
    "evaluate",
    "events_needed",
    "from_log",
    "needs_model",
    "replay",
    "simulated_power",
    "source_of",
    "table",
    "train",
    "write_page",
]
