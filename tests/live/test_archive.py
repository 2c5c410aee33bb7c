"""A log as a Parquet file, and the command `bakeoff verify`."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bakeoff import DataError, Learner
from bakeoff.live.archive import to_parquet
from bakeoff.live.log_writer import LogWriter
from bakeoff.live.verify import verify
from bakeoff.reading.logs.lines import records_of
from bakeoff.reading.logs.schema import PARQUET_COLUMNS

GONE = "gone"
X = np.random.default_rng(3).normal(size=(40, 3))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of several parts, in which two of three decisions have an outcome."""
    path = tmp_path / "log.jsonl"
    writer = LogWriter(path, most_bytes=4000)
    learner = Learner("bag", actions=["a", "b"], seed=1, log=writer)
    for i, x in enumerate(X):
        decision = learner.choose(x, available=["a"] if i == 7 else None)
        if i % 3:
            learner.learn(decision, reward=i / 40)
    learner.close()
    return path


def test_a_parquet_file_has_decisions_with_their_outcomes(log: Path, tmp_path: Path) -> None:
    made = [r for r in records_of(log) if r["kind"] == "decision"]

    assert to_parquet(log, tmp_path / "log.parquet") == 40

    frame = pl.read_parquet(tmp_path / "log.parquet")
    assert frame.columns == list(PARQUET_COLUMNS)
    assert frame["id"].to_list() == [r["id"] for r in made]
    assert frame["probabilities"].to_list() == [r["probabilities"] for r in made]
    assert [json.loads(c) for c in frame["context"]] == X.tolist()
    assert frame["reward"].to_list() == [i / 40 if i % 3 else None for i in range(40)]
    assert frame["reward_time"].null_count() == 14
    assert frame["available"][7].to_list() == [0]
    metadata = pl.read_parquet_metadata(tmp_path / "log.parquet")
    assert json.loads(metadata["bakeoff-log"])["actions"] == ["a", "b"]


def test_activations_and_changes_of_actions_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner(actions={"a": {"x": 1}, "b": {"x": 2}}, log=path)
    hidden = learner.choose({"u": 1}, active=False)
    learner.activate(hidden)
    learner.learn(hidden, reward=0.5)
    learner.add_action("c", {"x": 3})
    learner.learn(learner.choose({"u": 2}), reward=1.0)
    learner.close()

    assert to_parquet(path, tmp_path / "log.parquet") == 2
    assert pl.read_parquet(tmp_path / "log.parquet")["reward"].to_list() == [0.5, 1.0]


def altered(log: Path, line: int, **changes: object) -> Path:
    """A log of one part in which one line says something else, or no longer says it."""
    path = log.with_name("altered.jsonl")
    records = list(records_of(log))
    records[line - 1] |= changes
    kept = [{k: v for k, v in one.items() if v != GONE} for one in records]
    path.write_text("".join(json.dumps(one) + "\n" for one in kept))
    return path


@pytest.mark.parametrize(
    ("line", "changes", "place"),
    [
        (3, {"kind": GONE}, "3: kind"),
        (2, {"id": GONE}, "2: .*id"),
        (4, {"reward": GONE}, "4: .*reward"),
        (4, {"reward": "much"}, "4: reward .*'much'"),
        (2, {"seed": 10**30}, "2: seed .*10{30}"),
        (2, {"id": ["a"]}, "2: "),
        (2, {"probabilities": [None, "x"]}, "2: probabilities"),
    ],
)
def test_a_log_that_makes_no_table_names_the_line(
    log: Path, line: int, changes: dict[str, object], place: str
) -> None:
    path = altered(log, line, **changes)

    with pytest.raises(DataError, match=rf"altered\.jsonl:{place}"):
        to_parquet(path, log.with_name("log.parquet"))


def test_probabilities_may_be_written_as_integers(log: Path) -> None:
    path = altered(log, 2, probabilities=[1, 0.0])

    to_parquet(path, log.with_name("log.parquet"))

    frame = pl.read_parquet(log.with_name("log.parquet"))
    assert frame["probabilities"][0].to_list() == [1.0, 0.0]


@pytest.mark.parametrize(
    ("line", "changes", "place"),
    [
        (2, {"time": "noon"}, "2: "),
        (2, {"round": 1e400}, "2: "),
        (2, {"round": GONE}, "2: .*round"),
        (2, {"probabilities": [10**400, 0]}, "2: "),
        (2, {"action": 10**30}, "2: "),
        (3, {"context": ["x"]}, "3: "),
        (1, {"spec": "nonsense"}, "1: .*'nonsense'"),
        (1, {"n_actions": 7}, "1: n_actions is 7"),
    ],
)
def test_an_odd_log_is_refused_with_its_line(
    log: Path, line: int, changes: dict[str, object], place: str
) -> None:
    with pytest.raises(DataError, match=rf"altered\.jsonl:{place}"):
        verify(altered(log, line, **changes))


def test_more_actions_than_anybody_has_are_refused(log: Path) -> None:
    header = next(records_of(log))
    settings = header["settings"]
    many = {**settings, "actions": {**settings["actions"], "count": 10**12}}
    model = log.with_name("model")
    Learner("bag", actions=["a", "b"], seed=1).save(model)

    with pytest.raises(DataError, match=r"1: .*1000000000000 actions"):
        verify(altered(log, 1, settings=many), model)


def verified(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "bakeoff", "verify", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_command_says_that_a_log_is_fine(log: Path) -> None:
    done = verified(str(log))

    assert done.returncode == 0
    assert "40 decisions" in done.stdout
    assert "made again: 40, 26 outcomes learned, 0 different" in done.stdout


def test_the_command_fails_if_a_log_was_altered(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    learner = Learner("bag", 2, seed=1, log=path)
    for x in X:
        learner.learn(learner.choose(x), reward=1.0)
    text = path.read_text().replace('"reward":1.0', '"reward":0.0', 3)
    path.write_text(text)

    done = verified(str(path), "--json")

    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert not found["fine"]
    assert found["replay"]["different"] > 0


def test_an_empty_log_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("")

    done = verified(str(path))

    assert done.returncode == 3
    assert "log.jsonl: is empty" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_needs_a_log(tmp_path: Path) -> None:
    done = verified(str(tmp_path / "none.jsonl"))

    assert done.returncode == 3
    assert "no such file" in done.stderr
