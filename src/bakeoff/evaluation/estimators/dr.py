"""DR: doubly robust, the model corrected by weighted residuals."""

from bakeoff.evaluation.estimators.base import Estimator, Events, Parts


def parts(events: Events, _: float) -> Parts:
    """Mean of q_pi + w (r - q): unbiased, whatever the model (Eq. 4)."""
    return Parts(events.q_pi, events.weight * (events.reward - events.q))


DR = Estimator("dr", "doubly robust", "mean(q_pi + w (r - q))", parts, model="plain", place=5)
