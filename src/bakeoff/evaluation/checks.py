"""Checks of a log: whether probabilities fit the drawn actions, and whether it changes in time.

The check of the mean weight holds for every number of events and every logger, also one that
learns. That of changes is a test statistic that is about Student's when all is well. See also
propensities.py and repeats.py.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import special, stats

from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation.weights import Weighted

BETS = 2.0 ** np.arange(1, -20, -1)  # from bold to careful
_FAR = 3.9  # standard errors: one side of 1 in 10,000


class Check(NamedTuple):
    """A check of the log, and its p-value."""

    name: str
    text: str
    p_value: float  # nan if the log does not tell

    @property
    def fails(self) -> bool:
        """Whether this can hardly be chance: it happens in one of 10,000 logs."""
        return self.p_value < 1e-4


def mean_weight(weighted: Weighted) -> Check:
    """The mean weight is 1 minus the share never tried, if the probabilities are right.

    Bets are made against that, of several sizes at once. On a sound log, the mean of their
    wealths exceeds x with probability 1 / x at most (Ville's inequality), whatever the logger
    does. Where distributions were logged, both sides are bet on; without them nobody knows how
    heavy the weights are that have not come up, so only too much weight is suspicious.
    """
    w, expected = weighted.weight, 1.0 - weighted.unseen
    text = f"the mean weight is {w.mean():.3f}, and {expected:.4g} is expected"
    if weighted.surplus is None:
        return Check("mean weight", text, min(1.0, math.exp(-_log_wealth_of_growth(w))))
    # a weight is at most 1 below its mean
    return Check("mean weight", text, p_value_of_gap(*weighted.surplus, lowest=1.0))


def p_value_of_gap(gap: float, variance: float, largest: float, lowest: float) -> float:
    """The p-value of a sum that is 0 in the mean; bets are made on either side.

    `variance` is the sum of the variances of its terms, `largest` and `lowest` are how far a term
    can be above and below 0.
    """
    wealth = max(_log_wealth(gap, variance, largest), _log_wealth(-gap, variance, lowest))
    return min(1.0, 2.0 * math.exp(-wealth))


def _log_wealth(gap: float, variance: float, largest: float) -> float:
    """The log of the mean of exp(b gap - variance psi(b)) over bets b (Freedman 1975).

    psi(b) = (exp(b largest) - 1 - b largest) / largest^2, for gaps of at most `largest`.
    """
    x = np.minimum(BETS * largest, 500.0)
    growth = np.where(x < 1e-4, 0.5, (np.expm1(x) - x) / np.maximum(x, 1e-4) ** 2)
    return _log_mean(BETS * gap - variance * BETS**2 * growth)


def _log_wealth_of_growth(weight: Doubles) -> float:
    """The log of the mean of prod(1 + b (w - 1)) over bets b: fair if the mean is at most 1."""
    shares = BETS[BETS < 1]
    return _log_mean(np.array([np.log1p(b * (weight - 1.0)).sum() for b in shares]))


def _log_mean(logs: Doubles) -> float:
    return float(special.logsumexp(logs)) - math.log(len(logs))


def p_value_of_bets(logs: Doubles) -> float:
    """The p-value of the mean of some wealths, given their logs (Ville)."""
    return math.exp(-max(_log_mean(logs), 0.0))


def lacks_weight(weighted: Weighted) -> bool:
    """Whether weights add up to too little, for weights as different as those that came up.

    Only for logs without distributions. Either heavy weights have not come up yet, or logged
    probabilities are too large: such a log cannot tell which.
    """
    w, expected = weighted.weight, 1.0 - weighted.unseen
    if weighted.surplus is not None or len(w) < 2 or w.mean() > expected - 1e-9:
        return False
    error = float(w.std(ddof=1)) / math.sqrt(len(w))
    return float(w.mean()) + _FAR * error < expected


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
    return Check("stationarity", text, float(2 * stats.t.sf(abs(z), log.n - 2)))
