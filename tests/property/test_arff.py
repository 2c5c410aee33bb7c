"""ARFF: what is written is read, by any path, and rubbish is refused politely."""

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from bakeoff.basics.errors import DataError
from bakeoff.data.problem import Problem
from bakeoff.reading.formats import arff
from bakeoff.reading.formats.arff_dense import fast_frame, numbered_rows, rows_of, slow_frame
from bakeoff.reading.formats.arff_header import Attribute, Header
from bakeoff.reading.options import Options

brief = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# numbers may be so small that there is a notice, which is tested elsewhere
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*below 1e-19"),
    pytest.mark.filterwarnings("ignore:.*only one category and missing values"),
    pytest.mark.filterwarnings("ignore:.*, which become categories numbered"),
]

NUMBERS = st.floats(-(2.0**59), 2.0**59, width=32) | st.integers(-(10**6), 10**6)
NUMBERS = NUMBERS.map(lambda number: number + 0)  # no negative zeros
WORDS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=5)
WORDS |= st.sampled_from(["?", "a b", "it's", '"', "\\", "{1}", "% b", "a %", " ", ","])


class Column(NamedTuple):
    """An attribute and its cells; None is a missing value."""

    name: str
    declared: list[str] | None  # None for numbers
    cells: list[Any]


@st.composite
def columns(draw: Any, n: int) -> Column:
    declared = draw(st.none() | st.lists(WORDS, min_size=1, max_size=4, unique=True))
    values = NUMBERS if declared is None else st.sampled_from(declared)
    cells = draw(st.lists(values | st.none(), min_size=n, max_size=n))
    return Column(draw(WORDS.filter(bool)), declared, cells)


@st.composite
def tables(draw: Any) -> list[Column]:
    """Some columns with different names, and classes at the end."""
    n = draw(st.integers(2, 8))
    features = st.lists(columns(n), min_size=1, max_size=4)
    declared = draw(st.lists(WORDS, min_size=2, max_size=4, unique=True))
    cells = st.lists(st.sampled_from(declared), min_size=n, max_size=n)
    classes = Column("class", declared, draw(cells.filter(lambda c: len(set(c)) > 1)))
    table = [*draw(features), classes]
    return [column._replace(name=f"{j}{column.name}") for j, column in enumerate(table)]


class Writer:
    """Writes the same table in many ways."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def token(self, value: Any) -> str:
        if value is None:
            return "?"
        text = repr(value) if isinstance(value, float) else str(value)
        special = not text or text == "?" or set(text) & set(" ,'\"{}%\\")
        if not special and self.random.random() < 0.7:
            return text
        quote = self.random.choice("'\"")
        escaped = text.replace("\\", "\\\\").replace(quote, f"\\{quote}")
        return f"{quote}{escaped}{quote}"

    def blanks(self) -> str:
        return self.random.choice(["", "", "", "", "", " ", "\t", "  "])

    def joined(self, tokens: list[str]) -> str:
        return ",".join(f"{self.blanks()}{token}{self.blanks()}" for token in tokens)

    def line(self, text: str) -> str:
        extra = self.random.choice(["", "", "", "% it's\n", "\n", " \t\n"])
        end = self.random.choice(["\n", "\n", "\n", "\r\n", " % end\n"])
        return f"{extra}{self.blanks()}{text}{self.blanks()}{end}"

    def head(self, table: list[Column]) -> str:
        text = self.line("@relation 'r'")
        for name, declared, _ in table:
            kind = self.random.choice(["numeric", "REAL", "Integer"])
            if declared is not None:
                kind = f"{{{self.joined([self.token(value) for value in declared])}}}"
            text += self.line(f"@Attribute {self.token(name)} {kind}")
        return text + self.line("@data")

    def dense(self, table: list[Column]) -> str:
        rows = zip(*(column.cells for column in table), strict=True)
        lines = [self.line(self.joined([self.token(v) for v in row])) for row in rows]
        return self.head(table) + "".join(lines)

    def sparse(self, table: list[Column]) -> str:
        rows = zip(*(column.cells for column in table), strict=True)
        return self.head(table) + "".join(self.line(self.pairs(r, table)) for r in rows)

    def pairs(self, row: tuple[Any, ...], table: list[Column]) -> str:
        pairs = []
        for index, (value, column) in enumerate(zip(row, table, strict=True)):
            zero = 0 if column.declared is None else column.declared[0]
            if value != zero or self.random.random() < 0.2:
                pairs.append(f"{index} {self.blanks()}{self.token(value)}")
        return f"{{{self.joined(pairs) if pairs else self.blanks()}}}"


PATH = Path("rows.arff")
T = TypeVar("T")
SEEDS = st.integers(0, 2**32)


def in_memory(table: list[Column]) -> Problem:
    """The problem that a table stands for, built by hand."""
    *features, classes = table
    assert classes.declared is not None
    X = np.zeros((len(classes.cells), len(features)))
    for j, (_, declared, cells) in enumerate(features):
        for i, cell in enumerate(cells):
            if cell is not None:
                X[i, j] = cell if declared is None else declared.index(cell)
    return Problem.from_classes(X, [classes.declared.index(c) for c in classes.cells])


def read(data: bytes, **options: Any) -> Problem:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.arff"
        path.write_bytes(data)
        return arff.read(path, Options(**options))


@brief
@given(tables(), SEEDS)
def test_a_file_is_read_as_it_was_written(table: list[Column], seed: int) -> None:
    writer = Writer(seed)
    expected = in_memory(table)

    dense = read(writer.dense(table).encode())
    sparse = read(writer.sparse(table).encode())

    assert dense.digest == expected.digest
    assert sparse.digest == expected.digest
    declared = table[-1].declared or []
    occurring = tuple(name for name in declared if name in table[-1].cells)
    assert dense.class_names == sparse.class_names == occurring


@brief
@given(tables(), SEEDS, st.data())
def test_sparse_and_dense_rows_give_the_same_problem_with_any_options(
    table: list[Column], seed: int, data: st.DataObject
) -> None:
    writer = Writer(seed)
    names = st.lists(st.sampled_from([column.name for column in table]), max_size=2)
    options = {
        "features": data.draw(st.sampled_from(["codes", "one-hot"])),
        "target": data.draw(st.none() | st.integers(0, len(table) - 1)),
        "ignore": tuple(set(data.draw(names))),
        "categorical": tuple(set(data.draw(names))),
    }

    dense = outcome(lambda: content(read(writer.dense(table).encode(), **options)))
    sparse = outcome(lambda: content(read(writer.sparse(table).encode(), **options)))

    assert isinstance(dense, str) == isinstance(sparse, str)
    if not isinstance(dense, str):
        assert dense == sparse


def content(problem: Problem) -> tuple[Any, ...]:
    return problem.digest, problem.class_names


def outcome(call: Callable[[], T]) -> T | str:
    """What a call gives, or what it says is wrong."""
    try:
        return call()
    except DataError as error:
        return str(error)


# Two ways to read a row

HEADER = Header(
    [
        Attribute("a", pl.Float64()),
        Attribute("b", pl.Enum(["x", "y z", "", "?", "a,b", "%", "50%", " x"])),
        Attribute("s", pl.String()),
    ],
    b"",
    1,
)
NUMERIC = ["1", "-2.5", "?", "'1'", "' 1'", '"?"', "nan", "1e400", "", "1 2", "+.5e1"]
NOMINAL = ["x", "y z", "'y z'", '"x"', "?", "''", "'?'", "'a,b'", "50%", "' x'", "%"]
STRING = [*NOMINAL, "'a, b'", "it's", "'it\\'s'", "a\\b", "'a\\\\'", "caf\u00e9", "{1}", '"a\'b"']
LINES = st.tuples(st.sampled_from(NUMERIC), st.sampled_from(NOMINAL), st.sampled_from(STRING)).map(
    list
)
LINES |= st.lists(st.sampled_from(NUMERIC + STRING), max_size=4)
GOOD_LINES = st.tuples(
    st.sampled_from(NUMERIC[:4]), st.sampled_from(NOMINAL[:5]), st.sampled_from(STRING)
).map(list)
SEPARATORS = st.sampled_from([",", ",", ",", ", ", " ,\t", "\t", " "])
ENDS = st.sampled_from(["\n", "\n", "\n", "\n\n", " \n", "\n% c\n", " % c\n", "\r\n"])


def text_of(lines: list[tuple[list[str], str, str]]) -> bytes:
    text = "".join(separator.join(line) + end for line, separator, end in lines)
    return text.replace("\r\n", "\n").encode()


@settings(brief, max_examples=1000)
@given(
    st.lists(st.tuples(GOOD_LINES, SEPARATORS, ENDS), min_size=1, max_size=4)
    | st.lists(st.tuples(LINES, SEPARATORS, ENDS), min_size=1, max_size=4)
)
def test_polars_reads_rows_as_the_slow_path_does(lines: list[tuple[list[str], str, str]]) -> None:
    block = text_of(lines)

    fast = fast_frame(block, HEADER)
    slow = outcome(lambda: slow_frame(numbered_rows(block, 1), HEADER, PATH))
    both = outcome(lambda: rows_of(block, 1, HEADER, PATH))

    if fast is not None:
        assert isinstance(slow, pl.DataFrame)
        assert_frame_equal(fast, slow, check_exact=True)
    if isinstance(slow, str) or isinstance(both, str):
        assert slow == both
    else:
        assert_frame_equal(both[0], slow, check_exact=True)
        assert list(both[1]) == [number for number, _ in numbered_rows(block, 1)]


NUMBER_LIKE = st.text("0123456789+-.eE_xn afiNInt", max_size=8)


@settings(brief, max_examples=500)
@given(NUMBER_LIKE)
def test_both_paths_take_the_same_texts_for_numbers(text: str) -> None:
    header = Header([Attribute("a", pl.Float64()), Attribute("s", pl.String())], b"", 1)
    block = f"{text},s\n".encode()

    fast = fast_frame(block, header)
    slow = outcome(lambda: slow_frame([(1, block)], header, PATH))

    assert (fast is None) == isinstance(slow, str)
    if fast is not None and not isinstance(slow, str):
        assert fast["a"].to_list() == slow["a"].to_list() == [float(text)]


# Rubbish

GOOD = {
    "dense": b"@relation r\n@attribute 'a b' real % c\n@attribute b {x,'y z'}\n"
    b"@attribute s string\n@attribute class {0,1}\n@data\n1,x,'t\\'',1\n"
    b"% c\n?,'y z',?,0\n2.5e1, x,t ,1\n",
    "sparse": b"@relation r\n@attribute 'a b' real % c\n@attribute b {x,'y z'}\n"
    b"@attribute class {0,1}\n@data\n{0 1, 2 1}\n% c\n{1 'y z'},{1}\n{}\n{0 ?,1 x}\n",
}
PATCHES = [b"\n", b"'", b'"', b",", b"\0", b"{", b"}", b"%", b"?", b"\\", b"\r", b" "]


@brief
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_rubbish_is_refused(rubbish: bytes) -> None:
    with pytest.raises(DataError) as caught:
        read(rubbish)

    assert "\n" not in str(caught.value)


@settings(brief, max_examples=400)
@given(st.sampled_from(sorted(GOOD)), st.data())
def test_a_damaged_file_is_read_or_refused(kind: str, data: st.DataObject) -> None:
    good = GOOD[kind]
    begin = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(begin, min(len(good), begin + 12)) | st.just(begin))
    patch = data.draw(st.binary(max_size=3) | st.sampled_from(PATCHES))

    result = outcome(lambda: read(good[:begin] + patch + good[end:]))

    if isinstance(result, str):
        assert "\n" not in result
    else:
        assert result.n >= 1
        assert result.n_actions >= 2
        assert np.isfinite(result.contexts.value).all()
