"""Evaluate: what a policy would have scored on a log.

found = evaluate(log, "uniform", estimators=["ips", "snips", "dr"])
found["dr"].value, found["dr"].low, found["dr"].high, found.can_answer

found = evaluate(read_pieces("huge.csv"), "uniform", estimators=["ips", "snips"])
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation import checks as tests
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.estimators.base import Estimator, Parts
from bakeoff.evaluation.found import Estimate, Evaluation, Sensitivity, check_names
from bakeoff.evaluation.in_pieces import Gathered, gathered
from bakeoff.evaluation.intervals import INTERVALS
from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval
from bakeoff.evaluation.policies import Policy, policy_of
from bakeoff.evaluation.sensitivity import FACTOR, snips_range
from bakeoff.evaluation.slope import select
from bakeoff.evaluation.verdict import Support, effective, support_of, verdict_of
from bakeoff.evaluation.weights import Seen, Weighted, model_for, weigh, with_model, without_model
from bakeoff.reading.logs import LogPieces

DEFAULT = ("ips", "snips", "dr")
MANY = 200  # effective events from which on Student's interval is trusted
SOME = 20  # effective events with a reward, and without one


def evaluate(
    log: Log | LogPieces,
    policy: Any,
    estimators: Iterable[str] | str = DEFAULT,
    *,
    alpha: float = 0.05,
    interval: str = "auto",
    model: Any = None,
    seed: int = 0,
) -> Evaluation:
    """The mean reward that `policy` would have had, by each of the estimators.

    `policy` is a name, a callable, an array or a learner: see policies.py. An estimator
    with a parameter may be given it, as in "clipped:limit=10"; else SLOPE chooses.
    `interval="auto"` takes one that holds on this kind of log. `model` is a regressor
    like scikit-learn's for the estimators that use one; the default is a ridge
    regression per action. `seed` is for the bootstrap. A log may come in pieces
    (`read_pieces`), for estimators without a model.
    """
    if not isinstance(log, Log | LogPieces):
        raise DataError(f"evaluate needs a Log, got {type(log).__name__}")
    if not 0 < alpha < 1:
        raise SpecError(f"alpha must lie between 0 and 1, got {alpha}")
    names = check_names(estimators, ESTIMATORS, "estimator")
    if interval != "auto":
        check_names(interval, INTERVALS, "interval")
    asked = Criteria(names, alpha, interval, model, seed)
    if isinstance(log, LogPieces):
        return _in_pieces(log, policy, asked)
    return _evaluated(log, policy_of(policy, log), asked)


class Criteria(NamedTuple):
    """What the user wants to know."""

    estimators: list[str]
    alpha: float
    interval: str
    model: Any
    seed: int


def _evaluated(log: Log, policy: Policy, asked: Criteria) -> Evaluation:
    weighted = weigh(log, policy)

    def seen_with(kind: str) -> Seen:
        made = model_for(log, kind, weighted, asked.model)
        return with_model(log, policy, weighted, made)

    whole = Gathered(log, policy.name, weighted, tests.drawn_in(log))
    return _found(whole, seen_with, asked)


def _in_pieces(pieces: LogPieces, policy: Any, asked: Criteria) -> Evaluation:
    def seen_with(kind: str) -> Seen:
        raise SpecError("a reward model needs the whole log")

    with_models = [name for name in asked.estimators if needs_model(name)]
    if with_models:
        without = ", ".join(name for name in ESTIMATORS if not needs_model(name))
        raise SpecError(
            f"{with_models[0]!r} needs a reward model, and that the whole log in "
            f"memory; in pieces there are {without}"
        )
    return _found(gathered(pieces, policy), seen_with, asked)


def needs_model(text: str) -> bool:
    """Whether an estimator looks at guesses of rewards."""
    return ESTIMATORS[text.partition(":")[0]].model != "none"


def _found(given: Gathered, seen_with: Callable[[str], Seen], asked: Criteria) -> Evaluation:
    """Estimates, checks and a verdict, from what a policy makes of a log."""
    log, weighted = given.log, given.weighted
    support = support_of(weighted)
    seen: dict[str, Seen] = {"none": without_model(log, weighted)}
    estimates, terms = {}, {}
    for text in asked.estimators:
        name, parameter = parsed(text)
        kind = ESTIMATORS[name].model
        if kind not in seen:
            seen[kind] = seen_with(kind)
        estimates[text], terms[text] = _estimated(
            log, ESTIMATORS[name], parameter, seen[kind], support, asked
        )
    plain = seen["none"].events
    checks = [
        tests.mean_weight(weighted.weight, weighted.unseen),
        tests.propensities(given.drawn, log),
        tests.stationarity(log, plain.weight * plain.reward),
    ]
    return Evaluation(
        policy=given.policy,
        log=log.name,
        n=log.n,
        n_actions=log.n_actions,
        adaptive=log.adaptive,
        alpha=asked.alpha,
        logged=_logged(log, asked),
        estimates=estimates,
        support=support,
        verdict=verdict_of(log, weighted, support, checks),
        checks=checks,
        notes=log.notes,
        sensitivity=_sensitivity(log, weighted),
        truth=None if weighted.truth is None else log.in_units(weighted.truth),
        terms=terms,
        weight=weighted.weight,
        favourites=weighted.favourites,
    )


def parsed(text: str) -> tuple[str, float | None]:
    """An estimator's name, and its parameter if that is given."""
    name, _, rest = text.partition(":")
    estimator = ESTIMATORS[name]
    if not rest:
        return name, None
    key, _, value = rest.partition("=")
    if not estimator.parameter or key != estimator.parameter:
        has = (
            f"its parameter is {estimator.parameter!r}" if estimator.parameter else ("it has none")
        )
        raise SpecError(f"{name!r} has no parameter {key!r} (in {text!r}); {has}")
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not number > 0:
        raise SpecError(f"{text!r}: {key} must be a positive number, got {value!r}")
    return name, number


def _estimated(
    log: Log,
    estimator: Estimator,
    given: float | None,
    seen: Seen,
    support: Support,
    asked: Criteria,
) -> tuple[Estimate, Doubles]:
    """One estimate with its interval, and its terms."""
    parameter, chosen = given, False
    if parameter is None and estimator.parameters is not None:
        parameter, chosen = select(estimator, seen.events), True
    number = 0.0 if parameter is None else parameter
    parts = estimator.parts(seen.events, number)
    evidence = Evidence(parts, seen.events, seen.streams, asked.seed)
    rule = interval_for(asked.interval, log.adaptive, support, evidence)
    bounds = rule.bounds(evidence, asked.alpha)
    if estimator.is_biased and rule.of_estimate:
        honest = evidence._replace(parts=estimator.unbiased(seen.events))
        bounds = _hull(bounds, rule.bounds(honest, asked.alpha))
    low, high = within_reach(bounds, support.unseen)
    shown = "" if parameter is None else f"{estimator.parameter}={parameter:.6g}"
    estimate = Estimate(
        estimator.name,
        log.in_units(parts.value),
        log.in_units(low),
        log.in_units(high),
        rule.name,
        shown,
        chosen,
    )
    return estimate, parts.terms


def interval_for(name: str, adaptive: bool, support: Support, evidence: Evidence) -> Interval:
    """The interval asked for; by default one that holds on this kind of log.

    Student's, if the logger did not learn and enough events count; else the robust
    sequence, which needs neither (benchmarks/coverage.py shows what happens otherwise).
    """
    if name != "auto":
        return INTERVALS[name]
    w, r = evidence.events.weight, evidence.events.reward
    rare = min(effective(w * r), effective(w * (1.0 - r)))
    is_easy = support.size >= MANY and rare >= SOME
    return INTERVALS["student" if is_easy and not adaptive else "robust"]


def _hull(a: Bounds, b: Bounds) -> Bounds:
    """Both intervals: what shrinking leaves out is bounded by the unbiased one."""
    return Bounds(min(a.low, b.low), max(a.high, b.high))


def within_reach(bounds: Bounds, unseen: float) -> Bounds:
    """Bounds within [0, 1], the upper one with any reward for what was never tried."""
    low = min(max(bounds.low, 0.0), 1.0)
    high = min(max(bounds.high + unseen, 0.0), 1.0)
    return Bounds(low if np.isfinite(low) else 0.0, high if np.isfinite(high) else 1.0)


def _logged(log: Log, asked: Criteria) -> Estimate:
    """The mean reward of the log itself."""
    r = log.reward
    parts = Parts(np.zeros(log.n), r)
    seen = without_model(log, _trivial(log))
    evidence = Evidence(parts, seen.events, seen.streams, asked.seed)
    rule = interval_for(asked.interval, log.adaptive, support_of(_trivial(log)), evidence)
    low, high = within_reach(rule.bounds(evidence, asked.alpha), 0.0)
    units = [log.in_units(value) for value in (parts.value, low, high)]
    return Estimate("logged", units[0], units[1], units[2], rule.name)


def _trivial(log: Log) -> Weighted:
    ones = np.ones(log.n)
    return Weighted(ones, log.probability, np.zeros(log.n_actions), 0.0, None, None)


def _sensitivity(log: Log, weighted: Weighted) -> Sensitivity | None:
    """How far the answer moves if estimated probabilities are wrong."""
    if not log.is_estimated:
        return None
    low, high = snips_range(weighted.weight, log.reward, FACTOR)
    return Sensitivity(FACTOR, log.in_units(low), log.in_units(high))
