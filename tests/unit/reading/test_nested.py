"""Columns of lists, ordered categories, durations, arrays; and more kinds of files."""

import datetime as dt
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from bakeoff import DataError, DataNotice, Experiment, Problem, load
from tests.dense import features

E = [[1.0, 0.5], [0.0, 2.0], [3.0, 4.0]]
Y = ["a", "b", "a"]


def embeddings() -> dict[str, Any]:
    frame = pl.DataFrame({"n": [1, 2, 3], "e": E, "y": Y})
    return {
        "list": frame,
        "array": frame.with_columns(pl.col("e").cast(pl.Array(pl.Float32, 2))),
        "pandas": pd.DataFrame({"n": [1, 2, 3], "e": [np.array(row) for row in E], "y": Y}),
        "pyarrow": pa.table({"n": [1, 2, 3], "e": E, "y": Y}),
    }


@pytest.mark.parametrize("frame", embeddings().values(), ids=embeddings())
def test_a_column_of_lists_is_a_feature_for_each_place(frame: Any) -> None:
    problem = load(frame)

    flat = pl.DataFrame(
        {"n": [1, 2, 3], "e[0]": [e[0] for e in E], "e[1]": [e[1] for e in E], "y": Y}
    )
    assert problem.digest == load(flat).digest
    assert problem.features.names == ["n", "e[0]", "e[1]"]
    row = {"n": 2, "e": [0.0, 2.0]}
    assert_array_equal(problem.features.dense(row), features(problem)[1])


def test_a_row_without_a_list_has_missing_values() -> None:
    frame = pl.DataFrame({"e": [[1.0, 2.0], None, [3.0, 4.0]], "y": Y})

    assert_array_equal(features(load(frame))[1], [0.0, 0.0])


@pytest.mark.parametrize(
    ("lists", "named"),
    [
        ([[1.0], [1.0, 2.0], [1.0]], "row 2.*'e'.*1 and 2"),
        ([["a"], ["b"], ["c"]], "'e'.*String"),
        ([[], [], []], "'e'.*empty"),
    ],
)
def test_lists_that_are_no_features_are_refused(lists: Any, named: str) -> None:
    with pytest.raises(DataError, match=named):
        load(pl.DataFrame({"e": lists, "y": Y}))


# ---- labels


LABELS = [["red", "blue"], [], ["blue"]]


@pytest.mark.parametrize("options", [{}, {"task": "multilabel"}, {"target": "y"}], ids=str)
def test_lists_of_words_are_labels(options: Any) -> None:
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", DataNotice)
        problem = load(pl.DataFrame({"x": [1, 2, 3], "y": LABELS}), **options)

    notices = [str(one.message) for one in said if "'y' holds lists" in str(one.message)]
    assert len(notices) == ("task" not in options)
    assert problem.task == "multilabel"
    assert problem.class_names == ("blue", "red")
    expected = Problem.from_labels([[1.0], [2.0], [3.0]], np.array([[1, 1], [0, 0], [1, 0]]))
    assert_array_equal(problem.true_costs.right, expected.true_costs.right)
    assert_array_equal(problem.true_costs.start, expected.true_costs.start)


def test_labels_may_be_numbers_or_a_text() -> None:
    frame = pl.DataFrame({"x": [1, 2, 3], "y": ["red|blue", "", "blue"]})
    numbers = pl.DataFrame({"x": [1, 2, 3], "y": [[10, 9], [], [9]]})

    assert load(frame, task="multilabel", target="y").class_names == ("blue", "red")
    assert load(numbers, task="multilabel").class_names == ("9", "10")


def test_a_missing_list_of_labels_is_refused() -> None:
    with pytest.raises(DataError, match=r"row 2.*'y' is missing"):
        load(pl.DataFrame({"x": [1, 2], "y": [["a", "b"], None]}))


# ---- categories and durations


def test_ordered_categories_keep_their_order() -> None:
    words = ["mid", "lo", "hi"]
    ordered = pd.Categorical(words, ["lo", "mid", "hi"], ordered=True)
    frame = pd.DataFrame({"size": ordered, "y": Y})

    for one in (frame, pa.Table.from_pandas(frame)):
        problem = load(one)
        assert_array_equal(features(problem)[:, 0], [1, 0, 2])
        assert problem.features.columns is not None
        assert problem.features.columns[0].categories == ("lo", "mid", "hi")


def test_a_duration_is_a_number_of_hours() -> None:
    lasts = [dt.timedelta(hours=1), dt.timedelta(minutes=30), dt.timedelta(days=1)]

    for frame in (pl.DataFrame({"d": lasts, "y": Y}), pd.DataFrame({"d": lasts, "y": Y})):
        problem = load(frame)
        assert_array_equal(features(problem)[:, 0], [1, 0.5, 24])
        assert_array_equal(problem.features.dense({"d": lasts[1]}), [0.5])


# ---- queries, arrays


def test_the_rows_of_a_query_are_put_together() -> None:
    frame = pl.DataFrame({"x": [1, 2, 3, 4], "grade": [0, 1, 2, 0], "qid": [7, 5, 7, 5]})

    with pytest.warns(DataNotice, match="put together"):
        problem = load(frame, task="ranking", max_relevance=2)

    assert problem.digest == load(frame[[0, 2, 1, 3]], task="ranking", max_relevance=2).digest


def test_arrays_are_a_tuple() -> None:
    X, y = np.eye(3), np.array(["a", "b", "a"])
    C = [[0.0, 1.0], [0.5, 0.0], [1.0, 0.0]]

    assert load((X, y)).class_names == ("a", "b")
    assert load((X, y)).digest == Problem.from_classes(X, [0, 1, 0], 2, ["a", "b"]).digest
    assert load((X, C), task="cost-sensitive").digest == Problem.from_costs(X, C).digest
    assert load((X, np.rint(C)), task="multilabel").task == "multilabel"
    ranked = load((X, [1, 0, 1], [1, 1, 2]), task="ranking", max_relevance=1)
    assert ranked.n == 2
    for wrong in ((X,), (X, C), (X, y, y)):
        with pytest.raises(DataError):
            load(wrong)


# ---- files


@pytest.mark.parametrize("ending", ["arrow", "feather", "ipc", "jsonl", "ndjson", "jsonl.gz"])
def test_more_files_are_read(tmp_path: Path, ending: str) -> None:
    frame = embeddings()["list"]
    path = tmp_path / f"rows.{ending}"
    if "json" in ending:
        frame.write_ndjson(path, **({"compression": "gzip"} if "gz" in ending else {}))
    else:
        frame.write_ipc(path)

    assert load(path).digest == load(frame).digest
    assert [one.name for one in load(tmp_path)] == ["rows"]
    assert Experiment(tmp_path, "greedy").sources[0].name == "rows"


@pytest.mark.parametrize("ending", ["arrow", "ndjson", "xlsx"])
def test_a_damaged_file_is_one_sentence(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"rows.{ending}"
    path.write_bytes(b"\x00\x01 nothing {")

    with pytest.raises(DataError, match=ending if ending != "xlsx" else "fastexcel|xlsx"):
        load(path)


def test_what_is_skipped_in_a_folder_is_named(tmp_path: Path) -> None:
    embeddings()["list"].drop("e").write_csv(tmp_path / "rows.csv")
    (tmp_path / "model.rds").write_bytes(b"R")
    (tmp_path / "README.md").write_text("about")
    (tmp_path / "decisions.jsonl").write_text('{"action": 1, "probability": 0.5}\n')

    with pytest.warns(DataNotice, match=r"decisions\.jsonl, model\.rds; skipped") as notices:
        [problem] = load(tmp_path)

    assert problem.name == "rows"
    assert "README" not in str(notices[0].message)
