"""Inverse propensity scoring: rewards weighted by w = pi(a|x) / p."""

import numpy as np

from bakeoff.evaluation.estimators.base import Estimator, Events, Parts


def _ips(events: Events, _: float) -> Parts:
    """Mean of w r: unbiased, and as noisy as the weights are heavy."""
    return Parts(np.zeros(events.n), events.weight * events.reward)


def _snips(events: Events, _: float) -> Parts:
    """Mean of w r over mean of w: does not change when all rewards are shifted."""
    w = events.weight
    return Parts(np.zeros(events.n), w * events.reward, w)


IPS = Estimator("ips", "inverse propensity scoring", "mean(w r)", _ips, is_unbiased=True)
SNIPS = Estimator("snips", "self-normalised IPS", "mean(w r) / mean(w)", _snips)
