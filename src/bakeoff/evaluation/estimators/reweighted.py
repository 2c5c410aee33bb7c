"""IPS with reweighted events: each counts more or less, so that the mean weight is 1.

Empirical likelihood takes the likeliest counts, Cressie and Read's divergence of order -2 the
closest ones in squares. Both are defined as in Vowpal Wabbit's estimators, for weights from 0
up. If the weights of the log add up to too little, the missing weight gets the mean reward of
the log.
"""

import numpy as np
from scipy import optimize

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Estimator, Events, Parts


def by_likelihood(events: Events, _: float) -> Parts:
    """Sum of w r / (n + beta (w - 1))."""
    w, r = events.weight, events.reward
    beta = likeliest(w)
    if beta <= 0:
        return _with_missing(events)
    share = 1.0 / (1.0 + beta / events.n * (w - 1.0))
    gap, weighted = share * (w - 1.0), share * w * r
    c = float((weighted * gap).mean()) / float((gap * gap).mean())
    missing = max(0.0, 1.0 - float((share * w).mean()))
    return _around(weighted.mean() + missing * r.mean(), weighted - c * gap)


def likeliest(w: Doubles) -> float:
    """The beta >= 0 that maximises the product of the shares 1 / (n + beta (w - 1))."""
    n = len(w)
    most = float(((n - 1.0) / (1.0 - w[w < 1])).min(initial=n))  # no share above 1

    def slope(beta: float) -> float:
        return float(((w - 1.0) / (n + beta * (w - 1.0))).sum())

    if slope(0.0) <= 0:
        return 0.0
    return most if slope(most) >= 0 else float(optimize.brentq(slope, 0.0, most))


def by_cressie_read(events: Events, _: float) -> Parts:
    """Sum of w r (g + b w) / (n + 1), where an added event of weight 0 counts."""
    w, r, m = events.weight, events.reward, events.n + 1
    if w.sum() < events.n:  # the added event may have any weight
        return _with_missing(events)
    A, B = float(w.sum()) / m, float((w * w).sum()) / m
    spread = B - A * A
    weighted = ((B - A) + (1.0 - A) * w) / spread * w * r
    value = float(weighted.sum()) / m
    C, D = float((w * r).sum()) / m, float((w * w * r).sum()) / m
    by_A, by_B = (2 * A * value - C - D) / spread, (C - value) / spread
    missing = max(0.0, 1.0 - ((B - A) * A + (1.0 - A) * B) / spread)
    terms = weighted + by_A * w + by_B * w * w
    return _around(value + missing * float(r.mean()), terms)


def _with_missing(events: Events) -> Parts:
    """Mean of w r, plus the mean reward for the missing weight."""
    w, r = events.weight, events.reward
    missing = 1.0 - float(w.mean())
    value = float((w * r).mean()) + missing * float(r.mean())
    return _around(value, w * r - w * r.mean() + missing * r)


def _around(value: float, terms: Doubles) -> Parts:
    """Terms with mean `value` whose deviations are the first-order influence of the events."""
    return Parts(terms + (value - float(terms.mean())), np.zeros(len(terms)))


LIKELIHOOD = Estimator(
    "likelihood", "empirical likelihood", "sum(w r / (n + beta (w - 1)))", by_likelihood
)

CRESSIE_READ = Estimator(
    "cressie-read", "Cressie-Read", "sum(w r (g + b w)) / (n + 1)", by_cressie_read
)
