"""Bounds for an estimator: an interval, and what the logger never tries.

A share u of the policy's mass may lie where the logger gives no probability. Rewards there can be
anything from 0 to 1. With v the mean reward of the policy where it plays what the logger tries,
its value lies between (1 - u) v and (1 - u) v + u. Every estimator and every interval sees v: the
policy given that it plays what is tried, with weights w / (1 - u).

Intervals of streams need no such step: their lower ends bound (1 - u) v and (1 - u) (1 - v).
"""

from typing import NamedTuple

from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators.base import Estimator, Events
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, Streams

_NOTHING = 1e-9  # a share of the mass below which nothing is tried


class Inputs(NamedTuple):
    """What estimators and intervals work on."""

    events: Events  # for the estimate
    streams: Streams  # terms that sequences bet on
    tried: Events  # the policy given that it plays what the logger tries
    unseen: float  # the share of its mass that the logger never tries


def inputs_of(events: Events, streams: Streams, unseen: float, q_pi_tried: Doubles) -> Inputs:
    """Inputs; `q_pi_tried` is q_pi over the actions that the logger tries."""
    if unseen <= 0 or unseen > 1 - _NOTHING:
        return Inputs(events, streams, events, unseen)
    rest = 1.0 - unseen
    squares = None if events.squares is None else events.squares / rest**2
    tried = Events(
        events.reward, events.weight / rest, events.q, q_pi_tried / rest, squares, events.fourths
    )
    return Inputs(events, streams, tried, unseen)


def bounds_of(
    estimator: Estimator,
    parameter: float,
    inputs: Inputs,
    rule: Interval,
    alpha: float,
    seed: int = 0,
) -> Bounds:
    """The bounds of an estimator by an interval, not yet cut to [0, 1].

    If the estimator leaves out weights, so does an interval around it; it then also covers
    that of its unbiased counterpart.
    """
    tried = inputs.tried
    evidence = Evidence(estimator.parts(tried, parameter), tried, inputs.streams, seed)
    bounds = rule.bounds(evidence, alpha)
    if rule.uses_streams:
        return bounds
    if estimator.is_shrunk and rule.of_estimate:
        unbiased = evidence._replace(parts=estimator.unbiased(tried))
        bounds = bounds.hull(rule.bounds(unbiased, alpha))
    return with_unseen(bounds, inputs.unseen)


def with_unseen(bounds: Bounds, unseen: float) -> Bounds:
    """Bounds of the value, from bounds of the mean reward where the logger tries."""
    if unseen <= 0:
        return bounds
    if unseen > 1 - _NOTHING:
        return Bounds(0.0, 1.0)
    low, high = bounds.within
    return Bounds((1.0 - unseen) * low, (1.0 - unseen) * high + unseen)
