"""What an interval is: bounds for a policy's value, and where they can be trusted.

To add one, write one file in this folder with an `Interval` record in it; `evaluate`,
the command line and the generic tests find it. All bounds are for rewards in [0, 1].
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Events, Parts


class Streams(NamedTuple):
    """Terms with known lower ends: E up = value, E down = 1 - value, both >= -floor.

    For IPS they are w r and w (1 - r), and the floor is 0.
    """

    up: Doubles
    down: Doubles
    floor: float = 0.0


class Evidence(NamedTuple):
    """What an interval may look at."""

    parts: Parts  # of the estimator
    events: Events
    streams: Streams
    seed: int = 0  # for those that draw random numbers


class Bounds(NamedTuple):
    """Where the policy's value lies."""

    low: float
    high: float


@dataclass(frozen=True)
class Interval:
    """A way to bound a policy's value."""

    name: str
    title: str
    bounds: Callable[[Evidence, float], Bounds]
    assumes: str  # in words
    adaptive: bool = False  # whether it holds on the log of a learner
    anytime: bool = False  # whether one may look again and again, and stop at will
    exact: bool = False  # whether it holds for every n, not only in the limit
    of_estimate: bool = False  # whether it moves with the estimator
    uses_streams: bool = False  # whether it looks at `streams` alone
    place: int = 0  # in tables


def around(evidence: Evidence, half: float) -> Bounds:
    """The estimate plus and minus `half`."""
    value = evidence.parts.value
    return Bounds(value - half, value + half)


def two_sided(
    streams: Streams, alpha: float, lower: Callable[[Doubles, float, float], float]
) -> Bounds:
    """Bounds from two lower bounds, each at alpha / 2.

    `lower(terms, floor, delta)` bounds the mean of terms >= -floor from below.
    """
    low = lower(streams.up, streams.floor, alpha / 2)
    high = 1.0 - lower(streams.down, streams.floor, alpha / 2)
    return Bounds(low, high)
