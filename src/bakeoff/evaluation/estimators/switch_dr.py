"""SWITCH-DR: no correction where weights are heavy (Wang et al. 2017)."""

import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Estimator, Events, Parts, thresholds


def shrunk(w: Doubles, limit: float) -> Doubles:
    """w, but 0 above the limit."""
    return np.where(w <= limit, w, 0.0)


def parts(events: Events, limit: float) -> Parts:
    """Mean of q_pi + w [w <= limit] (r - q)."""
    kept = shrunk(events.weight, limit)
    return Parts(events.q_pi, kept * (events.reward - events.q))


SWITCH_DR = Estimator(
    "switch-dr", "SWITCH-DR", "mean(q_pi + w [w <= limit] (r - q))", parts,
    model="plain", parameter="limit", parameters=thresholds, is_biased=True, place=7,
)  # fmt: skip
