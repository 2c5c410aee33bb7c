"""The normal interval: right for many events whose weights are light."""

import math

from scipy import stats

from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, around


def standard_error(evidence: Evidence) -> float:
    """Of the estimate; infinite for a single event."""
    terms = evidence.parts.terms
    if len(terms) < 2:
        return math.inf
    return float(terms.std(ddof=1)) / math.sqrt(len(terms))


def bounds(evidence: Evidence, alpha: float) -> Bounds:
    """Estimate +- z s / sqrt(n), s with n - 1."""
    z = float(stats.norm.ppf(1 - alpha / 2))
    return around(evidence, z * standard_error(evidence))


NORMAL = Interval(
    "normal", "normal", bounds,
    "many events, light weights, a logger that does not learn",
    of_estimate=True, place=1,
)  # fmt: skip
