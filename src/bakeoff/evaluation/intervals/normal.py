"""Intervals around the estimate: normal, Student's and the bootstrap.

They are right in the limit of many events, if weights are light and the logger does not learn.
Student's is wider for few events. The bootstrap is corrected for bias and acceleration (BCa;
Efron 1987).
"""

import math

import numpy as np
from scipy import stats

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Parts
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, around, distinct

DRAWS = 1000
_CELLS = 2**16  # positions that are drawn together
_ALIKE = 20  # events of a kind, on average, above which kinds are drawn


def standard_error(evidence: Evidence) -> float:
    """The standard error of the estimate; infinite for a single event."""
    terms = evidence.parts.terms
    if len(terms) < 2:
        return math.inf
    return float(terms.std(ddof=1)) / math.sqrt(len(terms))


def _normal(evidence: Evidence, alpha: float) -> Bounds:
    """Estimate +- z s / sqrt(n), s with n - 1."""
    z = float(stats.norm.ppf(1 - alpha / 2))
    return around(evidence, z * standard_error(evidence))


def _student(evidence: Evidence, alpha: float) -> Bounds:
    """Estimate +- t s / sqrt(n), t with n - 1 degrees of freedom."""
    degrees = max(1, evidence.events.n - 1)
    t = float(stats.t.ppf(1 - alpha / 2, degrees))
    return around(evidence, t * standard_error(evidence))


def redrawn(parts: Parts, draws: int, seed: int) -> Doubles:
    """The estimate on `draws` samples of the events, drawn with replacement."""
    rng = np.random.default_rng(seed)
    if parts.bottom is None:
        return _means([parts.base + parts.top], draws, rng)[0]
    base, top, bottom = _means([parts.base, parts.top, parts.bottom], draws, rng)
    return base + np.divide(top, bottom, out=np.zeros(draws), where=bottom > 0)


def _means(columns: list[Doubles], draws: int, rng: np.random.Generator) -> Doubles:
    """The mean of each column on each sample.

    Where many events are alike, the numbers of events of each kind are drawn instead.
    """
    n = len(columns[0])
    kinds, times = distinct(columns)
    if len(times) * _ALIKE <= n:
        return np.stack(kinds) @ rng.multinomial(n, times / n, draws).T / n
    size = max(1, _CELLS // n)
    means = []
    for top in range(0, draws, size):
        picks = rng.integers(0, n, (min(size, draws - top), n), dtype=np.int32)
        means.append([column.take(picks).mean(axis=1) for column in columns])
    return np.concatenate(means, axis=1)


def acceleration(terms: Doubles) -> float:
    """A sixth of the skewness of the terms, over sqrt(n)."""
    centred = terms - terms.mean()
    second = float((centred**2).sum())
    if second <= 0:
        return 0.0
    return float((centred**3).sum()) / (6.0 * second**1.5)


def _bootstrap(evidence: Evidence, alpha: float) -> Bounds:
    """Quantiles of the redrawn estimates, moved by z0 and a.

    level' = Phi(z0 + (z0 + z) / (1 - a (z0 + z)))
    """
    parts = evidence.parts
    values = redrawn(parts, DRAWS, evidence.seed)
    below = (np.count_nonzero(values < parts.value) + 0.5) / (DRAWS + 1)
    z0, a = float(stats.norm.ppf(below)), acceleration(parts.terms)
    ends = []
    for level in (alpha / 2, 1 - alpha / 2):
        z = z0 + float(stats.norm.ppf(level))
        room = 1.0 - a * z
        moved = z0 + z / room if room > 0 else math.copysign(math.inf, z)
        ends.append(float(np.quantile(values, stats.norm.cdf(moved))))
    return Bounds(ends[0], ends[1])


NORMAL = Interval(
    "normal", "normal", _normal,
    "many events, light weights, a logger that does not learn", of_estimate=True,
)  # fmt: skip
STUDENT = Interval(
    "student", "Student", _student,
    "light weights, a logger that does not learn", of_estimate=True,
)  # fmt: skip
BOOTSTRAP = Interval(
    "bootstrap", "bootstrap (BCa)", _bootstrap,
    "some dozens of events with weight, a logger that does not learn", of_estimate=True,
)  # fmt: skip
