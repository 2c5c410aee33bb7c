"""Estimators that cut or shrink heavy weights: less noise for some bias.

SLOPE chooses the limit or strength. SWITCH-DR is by Wang et al. (2017), DRos (optimistic
shrinkage) by Su et al. (2020).
"""

import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Estimator, Events, Parts, thresholds


def _clipped(events: Events, limit: float) -> Parts:
    """Mean of min(w, limit) r: too low by what is cut off."""
    return Parts(np.zeros(events.n), np.minimum(events.weight, limit) * events.reward)


def _switch_dr(events: Events, limit: float) -> Parts:
    """Mean of q_pi + w [w <= limit] (r - q)."""
    w = events.weight
    return Parts(events.q_pi, np.where(w <= limit, w, 0.0) * (events.reward - events.q))


def _dros(events: Events, strength: float) -> Parts:
    """Mean of q_pi + strength w / (w^2 + strength) (r - q).

    The shrunk weight is nearly w for large strengths, and nearly 0 for small ones.
    """
    w = events.weight
    shrunk = strength * w / (w * w + strength)
    return Parts(events.q_pi, shrunk * (events.reward - events.q))


def _strengths(events: Events) -> Doubles:
    """From next to no shrinkage of the largest weight to much of it."""
    return 100.0 * thresholds(events, power=2.0)


CLIPPED = Estimator(
    "clipped", "clipped IPS", "mean(min(w, limit) r)", _clipped,
    parameter="limit", parameters=thresholds, is_shrunk=True,
)  # fmt: skip
SWITCH_DR = Estimator(
    "switch-dr", "SWITCH-DR", "mean(q_pi + w [w <= limit] (r - q))", _switch_dr,
    model="plain", parameter="limit", parameters=thresholds, is_shrunk=True,
)  # fmt: skip
DROS = Estimator(
    "dros", "DR, optimistic shrinkage",
    "mean(q_pi + strength w / (w^2 + strength) (r - q))", _dros,
    model="plain", parameter="strength", parameters=_strengths, is_shrunk=True,
)  # fmt: skip
