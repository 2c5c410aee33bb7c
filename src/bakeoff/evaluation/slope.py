"""SLOPE: choose a parameter by the overlap of intervals (Su et al. 2020)."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from scipy import stats

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Estimator, Events, Parts

_DELTA = 0.1
_FACTOR = math.sqrt(6.0) - 1.0


class Candidate(NamedTuple):
    """A parameter with its estimate and half-width."""

    parameter: float
    value: float
    width: float


def half_width(terms: Doubles, delta: float = _DELTA) -> float:
    """Half a Student interval of the mean at confidence 1 - delta."""
    n = len(terms)
    if n < 2:
        return math.inf
    return float(stats.t.ppf(1 - delta / 2, n - 1) * terms.std(ddof=1) / math.sqrt(n))


def best_of(candidates: Sequence[Candidate]) -> Candidate:
    """The last candidate that agrees with all wider ones (Lepski's principle).

    In order of falling width, keep i while
    |value_j - value_i| <= width_i + (sqrt 6 - 1) width_j for all j kept before.
    """
    kept: list[Candidate] = []
    for new in sorted(candidates, key=lambda candidate: -candidate.width):
        for wider in kept:
            if abs(wider.value - new.value) > new.width + _FACTOR * wider.width:
                return kept[-1]
        kept.append(new)
    return kept[-1]


def select(estimator: Estimator, events: Events) -> float:
    """The parameter that SLOPE selects for an estimator."""
    assert estimator.parameters is not None
    candidates = []
    for parameter in estimator.parameters(events):
        parts: Parts = estimator.parts(events, float(parameter))
        candidates.append(Candidate(float(parameter), parts.value, half_width(parts.terms)))
    return best_of(candidates).parameter
