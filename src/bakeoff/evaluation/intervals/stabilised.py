"""Adaptively weighted intervals: for the log of a learner, shorter than a confidence sequence.

On the log of a learner the terms of IPS and DR have variances that change with what was learned,
so their plain mean need not be normal in the limit. The weighted mean

    sum h_t x_t / sum h_t  +-  quantile sqrt(sum h_t^2 (x_t - mean)^2) / sum h_t

is, if h_t depends on the past only and evens out the variances (Luedtke and van der Laan 2016;
Hadad et al. 2021; Bibaut et al. 2021; Zhan et al. 2021). Here h_t is one over the root mean square
of the weights in the later half of the events before t, E w^2 by the logged distributions.
"""

import math

import numpy as np
from scipy import stats

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Parts
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval

_FEW = 10  # events after which the past is trusted half


def precisions(squares: Doubles) -> Doubles:
    """The weights h_t: each depends on the squares before it; the first is 0."""
    t = np.arange(len(squares))
    total = np.concatenate(([0.0], np.cumsum(squares)))
    first = t // 2
    mean = (1.0 + total[t] - total[first]) / (1.0 + t - first)
    return np.sqrt(t / (t + _FEW) / mean)


def _mean_and_terms(parts: Parts, h: Doubles) -> tuple[float, Doubles]:
    """The weighted value, and a term per event whose weighted mean it is."""
    h = h / h.sum()
    if parts.bottom is None:
        terms = parts.base + parts.top
        return float(h @ terms), terms
    below = float(h @ parts.bottom)
    if below <= 0:
        return float(h @ parts.base), parts.base
    ratio = float(h @ parts.top) / below
    terms = parts.base + ratio + (parts.top - ratio * parts.bottom) / below
    return float(h @ terms), terms


def _stabilised(evidence: Evidence, alpha: float) -> Bounds:
    """The weighted mean +- t sqrt(sum h^2 (x - mean)^2) / sum h."""
    events = evidence.events
    if events.n < 2:
        return Bounds(-math.inf, math.inf)
    squares = events.weight**2 if events.squares is None else events.squares
    h = precisions(squares)
    mean, terms = _mean_and_terms(evidence.parts, h)
    error = math.sqrt(float((h**2 * (terms - mean) ** 2).sum())) / float(h.sum())
    half = float(stats.t.ppf(1 - alpha / 2, events.n - 1)) * error
    return Bounds(mean - half, mean + half)


STABILISED = Interval(
    "stabilised", "adaptively weighted", _stabilised,
    "many events, light weights", adaptive=True, of_estimate=True,
)  # fmt: skip
