"""Logs of learners whose actions have features, and come and go."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bakeoff import DataError, Learner, evaluate, read_log
from bakeoff.live import LogWriter, catch_up, forget, verify
from bakeoff.reading.logs.lines import records_of

LIVE = 6


def features(i: int) -> dict[str, str]:
    """Of an article."""
    return {"topic": f"t{i % 3}", "author": f"a{i % 4}"}


def new_site(log: Path, most_bytes: int | None = None) -> Learner:
    """A learner among the first articles."""
    actions = {f"n{i}": features(i) for i in range(LIVE)}
    writer = LogWriter(log, most_bytes=most_bytes)
    return Learner("epsilon-greedy:epsilon=0.2", actions=actions, seed=1, log=writer)


def play(learner: Learner, first: int, last: int) -> None:
    """In each round an article comes, one goes, and one that had gone comes back now and then."""
    for i in range(first, last):
        learner.add_action(f"n{LIVE + i}", features(LIVE + i))
        learner.retire_action(f"n{i}")
        if i % 5 == 4:
            learner.add_action(f"n{i - 2}")
        decision = learner.choose({"user": f"u{i % 2}"})
        learner.learn(decision, reward=float(decision.action % 3 == i % 2))


def test_a_change_takes_a_line_and_not_a_header(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = new_site(path)
    sizes = []

    for n in (20, 40, 60):
        play(learner, n - 20, n)
        sizes.append(path.stat().st_size)
    learner.close()

    assert Counter(record["kind"] for record in records_of(path)) == {
        "bakeoff-log": 1, "actions": 59, "decision": 60, "outcome": 60,
    }  # fmt: skip
    assert sizes[2] - sizes[1] < 1.3 * (sizes[1] - sizes[0])


@pytest.mark.parametrize("most_bytes", [None, 9000])
def test_every_decision_is_made_again(tmp_path: Path, most_bytes: int | None) -> None:
    path = tmp_path / "log.jsonl"
    learner = new_site(path, most_bytes)
    play(learner, 0, 60)
    learner.close()

    verdict = verify(path)
    log = read_log(path)

    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (60, 0)
    assert (len(list(tmp_path.glob("*.jsonl"))) > 1) == (most_bytes is not None)
    assert log.n == 60
    assert 0 <= evaluate(log, "uniform", ["ips", "dr"])["dr"].value <= 1


@pytest.mark.parametrize("most_bytes", [None, 9000])
def test_a_saved_learner_catches_up(tmp_path: Path, most_bytes: int | None) -> None:
    path, model = tmp_path / "log.jsonl", tmp_path / "model"
    learner = new_site(path, most_bytes)
    play(learner, 0, 20)
    learner.save(model)
    play(learner, 20, 40)
    learner.close()

    again = Learner.load(model)
    replay = catch_up(again, path)

    assert (replay.before, replay.decisions) == (20, 20)
    assert again.actions == learner.actions
    assert again.model.actions.retired == learner.model.actions.retired
    np.testing.assert_array_equal(
        again.probabilities({"user": "u1"}), learner.probabilities({"user": "u1"})
    )


def test_a_change_that_is_undone_leaves_no_line(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = new_site(path)
    learner.choose({})
    learner.retire_action("n0")
    learner.add_action("n0")
    learner.choose({})
    learner.close()

    assert [r["kind"] for r in records_of(path)] == ["bakeoff-log", "decision", "decision"]


def test_users_are_forgotten_and_changes_stay(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = new_site(path)
    play(learner, 0, 20)
    learner.close()

    forget(path, where={"user": "u1"})

    kinds = Counter(record["kind"] for record in records_of(path))
    assert (kinds["actions"], kinds["decision"]) == (19, 10)
    assert read_log(path).n == 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"first": 99}, "6 actions, but new ones begin at 99"),
        ({"first": "x"}, "schema"),
        ({"names": ["a", "b"]}, "schema"),
        ({"retired": [77]}, "no action 77"),
        ({"names": None}, "schema"),
    ],
)
def test_lines_that_do_not_fit_are_one_sentence(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "log.jsonl"
    learner = new_site(path)
    learner.choose({})
    play(learner, 0, 1)
    learner.close()
    lines = path.read_text().splitlines()
    at = next(i for i, line in enumerate(lines) if '"kind":"actions"' in line)
    lines[at] = json.dumps({**json.loads(lines[at]), **change})
    path.write_text("\n".join(lines) + "\n")

    with pytest.raises(DataError, match=message):
        verify(path)
