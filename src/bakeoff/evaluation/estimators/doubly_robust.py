"""Doubly robust estimators: a reward model, corrected by weighted residuals.

The direct method (DM) is the model without the correction. MRDR (Farajtabar et al. 2018) is DR
with a model that is fitted to make the variance of DR small: its events are weighted by
pi(a|x) (1 - p) / p^2.
"""

import numpy as np

from bakeoff.evaluation.estimators.base import Estimator, Events, Parts


def _dm(events: Events, _: float) -> Parts:
    """Mean of q_pi: no weights, hardly any noise, and all the model's bias."""
    return Parts(events.q_pi, np.zeros(events.n))


def _dr(events: Events, _: float) -> Parts:
    """Mean of q_pi + w (r - q): unbiased, whatever the model (Eq. 4)."""
    return Parts(events.q_pi, events.weight * (events.reward - events.q))


def _sndr(events: Events, _: float) -> Parts:
    """Mean of q_pi plus mean of w (r - q) over mean of w."""
    w = events.weight
    return Parts(events.q_pi, w * (events.reward - events.q), w)


DM = Estimator("dm", "direct method", "mean(q_pi)", _dm, model="plain", is_shrunk=True)
DR = Estimator(
    "dr", "doubly robust", "mean(q_pi + w (r - q))", _dr, model="plain", is_unbiased=True
)
SNDR = Estimator(
    "sndr", "self-normalised DR", "mean(q_pi) + mean(w (r - q)) / mean(w)", _sndr, model="plain"
)
MRDR = Estimator(
    "mrdr", "more robust DR", "mean(q_pi + w (r - q)), q fitted for it", _dr,
    model="mrdr", is_unbiased=True,
)  # fmt: skip
