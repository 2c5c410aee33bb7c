"""Intervals for a number of events that is fixed beforehand, few or many.

The empirical Bernstein bound (Maurer and Pontil 2009) on clipped weights; logarithmic smoothing
(Sakhi et al. 2024), in closed form and for any weights; and Clopper and Pearson's interval of a
proportion, as Vowpal Wabbit's estimators use it.
"""

import math

import numpy as np
from scipy import stats

from bakeoff.core.types import Doubles
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, by_streams


def bernstein_lower(terms: Doubles, floor: float, delta: float) -> float:
    """Mean - sqrt(2 var L / n) - 7 M L / (3 (n - 1)), L = log(2 / delta).

    Terms are cut at M = sqrt(n). That only lowers the mean of what is not negative, so the
    bound holds however heavy the weights are.
    """
    n = len(terms)
    if n < 2:
        return -math.inf
    M = math.sqrt(n)
    x = np.minimum(terms + floor, M)
    L = math.log(2 / delta)
    spread = math.sqrt(2 * float(x.var(ddof=1)) * L / n)
    return float(x.mean()) - spread - 7 * M * L / (3 * (n - 1)) - floor


def smoothing_lower(terms: Doubles, floor: float, delta: float) -> float:
    """With l = sqrt(n): l (exp(mean(log(1 + x / l)) - log(1 / delta) / n) - 1).

    E prod (1 + x / l) = (1 + value / l)^n, also if the logger learns: Markov's
    inequality is all that is needed. x is the term above its floor.
    """
    n = len(terms)
    l = math.sqrt(n)  # noqa: E741
    smooth = float(np.log1p((terms + floor) / l).mean())
    return l * math.expm1(smooth - math.log(1 / delta) / n) - floor


def _clopper_pearson(evidence: Evidence, alpha: float) -> Bounds:
    """Quantiles of beta distributions; [0, 1] if all weights are zero.

    Rewards weighted by w count as w r / w_max successes in n / w_max trials.
    """
    w, r = evidence.events.weight, evidence.events.reward
    largest = float(w.max())
    if largest <= 0:
        return Bounds(0.0, 1.0)
    k, n = float((w * r).sum()) / largest, len(w) / largest
    low = stats.beta.ppf(alpha / 2, k, n - k + 1) if k > 0 else 0.0
    high = stats.beta.ppf(1 - alpha / 2, k + 1, n - k) if k < n else 1.0
    return Bounds(float(low), float(high))


BERNSTEIN = Interval(
    "bernstein", "empirical Bernstein", by_streams(bernstein_lower),
    "a logger that does not learn", exact=True, uses_streams=True,
)  # fmt: skip
SMOOTHING = Interval(
    "smoothing", "logarithmic smoothing", by_streams(smoothing_lower),
    "one look, at a number of events fixed beforehand",
    adaptive=True, exact=True, uses_streams=True,
)  # fmt: skip
CLOPPER_PEARSON = Interval(
    "clopper-pearson", "Clopper-Pearson", _clopper_pearson,
    "weights that are 0 or all alike, a logger that does not learn",
)  # fmt: skip
