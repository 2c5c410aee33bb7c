"""Confidence sequences: valid at every moment, so one may look and stop at any time.

`sequence` is the gamma-exponential mixture of Howard et al. (2021) that Vowpal Wabbit's estimators
use, with rho = 1.

`robust` is for heavy tails: large terms count by their logarithm. For a forecast f in [0, 1] and a
bet b < 1, with e = x - f >= -1,

    exp(b (x - mean) - (b e - log(1 + b e))) = (1 + b e) exp(b (f - mean))

has expectation at most 1, whatever the distribution of x >= 0 and of the logger's past
(Fan et al. 2015; Mineiro 2022 builds Vowpal Wabbit's robust sequence on it). The wealth is a
mixture over bets b_j = 1/2 xi^-(j + 1/2) with weights (xi - 1) xi^-(j + 1).
"""

import math

import numpy as np
from scipy import optimize, special

from bakeoff.core.types import Doubles
from bakeoff.evaluation.intervals.base import Interval, by_streams
from bakeoff.live import BETS, LOG_WEIGHTS

_PIECE = 2**12  # events processed together
_TOGETHER = 16  # factors of which one logarithm is taken


def log_wealth(s: float, v: float, rho: float = 1.0) -> float:
    """The log wealth of a bet against a mean; s = sum(x) - n mean, v the variance."""
    a, x = v + rho, s + v + rho
    return float(
        s
        + v
        + rho * math.log(rho)
        - a * math.log(x)
        + _log_lower_gamma(a, x)
        - _log_lower_gamma(rho, rho)
    )


def _log_lower_gamma(a: float, x: float) -> float:
    return float(np.log(special.gammainc(a, x)) + special.loggamma(a))


def forecasts(x: Doubles) -> Doubles:
    """The forecast of each term from those before it: (sum + 1/2) / (t + 1)."""
    before = np.concatenate(([0.0], np.cumsum(x[:-1])))
    return (before + 0.5) / np.arange(1, len(x) + 1)


def sequence_lower(terms: Doubles, floor: float, delta: float) -> float:
    """The smallest mean in [0, 1] that bets have not ruled out at 1 / delta."""
    x = (terms + floor) / (1 + floor)
    v = float(((x - forecasts(x)) ** 2).sum())
    n, total, limit = len(x), float(x.sum()), -math.log(delta)
    if log_wealth(total, v) <= limit:
        return 0.0 * (1 + floor) - floor
    top = min(1.0, total / n)
    if log_wealth(total - n * top, v) >= limit:
        return top * (1 + floor) - floor
    root = optimize.brentq(lambda mu: log_wealth(total - n * mu, v) - limit, 0.0, top)
    return float(root) * (1 + floor) - floor


def prices(errors: Doubles) -> Doubles:
    """For each bet the sum of b e - log(1 + b e).

    Logarithms are taken of products of some factors: 1 + b e lies between 0.6 and
    1e18, so that sixteen of them neither overflow nor vanish.
    """
    total = BETS * errors.sum()
    for top in range(0, len(errors), _PIECE):
        factors = np.multiply.outer(BETS, errors[top : top + _PIECE]) + 1.0
        whole = factors.shape[1] - factors.shape[1] % _TOGETHER
        products = factors[:, :whole].reshape(len(BETS), _TOGETHER, -1).prod(axis=1)
        total -= np.log(products).sum(axis=1)
        total -= np.log(factors[:, whole:]).sum(axis=1)
    return total


def robust_lower(terms: Doubles, floor: float, delta: float) -> float:
    """The smallest mean in [0, 1] that bets have not ruled out at 1 / delta."""
    x = (terms + floor) / (1 + floor)
    price = prices(x - np.minimum(1.0, forecasts(x)))
    n, total, limit = len(x), float(x.sum()), -math.log(delta)

    def excess(mean: float) -> float:
        grown = BETS * (total - n * mean) - price + LOG_WEIGHTS
        most = float(grown.max())
        return most + math.log(float(np.exp(grown - most).sum())) - limit

    if excess(0.0) <= 0:
        root = 0.0
    elif excess(1.0) >= 0:
        root = 1.0
    else:
        root = float(optimize.brentq(excess, 0.0, 1.0))
    return root * (1 + floor) - floor


SEQUENCE = Interval(
    "sequence", "confidence sequence", by_streams(sequence_lower),
    "nothing: look as often as you like",
    adaptive=True, anytime=True, exact=True, uses_streams=True,
)  # fmt: skip
ROBUST = Interval(
    "robust", "robust confidence sequence", by_streams(robust_lower),
    "nothing: look as often as you like, however heavy the weights",
    adaptive=True, anytime=True, exact=True, uses_streams=True,
)  # fmt: skip
