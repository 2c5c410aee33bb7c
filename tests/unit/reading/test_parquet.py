"""Parquet files, and tables of typed columns in general."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from bakeoff.basics.errors import DataError, DataNotice
from bakeoff.data.problem import Problem
from bakeoff.reading.formats import csv, parquet
from bakeoff.reading.options import Options
from bakeoff.reading.tables import features as encoding
from tests.dense import features


def read(folder: Path, frame: pl.DataFrame, **options: Any) -> Problem:
    path = folder / "rows.parquet"
    frame.write_parquet(path)
    return parquet.read(path, Options(**options))


def test_columns_of_every_plain_type_become_features(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "integer": pl.Series([1, None, 3], dtype=pl.Int16),
            "number": [0.5, float("nan"), 2.5],
            "flag": [True, False, None],
            "word": ["b", "a", None],
            "category": pl.Series(["q", "p", "q"], dtype=pl.Categorical),
            "declared": pl.Series(["q", "p", "q"], dtype=pl.Enum(["r", "q", "p"])),
            "nothing": pl.Series([None, None, None], dtype=pl.Null),
            "class": ["x", "y", "x"],
        }
    )

    problem = read(tmp_path, frame)

    expected = [[1, 0.5, 1, 1, 1, 1, 0], [0, 0, 0, 0, 0, 2, 0], [3, 2.5, 0, 0, 1, 1, 0]]
    assert_array_equal(features(problem), expected)


def test_declared_classes_keep_their_order_if_they_occur(tmp_path: Path) -> None:
    declared = pl.Enum(["never", "high", "low"])
    frame = pl.DataFrame({"a": [1, 2], "class": pl.Series(["low", "high"], dtype=declared)})

    problem = read(tmp_path, frame)

    assert problem.class_names == ("high", "low")
    assert_array_equal(problem.true_costs.right, [1, 0])


def test_one_hot_has_a_feature_for_every_declared_category(tmp_path: Path) -> None:
    declared = pl.Enum(["never", "high", "low"])
    frame = pl.DataFrame({"a": pl.Series(["low", "high"], dtype=declared), "class": [0, 1]})

    problem = read(tmp_path, frame, features="one-hot")

    assert_array_equal(features(problem), [[0, 0, 1], [0, 1, 0]])


def test_the_encoding_is_part_of_the_identity(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": ["low", "high"], "class": [0, 1]})

    coded, one_hot = (read(tmp_path, frame, features=f) for f in ("codes", "one-hot"))

    assert coded.digest != one_hot.digest


def test_the_same_data_from_csv_have_the_same_digest(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {
            "a": rng.normal(size=200).round(3),
            "b": rng.integers(0, 3, 200),
            "word": rng.choice(["red", "green", "blue"], 200),
            "class": rng.integers(3, 12, 200),
        }
    )
    frame.write_csv(tmp_path / "rows.csv")

    from_csv = csv.read(tmp_path / "rows.csv", Options())

    assert from_csv.digest == read(tmp_path, frame).digest


def test_reading_piece_by_piece_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (101, 5)).astype(float)
    frame = pl.DataFrame(X).with_columns(y=pl.Series(rng.integers(0, 3, 101)))
    whole = read(tmp_path, frame)

    monkeypatch.setattr(encoding, "CELLS", 35)

    assert read(tmp_path, frame).digest == whole.digest
    assert whole.digest == Problem.from_classes(X, frame["y"].to_numpy()).digest


def test_an_index_of_pandas_is_no_column(tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0], "y": [0, 1], "__index_level_0__": [5, 3]})

    with pytest.warns(DataNotice, match="is an index of pandas"):
        problem = read(tmp_path, frame)

    assert_array_equal(features(problem), [[1], [2]])


@pytest.mark.parametrize("dtype", [pl.Float16, pl.Float32, pl.Float64])
def test_infinity_is_refused_in_every_precision(dtype: pl.DataType, tmp_path: Path) -> None:
    frame = pl.DataFrame({"a": pl.Series([1, float("inf")], dtype=dtype), "y": [0, 1]})

    with pytest.raises(DataError, match="row 2: column 'a' must be finite"):
        read(tmp_path, frame)
