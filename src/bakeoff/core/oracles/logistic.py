"""Regression on the log loss: scores are the log-odds of a cost of one.

The steps are those of regression.py: adaptive, normalised, importance-weight aware. Only
the loss differs, c log(1 + e^-r) + (1 - c) log(1 + e^r) for a cost c in [0, 1]. A cost
between 0 and 1 moves a score by the mean of what its ends would do, as in VW.
"""

import math

from bakeoff.core.jit import kernel

FARTHEST = 50.0  # where scores are clipped before a step, as in VW
FLAT = 2.0**-24  # a slope at which 1 + e^-r rounds to 1 in single precision


@kernel
def chance(r: float) -> float:
    """How likely a cost of one is, by a score."""
    return 1.0 / (1.0 + math.exp(-min(max(r, -FARTHEST), FARTHEST)))


@kernel
def log_step(r: float, cost: float, s: float, kappa: float) -> float:
    """How far to move for a step s, with kappa the change of the score per unit moved."""
    z = s * kappa
    if z < 1e-6:
        return s * (cost - chance(r))
    r = min(max(r, -FARTHEST), FARTHEST)
    return (cost * rise(r, z) - (1.0 - cost) * rise(-r, z)) / kappa


@kernel
def rise(m: float, z: float) -> float:
    """How far the margin m follows its gradient 1 / (1 + e^m) in time z.

    It is the root d of d + e^m (e^d - 1) = z. Both bounds that Newton's method starts from
    lie above it, and the function is convex, so that it never overshoots; six steps reach
    the last digits.
    """
    odds = math.exp(m)
    d = min(z / (1.0 + odds), math.log(1.0 + z / odds))
    for _ in range(6):
        grown = odds * math.exp(d)
        d = d - (d + (grown - odds) - z) / (1.0 + grown)
    return d
