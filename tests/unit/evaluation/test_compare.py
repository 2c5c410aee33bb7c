"""Comparisons: paired differences, corrections, the best by its lower bound; gates."""

import numpy as np
import pytest

from bakeoff import Log, compare_policies, evaluate
from bakeoff.basics.errors import SpecError
from bakeoff.evaluation.estimators import UNBIASED
from bakeoff.evaluation.gate import check_gate, estimators_in
from tests.decision_logs import made_log


def test_a_policy_does_not_differ_from_itself() -> None:
    """A/A: the interval of the difference holds 0, whatever the kind of log."""
    for adaptive in (False, True):
        made = made_log(2000)
        log = Log.from_arrays(
            made.log.X, made.log.action, made.log.probability, made.log.reward,
            n_actions=4, probabilities=made.log.probabilities, adaptive=adaptive,
        )  # fmt: skip

        found = compare_policies(log, [made.policy], baseline=made.policy)
        (difference,) = found.differences.values()

        assert difference.value == 0
        assert difference.low <= 0 <= difference.high
        assert not difference.is_clear


@pytest.mark.parametrize("estimator", ["ips", "dr"])
@pytest.mark.parametrize("adaptive", [False, True])
def test_a_difference_is_paired(estimator: str, adaptive: bool) -> None:
    """It is tighter than the difference of both intervals, and holds the truth."""
    made = made_log(20_000)
    log = Log.from_arrays(
        made.log.X, made.log.action, made.log.probability, made.log.reward,
        n_actions=4, probabilities=made.log.probabilities, adaptive=adaptive,
    )  # fmt: skip
    best = np.eye(4)[made.means.argmax(axis=1)]
    mixed = 0.5 * best + 0.5 * made.policy

    found = compare_policies(log, {"mixed": mixed}, baseline=made.policy, estimator=estimator)
    difference = found.differences["mixed"]
    truth = float(((mixed - made.policy) * made.means).sum(axis=1).mean())
    apart = [evaluate(log, policy, [estimator])[estimator] for policy in (mixed, made.policy)]

    assert difference.low <= truth <= difference.high
    widths = apart[0].width + apart[1].width
    assert difference.high - difference.low < widths
    assert difference.interval == ("robust" if adaptive else "student")


def test_more_candidates_make_wider_intervals() -> None:
    made = made_log(3000)

    one = compare_policies(made.log, ["uniform"])
    four = compare_policies(made.log, ["uniform", "constant:0", "constant:1", made.policy])

    narrow = one.evaluations["uniform"]["dr"]
    assert four.evaluations["uniform"]["dr"].width > narrow.width
    assert four.evaluations["uniform"].alpha == 0.05 / 4


def test_the_best_has_the_highest_lower_bound() -> None:
    made = made_log(5000)
    best = np.eye(4)[made.means.argmax(axis=1)]

    found = compare_policies(made.log, {"good": best, "even": "uniform"})

    assert found.best == "good"
    assert found.differences["good"].is_clear


def test_a_log_that_cannot_answer_has_no_best() -> None:
    log = Log.from_arrays(None, [0] * 99 + [1], [0.999] * 99 + [0.001], [0.5] * 100, n_actions=2)

    assert compare_policies(log, ["constant:1"]).best is None


@pytest.mark.parametrize("name", UNBIASED)
def test_every_unbiased_estimator_has_differences(name: str) -> None:
    made = made_log(400)
    policies = {"even": "uniform", "new": made.policy}

    found = compare_policies(made.log, policies, baseline="uniform", estimator=name)

    assert found.differences["even"].value == pytest.approx(0.0, abs=1e-12)
    both = [found.evaluations[policy][name].value for policy in ("new", "even")]
    assert found.differences["new"].value == pytest.approx(both[0] - both[1], rel=1e-9)
    assert found.differences["new"].low < found.differences["new"].value


def test_only_means_have_differences() -> None:
    made = made_log(50)

    with pytest.raises(SpecError, match="estimator of differences 'snips'"):
        compare_policies(made.log, ["uniform"], estimator="snips")
    with pytest.raises(SpecError, match="interval 'likelihood'"):
        compare_policies(made.log, ["uniform"], interval="likelihood")
    with pytest.raises(SpecError, match="at least one policy"):
        compare_policies(made.log, [])


# ---- gates


def test_a_gate_compares_numbers_of_the_evaluation() -> None:
    made = made_log(3000)
    found = evaluate(made.log, made.policy)

    assert check_gate(f"ips >= {found['ips'].value - 0.001}", found).holds
    assert not check_gate(f"ips.low > {found['ips'].value}", found).holds
    assert check_gate("dr.high >= logged - 0.5", found).holds
    assert not check_gate("dr.low >= logged.high + 0.9", found).holds
    assert estimators_in("dr.low >= snips.high - 0.1") == ["dr", "snips"]


def test_no_gate_passes_on_a_log_that_cannot_answer() -> None:
    log = Log.from_arrays(None, [0] * 99 + [1], [0.999] * 99 + [0.001], [0.5] * 100, n_actions=2)
    found = evaluate(log, "constant:1")

    assert not found.can_answer
    assert not check_gate("ips >= 0", found).holds


@pytest.mark.parametrize(
    ("gate", "said"),
    [
        ("dr.low", "gate 'dr.low'"),
        ("dr.low = 3", "gate 'dr.low = 3'"),
        ("dr.middle >= 3", "'dr.middle' is neither"),
        ("mrdr >= 3", "no estimate 'mrdr'"),
    ],
)
def test_a_gate_that_makes_no_sense_is_refused(gate: str, said: str) -> None:
    made = made_log(50)
    found = evaluate(made.log, made.policy)

    with pytest.raises(SpecError, match=said):
        check_gate(gate, found)
