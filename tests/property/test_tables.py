"""CSV and Parquet: what is written is read, and rubbish is refused politely."""

import csv as standard
import io
import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bakeoff import load
from bakeoff.basics.errors import DataError
from bakeoff.data.features import MISSING, Features
from bakeoff.data.problem import Problem
from bakeoff.reading.options import Options
from bakeoff.reading.read_file import READERS, read_file
from tests.dense import features

quiet = pytest.mark.filterwarnings("ignore::bakeoff.DataNotice")
brief = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# numbers may be so small that there is a notice, which is tested elsewhere
pytestmark = pytest.mark.filterwarnings("ignore:.*below 1e-19")

NUMBERS = st.floats(-(2.0**59), 2.0**59, width=32) | st.integers(-(10**6), 10**6)
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=6).filter(
    lambda word: word == word.strip() and is_a_word(word)
)


def is_a_word(text: str) -> bool:
    """Whether nobody would take it for a number, a boolean or a missing value."""
    try:
        float(text.replace("_", ""))
    except ValueError:
        return text not in MISSING and text.lower() not in ("true", "false")
    return False


@st.composite
def tables(draw: Any) -> dict[str, list[Any]]:
    """Columns of numbers and of words, some values missing, and classes."""
    n = draw(st.integers(2, 12))
    columns: dict[str, list[Any]] = {}
    for i in range(draw(st.integers(1, 4))):
        values = draw(st.sampled_from([NUMBERS, WORDS]))
        cells = st.lists(values | st.none(), min_size=n, max_size=n)
        columns[f"f {i}"] = draw(cells)
    classes = st.lists(WORDS, min_size=n, max_size=n).filter(lambda c: len(set(c)) > 1)
    columns["class"] = draw(classes)
    return columns


def in_memory(columns: dict[str, list[Any]]) -> Problem:
    """The problem that a table stands for, built by hand."""
    X = np.zeros((len(columns["class"]), len(columns) - 1))
    for j, cells in enumerate(list(columns.values())[:-1]):
        words = sorted({c for c in cells if isinstance(c, str)})
        for i, cell in enumerate(cells):
            if cell is not None:
                X[i, j] = words.index(cell) if isinstance(cell, str) else cell
    return Problem.from_classes(X, columns["class"])


def read(data: bytes, ending: str) -> Problem:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows{ending}"
        path.write_bytes(data)
        return read_file(path, Options())


@quiet
@brief
@given(tables(), st.sampled_from(["\n", "\r\n"]), st.sampled_from([",", "\t"]))
def test_a_csv_file_is_read_as_it_was_written(
    columns: dict[str, list[Any]], line_end: str, separator: str
) -> None:
    text = io.StringIO()
    writer = standard.writer(text, delimiter=separator, lineterminator=line_end)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))

    problem = read(text.getvalue().encode(), ".csv" if separator == "," else ".tsv")

    assert problem.digest == in_memory(columns).digest
    assert problem.class_names == tuple(sorted(set(columns["class"])))


@quiet
@brief
@given(tables())
def test_a_parquet_file_is_read_as_it_was_written(columns: dict[str, list[Any]]) -> None:
    data = io.BytesIO()
    pl.DataFrame(columns, strict=False).write_parquet(data)

    problem = read(data.getvalue(), ".parquet")

    assert problem.digest == in_memory(columns).digest


@quiet
@brief
@given(tables(), st.sampled_from(["codes", "one-hot"]), st.booleans())
def test_rows_are_coded_again_as_they_were(
    columns: dict[str, list[Any]], coding: Any, categorical: bool
) -> None:
    named = [name for name in columns if name != "class"] if categorical else []
    frame = pl.DataFrame(columns, strict=False)

    problem = load(frame, features=coding, categorical=named)

    assert problem.features.n == problem.n_features == len(problem.features.names or ())
    again = Features.from_dict(json.loads(json.dumps(problem.features.as_dict())))
    for row, expected in zip(frame.to_dicts(), features(problem), strict=True):
        np.testing.assert_array_equal(again.dense(row), expected)


GOOD = b'a,"b c",class\n1,red,x\n2.5,"blue",y\n,red,"z z"\n'


@quiet
@brief
@given(
    st.sampled_from(sorted(READERS)),
    st.binary(max_size=200) | st.text(max_size=200).map(str.encode),
)
def test_rubbish_is_refused_politely_by_every_reader(ending: str, rubbish: bytes) -> None:
    check(rubbish, ending)


@quiet
@brief
@given(st.data())
def test_a_damaged_csv_file_is_read_or_refused(data: st.DataObject) -> None:
    begin = data.draw(st.integers(0, len(GOOD)))
    end = data.draw(st.integers(begin, len(GOOD)))
    patch = data.draw(st.binary(max_size=3) | st.sampled_from([b"\n", b'"', b",", b"\0"]))

    check(GOOD[:begin] + patch + GOOD[end:], ".csv")


def check(data: bytes, ending: str) -> None:
    """A problem that makes sense, or one sentence."""
    problem = message = None
    try:
        problem = read(data, ending)
    except DataError as error:
        message = str(error)

    assert problem is not None or message
    assert "\n" not in (message or "")
    if problem is not None:
        assert problem.n >= 1
        assert problem.n_actions >= 2
        assert np.isfinite(problem.contexts.value).all()
