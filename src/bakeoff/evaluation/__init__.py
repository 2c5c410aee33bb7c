"""Evaluation: what another policy would have earned on a log.

Policies, estimators, intervals, the verdict on whether a log can answer, and gates for releases.

Imports: basics, core, runs, data, reading, simulation, learners, live.
Door: this module; what it imports below is for other rooms.
"""

from bakeoff.evaluation.compare import compare_policies
from bakeoff.evaluation.estimate import Estimate, decimals, fixed, with_interval
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
from bakeoff.evaluation.results import Evaluation
from bakeoff.evaluation.training import train
from bakeoff.evaluation.wording import advice_of, check_lines, support_line

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
    "advice_of",
    "check_gate",
    "check_lines",
    "checked",
    "compare_policies",
    "decimals",
    "estimators_in",
    "evaluate",
    "events_needed",
    "fixed",
    "from_log",
    "needs_model",
    "replay",
    "simulated_power",
    "source_of",
    "support_line",
    "table",
    "train",
    "with_interval",
    "write_page",
]
