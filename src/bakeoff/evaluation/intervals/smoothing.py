"""Logarithmic smoothing (Sakhi et al. 2024): closed form, whatever the weights."""

import math

import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, two_sided


def lower(terms: Doubles, floor: float, delta: float) -> float:
    """With l = sqrt(n): l (exp(mean(log(1 + x / l)) - log(1 / delta) / n) - 1).

    E prod (1 + x / l) = (1 + value / l)^n, also if the logger learns: Markov's
    inequality is all that is needed. x is the term above its floor.
    """
    n = len(terms)
    l = math.sqrt(n)  # noqa: E741
    smooth = float(np.log1p((terms + floor) / l).mean())
    return l * math.expm1(smooth - math.log(1 / delta) / n) - floor


def bounds(evidence: Evidence, alpha: float) -> Bounds:
    """Two lower bounds, one of them for 1 - r."""
    return two_sided(evidence.streams, alpha, lower)


SMOOTHING = Interval(
    "smoothing", "logarithmic smoothing", bounds,
    "one look, at a number of events fixed beforehand",
    adaptive=True, exact=True, uses_streams=True, place=7,
)  # fmt: skip
