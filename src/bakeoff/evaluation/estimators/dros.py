"""DRos: doubly robust with optimistic shrinkage of the weights (Su et al. 2020)."""

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Estimator, Events, Parts, thresholds


def shrunk(w: Doubles, strength: float) -> Doubles:
    """Give strength w / (w^2 + strength): w for large strengths, 0 for small ones."""
    return strength * w / (w * w + strength)


def parts(events: Events, strength: float) -> Parts:
    """Mean of q_pi + strength w / (w^2 + strength) (r - q)."""
    kept = shrunk(events.weight, strength)
    return Parts(events.q_pi, kept * (events.reward - events.q))


def candidates(events: Events) -> Doubles:
    """From next to no shrinkage of the largest weight to much of it."""
    return 100.0 * thresholds(events, power=2.0)


DROS = Estimator(
    "dros", "DR, optimistic shrinkage",
    "mean(q_pi + strength w / (w^2 + strength) (r - q))", parts,
    model="plain", parameter="strength", parameters=candidates, is_biased=True, place=8,
)  # fmt: skip
