"""Clipped IPS: weights are cut at a limit."""

import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Estimator, Events, Parts, thresholds


def shrunk(w: Doubles, limit: float) -> Doubles:
    """min(w, limit)."""
    return np.minimum(w, limit)


def parts(events: Events, limit: float) -> Parts:
    """Mean of min(w, limit) r: less noisy, and too low by what is cut off."""
    return Parts(np.zeros(events.n), shrunk(events.weight, limit) * events.reward)


CLIPPED = Estimator(
    "clipped", "clipped IPS", "mean(min(w, limit) r)", parts,
    parameter="limit", parameters=thresholds, is_biased=True, place=3,
)  # fmt: skip
