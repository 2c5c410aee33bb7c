"""SNDR: doubly robust with self-normalised weights."""

from bakeoff.evaluation.estimators.base import Estimator, Events, Parts


def parts(events: Events, _: float) -> Parts:
    """Mean of q_pi plus mean of w (r - q) over mean of w."""
    w = events.weight
    return Parts(events.q_pi, w * (events.reward - events.q), w)


SNDR = Estimator(
    "sndr", "self-normalised DR", "mean(q_pi) + mean(w (r - q)) / mean(w)", parts,
    model="plain", place=6,
)  # fmt: skip
