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
SOME = 20  # effective events with a reward, and without one, that it needs


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
    events = Events(log.reward, weight, zero, zero)
    evidence = Evidence(Parts(zero, half), events, streams)
    support = min((support_of(side.weighted) for side in (a, b)), key=lambda support: support.size)
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


def interval_for(name: str, adaptive: bool, support: Support, events: Events) -> Interval:
    """The interval of that name; for "auto", one that holds on this kind of log.

    "auto" is Student's interval if the logger did not learn and enough events count, and
    otherwise the robust sequence, which needs neither (see benchmarks/interval_coverage.py).
    """
    if name != "auto":
        return INTERVALS[name]
    w, r = events.weight, events.reward
    rare = min(effective(w * r), effective(w * (1.0 - r)))
    is_easy = support.size >= MANY and rare >= SOME
    return INTERVALS["student" if is_easy and not adaptive else "robust"]
