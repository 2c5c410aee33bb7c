"""Estimators: their formulas, their expectations, and independent implementations."""

from collections.abc import Callable

import numpy as np
import pytest
from estimators.bandits import cressieread as vw_cressie_read
from estimators.bandits import ips as vw_ips
from estimators.bandits import mle as vw_mle
from estimators.bandits import snips as vw_snips

from bakeoff import evaluate
from bakeoff.basics.errors import SpecError
from bakeoff.core.types import Doubles
from bakeoff.evaluation.estimators import ESTIMATORS, UNBIASED
from bakeoff.evaluation.estimators.base import Events
from bakeoff.evaluation.slope import Candidate, best_of
from tests.decision_logs import Made, made_log
from tests.reference import evaluation as reference

PARAMETER = 2.0
SLOW: dict[str, Callable[..., float]] = {
    "ips": reference.ips,
    "snips": reference.snips,
    "clipped": reference.clipped,
    "dm": reference.dm,
    "dr": reference.dr,
    "sndr": reference.sndr,
    "switch-dr": reference.switch_dr,
    "dros": reference.dros,
    "mrdr": reference.dr,
    "likelihood": reference.likelihood,
    "cressie-read": reference.cressie_read,
}


def random_events(n: int = 50, seed: int = 0) -> Events:
    rng = np.random.default_rng(seed)
    return Events(rng.random(n), rng.exponential(1.0, n) * 2, rng.random(n), rng.random(n))


def as_reference(events: Events) -> list[reference.Event]:
    return [reference.Event(*(float(x) for x in row)) for row in zip(*events[:4], strict=True)]


def test_every_estimator_has_a_slow_version() -> None:
    assert SLOW.keys() == ESTIMATORS.keys()


@pytest.mark.parametrize("name", ESTIMATORS)
def test_an_estimator_equals_its_formula(name: str) -> None:
    events = random_events()
    estimator = ESTIMATORS[name]

    value = estimator.parts(events, PARAMETER).value

    given = [PARAMETER] if estimator.parameters else []
    assert value == pytest.approx(SLOW[name](as_reference(events), *given), rel=1e-12)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_the_terms_of_an_estimator_average_to_its_value(name: str) -> None:
    parts = ESTIMATORS[name].parts(random_events(), PARAMETER)

    assert float(parts.terms.mean()) == pytest.approx(parts.value, rel=1e-12)


def numerical_influence(name: str, events: Events, i: int) -> float:
    """What one more copy of an event, infinitely light, does to the value."""
    step = 1e-6
    n = events.n
    share = np.full(n, (1 - step) / n)
    share[i] += step

    def value(weights: Doubles) -> float:
        parts = ESTIMATORS[name].parts(events, PARAMETER)
        below = 1.0 if parts.bottom is None else float(weights @ parts.bottom)
        return float(weights @ parts.base) + float(weights @ parts.top) / below

    return (value(share) - value(np.full(n, 1 / n))) / step


@pytest.mark.parametrize("name", ESTIMATORS)
def test_terms_are_the_influence_of_events(name: str) -> None:
    events = random_events()
    parts = ESTIMATORS[name].parts(events, PARAMETER)

    for i in (0, 7, 31):
        slope = numerical_influence(name, events, i)
        centred = float(parts.terms[i]) - parts.value
        assert slope == pytest.approx(centred, rel=1e-4, abs=1e-6)  # a step of 1e-6


# ---- exact expectations: all actions are played, weighted by their probability


class Enumerated:
    """One context with K actions: what the estimators expect over the draw."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.p = rng.dirichlet(np.ones(5))
        self.pi = rng.dirichlet(np.ones(5))
        self.r = rng.random(5)
        self.q = rng.random(5)

    @property
    def truth(self) -> float:
        return float(self.pi @ self.r)

    def expectation(self, name: str, guesses: Doubles) -> tuple[float, float]:
        """Mean and variance of an estimate over the action drawn."""
        values = []
        for a in range(5):
            w = self.pi[a] / self.p[a]
            one = Events(*(np.array([x]) for x in (self.r[a], w, guesses[a], self.pi @ guesses)))
            values.append(ESTIMATORS[name].parts(one, PARAMETER).value)
        mean = float(self.p @ values)
        return mean, float(self.p @ (np.array(values) - mean) ** 2)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", UNBIASED)
def test_unbiased_estimators_expect_the_truth(name: str, seed: int) -> None:
    world = Enumerated(seed)

    mean, _ = world.expectation(name, world.q)

    assert abs(mean - world.truth) < 1e-12


def test_estimators_that_are_not_unbiased_miss_the_truth() -> None:
    world = Enumerated(0)

    missed = {
        name for name in ESTIMATORS if abs(world.expectation(name, world.q)[0] - world.truth) > 1e-3
    }

    assert missed == ESTIMATORS.keys() - {*UNBIASED}


@pytest.mark.parametrize("seed", range(20))
def test_dr_with_the_true_model_has_no_variance(seed: int) -> None:
    world = Enumerated(seed)

    mean, variance = world.expectation("dr", world.r)

    assert abs(mean - world.truth) < 1e-12
    assert variance < 1e-24


def test_over_two_rounds_ips_expects_the_truth_of_both() -> None:
    one, two = Enumerated(1), Enumerated(2)
    total = 0.0

    for a in range(5):
        for b in range(5):
            w = np.array([one.pi[a] / one.p[a], two.pi[b] / two.p[b]])
            r = np.array([one.r[a], two.r[b]])
            events = Events(r, w, np.zeros(2), np.zeros(2))
            total += one.p[a] * two.p[b] * ESTIMATORS["ips"].parts(events, 0).value

    assert abs(total - (one.truth + two.truth) / 2) < 1e-12


# ---- independent implementations


VW = {"ips": vw_ips, "snips": vw_snips, "likelihood": vw_mle, "cressie-read": vw_cressie_read}
SEEDS = (3, 4, 5, 6, 7, 8)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", VW)
def test_estimators_equal_those_of_vw(name: str, seed: int) -> None:
    made = made_log(seed=seed, spread=2.0)
    log = made.log
    other = VW[name].Estimator()
    taken = made.policy[np.arange(log.n), log.action]
    columns = (column.tolist() for column in (log.probability, log.reward, taken))
    for p, r, pi in zip(*columns, strict=True):
        other.add_example(p, r, pi)

    found = evaluate(log, made.policy, [name])

    assert found[name].value == pytest.approx(other.get(), abs=1e-9)


def test_the_logs_compared_with_vw_have_too_much_weight_and_too_little() -> None:
    means = [mean_weight_of(made_log(seed=seed, spread=2.0)) for seed in SEEDS]

    assert min(means) < 1 < max(means)


def mean_weight_of(made: Made) -> float:
    log = made.log
    return float((made.policy[np.arange(log.n), log.action] / log.probability).mean())


@pytest.mark.parametrize("scale", [0.7, 1.3])  # too little weight, and too much
@pytest.mark.parametrize("name", ["likelihood", "cressie-read"])
def test_terms_of_reweighted_estimators_have_the_error_of_the_jackknife(
    name: str, scale: float
) -> None:
    rng = np.random.default_rng(5)
    n = 400
    w, r = scale * rng.exponential(1.0, n), rng.random(n)
    parts = ESTIMATORS[name].parts
    zero = np.zeros(n - 1)

    terms = parts(Events(r, w, np.zeros(n), np.zeros(n)), 0.0).terms
    left_out = [
        parts(Events(np.delete(r, i), np.delete(w, i), zero, zero), 0.0).value for i in range(n)
    ]

    jackknife = np.sqrt((n - 1) * np.var(left_out))
    assert terms.std() / np.sqrt(n) == pytest.approx(jackknife, rel=0.05)  # first order


# ---- SLOPE


def test_slope_takes_what_the_slow_version_takes() -> None:
    rng = np.random.default_rng(3)

    for _ in range(200):
        tried = [Candidate(*row) for row in rng.random((6, 3)).tolist()]
        assert best_of(tried).parameter == reference.slope(tried)


def test_slope_stops_where_bias_shows() -> None:
    tried = [Candidate(3, 0.50, 0.20), Candidate(2, 0.52, 0.10), Candidate(1, 0.90, 0.01)]

    assert best_of(tried).parameter == 2


def test_slope_shrinks_heavy_weights_and_says_how_far() -> None:
    made = made_log(spread=3.0)

    found = evaluate(made.log, made.policy, ["clipped", "switch-dr", "dros"])

    for estimate in found.values():
        assert estimate.chosen
        assert "=" in estimate.parameter


# ---- what users may ask for


def test_a_parameter_can_be_given() -> None:
    made = made_log()

    found = evaluate(made.log, made.policy, ["clipped:limit=1.5"])

    assert found["clipped:limit=1.5"].parameter == "limit=1.5"
    assert not found["clipped:limit=1.5"].chosen


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["isp"], "unknown estimator 'isp'; did you mean 'ips'?"),
        (["ips:limit=3"], "'ips' has no parameter 'limit'"),
        (["clipped:limit=-3"], "must be a positive number"),
        ([], "at least one estimator"),
    ],
)
def test_wrong_estimators_are_refused(asked: list[str], said: str) -> None:
    made = made_log(50)

    with pytest.raises(SpecError, match=said.replace("?", r"\?")):
        evaluate(made.log, made.policy, asked)
