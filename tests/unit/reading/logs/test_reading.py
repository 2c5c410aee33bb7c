"""read_log: every format, round trips, and what is wrong with bad logs."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from bakeoff import evaluate, read_log, read_pieces
from bakeoff.basics.errors import DataError, DataNotice

HEADER = {"kind": "bakeoff-log", "format": 1, "actions": ["a", "b"], "n_actions": 2}


def decision(i: int, **changed: Any) -> dict[str, Any]:
    return {
        "kind": "decision",
        "id": f"d{i}",
        "time": 1000.0 + i,
        "version": 1,
        "seed": 3,
        "context": [0.5, float(i)],
        "available": None,
        "action": i % 2,
        "name": "ab"[i % 2],
        "probability": 0.25,
        "probabilities": [0.25, 0.75] if i % 2 == 0 else [0.75, 0.25],
        **changed,
    }


def outcome(i: int, reward: Any = 1.0) -> dict[str, Any]:
    return {"kind": "outcome", "id": f"d{i}", "time": 2000.0, "reward": reward}


def written(path: Path, lines: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def good_lines(n: int = 6) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = [dict(HEADER)]
    for i in range(n):
        lines += [decision(i), outcome(i, i % 3 / 2)]
    return lines


def test_our_log_is_read(tmp_path: Path) -> None:
    log = read_log(written(tmp_path / "log.jsonl", good_lines()))

    assert (log.n, log.n_actions, log.n_features) == (6, 2, 2)
    assert log.action.tolist() == [0, 1, 0, 1, 0, 1]
    assert log.reward.tolist() == [0.0, 0.5, 1.0, 0.0, 0.5, 1.0]
    assert log.probability.tolist() == [0.25] * 6
    assert log.probabilities is not None
    assert log.action_names == ("a", "b")
    assert log.adaptive


def test_a_compressed_log_is_read(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl.gz"
    text = "".join(json.dumps(line) + "\n" for line in good_lines())
    path.write_bytes(gzip.compress(text.encode()))

    assert read_log(path).n == 6


def test_outcomes_may_come_late_twice_or_never(tmp_path: Path) -> None:
    lines = [HEADER, decision(0), decision(1), decision(2), outcome(1, 0.0)]
    lines += [outcome(0), outcome(1, 1.0)]

    with pytest.warns(DataNotice) as said:
        log = read_log(written(tmp_path / "log.jsonl", lines))

    assert log.reward.tolist() == [1.0, 0.0]
    assert log.notes == (
        "left out: 1 decision without an outcome",
        "ignored: 1 outcome that came a second time",
    )
    assert len(said) == 2


def test_a_torn_last_line_is_dropped_and_said(tmp_path: Path) -> None:
    path = written(tmp_path / "log.jsonl", good_lines())
    with path.open("a") as file:
        file.write('{"kind": "decision", "id": "d9", "conte')

    with pytest.warns(DataNotice, match=r"log.jsonl:14: the last line is torn"):
        log = read_log(path)

    assert log.n == 6


def test_the_parts_of_a_rotated_log_are_read_in_order(tmp_path: Path) -> None:
    grown = {**HEADER, "actions": ["a", "b", "c"], "n_actions": 3}
    two = [0.25, 0.75]
    written(tmp_path / "log.000001.jsonl", [HEADER, decision(0), decision(2)])
    written(tmp_path / "log.000002.jsonl", [HEADER, outcome(2, 0.5)])
    last = decision(1, probabilities=[0.5, 0.25, 0.25])
    written(tmp_path / "log.jsonl", [grown, last, outcome(1), outcome(0, 0.0)])

    log = read_log(tmp_path / "log.jsonl")

    assert log.reward.tolist() == [0.0, 0.5, 1.0]
    assert log.action_names == ("a", "b", "c")
    assert log.probabilities is not None
    assert log.probabilities[0].tolist() == [*two, 0.0]


@pytest.mark.parametrize(
    ("contexts", "width"),
    [
        ([{"age": 3, "sex": "m"}, {"age": 5, "tags": ["x", "y"], "new": True}], 5),
        ([{"indices": [0, 7], "values": [1.0, 2.0], "n_features": 9}] * 2, 9),
        ([None, None], 0),
    ],
)
def test_contexts_may_be_named_sparse_or_absent(
    tmp_path: Path, contexts: list[Any], width: int
) -> None:
    lines = [HEADER]
    for i, context in enumerate(contexts):
        lines += [decision(i, context=context), outcome(i)]

    log = read_log(written(tmp_path / "log.jsonl", lines))

    assert log.X.shape == (2, width)


def test_actions_may_have_features_of_their_own(tmp_path: Path) -> None:
    parts: list[dict[str, Any]] = [{"price": 1.0}, {"price": 2.0}, {"price": 3.0}]
    lines: list[dict[str, Any]] = [{"kind": "bakeoff-log", "format": 1}]
    for i, k in enumerate((3, 2, 3)):
        context = {"shared": {"age": 30}, "actions": parts[:k]}
        p = [1.0 / k] * k
        lines.append(decision(i, context=context, probabilities=p, probability=1 / k))
        lines.append(outcome(i, 1.0))

    log = read_log(written(tmp_path / "log.jsonl", lines))
    found = evaluate(log, "uniform", ["ips", "dr"])

    assert log.first_row is not None
    assert log.first_row.tolist() == [0, 3, 5, 8]
    assert log.X.shape == (8, 2)
    assert found["ips"].value == pytest.approx(1.0)


def test_parquet_holds_the_same_log(tmp_path: Path) -> None:
    rows = [decision(i) | {"reward": i % 3 / 2} for i in range(6)]
    pl.DataFrame(rows).drop("kind").write_parquet(tmp_path / "log.parquet")

    log = read_log(tmp_path / "log.parquet")
    other = read_log(written(tmp_path / "log.jsonl", good_lines()))

    assert log.reward.tolist() == other.reward.tolist()
    assert log.X.tolist() == other.X.tolist()
    assert log.action_names == other.action_names


# ---- tables


def frame() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "action": ["x", "y", "x", "y"],
            "propensity": [0.5, 0.5, 0.25, 0.75],
            "reward": [1, 0, 0, 1],
            "age": [20.0, 30.0, 40.0, 50.0],
            "town": ["a", "b", "a", "c"],
            "chosen": ["y", "y", "x", "x"],
        }
    )


def test_a_table_is_read_by_the_names_of_its_columns(tmp_path: Path) -> None:
    frame().write_csv(tmp_path / "log.csv")

    with pytest.warns(DataNotice, match="the 2 that occur"):
        log = read_log(tmp_path / "log.csv", ignore="chosen")
    by_frame = read_log(frame(), action_names=["x", "y"], ignore=["chosen"])

    assert log.action.tolist() == [0, 1, 0, 1]
    assert log.n_features == 4  # age, and a column per town
    assert not log.adaptive
    np.testing.assert_array_equal(log.dense(), by_frame.dense())


def test_a_separator_is_found_as_in_problems(tmp_path: Path) -> None:
    frame().write_csv(tmp_path / "log.csv", separator=";")

    log = read_log(tmp_path / "log.csv", action_names=["x", "y"])
    pieces = list(read_pieces(tmp_path / "log.csv", action_names=["x", "y"]))

    assert log.action.tolist() == [0, 1, 0, 1]
    assert pieces[0].action.tolist() == [0, 1, 0, 1]


def test_a_frame_of_pandas_may_miss_words() -> None:
    pandas = pytest.importorskip("pandas")
    given = pandas.DataFrame(frame().drop("chosen").to_dict(as_series=False))
    given["town"] = ["a", None, "a", "c"]

    log = read_log(given, action_names=["x", "y"])

    assert log.dense().tolist() == [
        [20, 1, 0, 0],
        [30, 0, 0, 1],  # a feature for what is missing
        [40, 1, 0, 0],
        [50, 0, 1, 0],
    ]


def test_a_table_in_parquet_may_be_compressed(tmp_path: Path) -> None:
    frame().write_parquet(tmp_path / "log.parquet")
    packed = gzip.compress((tmp_path / "log.parquet").read_bytes())
    (tmp_path / "log.parquet.gz").write_bytes(packed)

    log = read_log(tmp_path / "log.parquet.gz", action_names=["x", "y"])

    assert log.reward.tolist() == [1, 0, 0, 1]


def test_a_column_of_the_table_is_a_policy() -> None:
    log = read_log(frame(), action_names=["x", "y"])

    found = evaluate(log, "column:chosen", ["ips"])

    assert found["ips"].value == pytest.approx((0 + 0 / 0.5 + 0 / 0.25 + 0) / 4)


def test_costs_and_other_ranges_are_turned_around() -> None:
    table = frame().with_columns(cost=pl.Series([0.0, 10.0, 5.0, 0.0])).drop("reward")

    log = read_log(table, action_names=["x", "y"], cost_range=(0, 10))

    assert log.reward.tolist() == [1.0, 0.0, 0.5, 1.0]
    assert log.mean_reward == pytest.approx(6.25)  # of 10: the answer in units of cost


def test_rewards_in_money_stay_money() -> None:
    table = frame().with_columns(reward=pl.Series([50.0, 0.0, 0.0, 25.0]))

    log = read_log(table, action_names=["x", "y"], reward_range=(0, 100))

    assert log.mean_reward == pytest.approx(18.75)
    assert evaluate(log, "uniform", ["ips"])["ips"].value == pytest.approx(
        (50 * 1 + 25 * 0.5 / 0.75) / 4
    )


# ---- Vowpal Wabbit


def test_vw_text_of_one_line_an_event(tmp_path: Path) -> None:
    (tmp_path / "log.vw").write_text(
        "1:0:0.5 | age:3\n2:1:0.5 | age:4 male\n| age:5\n1 2:0.25:0.2 3 | male\n"
    )

    with pytest.warns(DataNotice, match="1 line without a label"):
        log = read_log(tmp_path / "log.vw")

    assert log.action.tolist() == [0, 1, 1]
    assert log.reward.tolist() == [1.0, 0.0, 0.75]
    assert log.probability.tolist() == [0.5, 0.5, 0.2]
    assert log.n_actions == 3


def test_vw_text_of_several_lines_an_event(tmp_path: Path) -> None:
    (tmp_path / "log.vw").write_text(
        "shared | age:3\n0:0.5:0.25 | price:1\n| price:2\n\n"
        "shared | age:4\n| price:1\n0:0:0.5 | price:2\n| price:3\n\n"
    )

    log = read_log(tmp_path / "log.vw")

    assert log.action.tolist() == [0, 1]
    assert log.first_row is not None
    assert log.first_row.tolist() == [0, 2, 5]
    assert log.reward.tolist() == [0.5, 1.0]
    assert log.X.shape == (5, 2)
    assert log.X.toarray()[0].tolist() == [3.0, 1.0]


def dsjson_line(**changed: Any) -> dict[str, Any]:
    return {
        "_label_cost": -1,
        "_label_probability": 0.8,
        "_label_Action": 2,
        "_labelIndex": 1,
        "Timestamp": "2020-01-01T00:00:00Z",
        "EventId": "e",
        "a": [2, 1],
        "p": [0.8, 0.2],
        "c": {"User": {"age": 3}, "_multi": [{"i": {"x": 1}}, {"i": {"y": 1}}]},
        **changed,
    }


def test_dsjson_is_read(tmp_path: Path) -> None:
    lines = [
        dsjson_line(),
        dsjson_line(EventId="f", _label_cost=0, a=[1, 2], _label_probability=0.3, p=[0.3, 0.7]),
        dsjson_line(_skipLearn=True),
        {"RewardValue": 1, "EventId": "e"},
    ]

    with pytest.warns(DataNotice, match="2 lines .* not decisions"):
        log = read_log(written(tmp_path / "log.dsjson", lines))

    assert log.action.tolist() == [1, 0]
    assert log.reward.tolist() == [1.0, 0.0]
    assert log.probabilities is not None
    assert log.probabilities.tolist() == [[0.2, 0.8], [0.3, 0.7]]
    assert log.adaptive


# ---- bad logs


def jsonl(change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    lines = good_lines()
    change(lines)
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def bad(line: int, **changed: Any) -> bytes:
    return jsonl(lambda lines: lines[line - 1].update(changed))


BAD = {
    "empty": ("log.jsonl", b"", "is empty"),
    "no header": ("log.jsonl", b'{"kind": "decision"}\n', ":1: a log begins with"),
    "format": ("log.jsonl", b'{"kind": "bakeoff-log", "format": 9}\n', ":1: form"),
    "no events": (
        "log.jsonl", json.dumps(HEADER).encode() + b"\n", "needs decisions with"
    ),
    "unknown action": ("log.jsonl", bad(4, action=7), ":4: unknown action 7"),
    "no integer": ("log.jsonl", bad(4, action="b"), ":4: action must be an integer"),
    "probability 0": ("log.jsonl", bad(6, probability=0), ":6: probability must lie"),
    "probability 2": ("log.jsonl", bad(6, probability=2), ":6: probability must lie"),
    "no probability": (
        "log.jsonl", bad(6, probability=None), ":6: probability must be a number"
    ),
    "not its own": (
        "log.jsonl", bad(6, probability=0.5), ":6: probability is 0.5, but the distri"
    ),
    "sum": ("log.jsonl", bad(4, probabilities=[0.5, 0.25]), ":4: probabilities must"),
    "reward": ("log.jsonl", bad(5, reward=3), ":5: reward must lie between 0 and 1"),
    "no reward": ("log.jsonl", bad(5, reward="x"), ":5: reward must be a number"),
    "NaN": ("log.jsonl", bad(5, reward=float("nan")), ":5: reward must lie"),
    "context": ("log.jsonl", bad(4, context=[1.0]), ":4: the context has 1 numbers"),
    "infinite": (
        "log.jsonl", bad(4, context=[1.0, float("inf")]), ":4: X must hold finite"
    ),
    "kind": ("log.jsonl", bad(4, kind="x"), ":4: kind must be 'decision' or 'outcome'"),
    "twice": ("log.jsonl", bad(4, id="d0"), ":4: the id 'd0' was used in"),
    "available": ("log.jsonl", bad(4, available=[0]), ":4: action 1 was chosen, but"),
    "torn": ("log.jsonl", b'{"kind": "bak\n{}\n', ":1: is not a line of JSON"),
    "encoding": ("log.jsonl", b'{"kind": "\xff"}\n', ":1: byte 0xff is not UTF-8"),
    "list": ("log.jsonl", b"[1, 2]\n", ":1: expected an object"),
    "large": ("log.jsonl", bad(4, action=10**400), ":4: action must be an integer"),
    "large reward": ("log.jsonl", bad(5, reward=10**400), ":5: reward must be a num"),
    "names": ("log.jsonl", bad(1, actions=["a", "a"]), ":1: actions must list diff"),
    "word": ("log.jsonl", bad(1, actions="ab"), ":1: actions must list different"),
    "number": ("log.jsonl", bad(1, n_actions="two"), ":1: n_actions must be a whole"),
    "distribution": (
        "log.jsonl", bad(4, probabilities="ab"), ":4: probabilities must be a list"
    ),
    "list available": ("log.jsonl", bad(4, available=3), ":4: available must list act"),
    "UTF-16": (
        "log.csv", "action,probability,reward\n0,0.5,1\n".encode("utf-16"),
        ":1: is UTF-16 text",
    ),
    "csv zero byte": (
        "log.csv", b"action,probability,reward\n0,0.5,1\n\0,0.5,1\n",
        ":3: holds a zero byte",
    ),
    "csv id": (
        "log.csv", b"id,action,probability,reward\na,0,0.5,1\na,1,0.5,1\n",
        ":3: the id 'a' was used before",
    ),
    "csv column twice": (
        "log.csv", b"action,action,probability,reward\n0,0,0.5,1\n1,1,0.5,1\n",
        ":1: the column name 'action' occurs twice",
    ),
    "csv large action": (
        "log.csv", b"action,probability,reward\n0,0.5,1\n1000000000000,0.5,1\n",
        ":3: unknown action 1000000000000; more than 100,000",
    ),
    "csv larger action": (
        "log.csv", b"action,probability,reward\n0,0.5,1\n" + b"9" * 30 + b",0.5,1\n",
        ":3: unknown action 1e+30",
    ),
    "csv feature": (
        "log.csv", b"action,probability,reward,x\n0,0.5,1,2\n1,0.5,1,inf\n",
        ":3: x must be at most 1e+18, got inf",
    ),
    "csv empty": ("log.csv", b"", "is empty"),
    "csv header": ("log.csv", b"action,probability,reward\n", "has a header but no rows"),
    "csv column": ("log.csv", b"act,reward\n1,0\n", "has no column action"),
    "csv ragged": (
        "log.csv", b"action,probability,reward\n0,0.5,1\n1,0.5\n1,0.5,1,3\n",
        ":3: expected 3 values, found 2",
    ),
    "csv short": (
        "log.csv", b"action,probability,reward,x\n0,0.5,1,3\n1,0.5,1\n",
        ":3: expected 4 values, found 3",
    ),
    "csv quoted": (
        "log.csv", b'action,probability,reward,x\n0,0.5,1,"a\nb"\n1,7,1,"c"\n',
        ":4: probability must lie above 0",
    ),
    "csv nan": (
        "log.csv", b"action,probability,reward\n0,0.5,1\n1,x,1\n",
        ":3: probability must be a number, got 'x'",
    ),
    "csv missing": (
        "log.csv", b"action,probability,reward\n0,0.5,1\n1,,1\n",
        ":3: probability is missing",
    ),
    "csv probability": (
        "log.csv", b"action,probability,reward\n0,0.5,1\n\n1,1.5,1\n",
        ":4: probability must lie above 0",
    ),
    "csv one action": (
        "log.csv", b"action,probability,reward\n0,0.5,1\n0,0.5,1\n", "one action only"
    ),
    "csv range": (
        "log.csv", b"action,probability,cost\n0,0.5,1\n1,0.5,7\n",
        ":3: cost must lie between 0 and 1, got 7",
    ),
    "csv encoding": (
        "log.csv", b"action,probability,reward,x\n0,0.5,1,\xff\n1,0.5,1,a\n",
        ":2: byte 0xff",
    ),
    "vw label": ("log.vw", b"1:0.5 | a\n", ":1: a label must read action:cost:prob"),
    "vw cost": ("log.vw", b"1:0:0.5 | a\n2:-1:0.5 | b\n", ":2: cost must lie"),
    "vw action": ("log.vw", b"0:0:0.5 | a\n", ":1: actions count from 1 here"),
    "vw none": ("log.vw", b"| a\n| b\n", "no line has a label"),
    "dsjson action": (
        "log.dsjson", json.dumps(dsjson_line(a=[3, 1])).encode() + b"\n",
        ":1: unknown action 3; the event has 2",
    ),
    "dsjson cost": (
        "log.dsjson", json.dumps(dsjson_line(_label_cost=-2)).encode() + b"\n",
        ":1: _label_cost must lie between -1 and 0, got -2",
    ),
    "dsjson rank": (
        "log.dsjson", json.dumps(dsjson_line(a="x")).encode() + b"\n",
        ":1: a must list actions from 1, got 'x'",
    ),
    "dsjson word": (
        "log.dsjson", json.dumps(dsjson_line(_label_cost="x")).encode() + b"\n",
        ":1: _label_cost must be a number, got 'x'",
    ),
    "dsjson p": (
        "log.dsjson", json.dumps(dsjson_line(p=["x", 1])).encode() + b"\n",
        ":1: p must be a list of numbers",
    ),
    "dsjson twice": (
        "log.dsjson", 2 * (json.dumps(dsjson_line()).encode() + b"\n"),
        ":2: the EventId 'e' was used in line 1",
    ),
    "parquet": ("log.parquet", b"PAR1 no", "is not a readable Parquet file"),
    "ending": ("log.xml", b"<x/>", "no reader for this kind of log"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_log_is_one_sentence_with_its_place(tmp_path: Path, name: str) -> None:
    file, data, said = BAD[name]
    (tmp_path / file).write_bytes(data)

    with pytest.raises(DataError) as error:
        read_log(tmp_path / file)

    message = str(error.value)
    assert file in message
    assert said in message
    assert "\n" not in message
    assert error.value.exit_code == 3


ROWS: dict[str, list[Any]] = {
    "id": ["0", "1"],
    "context": ["[1.0]", "[2.0]"],
    "action": [0, 1],
    "probability": [0.5, 0.5],
    "reward": [1.0, 0.0],
}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"id": ["0", "0"]}, "row 2: the id '0' was used before"),
        ({"context": ["[1.0]", "[2.0"]}, "row 2: the context is not JSON"),
        ({"reward": ["x", "y"]}, "the column reward must hold numbers, not String"),
        ({"reward": [None, 7.0]}, "row 2: reward must lie between 0 and 1, got 7"),
        ({"probability": [0.5, 0.0]}, "row 2: probability must lie above 0"),
    ],
)
def test_a_bad_parquet_log_is_one_sentence_with_its_row(
    tmp_path: Path, changed: dict[str, list[Any]], said: str
) -> None:
    path = tmp_path / "log.parquet"
    pl.DataFrame({**ROWS, **changed}).write_parquet(path)

    with pytest.raises(DataError, match=f"log.parquet: {said}"):
        read_log(path)


def test_a_table_whose_actions_are_lists_is_refused() -> None:
    frame = pl.DataFrame({"action": [[0], [1]], "probability": 0.5, "reward": 1.0})

    with pytest.raises(DataError, match="action must hold numbers or words, not List"):
        read_log(frame)


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read_log(tmp_path / "none.jsonl")


def test_a_file_that_cannot_fit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    path.touch()
    os.truncate(path, 10**13)  # it takes no room on the disk

    with pytest.raises(DataError, match=r"is 1e\+04 GB and takes about"):
        read_log(path)


def test_the_parts_of_a_log_must_fit_together(tmp_path: Path) -> None:
    written(tmp_path / "log.jsonl", good_lines())
    older = tmp_path / "log.000001.jsonl"
    older.touch()
    os.truncate(older, 10**13)

    with pytest.raises(DataError, match=r"log\.jsonl: is 1e\+04 GB .* in pieces"):
        read_log(tmp_path / "log.jsonl")


def test_something_else_is_no_log() -> None:
    with pytest.raises(DataError, match="got int"):
        read_log(3)
