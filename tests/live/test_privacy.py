"""Privacy: features that a log leaves out, and decisions that are deleted from it."""

import json
from pathlib import Path
from typing import Any

import pytest

from bakeoff import DataError, DataNotice, Learner, SpecError, evaluate, read_log
from bakeoff.basics.errors import ResultsError
from bakeoff.live import LogWriter, catch_up, forget, forgetting, verify
from bakeoff.reading.logs import parts_of, placed_records_of

SPEC = "epsilon-greedy:epsilon=0.3"


def play(learner: Learner, n: int = 30, first: int = 0) -> None:
    for i in range(first, first + n):
        decision = learner.choose({"user": i % 5, "age": 20 + i, "mail": "x@y", "likes": ["tea"]})
        learner.learn(decision, reward=float(decision.action == i % 2))


def logged(path: Path, **writer: Any) -> Learner:
    learner = Learner(SPEC, 2, seed=1, log=LogWriter(path, **writer))
    play(learner)
    learner.close()
    return learner


def decisions(path: Path) -> list[dict[str, Any]]:
    return [record for _, record in placed_records_of(path) if record["kind"] == "decision"]


# ---- features that are left out


def test_features_are_left_out_and_nothing_else_changes(tmp_path: Path) -> None:
    logged(tmp_path / "all.jsonl")
    logged(tmp_path / "some.jsonl", without=["mail", "u*"])

    whole, part = decisions(tmp_path / "all.jsonl"), decisions(tmp_path / "some.jsonl")
    assert all(set(record["context"]) == {"age", "likes"} for record in part)
    for one, other in zip(whole, part, strict=True):
        assert one["probabilities"] == other["probabilities"]
        assert one["context"] | other["context"] == one["context"]


@pytest.mark.parametrize("x", [{"a": 1}, [1.0, 2.0]])
def test_no_context_is_logged_at_all(tmp_path: Path, x: Any) -> None:
    learner = Learner(SPEC, 2, seed=1, log=LogWriter(tmp_path / "d.jsonl", without=["*"]))
    for _ in range(20):
        learner.learn(learner.choose(x), reward=0.5)

    assert {str(record["context"]) for record in decisions(tmp_path / "d.jsonl")} == {"{}"}
    with pytest.warns(DataNotice, match=r"logged without \*"):
        log = read_log(tmp_path / "d.jsonl")
    assert evaluate(log, "uniform").n == 20


def test_actions_keep_their_features(tmp_path: Path) -> None:
    learner = Learner(SPEC, seed=1, log=LogWriter(tmp_path / "d.jsonl", without=["*"]))
    learner.choose({"user": 1}, actions=[{"topic": "a"}, {"topic": "b"}])

    (record,) = decisions(tmp_path / "d.jsonl")
    assert record["context"] == {"actions": [{"topic": "a"}, {"topic": "b"}], "shared": {}}


def test_verify_and_catch_up_say_what_such_a_log_cannot_do(tmp_path: Path) -> None:
    learner = Learner(SPEC, 2, seed=1, log=LogWriter(tmp_path / "d.jsonl", without=["mail"]))
    learner.save(tmp_path / "model")
    play(learner)

    for model in (None, tmp_path / "model"):
        verdict = verify(tmp_path / "d.jsonl", model)
        assert verdict.is_fine
        assert verdict.ratios.decisions == 30
        assert verdict.replay is None
        assert "without mail, so decisions cannot be made again" in verdict.why_not
    with pytest.raises(DataError, match="without mail"):
        catch_up(Learner.load(tmp_path / "model"), tmp_path / "d.jsonl")


@pytest.mark.parametrize("names", ["mail", [1], [""], None, 3])
def test_names_of_features_are_checked(tmp_path: Path, names: Any) -> None:
    with pytest.raises(SpecError, match="without must"):
        LogWriter(tmp_path / "d.jsonl", without=names)


# ---- decisions that are deleted


def test_a_users_decisions_and_outcomes_are_deleted(tmp_path: Path) -> None:
    log = tmp_path / "d.jsonl"
    logged(log)
    before = log.read_text()
    theirs = {d["id"] for d in decisions(log) if d["context"]["user"] == 3}

    assert forget(log, where={"user": 3}, dry_run=True) == 6
    assert log.read_text() == before
    assert forget(log, where={"user": "3"}) == 6

    text = log.read_text()
    assert not any(id in text for id in [f'"{id}"' for id in theirs])
    assert len(decisions(log)) == 24
    assert text.splitlines()[1:] == [
        line for line in before.splitlines()[1:] if json.loads(line)["id"] not in theirs
    ]
    assert read_log(log).n == 24
    assert forget(log, where={"user": 3}) == 0


def test_verify_says_that_decisions_were_deleted(tmp_path: Path) -> None:
    log = tmp_path / "d.jsonl"
    learner = logged(log)
    learner.save(tmp_path / "model")
    forget(log, where={"user": 3, "likes": "tea"})
    forget(log, ids=[decisions(log)[0]["id"]])
    again = Learner.load(tmp_path / "model", log=log)
    play(again, 10, 30)

    verdict = verify(log)
    assert verdict.is_fine
    assert "7 decisions were deleted from this log" in verdict.why_not
    later = verify(log, tmp_path / "model")
    assert later.replay is not None
    assert (later.replay.decisions, later.replay.different) == (10, 0)


def test_all_parts_are_rewritten(tmp_path: Path) -> None:
    log = tmp_path / "d.jsonl"
    logged(log, most_bytes=3000)
    assert len(parts_of(log)) > 2

    assert forget(log, where={"user": 1}) == 6
    assert {d["context"]["user"] for d in decisions(log)} == {0, 2, 3, 4}
    assert sorted(path.name for path in tmp_path.iterdir()) == [p.name for p in parts_of(log)]


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_deletion_that_was_cut_short_can_be_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    log = tmp_path / "d.jsonl"
    writer = LogWriter(log, most_bytes=3000)
    learner = Learner("greedy", actions=["a", "b"], log=writer)
    made = [learner.choose({"user": i % 5}) for i in range(30)]
    for decision in made:
        learner.learn(decision, reward=1.0)
    learner.close()
    left, rewrite = at, forgetting._rewrite

    def interrupted(*arguments: Any) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise KeyboardInterrupt
        rewrite(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(forgetting, "_rewrite", interrupted)
        with pytest.raises(KeyboardInterrupt):
            forget(log, where={"user": 3})
    forget(log, where={"user": 3})

    text = "".join(part.read_text() for part in parts_of(log))
    assert not any(f'"{decision.id}"' in text for decision in made[3::5])
    assert read_log(log).n == 24


@pytest.mark.parametrize(
    ("logged_as", "wanted"),
    [(42, 42.0), (42.0, "42"), ("42", 42), (True, "true"), (1000.0, "1e3"), (0.5, ".5")],
)
def test_a_value_is_found_however_it_is_written(
    tmp_path: Path, logged_as: Any, wanted: Any
) -> None:
    learner = Learner("greedy", actions=["a", "b"], log=tmp_path / "d.jsonl")
    learner.choose({"user": logged_as})
    learner.choose({"user": "somebody"})
    learner.close()

    assert forget(tmp_path / "d.jsonl", where={"user": wanted}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [(2**53, 2**53 + 1), ("042", "42"), (0.5, "nan"), (1, "x"), (1, True)]
)
def test_other_values_are_left(tmp_path: Path, one: Any, other: Any) -> None:
    learner = Learner("greedy", actions=["a", "b"], log=tmp_path / "d.jsonl")
    learner.choose({"user": one})
    learner.close()

    assert forget(tmp_path / "d.jsonl", where={"user": other}) == 0


def test_own_actions_have_users_too(tmp_path: Path) -> None:
    log = tmp_path / "d.jsonl"
    learner = Learner(SPEC, seed=1, log=log)
    for i in range(6):
        decision = learner.choose({"user": i % 2}, actions=[{"t": 1}, {"t": 2}])
        learner.learn(decision, reward=1.0)
    learner.close()

    assert forget(log, where={"user": 1}) == 3
    assert len(decisions(log)) == 3


def test_a_log_that_is_being_written_is_left_alone(tmp_path: Path) -> None:
    learner = Learner(SPEC, 2, seed=1, log=tmp_path / "d.jsonl")
    play(learner)
    before = (tmp_path / "d.jsonl").read_text()

    with pytest.raises(ResultsError, match="being written by another process"):
        forget(tmp_path / "d.jsonl", where={"user": 3})
    assert (tmp_path / "d.jsonl").read_text() == before


def test_bad_requests_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="needs features"):
        forget(tmp_path / "d.jsonl")
    with pytest.raises(DataError, match="does not exist"):
        forget(tmp_path / "d.jsonl", ids=["a"])
    with pytest.raises(SpecError, match=r"\.jsonl only"):
        forget(tmp_path / "d.parquet", ids=["a"])
    learner = Learner(SPEC, 2, seed=1, log=tmp_path / "d.jsonl")
    learner.learn(learner.choose([1.0]), reward=1)
    learner.close()
    with pytest.raises(DataError, match=r"d.jsonl:2: .*have no names: give ids"):
        forget(tmp_path / "d.jsonl", where={"user": 3})


def test_a_torn_line_stays_as_it_is(tmp_path: Path) -> None:
    log = tmp_path / "d.jsonl"
    logged(log)
    with log.open("a") as file:
        file.write('{"kind":"outc')

    with pytest.warns(DataNotice, match="torn"):
        assert forget(log, where={"user": 3}) == 6
    assert log.read_text().endswith('{"kind":"outc')
