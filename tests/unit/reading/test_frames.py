"""Frames: the same rows in memory and in a file are the same problem."""

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from bakeoff import DataError, DataNotice, Experiment, Problem, Run, load
from tests.dense import features

COLUMNS: dict[str, list[Any]] = {
    "age": [41.0, None, 17.5, 3.0],
    "n": [1, 2, 3, 2**40],
    "color": ["red", "blue", None, "red"],
    "member": [True, False, True, True],
    "when": [dt.date(2024, 1, 13), dt.date(2024, 1, 15), None, dt.date(2023, 5, 1)],
    "y": ["no", "yes", "no", "yes"],
}


def frames() -> dict[str, Any]:
    pandas = pd.DataFrame(COLUMNS)
    return {
        "pandas": pandas,
        "pandas with its own types": pandas.convert_dtypes(),
        "pandas with categories": pandas.astype({"color": "category"}),
        "pandas with timestamps": pandas.assign(when=pd.to_datetime(pandas["when"])),
        "polars": pl.DataFrame(COLUMNS),
        "polars, lazy": pl.DataFrame(COLUMNS).lazy(),
        "pyarrow": pa.table(COLUMNS),
    }


FRAMES = frames()
quiet = pytest.mark.filterwarnings("ignore::bakeoff.DataNotice")


@quiet
@pytest.mark.parametrize("frame", FRAMES.values(), ids=FRAMES)
@pytest.mark.parametrize(
    "options", [{}, {"features": "one-hot"}, {"numeric": "when"}, {"categorical": "n"}], ids=str
)
def test_a_frame_has_the_digest_of_its_file(
    frame: Any, options: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "rows.csv"
    pl.DataFrame(COLUMNS).write_csv(path)
    parquet = tmp_path / "rows.parquet"
    pl.DataFrame(COLUMNS).write_parquet(parquet)

    problem = load(frame, target="y", **options)

    assert problem.digest == load(path, **options).digest
    assert problem.digest == load(parquet, **options).digest
    assert problem.class_names == ("no", "yes")


@quiet
@pytest.mark.parametrize("coding", ["codes", "one-hot"])
def test_a_row_of_a_frame_is_coded_as_it_was(coding: Any) -> None:
    pandas, polars, arrow = (FRAMES[k] for k in ("pandas", "polars", "pyarrow"))
    problem = load(polars, features=coding, numeric="when")

    for place, expected in enumerate(features(problem)):
        for row in (
            pandas.iloc[place],
            pandas.iloc[place : place + 1],
            polars.row(place, named=True),
            polars[place],
            arrow.slice(place, 1),
            FRAMES["pandas with timestamps"].iloc[place],
        ):
            assert_array_equal(problem.features.dense(row), expected)


def test_a_frame_of_several_rows_is_no_row() -> None:
    problem = load(pl.DataFrame({"a": [1, 2], "y": ["p", "q"]}))

    with pytest.raises(DataError, match="a row must be one, but the frame has 2"):
        problem.features.encode(pl.DataFrame({"a": [1, 2]}))


def test_notices_and_names_are_those_of_files() -> None:
    frame = pd.DataFrame(COLUMNS)

    with pytest.warns(DataNotice, match="^people: column 'when' holds dates") as caught:
        problem = load(frame, target="y", name="people")

    assert problem.name == "people"
    assert caught[0].filename == __file__
    assert load(frame, target="y", ignore="when").name == "frame"


def test_an_index_with_a_name_is_left_out_aloud() -> None:
    frame = pd.DataFrame({"a": [1, 2], "y": ["p", "q"]}, pd.Index([5, 6], name="id"))

    with pytest.warns(DataNotice, match="^frame: the index 'id' is not a column"):
        assert load(frame).n_features == 1


@pytest.mark.parametrize(
    ("frame", "reason"),
    [
        (pd.DataFrame([[1, 2, "x"]], columns=["a", "a", "y"]), "'a' occurs twice"),
        (pd.DataFrame({"a": [1, "b"], "y": [0, 1]}), "column 'a' mixes values of"),
        (pl.DataFrame({"a": [{"b": 1}, {"b": 2}], "y": [0, 1]}), "leave it out with `ignore`"),
        (pl.DataFrame({"a": [1, 2], "y": [0, 1]}), "has no column 'z'"),
    ],
)
def test_a_frame_that_cannot_be_used_is_refused(frame: Any, reason: str) -> None:
    options: Any = {"target": "z"} if "'z'" in reason else {}
    with pytest.raises(DataError, match=reason) as caught:
        load(frame, **options)

    assert str(caught.value).startswith("frame: ")


@pytest.mark.parametrize(
    "column", [pl.Series([[0], [1]]), pl.Series([object(), object()], dtype=pl.Object)]
)
def test_labels_are_no_lists(column: pl.Series) -> None:
    frame = pl.DataFrame({"a": [1, 2], "y": column, "z": [0, 1]})

    with pytest.raises(DataError, match="label 'y' must hold 0 and 1, but it"):
        load(frame, target="y,z", task="multilabel")


def test_an_experiment_says_what_to_make_of_a_frame() -> None:
    frame: Any = pl.DataFrame({"a": [1, 2], "y": ["p", "q"]})

    for given in (frame, [frame]):
        with pytest.raises(DataError, match=r"load\(frame, target=...\)"):
            Experiment(given, [Run("greedy")])


# ---- constructors


@quiet
@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_constructors_take_frames(kind: str) -> None:
    frame = FRAMES[kind]
    X = frame.drop(columns="y") if kind == "pandas" else frame.drop(["y"])
    y = frame["y"]
    flags = {"red": [1, 0, 1, 1], "blue": [0, 1, 1, 0]}
    make: Any = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[kind]

    classes = Problem.from_classes(X, y)
    labels = Problem.from_labels(X, make(flags))
    costs = Problem.from_costs(X, make(flags))
    ranking = Problem.from_ranking(X, np.array([0, 1, 2, 4]), [0, 0, 1, 1])

    assert classes.digest == load(frame, target="y").digest
    assert labels.class_names == costs.class_names == ("red", "blue")
    assert labels.n_actions == costs.n_actions == 2
    names = [name for name in COLUMNS if name != "y"]
    for problem in (classes, labels, costs, ranking):
        assert problem.features.names == names
