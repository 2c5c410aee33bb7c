"""Compare: several policies on one log, with paired differences and a correction.

result = compare_policies(log, {"new": model, "even": "uniform"}, baseline="logged")
result.differences["new"].low, result.best
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import SpecError
from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation.bounds import Inputs
from bakeoff.evaluation.can_answer import support_of
from bakeoff.evaluation.estimators import ESTIMATORS, UNBIASED
from bakeoff.evaluation.estimators.base import Events, Parts
from bakeoff.evaluation.evaluate import evaluate, interval_for
from bakeoff.evaluation.fairness import fair_part
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Streams
from bakeoff.evaluation.policies import Policy, policy_of
from bakeoff.evaluation.results import Evaluation, check_names
from bakeoff.evaluation.weights import Weighted, model_for, weigh, with_model, without_model


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


class Comparison(NamedTuple):
    """Several policies on one log. All intervals hold jointly at 1 - alpha."""

    evaluations: dict[str, Evaluation]
    differences: dict[str, Difference]  # from the baseline
    baseline: str
    estimator: str
    alpha: float
    words: str = ""  # about events that were left out, since they taught a policy

    @property
    def best(self) -> str | None:
        """The policy with the highest lower bound; None if the log can answer for none of them."""
        lows = {
            name: evaluation[self.estimator].low
            for name, evaluation in self.evaluations.items()
            if evaluation.can_answer
        }
        return max(lows, key=lambda name: lows[name]) if lows else None


class _Weighed(NamedTuple):
    """A policy's weights on the log, and what estimators make of them."""

    weighted: Weighted
    inputs: Inputs


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

    `estimator` is an unbiased one. With m policies each interval is at 1 - alpha / m
    (Bonferroni), so that all hold jointly, however many candidates there are.

    Parameters
    ----------
    log
        The log.
    policies
        Policies by name, or a list of them.
    baseline
        The policy that the others are compared with.
    estimator
        "ips", "dr" or "mrdr".
    alpha
        One minus the joint confidence of the intervals.
    interval
        "auto", or the name of an interval.

    Returns
    -------
    Comparison
        A `Comparison`: `differences` by name, the `best`, and `words`.

    Raises
    ------
    SpecError
        If there is no such policy or estimator, or it is biased.
    DataError
        If the log and a policy do not fit.

    Examples
    --------
    >>> log = bakeoff.Log.from_arrays(None, [0, 1] * 50, [0.5] * 100, [1, 0] * 50)
    >>> result = bakeoff.compare_policies(log, {"first": "constant:0"}, estimator="ips")
    >>> result.differences["first"].value > 0
    True
    """
    check_names(estimator, UNBIASED, "estimator of differences")
    names = _named(policies, log)
    each = alpha / len(names)
    log, [base, *fair], words = fair_part(log, [policy_of(baseline, log), *names.values()])
    named = dict(zip(names, fair, strict=True))
    weighed_base = _weigh(log, base, estimator)
    evaluations, differences = {}, {}
    for name, policy in named.items():
        evaluations[name] = evaluate(log, policy, [estimator], alpha=each, interval=interval)
        weighed = _weigh(log, policy, estimator)
        bounds, rule = _difference(log, weighed, weighed_base, estimator, each, interval)
        value = _value(weighed, estimator) - _value(weighed_base, estimator)
        width = log.reward_range.width
        differences[name] = Difference(
            name, base.name, width * value, width * bounds.low, width * bounds.high, rule
        )
    return Comparison(evaluations, differences, base.name, estimator, alpha, words)


def _named(policies: Mapping[str, Any] | list[Any], log: Log) -> dict[str, Policy]:
    """Policies by name; names that repeat get a number."""
    if isinstance(policies, Mapping):
        return {name: policy_of(policy, log) for name, policy in policies.items()}
    named: dict[str, Policy] = {}
    for policy in (policy_of(one, log) for one in policies):
        name, k = policy.name, 2
        while name in named:
            name, k = f"{policy.name} {k}", k + 1
        named[name] = policy
    if not named:
        raise SpecError("give at least one policy")
    return named


def _weigh(log: Log, policy: Policy, estimator: str) -> _Weighed:
    weighted, kind = weigh(log, policy), ESTIMATORS[estimator].model
    if kind == "none":
        return _Weighed(weighted, without_model(log, weighted))
    model = model_for(log, kind, weighted, None)
    return _Weighed(weighted, with_model(log, policy, weighted, model))


def _value(weighed: _Weighed, estimator: str) -> float:
    return ESTIMATORS[estimator].parts(weighed.inputs.events, 0.0).value


def _difference(
    log: Log, a: _Weighed, b: _Weighed, estimator: str, alpha: float, interval: str
) -> tuple[Bounds, str]:
    """An interval of the difference of two policies.

    (1 + difference) / 2 is a value in [0, 1]: its terms are half those of `a` for the reward r,
    plus half those of `b` for 1 - r.
    """
    up = (a.inputs.streams.up + b.inputs.streams.down) / 2
    down = (a.inputs.streams.down + b.inputs.streams.up) / 2
    streams = Streams(up, down, max(a.inputs.streams.floor, b.inputs.streams.floor))
    half = (1.0 + _tried_terms(a, estimator) - _tried_terms(b, estimator)) / 2
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
    low, high = Bounds(low, high).within
    return Bounds(2 * low - 1, 2 * high - 1), rule.name


def _tried_terms(side: _Weighed, estimator: str) -> Doubles:
    """Terms whose mean is what a policy earns where it plays what the logger tries."""
    parts = ESTIMATORS[estimator].parts(side.inputs.tried, 0.0)
    return (1.0 - side.weighted.unseen) * parts.terms
