"""The decision log: written before it counts, mended, set aside, and made again."""

import json
import os
import random
import signal
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from typer.testing import CliRunner

from bakeoff import BakeoffError, DataError, DataNotice, Learner, read_log
from bakeoff.cli import app
from bakeoff.live.contexts import to_json
from bakeoff.live.feedback import Feedback
from bakeoff.live.log_writer import LogWriter
from bakeoff.live.replay import catch_up
from bakeoff.live.verify import verify
from bakeoff.reading.logs.lines import records_of
from bakeoff.reading.logs.parts import parts_of
from tests.configurations import BANDITS, Configuration
from tests.live.test_safety import weights

X = np.random.default_rng(7).normal(size=(300, 4))
every_bandit = pytest.mark.parametrize("configuration", BANDITS, ids=str)


def use(learner: Learner, contexts: Any, seed: int = 0) -> None:
    """Decide and learn late, in any order, some never."""
    rng = np.random.default_rng(seed)
    waiting: list[str] = []
    for x in contexts:
        waiting.append(learner.choose(x).id)
        while waiting and rng.random() < 0.55:
            late = waiting.pop(rng.integers(len(waiting)))
            learner.learn(late, cost=round(rng.random(), 3))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_log_holds_what_the_schema_says(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("epsilon-greedy:epsilon=0.5", actions=["a", "b"], log=path, seed=3)
    decision = learner.choose([0.5, 1.5])
    learner.learn(decision, reward=1.0)

    header, made, outcome = lines(path)

    assert header["kind"] == "bakeoff-log"
    assert (header["format"], header["actions"], header["n_actions"]) == (1, ["a", "b"], 2)
    assert (header["n_features"], header["adaptive"]) == (2, True)
    assert header["spec"] == str(learner.run)
    assert made["kind"] == "decision"
    assert (made["id"], made["action"], made["name"]) == (
        decision.id, decision.action, decision.name,
    )  # fmt: skip
    assert made["context"] == [0.5, 1.5]
    assert made["probabilities"] == decision.probabilities.tolist()
    assert (made["version"], made["seed"], made["round"]) == (0, 3, 1)
    assert (made["available"], made["probability"]) == (None, decision.probability)
    assert outcome["kind"] == "outcome"
    assert (outcome["id"], outcome["reward"]) == (decision.id, 1.0)


# Decisions made again


@every_bandit
def test_every_logged_decision_can_be_made_again(
    configuration: Configuration, tmp_path: Path
) -> None:
    path = tmp_path / "log.jsonl"
    learner = configuration.learner(3, log=path, seed=5)
    use(learner, X[:150])

    verdict = verify(path)

    assert verdict.replay is not None
    assert verdict.replay.decisions == 150
    assert verdict.replay.outcomes == learner.version > 50
    assert verdict.is_fine


def mixed(i: int) -> dict[str, Any]:
    return {"city": f"c{i % 5}", "age": i / 7, "member": i % 2 == 0, "tags": ["x", "y"]}


CONTEXTS: dict[str, Any] = {
    "dense": list(X[:60]),
    "lists": X[:60].tolist(),
    "sparse": [sparse.csr_array(np.where(x > 0, x, 0)[None]) for x in X[:60]],
    "named": [mixed(i) for i in range(60)],
}


@pytest.mark.parametrize("kind", CONTEXTS)
def test_contexts_of_every_kind_come_back(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    use(Learner("bag", 3, log=path, floor=0.02), CONTEXTS[kind])

    verdict = verify(path)

    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (60, 0)


def test_rows_per_action_come_back(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    use(Learner("regcb", log=path), [X[i : i + 2 + i % 3] for i in range(60)])

    verdict = verify(path)

    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (60, 0)


def test_features_of_actions_come_back(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    actions = {"a": {"t": "x"}, "b": {"t": "y"}, "c": {"t": "x", "n": 2}}
    learner = Learner("bag", actions=actions, log=path)
    for i in range(40):
        decision = learner.choose(mixed(i), available=["a", "c"] if i % 3 else None)
        learner.learn(decision, reward=0.5)

    verdict = verify(path)

    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (40, 0)
    assert lines(path)[1]["context"]["actions"] == list(actions.values())


def test_events_with_actions_of_their_own_come_back(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("epsilon-greedy:epsilon=0.3", log=path)
    for i in range(40):
        rows = [{"t": f"t{j}"} for j in range(2 + i % 3)]
        learner.learn(learner.choose(mixed(i), actions=rows), reward=0.5)

    verdict = verify(path)

    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (40, 0)


def test_actions_that_come_and_go_come_back(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("epsilon-greedy:epsilon=0.3", actions=["a", "b"], log=path)
    use(learner, X[:20])
    learner.add_action("c")
    use(learner, X[20:40])
    learner.retire_action("a")
    use(learner, X[40:60])

    verdict = verify(path)

    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (60, 0)
    assert len(parts_of(path)) == 2  # a file for each list of actions


def test_default_rewards_come_back(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    feedback = Feedback(limit=3, default_reward=0.0)
    learner = Learner("bag", 3, log=path, feedback=feedback)
    for x in X[:50]:
        learner.choose(x)

    verdict = verify(path)

    assert verdict.replay is not None
    assert (verdict.replay.outcomes, verdict.replay.different) == (47, 0)


def test_a_saved_learner_catches_up_with_its_log(tmp_path: Path) -> None:
    path, model = tmp_path / "log.jsonl", tmp_path / "m"
    learner = Learner("cover:nu", 3, log=path, seed=1)
    use(learner, X[:50])
    learner.save(model)
    use(learner, X[50:100], seed=1)

    loaded = Learner.load(model)
    replay = catch_up(loaded, path)

    assert (replay.decisions, replay.before) == (50, 50)
    assert (loaded.t, loaded.version) == (learner.t, learner.version)
    assert loaded.pending == learner.pending
    np.testing.assert_array_equal(weights(loaded), weights(learner))
    assert verify(path, model).is_fine


@pytest.mark.parametrize("seeds", [(1, 2), (1, 1)])
@pytest.mark.parametrize("actions", [["a", "b", "c"], ["d", "e"]])
def test_a_learner_that_begins_anew_goes_on_in_the_log(
    tmp_path: Path, seeds: tuple[int, int], actions: list[str]
) -> None:
    path = tmp_path / "log.jsonl"
    for seed, names in zip(seeds, (["a", "b", "c"], actions), strict=True):
        log = LogWriter(path, most_bytes=8000)  # some parts are set aside
        learner = Learner("bag", actions=names, log=log, seed=seed)
        use(learner, X[:50])
        learner.close()

    replay = verify(path).replay

    assert replay is not None
    assert (replay.decisions, replay.before, replay.different) == (100, 0, 0)


def test_a_learner_that_went_back_is_noticed(tmp_path: Path) -> None:
    path, model = tmp_path / "log.jsonl", tmp_path / "model"
    learner = Learner("bag", 3, log=path, seed=1)
    use(learner, X[:20])
    learner.save(model)
    use(learner, X[20:50])
    learner.close()
    use(Learner.load(model, log=path), X[50:60])  # without catch_up

    done = CliRunner().invoke(app, ["verify", str(path)])

    assert "made again: 50 (10 were made after the learner went back" in done.output


def test_decisions_of_other_processes_are_counted(tmp_path: Path) -> None:
    path, model = tmp_path / "log.jsonl", tmp_path / "model"
    writer = Learner("bag", 3, n_features=X.shape[1], log=path, seed=1)
    writer.save(model)
    decision = Learner.load(model, seed=2, learns=False).choose(X[0])
    writer.admit(decision)
    writer.learn(decision.id, reward=1.0)
    use(writer, X[:5])
    writer.close()

    done = CliRunner().invoke(app, ["verify", str(path)])

    assert "made again: 5 (1 by other processes were not), " in done.output


def test_a_log_of_another_learner_is_noticed(tmp_path: Path) -> None:
    path, model = tmp_path / "log.jsonl", tmp_path / "m"
    use(Learner("bag", 3, log=path, seed=1), X[:50])
    Learner("bag", 3, seed=2).save(model)

    assert not verify(path, model).is_fine
    with pytest.raises(DataError, match="50 decisions"):
        catch_up(Learner.load(model), path)


# Actions against their probabilities


def doctored(path: Path, change: Any) -> Path:
    records = lines(path)
    for i, record in enumerate(records):
        if record["kind"] == "decision":
            change(i, record)
        if record["kind"] == "bakeoff-log":
            record.pop("settings")
    new = path.with_name("doctored.jsonl")
    new.write_text("".join(json.dumps(record) + "\n" for record in records))
    return new


@pytest.fixture(scope="module")
def long_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("logs") / "log.jsonl"
    learner = Learner("epsilon-greedy:epsilon=0.5", 4, log=path, seed=11)
    for i in range(4000):
        decision = learner.choose(X[i % len(X)])
        learner.learn(decision, cost=float(X[i % len(X), decision.action] > 0))
    return path


def test_an_honest_log_passes(long_log: Path) -> None:
    verdict = verify(long_log)

    assert verdict.is_fine
    assert verdict.ratios.p_value is not None


def test_actions_not_drawn_as_logged_are_noticed(long_log: Path) -> None:
    def favour(i: int, record: dict[str, Any]) -> None:
        if i % 20 == 1:  # one decision in ten is made by somebody else
            record["action"] = 0
            record["probability"] = record["probabilities"][0]

    verdict = verify(doctored(long_log, favour))

    assert not verdict.is_fine
    assert verdict.ratios.p_value is not None
    assert verdict.ratios.p_value < 1e-3


def test_a_probability_that_contradicts_its_distribution_is_noticed(long_log: Path) -> None:
    def lie(i: int, record: dict[str, Any]) -> None:
        if i == 77:
            record["probability"] = 0.123

    assert verify(doctored(long_log, lie)).ratios.contradictions == 1


def test_honest_logs_are_rarely_suspected() -> None:
    from bakeoff.live.verify import ALARM, Ratios  # noqa: PLC0415

    rng = np.random.default_rng(0)
    alarms = 0
    for _ in range(200):
        ratios = Ratios()
        for _ in range(100):
            p = rng.dirichlet([0.5] * 3)
            action = int(rng.choice(3, p=p))
            record = {"action": action, "probability": p[action], "probabilities": p}
            ratios.add(record, is_numbered=True)
        found = ratios.p_value
        alarms += found is not None and found < ALARM
    assert alarms <= 2  # 200 tests at 0.001: three or more have probability 0.001


# Files


def test_a_torn_last_line_is_dropped_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("bag", 3, log=path, seed=1)
    use(learner, X[:20])
    learner.close()
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"kind":"decision","id":"x')

    with pytest.warns(DataNotice, match="torn"):
        records = list(records_of(path))
    with pytest.warns(DataNotice, match=r"log\.jsonl: .* torn \(26 bytes\)"):
        LogWriter(path).close()

    assert len(records) == whole.count(b"\n")
    assert path.read_bytes() == whole


def test_a_log_is_set_aside_when_it_is_large(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("bag", 3, log=LogWriter(path, most_bytes=4000), seed=1)

    use(learner, X[:100])

    parts = parts_of(path)
    assert len(parts) > 5
    assert all(part.stat().st_size <= 4000 for part in parts)
    assert all(lines(part)[0]["kind"] == "bakeoff-log" for part in parts)
    assert verify(path).is_fine
    assert sum(r["kind"] == "decision" for r in records_of(path)) == 100


def test_two_writers_of_one_log_are_refused(tmp_path: Path) -> None:
    first = LogWriter(tmp_path / "log.jsonl")

    with pytest.raises(BakeoffError, match="another process"):
        LogWriter(tmp_path / "log.jsonl")
    first.close()


def test_a_decision_that_cannot_be_logged_is_not_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("bag", 3, log=path, seed=1)
    learner.choose(X[0])
    before = path.read_bytes()
    write = os.write

    def full(file: int, data: bytes) -> int:
        write(file, data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(BakeoffError, match="cannot be written: No space left"):
        learner.choose(X[1])
    monkeypatch.undo()

    assert path.read_bytes() == before
    assert len(learner.pending) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no such file"),
        ("hello\n", "log.jsonl:1: .*JSON"),
        ("[]\n", "log.jsonl:1: .*object"),
        ('{"kind":"decision"}\n', "log.jsonl:1: .*begins"),
        ('{"kind":"bakeoff-log","format":9}\n', "log.jsonl:1: .*format 9"),
    ],
)
def test_what_is_no_log_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "log.jsonl"
    if text:
        path.write_text(text)

    with pytest.raises(DataError, match=message):
        verify(path)


# Kills


def serve(model: Path, log: Path, acknowledged: int) -> None:
    """Decide, learn and save until killed; say what was acknowledged."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNotice)
        learner = Learner.load(model, log=log, warm_up=False)
        catch_up(learner, log)
    rng = np.random.default_rng(learner.t)
    for i in range(10**9):
        decision = learner.choose(X[rng.integers(len(X))])
        os.write(acknowledged, f"d {decision.id}\n".encode())
        if rng.random() < 0.8:
            learner.learn(decision, cost=round(rng.random(), 3))
            os.write(acknowledged, f"o {decision.id}\n".encode())
        if i % 7 == 0:
            learner.save(model)


def killed(model: Path, log: Path, seconds: float) -> list[str]:
    """What a process acknowledged before it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            serve(model, log, writing)
        finally:
            os._exit(1)
    os.close(writing)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading) as pipe:
        return pipe.read().split("\n")[:-1]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*last.*torn.*:bakeoff.basics.errors.DataNotice")
@pytest.mark.parametrize("kills", [50])
def test_what_was_acknowledged_survives_kills(tmp_path: Path, kills: int) -> None:
    model, log = tmp_path / "m", tmp_path / "log.jsonl"
    learner = Learner("bag", 3, seed=1)
    learner.save(model)
    LogWriter(log).close()
    rng = random.Random(4)
    acknowledged: set[str] = set()

    for _ in range(kills):
        acknowledged.update(killed(model, log, rng.uniform(0.02, 0.12)))
        Learner.load(model, warm_up=False)  # the file is whole

    kinds = {"decision": "d", "outcome": "o"}
    logged = {f"{kinds[r['kind']]} {r['id']}" for r in records_of(log) if r["kind"] in kinds}
    assert acknowledged <= logged
    assert len(acknowledged) > kills
    verdict = verify(log)
    assert verdict.replay is not None
    assert verdict.replay.different == 0


def as_version_02_wrote_it(path: Path) -> None:
    """Let the header of a log name DR with importance 1 as version 0.2 did."""
    first, *others = path.read_text().splitlines(keepends=True)
    header = json.loads(first)
    header["spec"] = header["spec"].replace("dr-unweighted", "dr")
    del header["arithmetic"]
    path.write_text("".join([json.dumps(header) + "\n", *others]))


@pytest.mark.parametrize("reduction", ["dr", "dr-unweighted"])
def test_a_log_is_replayed_with_its_own_arithmetic(reduction: str, tmp_path: Path) -> None:
    path = tmp_path / "decisions.jsonl"
    learner = Learner("cover:n_policies=3", n_actions=3, reduction=reduction, log=path, seed=5)
    rng = np.random.default_rng(5)
    for _ in range(40):
        decision = learner.choose(rng.normal(size=2))
        learner.learn(decision, reward=rng.random())
    learner.close()

    today = verify(path)
    as_version_02_wrote_it(path)
    before = verify(path)

    assert today.replay is not None
    assert before.replay is not None
    assert (today.replay.decisions, today.replay.different) == (40, 0)
    assert (before.replay.different == 0) == (reduction == "dr-unweighted")
    origin = read_log(path).origin
    assert origin is not None
    assert "dr-unweighted" in str(origin.spec)


def test_plain_contexts_are_logged_as_they_are_and_others_are_made_plain() -> None:
    plain = {"a": 1, "b": 0.5, "c": "x", "d": None, "e": True, "f": ["x", "y"]}
    odd = {"n": np.float32(0.5), "s": {"q", "p"}, "t": "x"}

    assert to_json(plain) == plain
    assert to_json(plain) is not plain
    assert to_json(odd) == {"n": 0.5, "s": ["p", "q"], "t": "x"}
    assert type(to_json(odd)["n"]) is float
