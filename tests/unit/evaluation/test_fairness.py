"""Fairness: no policy is judged by events that it has learned from."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bakeoff import (
    Learner,
    Log,
    Run,
    compare_policies,
    evaluate,
    load,
    read_log,
    read_pieces,
    train,
)
from bakeoff.basics.errors import DataError, SpecError
from bakeoff.data.problem import Problem
from bakeoff.live.archive import to_parquet
from bakeoff.live.model_file import read_model, write_model
from tests.decision_logs import made_log

K, D = 3, 40


def serve(learner: Learner, events: int, seed: int) -> None:
    """Rewards are coins, whatever one does: only memory can beat a half."""
    rng = np.random.default_rng(seed)
    for _ in range(events):
        decision = learner.choose(rng.normal(size=D))
        learner.learn(decision, reward=float(rng.integers(0, 2)))


def new_learner(path: Path) -> Learner:
    return Learner("epsilon-greedy:epsilon=0.5", K, seed=1, floor=0.1, log=path, learning_rate=3.0)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 400 events, models of all of them and of the first 150."""
    folder = tmp_path_factory.mktemp("fairness")
    learner = new_learner(folder / "log.jsonl")
    serve(learner, 150, seed=0)
    learner.save(folder / "early.bakeoff")
    serve(learner, 250, seed=1)
    learner.save(folder / "last.bakeoff")
    learner.close()
    return folder


# ---- a learner's own log


@pytest.mark.parametrize("how", ["learner", "file", "greedy", "path"])
def test_a_learner_is_not_judged_by_the_log_that_taught_it(made: Path, how: str) -> None:
    log = read_log(made / "log.jsonl")
    file = made / "last.bakeoff"
    policy = {
        "learner": Learner.load(file), "file": str(file), "greedy": f"greedy:{file}", "path": file,
    }[how]  # fmt: skip

    with pytest.raises(DataError, match=r"learned from log, .*'progressive:"):
        evaluate(log, policy)


def test_later_events_judge_it_and_a_sentence_says_so(made: Path) -> None:
    log = read_log(made / "log.jsonl")

    found = evaluate(log, f"greedy:{made}/early.bakeoff", ["dr"])

    assert found.n == 250
    assert "learned from the first 150 events" in found.advice
    assert found["dr"].low <= 0.5 <= found["dr"].high
    assert found.logged.value == log.part(slice(150, None)).mean_reward


def test_on_what_it_learned_it_would_look_better_than_it_is(made: Path) -> None:
    """Why all this: coins earn a half, and memory of this log makes it much more."""
    log = read_log(made / "log.jsonl")
    learner = Learner.load(made / "last.bakeoff")
    table = np.stack([learner.probabilities(x) for x in log.X])
    greedy = (table == table.max(axis=1, keepdims=True)).astype(float)

    remembered = evaluate(log, greedy / greedy.sum(axis=1, keepdims=True), ["snips"])["snips"]

    assert remembered.value > 0.6


def test_a_learner_that_has_not_seen_the_log_is_judged_by_all_of_it(
    made: Path, tmp_path: Path
) -> None:
    log = read_log(made / "log.jsonl")
    other = new_learner(tmp_path / "other.jsonl")  # the same seed, the same spec
    serve(other, 500, seed=7)
    other.save(tmp_path / "m")

    for learner in (other, Learner.load(tmp_path / "m"), Learner("greedy", K)):
        assert evaluate(log, learner, ["ips"]).n == 400


def test_ids_of_users_and_late_outcomes_are_known(tmp_path: Path) -> None:
    learner = new_learner(tmp_path / "log.jsonl")
    decisions = [learner.choose(np.full(D, i / 50), id=f"order {i}") for i in range(50)]
    for decision in decisions[:20]:
        learner.learn(decision, reward=0.5)
    learner.save(tmp_path / "m")
    for decision in decisions[20:]:
        learner.learn(decision, reward=0.5)

    assert evaluate(read_log(tmp_path / "log.jsonl"), tmp_path / "m", ["ips"]).n == 30


def test_batches_are_known_also_after_a_restart(tmp_path: Path) -> None:
    learner = new_learner(tmp_path / "log.jsonl")
    learner.learn_batch(learner.choose_batch(np.ones((40, D))), reward=np.full(40, 0.5))
    learner.save(tmp_path / "m")
    learner.close()
    again = Learner.load(tmp_path / "m", log=tmp_path / "log.jsonl")
    again.learn_batch(again.choose_batch(np.ones((10, D))), reward=np.full(10, 0.5))
    again.save(tmp_path / "later")
    log = read_log(tmp_path / "log.jsonl")

    assert evaluate(log, tmp_path / "m", ["ips"]).n == 10
    with pytest.raises(DataError, match="learned from"):
        evaluate(log, tmp_path / "later", ["ips"])


def test_a_copy_that_went_its_own_way_has_not_learned_the_rest(tmp_path: Path) -> None:
    learner = new_learner(tmp_path / "log.jsonl")
    serve(learner, 20, seed=0)
    learner.save(tmp_path / "m")
    copy = Learner.load(tmp_path / "m")
    serve(copy, 50, seed=1)
    copy.save(tmp_path / "copy")
    serve(learner, 30, seed=2)

    for policy in (tmp_path / "m", tmp_path / "copy", copy):
        assert evaluate(read_log(tmp_path / "log.jsonl"), policy, ["ips"]).n == 30


def test_files_that_do_not_tell_sessions_are_known_by_seed_and_round(tmp_path: Path) -> None:
    learner = new_learner(tmp_path / "log.jsonl")
    learner.learn_batch(learner.choose_batch(np.ones((40, D))), reward=np.full(40, 0.5))
    learner.save(tmp_path / "m")
    learner.learn_batch(learner.choose_batch(np.ones((10, D))), reward=np.full(10, 0.5))
    header, arrays = read_model(tmp_path / "m")
    del header["sessions"]
    write_model(tmp_path / "old", header, arrays)

    assert evaluate(read_log(tmp_path / "log.jsonl"), tmp_path / "old", ["ips"]).n == 10


def test_other_forms_of_the_log_know_it_too(made: Path, tmp_path: Path) -> None:
    to_parquet(made / "log.jsonl", tmp_path / "log.parquet")
    log = read_log(made / "log.jsonl")
    assert log.origin is not None
    features = {f"x{j}": log.X[:, j] for j in range(D)}
    frame = pl.DataFrame(
        {"id": log.origin.ids, "action": log.action, "probability": log.probability}
        | {"reward": log.reward} | features
    )  # fmt: skip
    frame.write_csv(tmp_path / "log.csv")

    for name in ("log.parquet", "log.csv"):
        other = read_log(tmp_path / name, n_actions=K, adaptive=True)
        assert evaluate(other, made / "early.bakeoff", ["ips"]).n == 250
        with pytest.raises(DataError, match="learned from"):
            evaluate(other, made / "last.bakeoff")


@pytest.mark.parametrize("events", [70, 150, 1000])
def test_pieces_of_the_log_know_it_too(made: Path, events: int) -> None:
    whole = evaluate(read_log(made / "log.jsonl"), made / "early.bakeoff", ["ips", "snips"])

    pieces = read_pieces(made / "log.jsonl", events=events)
    found = evaluate(pieces, made / "early.bakeoff", ["ips", "snips"])

    assert found.n == 250
    assert found["ips"] == pytest.approx(whole["ips"])
    assert found.advice == whole.advice
    with pytest.raises(DataError, match="learned from"):
        evaluate(pieces, made / "last.bakeoff", ["ips"])
    with pytest.raises(SpecError, match="whole log"):
        evaluate(pieces, f"progressive:{made}/last.bakeoff", ["ips"])


def test_policies_are_compared_on_events_that_are_fair_to_all(made: Path) -> None:
    log = read_log(made / "log.jsonl")
    actions = np.arange(log.n) % K

    found = compare_policies(
        log, {"early": made / "early.bakeoff", "array": actions}, baseline="uniform"
    )

    assert {one.n for one in found.evaluations.values()} == {250}
    assert "150 events" in found.words
    alone = evaluate(log.part(slice(150, None)), actions[150:], ["dr"], alpha=0.025)
    assert found.evaluations["array"]["dr"] == alone["dr"]


# ---- progressive


def test_the_progressive_value_is_what_the_learner_earned(made: Path) -> None:
    log = read_log(made / "log.jsonl")

    found = evaluate(log, f"progressive:{made}/last.bakeoff", ["ips", "dr"])
    greedy = evaluate(log, f"progressive:greedy:{made}/last.bakeoff", ["snips"])

    assert found.n == log.n
    assert found["ips"].value == pytest.approx(log.mean_reward, rel=1e-12)
    assert greedy["snips"].low <= 0.5 <= greedy["snips"].high
    assert greedy.largest_weight > 1


def test_a_log_that_cannot_be_replayed_is_refused(made: Path, tmp_path: Path) -> None:
    lines = (made / "log.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    first = next(i for i, record in enumerate(records) if record["kind"] == "outcome")
    records[first]["reward"] = 1.0 - records[first]["reward"]
    changed = tmp_path / "changed.jsonl"
    changed.write_text("".join(json.dumps(record) + "\n" for record in records))
    Learner("greedy", K, seed=1).save(tmp_path / "other")
    to_parquet(made / "log.jsonl", tmp_path / "log.parquet")
    model = f"progressive:{made}/last.bakeoff"

    with pytest.raises(DataError, match="cannot be repeated"):
        evaluate(read_log(changed), model)
    with pytest.raises(DataError, match="and not by greedy"):
        evaluate(read_log(made / "log.jsonl"), f"progressive:{tmp_path}/other")
    for log in (read_log(tmp_path / "log.parquet"), made_log(40).log):
        with pytest.raises(DataError, match="jsonl"):
            evaluate(log, model)


def test_a_log_that_begins_later_is_replayed_from_its_model(tmp_path: Path) -> None:
    learner = new_learner(tmp_path / "first.jsonl")
    serve(learner, 30, seed=0)
    learner.save(tmp_path / "start")
    again = Learner.load(tmp_path / "start", log=tmp_path / "second.jsonl")
    serve(again, 50, seed=1)
    again.save(tmp_path / "end")
    log = read_log(tmp_path / "second.jsonl")

    assert evaluate(log, f"progressive:{tmp_path}/start", ["ips"]).n == 50
    with pytest.raises(DataError, match="had learned before"):
        evaluate(log, f"progressive:{tmp_path}/end")


# ---- what is fitted to a log


def test_a_trained_policy_is_for_its_own_log() -> None:
    log, other = made_log(200).log, made_log(200, seed=1).log
    policy = train(log)

    assert evaluate(log, policy, ["ips"]).n == 200
    for wrong in (other, log.part(slice(100, None))):
        with pytest.raises(DataError, match="trained for the events of"):
            evaluate(wrong, policy)


# ---- simulated logs


@pytest.mark.parametrize("spec", ["cover:nu", "regcb:optimistic", "bag:n_policies=3"])
def test_a_simulated_log_keeps_distributions(spec: str) -> None:
    problem = load("embedded:iris")
    assert isinstance(problem, Problem)
    log = Log.from_run(problem, Run(spec), shuffle=1)

    assert log.probabilities is not None
    np.testing.assert_allclose(log.probabilities.sum(axis=1), 1.0, rtol=1e-12)
    np.testing.assert_array_equal(log.probabilities[np.arange(log.n), log.action], log.probability)
    assert evaluate(log, "uniform", ["ips"]).support.unseen > 0.2


def test_a_simulated_ranking_keeps_distributions() -> None:
    rng = np.random.default_rng(0)
    qid = np.repeat(np.arange(20), [2, 4] * 10)
    problem = Problem.from_ranking(rng.normal(size=(60, 3)), rng.integers(0, 5, 60), qid)

    log = Log.from_run(problem, Run("epsilon-greedy:epsilon=0.5"))

    assert log.probabilities is not None
    assert log.available is not None
    assert (log.probabilities[~log.available] == 0).all()
    np.testing.assert_allclose(log.probabilities.sum(axis=1), 1.0, rtol=1e-12)
