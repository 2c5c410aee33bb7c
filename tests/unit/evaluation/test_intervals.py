"""Intervals: slow versions, Vowpal Wabbit's own, and what each must do."""

from typing import Any

import numpy as np
import pytest
from estimators.bandits import clopper_pearson, cressieread, cs, gaussian
from scipy import stats

from bakeoff import evaluate
from bakeoff.evaluation.estimators import ESTIMATORS
from bakeoff.evaluation.estimators.base import Events
from bakeoff.evaluation.intervals import INTERVALS
from bakeoff.evaluation.intervals.base import Evidence, Streams, distinct
from bakeoff.evaluation.intervals.likelihood import _points, likeliest, log_ratio
from bakeoff.evaluation.intervals.normal import redrawn
from tests.decision_logs import Made, made_log
from tests.reference import evaluation as reference


def evidence_of(w: Any, r: Any) -> Evidence:
    zero = np.zeros(len(w))
    events = Events(np.asarray(r, float), np.asarray(w, float), zero, zero)
    parts = ESTIMATORS["ips"].parts(events, 0)
    return Evidence(parts, events, Streams(events.weight * r, events.weight * (1 - r)))


def heavy(n: int = 60, seed: int = 0) -> Evidence:
    rng = np.random.default_rng(seed)
    return evidence_of(rng.pareto(2.0, n), rng.integers(0, 2, n).astype(float))


def as_reference(evidence: Evidence) -> list[reference.Event]:
    events = evidence.events
    return [
        reference.Event(float(r), float(w), 0.0, 0.0)
        for r, w in zip(events.reward, events.weight, strict=True)
    ]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(
    ("name", "lower"),
    [
        ("bernstein", reference.bernstein),
        ("smoothing", reference.smoothing),
        ("robust", reference.robust),
    ],
)
def test_bounds_equal_their_slow_versions(name: str, lower: Any, seed: int) -> None:
    evidence = heavy(seed=seed)

    found = INTERVALS[name].bounds(evidence, 0.1)

    slow = reference.two_sided(as_reference(evidence), 0.1, lower)
    assert found == pytest.approx(slow, abs=1e-9)


VW = {
    "normal": gaussian,
    "clopper-pearson": clopper_pearson,
    "cressie-read": cressieread,
    "sequence": cs,
}


@pytest.mark.parametrize("seed", [0, 1, 5, 7])  # the weights of 5 and 7 are too light
@pytest.mark.parametrize("name", VW)
def test_intervals_equal_those_of_vw(name: str, seed: int) -> None:
    made = made_log(seed=seed, spread=2.0)
    events = _events(made)
    other = VW[name].Interval()
    taken = made.policy[np.arange(made.log.n), made.log.action]
    columns = (made.log.probability, made.log.reward, taken)
    for p, r, pi in zip(*(column.tolist() for column in columns), strict=True):
        other.add_example(p, r, pi)

    found = INTERVALS[name].bounds(events, 0.05)

    assert found == pytest.approx(other.get(0.05), abs=1e-9)


def _events(made: Made) -> Evidence:
    log = made.log
    w = made.policy[np.arange(log.n), log.action] / log.probability
    return evidence_of(w, log.reward)


@pytest.mark.parametrize("value", [0.4, 0.5, 0.6])
def test_the_likelihood_ratio_equals_its_slow_version(value: float) -> None:
    rng = np.random.default_rng(2)
    w, r = rng.uniform(0.2, 2.0, 12), rng.random(12)

    found = log_ratio(_points(w, r), value)

    slow = reference.empirical_likelihood(w.tolist(), r.tolist(), value)
    assert found == pytest.approx(slow, abs=1e-6)  # the slow one searches a grid


def test_the_mean_has_the_best_likelihood_when_weights_are_one() -> None:
    r = np.array([0.1, 0.5, 0.9, 0.3])
    points = _points(np.ones(4), r)

    assert log_ratio(points, 0.45) == pytest.approx(0.0, abs=1e-9)
    assert log_ratio(points, 0.6) > 0.1


@pytest.mark.parametrize("name", INTERVALS)
def test_an_interval_holds_its_estimate_and_narrows(name: str) -> None:
    small, large = made_log(300), made_log(4000)
    widths = []

    for made in (small, large):
        found = evaluate(made.log, made.policy, ["ips"], interval=name)["ips"]
        assert found.low <= found.value <= found.high
        assert 0 <= found.low <= found.high <= 1
        widths.append(found.width)

    assert widths[1] < widths[0] / 1.5


@pytest.mark.parametrize("name", INTERVALS)
def test_more_confidence_is_a_wider_interval(name: str) -> None:
    made = made_log(500)

    wide, narrow = (
        evaluate(made.log, made.policy, ["ips"], interval=name, alpha=alpha)["ips"]
        for alpha in (0.01, 0.2)
    )

    assert wide.low <= narrow.low
    assert wide.high >= narrow.high


@pytest.mark.parametrize("name", [name for name, one in INTERVALS.items() if not one.of_estimate])
def test_mirrored_rewards_mirror_the_interval(name: str) -> None:
    evidence = heavy(40, seed=3)
    w = evidence.events.weight / evidence.events.weight.mean()  # a proportion mirrors
    r = evidence.events.reward

    low, high = INTERVALS[name].bounds(evidence_of(w, r), 0.1)
    mirrored = INTERVALS[name].bounds(evidence_of(w, 1 - r), 0.1)

    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-7)


def test_alike_events_are_counted() -> None:
    w, r = np.array([1.0, 2.0, 1.0, 2.0, 1.0]), np.array([0.0, 1.0, 1.0, 1.0, 0.0])

    columns, times = distinct((w, r))

    pairs = zip(*(column.tolist() for column in columns), strict=True)
    assert dict(zip(pairs, times.tolist(), strict=True)) == {
        (1.0, 0.0): 2, (1.0, 1.0): 1, (2.0, 1.0): 2,
    }  # fmt: skip


def test_the_bootstrap_draws_kinds_as_it_draws_events() -> None:
    rng = np.random.default_rng(4)
    w = rng.choice([0.0, 0.5, 4.0], 3000, p=[0.5, 0.3, 0.2])
    r = rng.integers(0, 2, 3000).astype(float)
    nudged = w * (1 + 1e-9 * rng.random(3000))  # no two events alike

    kinds, events = (
        redrawn(ESTIMATORS["snips"].parts(evidence_of(x, r).events, 0), 4000, seed=0)
        for x in (w, nudged)
    )

    error = kinds.std() / np.sqrt(4000)
    assert abs(kinds.mean() - events.mean()) < 4 * np.sqrt(2) * error
    assert abs(kinds.std() / events.std() - 1) < 4 / np.sqrt(4000)


def test_the_likelihood_says_nothing_if_the_mean_weight_cannot_be_one() -> None:
    light = evidence_of(np.array([0.2, 0.9, 0.5]), np.array([0.0, 1.0, 1.0]))

    assert INTERVALS["likelihood"].bounds(light, 0.05) == (0.0, 1.0)


def test_the_ends_of_the_likelihood_have_its_height() -> None:
    evidence = _events(made_log(200))
    w, r = evidence.events.weight, evidence.events.reward
    points = _points(w, r)

    low, high = INTERVALS["likelihood"].bounds(evidence, 0.05)

    least = log_ratio(points, likeliest(points))
    height = stats.f.isf(0.05, 1, len(w) - 1)
    assert log_ratio(points, low) - least == pytest.approx(height, rel=1e-6)  # a search
    assert log_ratio(points, high) - least == pytest.approx(height, rel=1e-6)
    nearby = [log_ratio(points, likeliest(points) + gap) for gap in (-1e-3, 1e-3)]
    assert min(nearby) > least


def test_the_bootstrap_is_repeatable_and_moves_with_its_seed() -> None:
    made = made_log()

    first, again, other = (
        evaluate(made.log, made.policy, ["snips"], interval="bootstrap", seed=seed)
        for seed in (1, 1, 2)
    )

    assert first["snips"] == again["snips"]
    assert first["snips"] != other["snips"]
