"""Compare: several policies on one log, with paired differences and a correction.

result = compare_policies(log, {"new": model, "even": "uniform"}, baseline="logged")
result.differences["new"].low, result.best
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from bakeoff.basics.errors import SpecError
from bakeoff.data import Log
from bakeoff.evaluation.difference import Difference, Weighed, difference_of
from bakeoff.evaluation.estimators import ESTIMATORS, UNBIASED
from bakeoff.evaluation.evaluate import evaluate
from bakeoff.evaluation.fairness import fair_part
from bakeoff.evaluation.policies import Policy, policy_of
from bakeoff.evaluation.results import Evaluation, check_names
from bakeoff.evaluation.weights import model_for, weigh, with_model, without_model


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
        difference = difference_of(log, weighed, weighed_base, each, interval)
        differences[name] = difference._replace(policy=name)
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


def _weigh(log: Log, policy: Policy, estimator: str) -> Weighed:
    weighted, kind = weigh(log, policy), ESTIMATORS[estimator].model
    if kind == "none":
        return Weighed(policy.name, weighted, without_model(log, weighted), estimator)
    model = model_for(log, kind, weighted, None)
    return Weighed(policy.name, weighted, with_model(log, policy, weighted, model), estimator)
