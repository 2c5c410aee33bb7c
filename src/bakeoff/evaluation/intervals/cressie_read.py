"""Cressie-Read divergence of order -2: empirical likelihood in closed form.

As Vowpal Wabbit's estimators have it: weights may lie anywhere from 0 up, and one
made-up event stands for what the log did not show.
"""

import math
from typing import NamedTuple

from scipy import stats

from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval

_TINY = 1e-9


class Sums(NamedTuple):
    """What the bound needs to know of a log."""

    n: float
    w: float
    w2: float
    wr: float
    w2r: float
    w2r2: float


def sums_of(evidence: Evidence) -> Sums:
    """Sums over the events."""
    w, r = evidence.events.weight, evidence.events.reward
    wr = w * r
    return Sums(
        len(w), float(w.sum()), float((w * w).sum()), float(wr.sum()),
        float((w * wr).sum()), float((wr * wr).sum()),
    )  # fmt: skip


def bounds(evidence: Evidence, alpha: float) -> Bounds:
    """The extreme values among reweightings that are not too far from the log."""
    s = sums_of(evidence)
    phi = (-_slack(s) - float(stats.f.isf(alpha, 1, s.n))) / (2 * (1 + s.n))
    low, high = (_end(s, phi, r, sign) for r, sign in ((0.0, 1), (1.0, -1)))
    return Bounds(low, high)


def _slack(s: Sums) -> float:
    """How far the log itself is from a mean weight of 1."""
    if s.w < s.n:  # the made-up event may be as heavy as it likes
        return 1 + 1 / s.n
    a, b = s.w / (1 + s.n), s.w2 / (1 + s.n)
    return (1 + s.n) * (a - 1) ** 2 / (b - a * a)


def _end(s: Sums, phi: float, r: float, sign: int) -> float:
    """The lower end (r = 0, sign 1) or the upper end (r = 1, sign -1)."""
    ends = [*_without_weight(s, phi, r, sign), *_with_any_weight(s, phi, r, sign)]
    best = min(ends) if ends else 0.0
    return min(1.0, max(0.0, sign * best))


def _without_weight(s: Sums, phi: float, r: float, sign: int) -> list[float]:
    """The made-up event has weight 0."""
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


def _with_any_weight(s: Sums, phi: float, r: float, sign: int) -> list[float]:
    """The made-up event is as heavy as can be."""
    x = sign * (r + (s.wr - s.w * r) / s.n)
    y = (r * s.w - s.wr) ** 2 / (s.n * (1 + s.n))
    y -= (r * r * s.w2 - 2 * r * s.w2r + s.w2r2) / (1 + s.n)
    return _extreme(x, y, phi + 1 / (2 * s.n))


def _extreme(x: float, y: float, z: float) -> list[float]:
    if abs(y * z) <= _TINY * _TINY:
        return [x - math.sqrt(2) * _TINY]
    return [x - math.sqrt(2 * y * z)] if z <= 0 and y * z >= 0 else []


CRESSIE_READ = Interval(
    "cressie-read", "Cressie-Read", bounds, "many events, a logger that does not learn", place=5
)
