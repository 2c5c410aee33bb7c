"""Evaluations in one sentence: better or worse, how surely, and what would tell."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bakeoff import Log, evaluate, read_log
from bakeoff.evaluation import compare_policies
from bakeoff.evaluation.page import page
from bakeoff.evaluation.plan import events_to_tell
from tests.decision_logs import made_log


def log_of(n: int, gap: float, seed: int = 0) -> Log:
    """A fair coin between two actions, the second of which earns `gap` more."""
    rng = np.random.default_rng(seed)
    action = rng.integers(0, 2, n)
    reward = (rng.random(n) < 0.4 + gap * action).astype(float)
    return Log.from_arrays(None, action, np.full(n, 0.5), reward, n_actions=2)


def test_a_large_difference_is_sure_and_a_small_one_is_not() -> None:
    better = evaluate(log_of(2000, 0.3), "constant:1", ["ips"])
    worse = evaluate(log_of(2000, 0.3), "constant:0", ["ips"])
    perhaps = evaluate(log_of(2000, 0.02), "constant:1", ["ips"])

    assert better.sentence.endswith(" logged: better, surely")
    assert worse.sentence.endswith(" logged: worse, surely")
    assert re.search(r"may be better; about [\d,]+ more events would tell$", perhaps.sentence)


@pytest.mark.parametrize("seed", range(3))
def test_the_difference_is_that_of_a_comparison_with_the_log(seed: int) -> None:
    log = log_of(3000, 0.1, seed)

    alone = evaluate(log, "constant:1", ["ips"]).difference
    paired = compare_policies(log, ["constant:1"], estimator="ips").differences["constant:1"]

    assert alone is not None
    assert alone == paired


def test_the_events_that_would_tell_do_tell() -> None:
    """With so many events in all, about 80 of 100 logs show the difference."""
    small = evaluate(log_of(1000, 0.08, seed=4), "constant:1", ["ips"]).difference
    assert small is not None
    half = (small.high - small.low) / 2
    needed = events_to_tell(1000, 0.04, half, 0.05)

    shown = [
        evaluate(log_of(needed, 0.08, seed), "constant:1", ["ips"]).difference
        for seed in range(100)
    ]

    assert 70 <= sum(one is not None and one.low > 0 for one in shown) <= 90


def test_what_cannot_be_told_is_not_said() -> None:
    log = Log.from_arrays(None, [0] * 99 + [1], [0.999] * 99 + [0.001], [0.5] * 100, n_actions=2)

    found = evaluate(log, "constant:1")

    assert found.sentence == "This log cannot tell what constant:1 would have earned"


def test_the_logger_and_a_tie_are_not_compared_by_rounding() -> None:
    made = made_log(400)
    same = np.full((400, 2), 0.5)
    even = replace(log_of(400, 0.1), reward=np.full(400, 0.5))

    assert evaluate(made.log, "logged").sentence.startswith("The logger itself earned 0.")
    assert evaluate(even, same, ["ips"]).sentence.endswith("logged: level")


def test_uniform_prefers_no_action() -> None:
    """Not the first action in 100 % of events."""
    log = replace(log_of(300, 0.1), action_names=("sport", "news"))
    found = [evaluate(log, policy, ["ips"]) for policy in ("uniform", "constant:news")]

    assert (found[0].favourites == -1).all()
    assert (found[1].favourites == 1).all()
    assert found[0].shares is not None
    assert found[0].shares.tolist() == pytest.approx([0.5, 0.5])
    text = page(log, found)
    assert "uniform: no action is preferred to all others." in text
    assert "prefer different actions" not in text


def test_features_that_tell_where_policies_differ_go_by_their_names(tmp_path: Path) -> None:
    lines: list[dict[str, object]] = [
        {"kind": "bakeoff-log", "format": 1, "actions": None, "n_actions": 2}
    ]
    for i in range(90):
        context = {"kind": "young" if i % 2 else "old", "age": i % 7}
        lines.append(
            {
                "kind": "decision", "id": str(i), "context": context, "action": i % 3 % 2,
                "probability": 0.5,
            }
        )  # fmt: skip
        lines.append({"kind": "outcome", "id": str(i), "reward": i % 5 / 4})
    path = tmp_path / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    log = read_log(path)
    young = np.array([[i % 2 == 0, i % 2 == 1] for i in range(90)], float)

    found = [evaluate(log, policy, ["ips"]) for policy in (young, "constant:0")]

    text = page(log, found)
    assert "prefer different actions in 50.0% of events" in text
    assert "<td>kind=young</td>" in text


def test_no_estimate_is_shown_outside_its_interval() -> None:
    """IPS can exceed any possible reward; the sentence and the plot do not."""
    log = Log.from_arrays(
        None, [0, 1] * 50, [0.9, 0.1] * 50, [1.0, 1.0] * 50, n_actions=2
    )  # weights of 10 where 1 of 10 is expected
    found = evaluate(log, "constant:1", ["ips"])

    assert found["ips"].value > 1
    for circle in re.findall(r"class=dot cx=([\d.]+)%", page(log, [found])):
        assert 0 <= float(circle) <= 100


def test_differences_lie_in_their_intervals() -> None:
    for seed in range(20):
        made = made_log(60, spread=3.0, seed=seed)
        for adaptive in (False, True):
            log = replace(made.log, adaptive=adaptive)
            found = compare_policies(log, ["constant:0", made.policy])
            for one in found.differences.values():
                assert one.low <= min(max(one.value, -1), 1) <= one.high


def test_an_evaluation_in_a_notebook_says_what_the_page_says() -> None:
    made = made_log(2000)
    found = evaluate(made.log, made.policy)

    text = found._repr_html_()

    assert found.sentence in text
    assert "<svg" in text
    assert "fine" in text
    assert "http" not in text
