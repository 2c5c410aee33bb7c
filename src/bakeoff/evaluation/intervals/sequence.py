"""A confidence sequence: valid at every moment, for whoever looks all the time.

The gamma-exponential mixture of Howard et al. (2021) that Vowpal Wabbit's estimators
use, with rho = 1.
"""

import math

import numpy as np
from scipy import optimize, special

from bakeoff.core.types import Doubles
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, two_sided


def log_wealth(s: float, v: float, rho: float = 1.0) -> float:
    """What a bet against a mean has grown to; s = sum(x) - n mean, v the variance."""
    a, x = v + rho, s + v + rho
    return float(
        s
        + v
        + rho * math.log(rho)
        - a * math.log(x)
        + _log_lower_gamma(a, x)
        - _log_lower_gamma(rho, rho)
    )


def _log_lower_gamma(a: float, x: float) -> float:
    return float(np.log(special.gammainc(a, x)) + special.loggamma(a))


def forecasts(x: Doubles) -> Doubles:
    """What was expected of each term from those before: (sum + 1/2) / (t + 1)."""
    before = np.concatenate(([0.0], np.cumsum(x[:-1])))
    return (before + 0.5) / np.arange(1, len(x) + 1)


def lower(terms: Doubles, floor: float, delta: float) -> float:
    """The smallest mean in [0, 1] that bets have not ruled out at 1 / delta."""
    x = (terms + floor) / (1 + floor)
    v = float(((x - forecasts(x)) ** 2).sum())
    n, total, limit = len(x), float(x.sum()), -math.log(delta)
    if log_wealth(total, v) <= limit:
        return 0.0 * (1 + floor) - floor
    top = min(1.0, total / n)
    if log_wealth(total - n * top, v) >= limit:
        return top * (1 + floor) - floor
    root = optimize.brentq(lambda mu: log_wealth(total - n * mu, v) - limit, 0.0, top)
    return float(root) * (1 + floor) - floor


def bounds(evidence: Evidence, alpha: float) -> Bounds:
    """Two lower bounds, one of them for 1 - r."""
    return two_sided(evidence.streams, alpha, lower)


SEQUENCE = Interval(
    "sequence", "confidence sequence", bounds,
    "nothing: look as often as you like",
    adaptive=True, anytime=True, exact=True, uses_streams=True, place=8,
)  # fmt: skip
