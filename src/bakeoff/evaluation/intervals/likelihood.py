"""Empirical likelihood: the values of a policy under all plausible reweightings of the log.

Empirical likelihood (Owen 1988; Karampatziakis et al. 2020 for policies) takes the reweightings
under which the mean weight is 1 and which are not too unlikely. The Cressie-Read divergence of
order -2 does the same in closed form, as in Vowpal Wabbit's estimators: weights may lie anywhere
from 0 up, and one added event stands for what the log did not show.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats

from bakeoff.core.types import Doubles
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, distinct

_STEPS = 60
_NEGLIGIBLE = 1e-13
_TINY = 1e-9


class _Points(NamedTuple):
    """Different pairs of weight and weighted reward, and how often each occurs."""

    w: Doubles
    wr: Doubles
    times: Doubles


def _points(w: Doubles, r: Doubles) -> _Points:
    (weight, weighted), times = distinct((w, w * r))
    return _Points(weight, weighted, times.astype(np.float64))


def log_ratio(points: _Points, value: float) -> float:
    """-2 log of the likelihood of a value, next to that of the log as it is.

    2 max over (s, t) of sum log(1 + s (w - 1) + t (w r - value)).
    """
    return 2.0 * _best(points, np.stack((points.w - 1.0, points.wr - value)))[0]


def likeliest(points: _Points) -> float:
    """The value with the best likelihood: the one that no t can improve on."""
    _, share = _best(points, (points.w - 1.0)[None])
    return float(share @ points.wr / share.sum())


def _best(points: _Points, g: Doubles) -> tuple[float, Doubles]:
    """The maximum over x of sum log(1 + x g), and the slopes of the logarithms there.

    A concave problem, by Newton's method. Below 1/n the logarithm goes on as a
    parabola, so that steps may overshoot.
    """
    n = points.times.sum()
    scale = np.abs(g).max(axis=1)
    g = g / np.where(scale > 0, scale, 1.0)[:, None]
    at = np.zeros(len(g))
    here = _objective(points, g, at, n)
    for _ in range(_STEPS):
        ridge = 1e-12 * max(1.0, float(np.trace(-here.hessian)))
        step = np.linalg.solve(ridge * np.eye(len(g)) - here.hessian, here.gradient)
        promised = float(step @ here.gradient)  # twice the gain, to second order
        if promised < _NEGLIGIBLE * max(1.0, abs(here.value)):
            break
        size = 1.0
        there = _objective(points, g, at + step, n)
        while there.value < here.value and size > 1e-8:
            size /= 2
            there = _objective(points, g, at + size * step, n)
        if there.value <= here.value:
            break
        at, here = at + size * step, there
    return here.value, here.slopes


class _Objective(NamedTuple):
    """The sum of logarithms with its derivatives, and the slope of each term."""

    value: float
    gradient: Doubles
    hessian: Doubles
    slopes: Doubles


def _objective(points: _Points, g: Doubles, at: Doubles, n: float) -> _Objective:
    z = 1.0 + at @ g
    small = z < 1.0 / n
    inner = np.where(small, 1.0, z)
    value = np.where(small, -math.log(n) - 1.5 + 2 * n * z - (n * z) ** 2 / 2, np.log(inner))
    first = points.times * np.where(small, 2 * n - n * n * z, 1.0 / inner)
    second = points.times * np.where(small, -n * n, -1.0 / inner**2)
    return _Objective(float(points.times @ value), g @ first, (g * second) @ g.T, first)


def _likelihood(evidence: Evidence, alpha: float) -> Bounds:
    """Values whose likelihood ratio is within the F quantile of the best one's.

    If all weights are below 1, or all above, no reweighting has a mean weight of 1: the
    log says nothing.
    """
    w, r = evidence.events.weight, evidence.events.reward
    if w.max() < 1 or w.min() > 1:
        return Bounds(0.0, 1.0)
    points = _points(w, r)
    middle = min(max(likeliest(points), 0.0), 1.0)
    least = log_ratio(points, middle)
    height = math.sqrt(float(stats.f.isf(alpha, 1, max(1, len(w) - 1))))

    def excess(value: float) -> float:  # nearly linear: few steps find its root
        return math.sqrt(max(0.0, log_ratio(points, value) - least)) - height

    stride = 3.0 * float((w * (r - middle)).std()) / math.sqrt(len(w))
    ends = (_crossing(excess, middle, edge, stride) for edge in (0.0, 1.0))
    return Bounds(*ends)


def _crossing(excess: Callable[[float], float], middle: float, edge: float, stride: float) -> float:
    """Where the excess changes its sign on the way from the middle to the edge."""
    inner, outer = middle, middle
    while stride > 0 and abs(outer - edge) > stride:
        outer += math.copysign(stride, edge - middle)
        if excess(outer) > 0:
            return float(optimize.brentq(excess, inner, outer, xtol=1e-10))
        inner, stride = outer, 3 * stride
    if excess(edge) <= 0:
        return edge
    return float(optimize.brentq(excess, inner, edge, xtol=1e-10))


# ---- Cressie-Read


class _Sums(NamedTuple):
    """Sums over the events of a log."""

    n: float
    w: float
    w2: float
    wr: float
    w2r: float
    w2r2: float


def _sums_of(evidence: Evidence) -> _Sums:
    w, r = evidence.events.weight, evidence.events.reward
    wr = w * r
    return _Sums(
        len(w), float(w.sum()), float((w * w).sum()), float(wr.sum()),
        float((w * wr).sum()), float((wr * wr).sum()),
    )  # fmt: skip


def _cressie_read(evidence: Evidence, alpha: float) -> Bounds:
    """The extreme values among reweightings that are not too far from the log."""
    s = _sums_of(evidence)
    phi = (-_slack(s) - float(stats.f.isf(alpha, 1, s.n))) / (2 * (1 + s.n))
    low, high = (_end(s, phi, r, sign) for r, sign in ((0.0, 1), (1.0, -1)))
    return Bounds(low, high)


def _slack(s: _Sums) -> float:
    """How far the log itself is from a mean weight of 1."""
    if s.w < s.n:  # the added event may have any weight
        return 1 + 1 / s.n
    a, b = s.w / (1 + s.n), s.w2 / (1 + s.n)
    return (1 + s.n) * (a - 1) ** 2 / (b - a * a)


def _end(s: _Sums, phi: float, r: float, sign: int) -> float:
    """The lower end (r = 0, sign 1) or the upper end (r = 1, sign -1)."""
    ends = [*_without_weight(s, phi, r, sign), *_with_any_weight(s, phi, r, sign)]
    best = min(ends) if ends else 0.0
    return min(1.0, max(0.0, sign * best))


def _without_weight(s: _Sums, phi: float, r: float, sign: int) -> list[float]:
    """The added event has weight 0."""
    m = 1 + s.n
    w, w2 = s.w / m, s.w2 / m
    wr, w2r, w2r2 = sign * s.wr / m, sign * s.w2r / m, s.w2r2 / m
    spread = w2 - w * w
    if spread <= 0:
        return []
    x = wr + (1 - w) * (w2r - w * wr) / spread
    y = (w2r - w * wr) ** 2 / spread - (w2r2 - wr**2)
    z = phi + (1 - w) ** 2 / (2 * spread)
    return _extreme(x, y, z)


def _with_any_weight(s: _Sums, phi: float, r: float, sign: int) -> list[float]:
    """The added event is as heavy as can be."""
    x = sign * (r + (s.wr - s.w * r) / s.n)
    y = (r * s.w - s.wr) ** 2 / (s.n * (1 + s.n))
    y -= (r * r * s.w2 - 2 * r * s.w2r + s.w2r2) / (1 + s.n)
    return _extreme(x, y, phi + 1 / (2 * s.n))


def _extreme(x: float, y: float, z: float) -> list[float]:
    if abs(y * z) <= _TINY * _TINY:
        return [x - math.sqrt(2) * _TINY]
    return [x - math.sqrt(2 * y * z)] if z <= 0 and y * z >= 0 else []


LIKELIHOOD = Interval(
    "likelihood", "empirical likelihood", _likelihood,
    "many events, a logger that does not learn",
)  # fmt: skip
CRESSIE_READ = Interval(
    "cressie-read", "Cressie-Read", _cressie_read,
    "many events, a logger that does not learn",
)  # fmt: skip
