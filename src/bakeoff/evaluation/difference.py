"""Difference: how much more one policy earns than another, paired event by event."""

from typing import NamedTuple

import numpy as np

from bakeoff.basics.errors import SpecError
from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation.bounds import Inputs
from bakeoff.evaluation.can_answer import Support, effective, support_of
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.estimators.base import Events, Parts
from bakeoff.evaluation.intervals import INTERVALS
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, Streams
from bakeoff.evaluation.weights import Weighted, without_model

MANY = 200  # effective events above which Student's interval is trusted
SOME = 20  # effective events with a reward, without one, and of the variance that it needs


class Difference(NamedTuple):
    """How much more reward one policy gets than another, paired event by event."""

    policy: str
    baseline: str
    value: float
    low: float
    high: float
    interval: str

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes 0, so that it is clear which policy is better."""
        return self.low > 0 or self.high < 0


class Weighed(NamedTuple):
    """A policy's weights on a log, and what estimators make of them."""

    name: str
    weighted: Weighted
    inputs: Inputs
    estimator: str  # an unbiased one

    @property
    def value(self) -> float:
        """The estimate, for rewards in [0, 1]."""
        return ESTIMATORS[self.estimator].parts(self.inputs.events, 0.0).value

    @property
    def tried_terms(self) -> Doubles:
        """Terms whose mean is what the policy earns where it plays what the logger tries."""
        parts = ESTIMATORS[self.estimator].parts(self.inputs.tried, 0.0)
        return (1.0 - self.weighted.unseen) * parts.terms


def as_decided(log: Log) -> Weighed:
    """The log itself: all weights are 1."""
    weighted = Weighted(np.ones(log.n), log.probability, np.zeros(log.n_actions), 0.0, None, None)
    return Weighed("logged", weighted, without_model(log, weighted), "ips")


def difference_of(log: Log, a: Weighed, b: Weighed, alpha: float, interval: str) -> Difference:
    """How much more `a` earns than `b`.

    (1 + difference) / 2 is a value in [0, 1]: its terms are half those of `a` for the reward r,
    plus half those of `b` for 1 - r.
    """
    up = (a.inputs.streams.up + b.inputs.streams.down) / 2
    down = (a.inputs.streams.down + b.inputs.streams.up) / 2
    streams = Streams(up, down, max(a.inputs.streams.floor, b.inputs.streams.floor))
    half = (1.0 + a.tried_terms - b.tried_terms) / 2
    weight = (a.weighted.weight + b.weighted.weight) / 2
    zero = np.zeros(log.n)
    evidence = Evidence(Parts(zero, half), Events(log.reward, weight, zero, zero), streams)
    gap = np.abs(a.weighted.weight - b.weighted.weight)
    support = _support_of_gap(gap, a.weighted, b.weighted)
    events = Events(log.reward, gap, zero, zero, None, _fourths_of_gap(gap, a, b))
    rule = interval_for(interval, log.adaptive, support, events)
    if not rule.of_estimate and not rule.uses_streams:
        raise SpecError(f"the interval {rule.name!r} cannot bound differences")
    low, high = rule.bounds(evidence, alpha)
    if not rule.uses_streams:  # streams allow any reward where the logger never tries
        low, high = low - b.weighted.unseen / 2, high + a.weighted.unseen / 2
    value = a.value - b.value
    held = Bounds((1 + value) / 2, (1 + value) / 2).within
    low, high = Bounds(low, high).within.hull(held)
    units = log.reward_range.width
    return Difference(
        a.name, b.name, units * value, units * (2 * low - 1), units * (2 * high - 1), rule.name
    )


def _support_of_gap(gap: Doubles, a: Weighted, b: Weighted) -> Support:
    """How many events tell two policies apart; where these agree, the rest tell nothing.

    Heavy weights that have not come up yet count, if distributions were logged: the square of
    the gap is below the sum of the squares of the weights.
    """
    size, expected = effective(gap), effective(gap)
    squares = _known(a.squares, a), _known(b.squares, b)
    if squares[0] is not None and squares[1] is not None:
        square = float((squares[0] + squares[1])[gap > 0].sum())
        expected = float(gap.sum()) ** 2 / square if square > 0 else 0.0
    return support_of(a)._replace(effective_sample_size=size, expected_sample_size=expected)


def _fourths_of_gap(gap: Doubles, a: Weighed, b: Weighed) -> Doubles | None:
    """A bound of the fourth powers of gaps that distributions expect; None without them."""
    one, other = (_known(side.weighted.fourths, side.weighted) for side in (a, b))
    return None if one is None or other is None else np.where(gap > 0, one + other, 0.0)


def _known(expected: Doubles | None, side: Weighted) -> Doubles | None:
    """What distributions expect; None if the log does not tell. The logger has weights of 1."""
    return side.weight if expected is None and (side.weight == 1.0).all() else expected


def interval_for(name: str, adaptive: bool, support: Support, events: Events) -> Interval:
    """The interval of that name; for "auto", one that holds on this kind of log.

    "auto" is Student's interval if the logger did not learn, enough events count and the
    variance is that of many, and otherwise the robust sequence, which needs none of these (see
    benchmarks/interval_coverage.py). How many make the variance is (sum w^2)^2 / sum w^4, also
    as the logger's distributions expect it: a few weights of 500 among thousands of 1 decide,
    and may not have come up yet.
    """
    if name != "auto":
        return INTERVALS[name]
    w, r = events.weight, events.reward
    rare = min(effective(w * r), effective(w * (1.0 - r)), effective(w * w))
    if events.fourths is not None:
        squares = w * w if events.squares is None else events.squares
        rare = min(rare, float(squares.sum()) ** 2 / max(float(events.fourths.sum()), 1e-300))
    is_easy = support.size >= MANY and rare >= SOME
    return INTERVALS["student" if is_easy and not adaptive else "robust"]
