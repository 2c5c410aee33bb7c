"""Features: a later row is coded as the rows of the problem were."""

import json
import pickle
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from bakeoff import DataError, DataNotice, Problem, load
from bakeoff.data.features import Column, Features
from tests.dense import features

ROWS = """age,color,member,zip,when,price,class
41,red,true,10,2024-01-13,"$1,200.50",no
,blue,false,20,2024-01-15,$3,yes
17.5,,true,10,,$0,no
"""
TABLE: dict[str, Any] = {"categorical": "zip", "numeric": ["when", "price"]}


def table(folder: Path, **options: Any) -> Problem:
    path = folder / "rows.csv"
    path.write_text(ROWS)
    problem: Problem = load(path, **TABLE | options)
    return problem


FIRST = {"age": 41, "color": "red", "member": True, "zip": 10, "when": "2024-01-13",
         "price": "$1,200.50"}  # fmt: skip


# ---- what a problem keeps


def test_a_problem_knows_its_columns(tmp_path: Path) -> None:
    problem = table(tmp_path)

    assert problem.features.names == ["age", "color", "member", "zip", "when", "price"]
    assert problem.features.columns == (
        Column("age", 0),
        Column("color", 1, ("blue", "red")),
        Column("member", 2),
        Column("zip", 3, ("10", "20"), of_numbers=True),
        Column("when", 4, form="date", origin=19735.0),
        Column("price", 5, form="plain"),
    )
    assert_array_equal(
        features(problem), [[41, 1, 1, 0, 0, 1200.5], [0, 0, 0, 1, 2, 3], [17.5, 0, 1, 0, 0, 0]]
    )


def test_one_hot_features_are_named(tmp_path: Path) -> None:
    problem = table(tmp_path, features="one-hot")

    assert problem.features.names == [
        "age", "age is missing", "color=blue", "color=red", "color is missing",
        "member", "zip=10", "zip=20", "when", "when is missing", "price",
    ]  # fmt: skip
    assert problem.n_features == problem.features.n == 11


def test_arrays_have_features_without_names() -> None:
    problem = Problem.from_classes([[1.0, 0.0], [2.0, 3.0]], ["a", "b"])

    assert problem.features == Features(2)
    assert problem.features.names is None
    assert repr(problem.features) == "Features(2, without names)"


def test_features_survive_a_shuffle_a_pickle_and_json(tmp_path: Path) -> None:
    problem = table(tmp_path, features="one-hot")
    text = json.dumps(problem.features.as_dict())

    assert problem.shuffled(3).features is problem.features
    assert pickle.loads(pickle.dumps(problem)).features == problem.features
    assert Features.from_dict(json.loads(text)) == problem.features
    assert Features.from_dict(Features(3).as_dict()) == Features(3)


# ---- rows


@pytest.mark.parametrize("coding", ["codes", "one-hot"])
def test_rows_of_a_file_are_coded_as_the_reader_coded_them(tmp_path: Path, coding: str) -> None:
    problem = table(tmp_path, features=coding)
    header, *lines = ROWS.replace('"$1,200.50"', "$1;200.50").splitlines()

    for line, expected in zip(lines, features(problem), strict=True):
        values = [cell.replace(";", ",") for cell in line.split(",")]
        row = dict(zip(header.split(","), values, strict=True))
        assert_array_equal(problem.features.dense(row), expected)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"age": "41", "zip": "10.0", "price": 1200.5, "member": "true"},
        {"age": Decimal(41), "zip": np.float64(10), "when": date(2024, 1, 13)},
        {"when": np.datetime64("2024-01-13"), "color": " red ", "member": np.True_},
        {"class": "no", "id": 7},
    ],
)
def test_the_same_values_in_other_types_are_the_same(
    tmp_path: Path, changes: dict[str, Any]
) -> None:
    index, value = table(tmp_path).features.encode(FIRST | changes)

    assert index.dtype == np.int32
    assert value.dtype == np.float32
    assert_array_equal(index, [0, 1, 2, 5])
    assert_array_equal(value, [41, 1, 1, 1200.5])


def test_a_sequence_has_the_columns_in_order(tmp_path: Path) -> None:
    coded = table(tmp_path).features

    assert_array_equal(coded.dense(list(FIRST.values())), coded.dense(FIRST))
    with pytest.raises(DataError, match="the values of its 6 columns, got 2 values"):
        coded.encode([1, 2])


@pytest.mark.parametrize("ids", [[2**60 + 1, 2**60 + 2, 7], [1.5, 2.0, 1e17]])
def test_large_numbers_that_are_names_stay_apart(ids: list[Any]) -> None:
    frame = pl.DataFrame({"id": ids, "y": ["p", "q", "p"]})
    problem = load(frame, categorical="id", features="one-hot")

    for given in (ids, [str(one) for one in ids], pl.Series(ids).to_numpy()):
        rows = [problem.features.dense({"id": one}) for one in given]
        assert_array_equal(rows, features(problem))


def test_a_new_category_counts_as_missing(tmp_path: Path) -> None:
    coded = table(tmp_path).features
    flags = table(tmp_path, features="one-hot").features

    assert coded.dense(FIRST | {"color": "green"})[1] == 0
    assert_array_equal(
        flags.dense(FIRST | {"color": "green"}), flags.dense(FIRST | {"color": None})
    )


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ({"age": "old"}, "column 'age' must hold finite numbers of at most 1e+18"),
        ({"age": float("inf")}, "column 'age' must hold finite numbers"),
        ({"age": 1e19}, "column 'age' must hold finite numbers"),
        ({"age": "1_000"}, "column 'age' must hold finite numbers"),
        ({"when": "13/01/2024"}, "column 'when' must hold finite numbers"),
        ({"when": 3}, "column 'when' must hold finite numbers"),
    ],
)
def test_values_of_another_kind_are_refused(
    tmp_path: Path, row: dict[str, Any], reason: str
) -> None:
    with pytest.raises(DataError) as caught:
        table(tmp_path).features.encode(FIRST | row)

    assert str(caught.value).startswith(reason)


def test_a_column_that_a_row_lacks_is_named(tmp_path: Path) -> None:
    coded = table(tmp_path).features
    misspelt = {("colour" if k == "color" else k): v for k, v in FIRST.items()}

    with pytest.raises(DataError, match="no column 'color'; did you mean 'colour'"):
        coded.encode(misspelt)
    with pytest.raises(DataError, match="no column 'age'; give None if it is missing"):
        coded.encode({"x": 1})


def test_rows_without_names_are_numbers_by_place() -> None:
    coded = Features(3)

    assert_array_equal(coded.dense([0.5, 0, 2]), [0.5, 0, 2])
    assert_array_equal(coded.dense({2: 7.0}), [0, 0, 7])
    assert_array_equal(coded.encode({2: 7.0, 0: 1})[0], [0, 2])
    for row in ([1, 2], {3: 1.0}, {"a": 1.0}, [1, 2, np.nan], [1, 2, "x"]):
        with pytest.raises(DataError):
            coded.encode(row)


def test_columns_of_sparse_rows_may_be_absent(tmp_path: Path) -> None:
    path = tmp_path / "rows.arff"
    path.write_text(
        "@relation r\n@attribute a real\n@attribute b {p,q}\n@attribute z real\n"
        "@attribute c {x,y}\n@data\n{0 2}\n{1 q,2 5,3 y}\n{1 ?}\n"
    )
    for coding in ("codes", "one-hot"):
        problem = load(path, features=coding, categorical="z")
        rows = [{"a": 2}, {"b": "q", "z": 5}, {"b": None}]
        coded = np.array([problem.features.dense(row) for row in rows])

        assert_array_equal(coded, features(problem))


# ---- what is said aloud


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        (["2024-01-13", "2024-02-01"], "holds dates, such as '2024-01-13', which become"
         " categories numbered in sorted order; name the column in `numeric` to read"),
        (["13/01/2024", "02/03/2024"], "write them as 2024-01-31 and name the column"),
        (["9:30", "10:15"], "holds times, such as '10:15', which become categories"),
        (["$3", "$1200.50"], "holds numbers written as text, such as '$1200.50'"),
        (["5%", "7%"], "holds numbers written as text, such as '5%'"),
    ],
)  # fmt: skip
def test_words_that_mean_numbers_are_noticed(tmp_path: Path, cells: list[str], says: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"a,when,class\n1,{cells[0]},x\n2,{cells[1]},y\n")

    with pytest.warns(DataNotice) as caught:
        load(path)

    assert len(caught) == 1
    assert "rows.csv: column 'when' holds" in str(caught[0].message)
    assert says in str(caught[0].message)
    assert caught[0].filename == __file__
    load(path, categorical="when")  # asked for: no notice
    load(path, ignore="when")


def test_a_word_among_sums_of_money_is_named(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    rows = "".join(f"EUR {price}.50,{'xy'[price % 2]}\n" for price in range(10, 40))
    path.write_text(f"price,class\n{rows}unknown,x\n")

    with pytest.warns(DataNotice) as caught:
        load(path)

    assert [str(one.message) for one in caught] == [
        f"{path}: column 'price' holds numbers written as text, such as 'EUR 10.50', "
        f"but also 'unknown'; all become categories numbered in sorted order; make "
        f"such words empty and name the column in `numeric` to read the others as "
        f"numbers, or name it in `categorical` if categories are meant"
    ]
    load(path, categorical="price")  # asked for: no notice


def test_words_of_which_a_fifth_are_numbers_are_categories(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    words = [f"EUR {n}" if n % 5 else f"kind{n}" for n in range(30)] * 2
    rows = "".join(f"{word},{'xy'[n % 2]}\n" for n, word in enumerate(words))
    path.write_text(f"price,class\n{rows}")

    problem = load(path)  # no notice

    assert problem.n_features == 1


def test_a_mixture_that_is_a_quantity_says_which_option_helps(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("price,class\n3,x\n$5,y\n")

    with pytest.raises(DataError, match="name the column in `numeric` to read all of"):
        load(path)
    assert_array_equal(features(load(path, numeric="price")), [[3], [5]])


def test_words_that_are_no_quantities_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,when,class\n1,2024-01-31,x\n2,yesterday,y\n")

    with pytest.raises(DataError, match=r"rows.csv:3: column 'when' is to be read as "):
        load(path, numeric="when")


def test_a_lost_category_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a,vip,class\n1,yes,x\n2,,y\n")

    with pytest.warns(DataNotice, match="'vip': only one category and missing"):
        load(path)
    assert_array_equal(features(load(path, features="one-hot")), [[1, 1, 0], [2, 0, 1]])


def test_a_misspelt_column_is_recognised_among_many(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    names = [f"c{i}" for i in range(60)]
    path.write_text(",".join([*names, "Outcome", "z"]) + "\n" + 62 * "1," + "\n")
    path.write_text(path.read_text().replace("1,\n", "1\n" + 61 * "2," + "2\n"))

    with pytest.raises(DataError, match="no column 'outcom'; did you mean 'Outcome'"):
        load(path, target="outcom")
    with pytest.raises(DataError, match=r"its 62 columns are c0, .*, Outcome, z$"):
        load(path, target="nothing like it")
