"""Empirical likelihood (Owen 1988; Karampatziakis et al. 2020 for policies).

Among all reweightings of the log under which the mean weight is 1, those that are not
too unlikely: the policy's values under them are the interval.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats

from bakeoff.core.arrays import Doubles
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval

_STEPS = 60


class _Points(NamedTuple):
    """Different pairs of weight and weighted reward, and how often each occurs."""

    w: Doubles
    wr: Doubles
    times: Doubles


def _points(w: Doubles, r: Doubles) -> _Points:
    pairs, count = np.unique(np.stack((w, w * r)), axis=1, return_counts=True)
    return _Points(pairs[0], pairs[1], count.astype(np.float64))


def log_ratio(points: _Points, value: float) -> float:
    """-2 log of the likelihood of a value, next to that of the log as it is.

    2 max over (s, t) of sum log(1 + s (w - 1) + t (w r - value)), a concave problem,
    by Newton's method. Below 1/n the logarithm goes on as a parabola, so that steps may
    overshoot.
    """
    n = points.times.sum()
    g = np.stack((points.w - 1.0, points.wr - value))
    scale = np.abs(g).max(axis=1)
    g = g / np.where(scale > 0, scale, 1.0)[:, None]
    at = np.zeros(2)
    best = _objective(points, g, at, n)[0]
    for _ in range(_STEPS):
        _, gradient, hessian = _objective(points, g, at, n)
        ridge = 1e-12 * max(1.0, float(np.trace(-hessian)))
        step = np.linalg.solve(-hessian + ridge * np.eye(2), gradient)
        size = 1.0
        while size > 1e-8:
            there = _objective(points, g, at + size * step, n)[0]
            if there >= best:
                break
            size /= 2
        gained, at, best = there - best, at + size * step, max(best, there)
        if abs(gained) < 1e-12 * max(1.0, abs(best)):
            break
    return 2.0 * best


def _objective(
    points: _Points, g: Doubles, at: Doubles, n: float
) -> tuple[float, Doubles, Doubles]:
    """The sum of logarithms with its first and second derivatives."""
    z = 1.0 + at @ g
    small = z < 1.0 / n
    inner = np.where(small, 1.0, z)
    value = np.where(
        small, -math.log(n) - 1.5 + 2 * n * z - (n * z) ** 2 / 2, np.log(inner)
    )
    first = np.where(small, 2 * n - n * n * z, 1.0 / inner)
    second = np.where(small, -n * n, -1.0 / inner**2)
    gradient = g @ (points.times * first)
    hessian = (g * (points.times * second)) @ g.T
    return float(points.times @ value), gradient, hessian


def bounds(evidence: Evidence, alpha: float) -> Bounds:
    """Values whose likelihood ratio is within the F quantile of the best one's."""
    w, r = evidence.events.weight, evidence.events.reward
    n = len(w)
    points = _points(w, r)
    middle = min(max(evidence.parts.value, 0.0), 1.0)
    found = optimize.minimize_scalar(
        lambda v: log_ratio(points, v), bounds=(0.0, 1.0), method="bounded"
    )
    if found.fun < log_ratio(points, middle):
        middle = float(found.x)
    limit = log_ratio(points, middle) + float(stats.f.isf(alpha, 1, max(1, n - 1)))

    def excess(value: float) -> float:
        return log_ratio(points, value) - limit

    low = 0.0 if excess(0.0) <= 0 else optimize.brentq(excess, 0.0, middle, xtol=1e-10)
    high = 1.0 if excess(1.0) <= 0 else optimize.brentq(excess, middle, 1.0, xtol=1e-10)
    return Bounds(float(low), float(high))


LIKELIHOOD = Interval(
    "likelihood", "empirical likelihood", bounds,
    "many events, a logger that does not learn", place=4,
)  # fmt: skip
