"""Logs in pieces: the same answers as from the whole log."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from bakeoff import evaluate, read_log, read_pieces
from bakeoff.basics.errors import DataError, SpecError
from bakeoff.evaluation.results import Evaluation
from bakeoff.live.archive import to_parquet
from tests.decision_logs import made_log

MADE = made_log(300, spread=2.0)
WITHOUT_MODEL = ["ips", "snips", "clipped", "likelihood", "cressie-read"]


def as_jsonl(path: Path) -> Path:
    log = MADE.log
    lines: list[dict[str, Any]] = [
        {"kind": "bakeoff-log", "format": 1, "actions": None, "n_actions": 4}
    ]
    assert log.probabilities is not None
    for i in range(log.n):
        lines.append(
            {
                "kind": "decision", "id": str(i), "time": 1.0, "version": 0, "seed": 0,
                "context": {"x": float(log.X[i, 0])}, "available": None,
                "action": int(log.action[i]), "probability": float(log.probability[i]),
                "probabilities": log.probabilities[i].tolist(),
            }
        )  # fmt: skip
    for i in reversed(range(log.n)):  # outcomes come late, the last ones first
        reward = float(log.reward[i])
        lines.append({"kind": "outcome", "id": str(i), "time": 2.0, "reward": reward})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def as_frame() -> pl.DataFrame:
    log = MADE.log
    return pl.DataFrame(
        {
            "action": log.action,
            "probability": log.probability,
            "reward": log.reward,
            "word": ["a" if x > 0 else "b" for x in log.X[:, 0]],
            "choice": np.where(log.X[:, 1] > 0, 3, 1),
        }
    )


def as_csv(path: Path) -> Path:
    as_frame().write_csv(path)
    return path


def as_table(path: Path) -> Path:
    as_frame().write_parquet(path)
    return path


def as_archive(path: Path) -> Path:
    to_parquet(as_jsonl(path.with_suffix(".jsonl")), path)
    return path


def as_dsjson(path: Path) -> Path:
    log = MADE.log
    assert log.probabilities is not None
    with path.open("w") as file:
        for i in range(log.n):
            order = [int(log.action[i])]
            order += [a for a in range(4) if a != order[0]]
            line = {
                "_label_cost": -float(log.reward[i]), "EventId": str(i),
                "_label_probability": float(log.probability[i]),
                "a": [a + 1 for a in order], "p": log.probabilities[i, order].tolist(),
                "c": {"_multi": [{"q": a} for a in range(4)]},
            }  # fmt: skip
            file.write(json.dumps(line) + "\n")
    return path


KINDS: dict[str, tuple[str, Callable[[Path], Path]]] = {
    "our own": ("log.jsonl", as_jsonl),
    "csv": ("log.csv", as_csv),
    "parquet": ("log.parquet", as_table),
    "archive": ("log.parquet", as_archive),
    "dsjson": ("log.dsjson", as_dsjson),
}


def assert_same(a: Evaluation, b: Evaluation) -> None:
    one, two = a.as_dict(), b.as_dict()
    for name in ("n", "policy", "can_answer", "advice", "logged", "estimates"):
        assert one[name] == two[name]
    for name in a.support._fields:
        assert one[name] == pytest.approx(two[name], rel=1e-12)
    assert [check.text for check in a.checks] == [check.text for check in b.checks]


@pytest.mark.parametrize("policy", ["uniform", "logged", "constant:2"])
@pytest.mark.parametrize("kind", KINDS)
def test_pieces_say_what_the_whole_log_says(tmp_path: Path, kind: str, policy: str) -> None:
    name, write = KINDS[kind]
    path = write(tmp_path / name)
    pieces = read_pieces(path, events=37)

    found = evaluate(pieces, policy, WITHOUT_MODEL)

    assert_same(found, evaluate(read_log(path), policy, WITHOUT_MODEL))
    assert {log.n for log in pieces} == {37, 300 % 37}


def test_a_column_is_a_policy_in_pieces(tmp_path: Path) -> None:
    path = as_csv(tmp_path / "log.csv")

    found = evaluate(read_pieces(path, events=50), "column:choice", ["ips"])

    assert_same(found, evaluate(read_log(path), "column:choice", ["ips"]))


def test_a_policy_looks_at_the_contexts_of_our_own_log(tmp_path: Path) -> None:
    path = as_jsonl(tmp_path / "log.jsonl")

    def by_sign(context: dict[str, float]) -> list[float]:
        return [1.0, 0.0, 0.0, 0.0] if context["x"] > 0 else [0.0, 0.0, 0.0, 1.0]

    found = evaluate(read_pieces(path, events=50), by_sign, ["snips"])

    assert_same(found, evaluate(read_log(path), by_sign, ["snips"]))


def test_names_of_actions_are_those_of_the_whole_table(tmp_path: Path) -> None:
    frame = as_frame().with_columns(
        pl.col("action").replace_strict(dict(enumerate("dcba")), return_dtype=pl.String)
    )
    frame.sort("action").write_csv(tmp_path / "log.csv")

    with pytest.warns(UserWarning, match="the 4 that occur"):
        logs = list(read_pieces(tmp_path / "log.csv", events=20))

    assert {log.action_names for log in logs} == {("a", "b", "c", "d")}


def test_what_needs_the_whole_log_is_said(tmp_path: Path) -> None:
    path = as_csv(tmp_path / "log.csv")

    with pytest.raises(SpecError, match=r"'dr' .* whole log .* ips, snips"):
        evaluate(read_pieces(path), "uniform", ["ips", "dr"])
    with pytest.raises(SpecError, match=r"log\.csv: .* pieces .* features"):
        evaluate(read_pieces(path), lambda X: X, ["ips"])
    with pytest.raises(DataError, match=r"log\.vw: cannot be read in pieces"):
        read_pieces(tmp_path / "log.vw")
    with pytest.raises(SpecError, match="events must be at least 1"):
        read_pieces(path, events=0)


def test_probabilities_are_not_estimated_in_pieces(tmp_path: Path) -> None:
    path = as_jsonl(tmp_path / "log.jsonl")
    text = path.read_text().replace('"probability"', '"x"')
    path.write_text(text.replace('"probabilities"', '"y"'))

    with (
        pytest.warns(UserWarning, match="no probabilities were logged"),
        pytest.raises(DataError, match=r"log\.jsonl: has no probabilities"),
    ):
        evaluate(read_pieces(path, events=100), "uniform", ["ips"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("action,probability,reward\n" + 60 * "0,0.5,1\n1,0.5,0\n" + "1,2,1\n",
         r"log\.csv: row 121: probability must lie above 0"),
        ("action,reward\n0,1\n1,0\n", "has no probabilities; to estimate them"),
        ("action,probability,reward\n", "at least one event"),
        ("act,probability,reward\n1,0.5,1\n", "has no column action"),
        ("action,probability,reward\n0,0.5,1\n490621315674,0.5,1\n",
         r"log\.csv: row 2: unknown action 490621315674; more than 100,000 actions"),
        ("action,probability,reward\n0,0.5,1\n1e400,0.5,1\n",
         r"log\.csv: row 2: unknown action inf"),
    ],
)  # fmt: skip
def test_a_bad_log_in_pieces_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text)

    with pytest.raises(DataError, match=said):
        evaluate(read_pieces(path, events=50), "uniform", ["ips"])


@pytest.mark.parametrize("make", [as_archive, as_table, as_csv])
def test_a_log_that_ends_early_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], Path]
) -> None:
    log = make(tmp_path / ("log.csv" if make is as_csv else "log.parquet"))
    batches = pl.LazyFrame.collect_batches

    def cut_short(scan: pl.LazyFrame, **options: Any) -> Iterator[pl.DataFrame]:
        yield next(iter(batches(scan, **options)))[:-1]  # as if a thread of polars had panicked

    monkeypatch.setattr(pl.LazyFrame, "collect_batches", cut_short)

    with pytest.raises(DataError, match=r"is damaged: .* of its .* rows"):
        list(read_pieces(log, events=10))


@pytest.mark.parametrize("make", [as_archive, as_csv])
def test_an_id_is_used_once_in_all_pieces(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    log = make(tmp_path / ("log.csv" if make is as_csv else "log.parquet"))
    if make is as_csv:
        rows = pl.read_csv(log).with_row_index("id")
        pl.concat([rows, rows]).write_csv(log)
    else:
        rows = pl.read_parquet(log)
        pl.concat([rows, rows]).write_parquet(log)

    with pytest.raises(DataError, match="was used before"):
        list(read_pieces(log, events=10))
