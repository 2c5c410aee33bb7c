"""A small run of benchmarks/fooling.py: logs made to mislead are refused, or answered rightly."""

from pathlib import Path

import numpy as np
import pytest

from bakeoff import Log, evaluate, read_pieces
from benchmarks.fooling import KINDS, NO_PROMISE, fooled, near, rare

LOGS = 40


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in NO_PROMISE])
def test_what_is_said_is_seldom_wrong(kind: str) -> None:
    """Before, of 150 logs of the kinds `rare` and `near` most had a wrong interval or sentence."""
    found = fooled(kind, LOGS)

    assert found.sentences <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / LOGS)
    assert max(*found.intervals.values(), found.differences) <= 0.05 + 3 * np.sqrt(0.0475 / LOGS)


@pytest.mark.parametrize("kind", ["copies", "sticky", "wrong"])
def test_logs_that_are_not_what_they_claim_are_refused(kind: str) -> None:
    assert fooled(kind, LOGS).answered < 0.5


def test_a_few_heavy_weights_among_light_ones_are_not_students() -> None:
    """Their effective sample size is large enough, but a handful of events has the variance."""
    made = rare(np.random.default_rng(4))
    found = evaluate(made.log, made.policy, "ips")

    assert found.support.size > 200
    assert found["ips"].interval == "robust"


def test_a_difference_is_judged_by_the_events_that_differ() -> None:
    made = near(np.random.default_rng(4))
    found = evaluate(made.log, made.policy, "ips")

    assert found["ips"].interval == "student"
    assert found.difference is not None
    assert found.difference.interval == "robust"


def test_beside_an_action_of_probability_one_nothing_was_tried(tmp_path: Path) -> None:
    """The log has both actions, so it seemed to have tried everything everywhere."""
    rng = np.random.default_rng(2)
    action, reward = rng.integers(0, 2, 600), rng.integers(0, 2, 600)
    policy = np.eye(2)[np.where(np.arange(600) < 18, 1 - action, action)]
    log = Log.from_arrays(None, action, np.ones(600), reward)
    path = tmp_path / "log.csv"
    path.write_text(
        "action,probability,reward\n"
        + "".join(f"{a},1,{r}\n" for a, r in zip(action, reward, strict=True))
    )

    found = evaluate(log, policy, "ips")
    pieces = evaluate(read_pieces(path, events=100), "constant:1", "ips")
    whole = evaluate(log, "constant:1", "ips")

    assert found.can_answer
    assert found.support.unseen == pytest.approx(0.03)
    assert found["ips"].high > found["ips"].value + 0.03
    assert pieces.support.unseen == pytest.approx(whole.support.unseen)
    assert whole.support.unseen == pytest.approx((action == 0).mean())
