"""Compare: several policies on one log, with paired differences and a correction.

found = compare_policies(log, {"new": model, "even": "uniform"}, baseline="logged")
found.differences["new"].low, found.best
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import SpecError
from bakeoff.data import Log
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.estimators.base import Events, Parts
from bakeoff.evaluation.evaluate import evaluate, interval_for
from bakeoff.evaluation.found import Evaluation, check_names
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Streams
from bakeoff.evaluation.policies import Policy, policy_of
from bakeoff.evaluation.verdict import support_of
from bakeoff.evaluation.weights import Seen, Weighted, model_for, weigh, with_model, without_model


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
        """Whether the interval leaves no doubt which is better."""
        return self.low > 0 or self.high < 0


class Comparison(NamedTuple):
    """Several policies on one log. All intervals hold together at 1 - alpha."""

    evaluations: dict[str, Evaluation]
    differences: dict[str, Difference]  # from the baseline
    baseline: str
    estimator: str
    alpha: float

    @property
    def best(self) -> str | None:
        """The policy with the highest lower bound; None if the log answers for none."""
        able = {
            name: found[self.estimator].low
            for name, found in self.evaluations.items()
            if found.can_answer
        }
        return max(able, key=lambda name: able[name]) if able else None


class _Judged(NamedTuple):
    """A policy with what differences need to know of it."""

    weighted: Weighted
    seen: Seen


def compare_policies(
    log: Log,
    policies: Mapping[str, Any] | list[Any],
    *,
    baseline: Any = "logged",
    estimator: str = "dr",
    alpha: float = 0.05,
    interval: str = "auto",
) -> Comparison:
    """Every policy's value, and how much better it is than the baseline.

    With m policies each interval is at 1 - alpha / m (Bonferroni), so that all hold
    together however many candidates there are.
    """
    check_names(estimator, {"ips": 0, "dr": 0}, "estimator of differences")
    named = _named(policies, log)
    each = alpha / len(named)
    base = policy_of(baseline, log)
    judged_base = _judged(log, base, estimator)
    evaluations, differences = {}, {}
    for name, policy in named.items():
        evaluations[name] = evaluate(log, policy, [estimator], alpha=each, interval=interval)
        judged = _judged(log, policy, estimator)
        bounds, rule = _difference(log, judged, judged_base, estimator, each, interval)
        value = _value(judged, estimator) - _value(judged_base, estimator)
        width = log.reward_range.width
        differences[name] = Difference(
            name, base.name, width * value, width * bounds.low, width * bounds.high, rule
        )
    return Comparison(evaluations, differences, base.name, estimator, alpha)


def _named(policies: Mapping[str, Any] | list[Any], log: Log) -> dict[str, Policy]:
    """Policies by name; names that repeat get a number."""
    if isinstance(policies, Mapping):
        return {name: policy_of(one, log) for name, one in policies.items()}
    found: dict[str, Policy] = {}
    for one in policies:
        policy = policy_of(one, log)
        name, k = policy.name, 2
        while name in found:
            name, k = f"{policy.name} {k}", k + 1
        found[name] = policy
    if not found:
        raise SpecError("give at least one policy")
    return found


def _judged(log: Log, policy: Policy, estimator: str) -> _Judged:
    weighted = weigh(log, policy)
    if estimator == "ips":
        return _Judged(weighted, without_model(log, weighted))
    model = model_for(log, "plain", weighted, None)
    return _Judged(weighted, with_model(log, policy, weighted, model))


def _value(judged: _Judged, estimator: str) -> float:
    return ESTIMATORS[estimator].parts(judged.seen.events, 0.0).value


def _difference(
    log: Log, a: _Judged, b: _Judged, estimator: str, alpha: float, interval: str
) -> tuple[Bounds, str]:
    """An interval of the difference of two policies.

    (1 + difference) / 2 is a value like any other: its terms are half those of `a` for
    the reward, plus half those of `b` for what is missing to it.
    """
    up = (a.seen.streams.up + b.seen.streams.down) / 2
    down = (a.seen.streams.down + b.seen.streams.up) / 2
    streams = Streams(up, down, max(a.seen.streams.floor, b.seen.streams.floor))
    terms = [ESTIMATORS[estimator].parts(j.seen.events, 0.0).terms for j in (a, b)]
    half = (1.0 + terms[0] - terms[1]) / 2
    weight = (a.weighted.weight + b.weighted.weight) / 2
    zero = np.zeros(log.n)
    events = Events(log.reward, weight, zero, zero)
    evidence = Evidence(Parts(zero, half), events, streams)
    support = min((support_of(j.weighted) for j in (a, b)), key=lambda one: one.size)
    rule = interval_for(interval, log.adaptive, support, evidence)
    if not rule.of_estimate and not rule.uses_streams:
        raise SpecError(f"the interval {rule.name!r} is not made for differences")
    low, high = rule.bounds(evidence, alpha)
    unseen = a.weighted.unseen, b.weighted.unseen
    return Bounds(max(-1.0, 2 * low - 1 - unseen[1]), min(1.0, 2 * high - 1 + unseen[0])), rule.name
