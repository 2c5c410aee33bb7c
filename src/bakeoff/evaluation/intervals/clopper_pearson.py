"""Clopper and Pearson's interval of a proportion, as Vowpal Wabbit's estimators use it.

Rewards weighted by w count as w r / w_max successes in n / w_max trials.
"""

from scipy import stats

from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval


def bounds(evidence: Evidence, alpha: float) -> Bounds:
    """Quantiles of beta distributions; [0, 1] if all weights are zero."""
    w, r = evidence.events.weight, evidence.events.reward
    largest = float(w.max())
    if largest <= 0:
        return Bounds(0.0, 1.0)
    k, n = float((w * r).sum()) / largest, len(w) / largest
    low = stats.beta.ppf(alpha / 2, k, n - k + 1) if k > 0 else 0.0
    high = stats.beta.ppf(1 - alpha / 2, k + 1, n - k) if k < n else 1.0
    return Bounds(float(low), float(high))


CLOPPER_PEARSON = Interval(
    "clopper-pearson", "Clopper-Pearson", bounds,
    "weights that are 0 or all alike, a logger that does not learn", place=10,
)  # fmt: skip
