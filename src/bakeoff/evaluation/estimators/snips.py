"""SNIPS: self-normalised inverse propensity scoring."""

import numpy as np

from bakeoff.evaluation.estimators.base import Estimator, Events, Parts


def parts(events: Events, _: float) -> Parts:
    """Mean of w r over mean of w: does not change when all rewards are shifted."""
    w = events.weight
    return Parts(np.zeros(events.n), w * events.reward, w)


SNIPS = Estimator("snips", "self-normalised IPS", "mean(w r) / mean(w)", parts, place=2)
