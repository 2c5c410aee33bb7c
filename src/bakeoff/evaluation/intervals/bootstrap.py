"""The bootstrap, corrected for bias and acceleration (BCa; Efron 1987)."""

import math

import numpy as np
from scipy import stats

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Parts
from bakeoff.evaluation.intervals.alike import distinct
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval

DRAWS = 1000
_CELLS = 2**16  # positions that are drawn together
_ALIKE = 20  # events of a kind, on average, from which on kinds are drawn


def redrawn(parts: Parts, draws: int, seed: int) -> Doubles:
    """The estimate on `draws` samples of the events, drawn with replacement."""
    rng = np.random.default_rng(seed)
    if parts.bottom is None:
        return _means([parts.base + parts.top], draws, rng)[0]
    base, top, bottom = _means([parts.base, parts.top, parts.bottom], draws, rng)
    return base + np.divide(top, bottom, out=np.zeros(draws), where=bottom > 0)


def _means(columns: list[Doubles], draws: int, rng: np.random.Generator) -> Doubles:
    """The mean of each column on each sample.

    Where many events are alike, it is drawn how often each kind occurs.
    """
    n = len(columns[0])
    kinds, times = distinct(columns)
    if len(times) * _ALIKE <= n:
        return np.stack(kinds) @ rng.multinomial(n, times / n, draws).T / n
    size = max(1, _CELLS // n)
    found = []
    for top in range(0, draws, size):
        picks = rng.integers(0, n, (min(size, draws - top), n), dtype=np.int32)
        found.append([column.take(picks).mean(axis=1) for column in columns])
    return np.concatenate(found, axis=1)


def acceleration(terms: Doubles) -> float:
    """A sixth of the skewness of the terms, over sqrt(n)."""
    centred = terms - terms.mean()
    second = float((centred**2).sum())
    if second <= 0:
        return 0.0
    return float((centred**3).sum()) / (6.0 * second**1.5)


def bounds(evidence: Evidence, alpha: float) -> Bounds:
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


BOOTSTRAP = Interval(
    "bootstrap", "bootstrap (BCa)", bounds,
    "some dozens of events with weight, a logger that does not learn",
    of_estimate=True, place=3,
)  # fmt: skip
