"""What an interval is: bounds for a policy's value, and where they can be trusted.

All bounds are for rewards in [0, 1].
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.types import Doubles, Ints
from bakeoff.evaluation.estimators.base import Events, Parts


class Streams(NamedTuple):
    """Terms with known lower ends: E up <= value, E down <= 1 - value, both >= -floor.

    For IPS they are w r and w (1 - r), and the floor is 0. Both expectations fall short by
    what is earned, or not earned, where the logger never tries what the policy plays.
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

    @property
    def within(self) -> "Bounds":
        """The bounds in [0, 1], the lower one first."""
        low = min(max(self.low, 0.0), 1.0) if math.isfinite(self.low) else 0.0
        high = min(max(self.high, 0.0), 1.0) if math.isfinite(self.high) else 1.0
        return Bounds(min(low, high), max(low, high))

    def hull(self, other: "Bounds") -> "Bounds":
        """The smallest interval that holds both."""
        return Bounds(min(self.low, other.low), max(self.high, other.high))


@dataclass(frozen=True)
class Interval:
    """A way to bound a policy's value."""

    name: str
    title: str
    bounds: Callable[[Evidence, float], Bounds]
    assumes: str  # in words
    adaptive: bool = False  # whether it holds on the log of a learner
    anytime: bool = False  # whether it holds at every moment, so that one may stop at will
    exact: bool = False  # whether it holds for every n, not only in the limit
    of_estimate: bool = False  # whether it moves with the estimator
    uses_streams: bool = False  # whether it looks at `streams` alone


def around(evidence: Evidence, half: float) -> Bounds:
    """The estimate plus and minus `half`."""
    value = evidence.parts.value
    return Bounds(value - half, value + half)


Lower = Callable[[Doubles, float, float], float]
"""`lower(terms, floor, delta)` bounds the mean of terms >= -floor from below."""


def two_sided(streams: Streams, alpha: float, lower: Lower) -> Bounds:
    """Bounds from two lower bounds, each at alpha / 2; one of them is for 1 - reward."""
    low = lower(streams.up, streams.floor, alpha / 2)
    high = 1.0 - lower(streams.down, streams.floor, alpha / 2)
    return Bounds(low, high)


def by_streams(lower: Lower) -> Callable[[Evidence, float], Bounds]:
    """The bounds of an interval that looks at the streams alone."""
    return lambda evidence, alpha: two_sided(evidence.streams, alpha, lower)


def distinct(columns: Sequence[Doubles]) -> tuple[list[Doubles], Ints]:
    """The events that differ in some column, and how often each occurs."""
    code = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        values, place = np.unique(column, return_inverse=True)
        _, code = np.unique(code * len(values) + place, return_inverse=True)
    _, first, times = np.unique(code, return_index=True, return_counts=True)
    return [column[first] for column in columns], times
