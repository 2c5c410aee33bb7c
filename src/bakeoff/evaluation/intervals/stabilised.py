"""Adaptively weighted intervals: for the log of a learner, shorter than a confidence sequence.

On the log of a learner the terms of IPS and DR have variances that change with what was learned,
so their plain mean need not be normal in the limit. The weighted mean

    sum h_t x_t / sum h_t  +-  quantile sqrt(sum h_t^2 (x_t - mean)^2) / sum h_t

is, if h_t depends on the past only and evens out the variances (Luedtke and van der Laan 2016;
Hadad et al. 2021; Bibaut et al. 2021; Zhan et al. 2021). Here h_t is one over the root mean square
of the weights in the later half of the events before t, E w^2 by the logged distributions. These
also say how heavy the weights are that have not come up yet, which Student's interval ignores.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Events, Parts
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval

_FEW = 10  # events after which the past is trusted half


def precisions(squares: Doubles) -> Doubles:
    """The weights h_t: each depends on the squares before it; the first is 0."""
    t = np.arange(len(squares))
    total = np.concatenate(([0.0], np.cumsum(squares)))
    first = t // 2
    mean = (1.0 + total[t] - total[first]) / (1.0 + t - first)
    return np.sqrt(t / (t + _FEW) / mean)


class _Terms(NamedTuple):
    """The terms of an estimate, linear in the event: base + corrections."""

    base: Doubles
    corrections: Doubles  # proportional to the weight


def _terms(parts: Parts, h: Doubles) -> _Terms:
    """Terms whose mean, weighted by h, is the estimate; h adds up to 1."""
    if parts.bottom is None:
        return _Terms(parts.base, parts.top)
    below = float(h @ parts.bottom)
    if below <= 0:
        return _Terms(parts.base, np.zeros(len(h)))
    ratio = float(h @ parts.top) / below
    return _Terms(parts.base + ratio, (parts.top - ratio * parts.bottom) / below)


def _expected_square(terms: _Terms, events: Events, mean: float) -> Doubles:
    """The square of each term's deviation that the logged distributions expect, about.

    Heavy weights that have not come up yet count as they would if they had: corrections are w
    times a residual, whose mean square is that of the policy's own events and one of 1.
    """
    assert events.squares is not None
    w, corrections = events.weight, terms.corrections
    residual = np.divide(corrections**2, w, out=np.zeros_like(w), where=w > 0).sum()
    typical = (float(residual) + 1.0) / (float(w.sum()) + 1.0)
    return events.squares * typical - (mean - float(terms.base.mean())) ** 2


def _stabilised(evidence: Evidence, alpha: float) -> Bounds:
    """The weighted mean +- t sqrt(sum h^2 (x - mean)^2), h adding up to 1.

    If distributions were logged, the squares are at least what those expect of them.
    """
    events = evidence.events
    if events.n < 2:
        return Bounds(-math.inf, math.inf)
    h = precisions(events.weight**2 if events.squares is None else events.squares)
    h /= h.sum()
    terms = _terms(evidence.parts, h)
    x = terms.base + terms.corrections
    mean = float(h @ x)
    variance = float((h**2 * (x - mean) ** 2).sum())
    if events.squares is not None:
        variance = max(variance, float((h**2 * _expected_square(terms, events, mean)).sum()))
    half = float(stats.t.ppf(1 - alpha / 2, events.n - 1)) * math.sqrt(variance)
    return Bounds(mean - half, mean + half)


STABILISED = Interval(
    "stabilised", "adaptively weighted", _stabilised,
    "many events, one look", adaptive=True, of_estimate=True,
)  # fmt: skip
