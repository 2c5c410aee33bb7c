"""Evaluate: what a policy would have scored on a log.

result = evaluate(log, "uniform", estimators=["ips", "snips", "dr"])
result["dr"].value, result["dr"].low, result["dr"].high, result.can_answer

result = evaluate(read_pieces("huge.csv"), "uniform", estimators=["ips", "snips"])
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation import checks as tests
from bakeoff.evaluation.bounds import Inputs, bounds_of
from bakeoff.evaluation.can_answer import Remarks, Support, support_of, verdict_of
from bakeoff.evaluation.difference import (
    Difference,
    Weighed,
    as_decided,
    difference_of,
    interval_for,
)
from bakeoff.evaluation.estimate import Estimate
from bakeoff.evaluation.estimators import ESTIMATORS, UNBIASED
from bakeoff.evaluation.estimators.base import Estimator
from bakeoff.evaluation.fairness import fair_part
from bakeoff.evaluation.in_pieces import Gathered, gather
from bakeoff.evaluation.intervals import INTERVALS
from bakeoff.evaluation.intervals.base import Bounds
from bakeoff.evaluation.policies import Policy, policy_of
from bakeoff.evaluation.propensities import drawn_in, propensities
from bakeoff.evaluation.repeats import keys_of, repeats, share_of_copies
from bakeoff.evaluation.results import Evaluation, Sensitivity, best_of, check_names
from bakeoff.evaluation.sensitivity import FACTOR, snips_range
from bakeoff.evaluation.slope import select
from bakeoff.evaluation.weights import Weighted, model_for, weigh, with_model, without_model
from bakeoff.evaluation.wording import sentence_of
from bakeoff.reading.logs import LogPieces

DEFAULT = ("ips", "snips", "dr")
_ROUNDING = 1e-9


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

    `policy` is a name, a callable, an array or a learner: see policies.py. SLOPE chooses the
    parameter of an estimator, unless it is given, as in "clipped:limit=10". A learner is judged
    by the events of the log that it has not learned from; it is an error if there are none.
    `interval="auto"` takes an interval that holds on this kind of log. `model` is a regressor
    like scikit-learn's, for the estimators that use a reward model; the default is a ridge
    regression per action. `seed` is for the bootstrap. Estimators without a reward model can
    also read a log in pieces (`read_pieces`).

    Parameters
    ----------
    log
        A `Log`, or one in pieces.
    policy
        A name, a callable, an array, a learner or a classifier.
    estimators
        The names of estimators.
    alpha
        One minus the confidence of the intervals.
    interval
        "auto", or the name of an interval.
    model
        A regressor for the estimators that use a reward model.
    seed
        The seed of the bootstrap.

    Returns
    -------
    Evaluation
        An `Evaluation`, with an `Estimate` for each estimator.

    Raises
    ------
    SpecError
        If there is no such policy, estimator or interval.
    DataError
        If the log and the policy do not fit, or no event is left that is fair.

    Examples
    --------
    >>> log = bakeoff.Log.from_arrays(None, [0, 1] * 50, [0.5] * 100, [1, 0] * 50)
    >>> bakeoff.evaluate(log, "constant:0", "snips")["snips"].value
    1.0
    """
    if not isinstance(log, Log | LogPieces):
        raise DataError(f"evaluate needs a Log, got {type(log).__name__}")
    if not 0 < alpha < 1:
        raise SpecError(f"alpha must lie between 0 and 1, got {alpha}")
    names = check_names(estimators, ESTIMATORS, "estimator")
    if interval != "auto":
        check_names(interval, INTERVALS, "interval")
    settings = Settings(names, alpha, interval, model, seed)
    if isinstance(log, LogPieces):
        return _evaluate_pieces(log, policy, settings)
    return _evaluate_log(log, policy_of(policy, log), settings)


class Settings(NamedTuple):
    """The options of `evaluate`."""

    estimators: list[str]
    alpha: float
    interval: str
    model: Any
    seed: int


def _evaluate_log(log: Log, policy: Policy, settings: Settings) -> Evaluation:
    log, [policy], words = fair_part(log, [policy])
    weighted = weigh(log, policy)

    def inputs_with(kind: str) -> Inputs:
        model = model_for(log, kind, weighted, settings.model)
        return with_model(log, policy, weighted, model)

    whole = Gathered(log, policy.name, weighted, drawn_in(log), keys_of(log), words)
    return _evaluate_gathered(whole, inputs_with, settings)


def _evaluate_pieces(pieces: LogPieces, policy: Any, settings: Settings) -> Evaluation:
    def inputs_with(kind: str) -> Inputs:
        raise SpecError("a reward model needs the whole log")

    with_models = [name for name in settings.estimators if needs_model(name)]
    if with_models:
        without = ", ".join(name for name in ESTIMATORS if not needs_model(name))
        raise SpecError(
            f"{with_models[0]!r} has a reward model, which needs the whole log in memory; "
            f"estimators for a log in pieces are {without}"
        )
    return _evaluate_gathered(gather(pieces, policy), inputs_with, settings)


def needs_model(text: str) -> bool:
    """Whether an estimator uses a reward model."""
    return ESTIMATORS[text.partition(":")[0]].model != "none"


def _evaluate_gathered(
    gathered: Gathered, inputs_with: Callable[[str], Inputs], settings: Settings
) -> Evaluation:
    """Estimates, checks and a verdict; `inputs_with(kind)` fits a reward model of that kind."""
    log, weighted = gathered.log, gathered.weighted
    support = support_of(weighted)
    inputs: dict[str, Inputs] = {"none": without_model(log, weighted)}
    estimates, terms, remarks = {}, {}, Remarks([], [], [])
    for text in settings.estimators:
        name, parameter = parse_estimator(text)
        kind = ESTIMATORS[name].model
        if kind not in inputs:
            inputs[kind] = inputs_with(kind)
        estimates[text], terms[text] = _estimate(
            log, ESTIMATORS[name], parameter, inputs[kind], support, settings, remarks
        )
    plain = inputs["none"].events
    checks = [
        tests.mean_weight(weighted),
        propensities(gathered.drawn, log),
        repeats(gathered.keys, log),
        tests.stationarity(log, plain.weight * plain.reward),
    ]
    copies = share_of_copies(gathered.keys, log) if checks[2].fails else 0.0
    found = Evaluation(
        policy=gathered.policy,
        log=log.name,
        n=log.n,
        n_actions=log.n_actions,
        adaptive=log.adaptive,
        alpha=settings.alpha,
        logged=_logged(log, settings),
        estimates=estimates,
        support=support,
        verdict=verdict_of(log, weighted, support, checks, remarks, copies).after(gathered.words),
        checks=checks,
        notes=log.notes,
        sensitivity=_sensitivity(log, weighted),
        truth=None if weighted.truth is None else log.in_units(weighted.truth),
        terms=terms,
        weight=weighted.weight,
        favourites=weighted.favourites,
        difference=_difference(gathered, inputs, estimates, settings),
        shares=weighted.mass,
    )
    return replace(found, sentence=sentence_of(found))


def _difference(
    gathered: Gathered,
    inputs: dict[str, Inputs],
    estimates: dict[str, Estimate],
    settings: Settings,
) -> Difference | None:
    """How much more the policy earns than what was logged, by its best unbiased estimate."""
    best = best_of(estimates)
    if best.name not in UNBIASED:
        return None
    log, kind = gathered.log, ESTIMATORS[best.name].model
    policy = Weighed(gathered.policy, gathered.weighted, inputs[kind], best.name)
    rule = INTERVALS.get(settings.interval)
    known = rule is None or rule.of_estimate or rule.uses_streams
    name = settings.interval if known else "auto"
    return difference_of(log, policy, as_decided(log), settings.alpha, name)


def parse_estimator(text: str) -> tuple[str, float | None]:
    """The name of an estimator, and its parameter, if the text has one."""
    name, _, rest = text.partition(":")
    estimator = ESTIMATORS[name]
    if not rest:
        return name, None
    key, _, value = rest.partition("=")
    if not estimator.parameter or key != estimator.parameter:
        has = f"only {estimator.parameter!r}" if estimator.parameter else "it has none"
        raise SpecError(f"{name!r} has no parameter {key!r} (in {text!r}); {has}")
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not number > 0:
        raise SpecError(f"{text!r}: {key} must be a positive number, got {value!r}")
    return name, number


def _estimate(
    log: Log,
    estimator: Estimator,
    parameter: float | None,
    inputs: Inputs,
    support: Support,
    settings: Settings,
    remarks: Remarks,
) -> tuple[Estimate, Doubles]:
    """One estimate with its interval, and its terms; `remarks` gets its name if need be."""
    chosen = parameter is None and estimator.parameters is not None
    if chosen:
        parameter = select(estimator, inputs.events)
    number = 0.0 if parameter is None else parameter
    parts = estimator.parts(inputs.events, number)
    rule = interval_for(settings.interval, log.adaptive, support, inputs.events)
    bounds = bounds_of(estimator, number, inputs, rule, settings.alpha, settings.seed)
    possible = Bounds(parts.value, parts.value).within
    low, high = bounds.within.hull(possible)
    for names, applies in zip(
        remarks,
        (
            bounds.low > bounds.high + _ROUNDING,
            max(bounds.within.low - low, high - bounds.within.high) > _ROUNDING,
            abs(parts.value - possible.low) > _ROUNDING,
        ),
        strict=True,
    ):
        names += [estimator.name] * applies
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


def _logged(log: Log, settings: Settings) -> Estimate:
    """The mean reward of the log itself."""
    decided = as_decided(log)
    inputs, support = decided.inputs, support_of(decided.weighted)
    nothing = Remarks([], [], [])
    estimate, _ = _estimate(log, ESTIMATORS["ips"], None, inputs, support, settings, nothing)
    return estimate._replace(name="logged")


def _sensitivity(log: Log, weighted: Weighted) -> Sensitivity | None:
    """The range of SNIPS if estimated probabilities are wrong; None if they were logged."""
    if not log.is_estimated:
        return None
    low, high = snips_range(weighted.weight, log.reward, FACTOR)
    return Sensitivity(FACTOR, log.in_units(low), log.in_units(high))
