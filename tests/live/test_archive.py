"""A log as a Parquet file, and the command `bakeoff verify`."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bakeoff import Learner
from bakeoff.logs.archive import to_parquet
from bakeoff.logs.lines import records_of
from bakeoff.logs.schema import PARQUET_COLUMNS
from bakeoff.logs.writer import LogWriter

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


def test_a_parquet_file_has_decisions_with_their_outcomes(
    log: Path, tmp_path: Path
) -> None:
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


def test_the_command_needs_a_log(tmp_path: Path) -> None:
    done = verified(str(tmp_path / "none.jsonl"))

    assert done.returncode == 3
    assert "no such file" in done.stderr
