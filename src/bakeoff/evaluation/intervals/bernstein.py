"""The empirical Bernstein bound (Maurer and Pontil 2009), on clipped weights.

Terms are cut at sqrt(n). That only lowers the mean of what is not negative, so the
bound holds however heavy the weights are.
"""

import math

import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, two_sided


def lower(terms: Doubles, floor: float, delta: float) -> float:
    """Mean - sqrt(2 var L / n) - 7 M L / (3 (n - 1)), L = log(2 / delta)."""
    n = len(terms)
    if n < 2:
        return -math.inf
    M = math.sqrt(n)
    x = np.minimum(terms + floor, M)
    L = math.log(2 / delta)
    spread = math.sqrt(2 * float(x.var(ddof=1)) * L / n)
    return float(x.mean()) - spread - 7 * M * L / (3 * (n - 1)) - floor


def bounds(evidence: Evidence, alpha: float) -> Bounds:
    """Two lower bounds, one of them for 1 - r."""
    return two_sided(evidence.streams, alpha, lower)


BERNSTEIN = Interval(
    "bernstein", "empirical Bernstein", bounds,
    "a logger that does not learn", exact=True, uses_streams=True, place=6,
)  # fmt: skip
