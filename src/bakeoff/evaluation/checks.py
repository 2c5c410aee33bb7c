"""Checks of a log: whether probabilities fit the drawn actions, and whether it changes in time.

Each check is a test statistic that is about standard normal when all is well.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from bakeoff.core.types import Doubles
from bakeoff.data import Log


class Check(NamedTuple):
    """A check of the log, and its p-value."""

    name: str
    text: str
    p_value: float  # nan if the log does not tell

    @property
    def fails(self) -> bool:
        """Whether this can hardly be chance: it happens in one of 10,000 logs."""
        return self.p_value < 1e-4


def _two_sided(z: float) -> float:
    return float(2 * stats.norm.sf(abs(z)))


def _z_of_mean(x: Doubles, mean: float) -> float:
    """How many standard errors the mean of `x` is from `mean`."""
    if len(x) < 2:
        return 0.0
    error = float(x.std(ddof=1)) / math.sqrt(len(x))
    gap = float(x.mean()) - mean
    if abs(gap) < 1e-9:  # rounding
        return 0.0
    return gap / error if error > 0 else math.inf


def mean_weight(weight: Doubles, unseen: float = 0.0) -> Check:
    """The mean weight is 1 minus the share never tried, if the probabilities are right."""
    z = _z_of_mean(weight, 1.0 - unseen)
    text = f"the mean weight is {weight.mean():.3f}, and {1 - unseen:.4g} is expected"
    return Check("mean weight", text, _two_sided(z))


class Drawn(NamedTuple):
    """How often each action was drawn, and how often its probabilities say it is."""

    times: Doubles
    expected: Doubles
    variance: Doubles


def drawn_in(log: Log) -> Drawn | None:
    """Sums over a log; None if it holds no distributions."""
    if log.probabilities is None:
        return None
    p = log.probabilities
    times = np.bincount(log.action, minlength=log.n_actions).astype(np.float64)
    return Drawn(times, p.sum(axis=0), (p * (1 - p)).sum(axis=0))


def propensities(drawn: Drawn | None, log: Log) -> Check:
    """Drawn actions against logged distributions: chi-square over the actions.

    Per action, sum of [a = k] - p(k) is a martingale with variance sum of p (1 - p),
    also if the logger learns.
    """
    if drawn is None:
        text = "the log holds no distributions to compare drawn actions with"
        return Check("propensities", text, math.nan)
    known = drawn.variance > 5  # for the normal approximation
    if not known.any():
        return Check("propensities", "the logger hardly explores", math.nan)
    z = (drawn.times - drawn.expected)[known] / np.sqrt(drawn.variance[known])
    worst = int(np.flatnonzero(known)[np.abs(z).argmax()])
    p_value = min(1.0, _two_sided(float(np.abs(z).max())) * int(known.sum()))
    text = (
        f"action {log.action_name(worst)} was drawn {drawn.times[worst]:,.0f} times, "
        f"and its probabilities add up to {drawn.expected[worst]:,.1f}"
    )
    return Check("propensities", text, p_value)


def stationarity(log: Log, terms: Doubles) -> Check:
    """The policy's estimate in the first half of the log against the second half."""
    half = log.n // 2
    if half < 10:
        return Check("stationarity", "the log is too short to see changes", math.nan)
    first, second = terms[:half], terms[half:]
    error = math.sqrt(first.var(ddof=1) / half + second.var(ddof=1) / len(second))
    gap = float(second.mean() - first.mean())
    z = gap / error if error > 0 else 0.0
    low, high = (log.in_units(float(part.mean())) for part in (first, second))
    text = f"the estimate is {low:.4g} in the first half, {high:.4g} in the second"
    return Check("stationarity", text, _two_sided(z))
