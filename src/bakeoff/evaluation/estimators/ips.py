"""IPS: inverse propensity scoring."""

import numpy as np

from bakeoff.evaluation.estimators.base import Estimator, Events, Parts


def parts(events: Events, _: float) -> Parts:
    """Mean of w r: unbiased, and as noisy as the weights are heavy."""
    return Parts(np.zeros(events.n), events.weight * events.reward)


IPS = Estimator("ips", "inverse propensity scoring", "mean(w r)", parts, place=1)
