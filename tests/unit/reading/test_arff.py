"""ARFF files."""

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from numpy.testing import assert_array_equal

from bakeoff.basics.errors import DataError
from bakeoff.data.problem import Problem
from bakeoff.reading.formats import arff
from bakeoff.reading.formats.arff_dense import fast_frame
from bakeoff.reading.formats.arff_header import Attribute, Header
from bakeoff.reading.options import Options
from tests.dense import features

HEAD = """@relation r
@attribute a numeric
@attribute colour {red, green, 'dark blue'}
@attribute class {x, y, z}
@data
"""


def read(folder: Path, text: str | bytes, file: str = "rows.arff", **options: Any) -> Problem:
    path = folder / file
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return arff.read(path, Options(**options))


# The header


def test_the_last_attribute_is_the_target(tmp_path: Path) -> None:
    problem = read(tmp_path, HEAD + "1,red,z\n2.5,dark blue,x\n-3,green,z\n")

    assert problem.name == "rows"
    assert (problem.n, problem.n_features, problem.n_actions) == (3, 2, 2)
    assert_array_equal(features(problem), [[1, 0], [2.5, 2], [-3, 1]])
    assert_array_equal(problem.true_costs.right, [1, 0, 1])


def test_actions_are_the_classes_that_occur_in_declared_order(tmp_path: Path) -> None:
    head = "@relation r\n@attribute a real\n@attribute class {c,a,b}\n@data\n"

    problem = read(tmp_path, head + "1,b\n2,c\n3,b\n")

    assert problem.class_names == ("c", "b")
    assert_array_equal(problem.true_costs.right, [1, 0, 1])


@pytest.mark.parametrize("target", ["colour", 1, "1", -2])
def test_the_target_can_be_named_or_counted(target: str | int, tmp_path: Path) -> None:
    problem = read(tmp_path, HEAD + "1,red,z\n2,dark blue,x\n", target=target)

    assert problem.class_names == ("red", "dark blue")
    assert_array_equal(features(problem), [[1, 2], [2, 0]])


@pytest.mark.parametrize(
    "head",
    [
        "@RELATION r\n@ATTRIBUTE a REAL\n@Attribute c {x,y}\n@DATA\n",
        "%\n% by Dr. O'Neil\n\n @relation\tr\n\n@attribute\ta\tInteger \n"
        "\t@attribute c\t{ x ,\ty } % two\n@data % here\n",
        "\ufeff@relation 'it is a \"relation\"'\n@attribute 'a' real [0, 10]\n"
        '@attribute "c"{\'x\',"y"}\n@data\n',
        "@attribute a numeric\r\n@attribute c {x y}\r\n@data\r\n",
    ],
    ids=["upper case", "blanks and comments", "quotes", "carriage returns"],
)
def test_headers_are_written_in_many_ways(head: str, tmp_path: Path) -> None:
    problem = read(tmp_path, head + "1,y\n2,x")

    assert problem.class_names == ("x", "y")
    assert_array_equal(features(problem), [[1], [2]])


def test_names_and_values_may_hold_anything_in_quotes(tmp_path: Path) -> None:
    head = (
        "@attribute 'it\\'s, {a} \\\"name\\\" % \\\\' numeric\n"
        "@attribute c {'a\\'b', \"c, d\", '', '%', \" e\", 'f}'}\n@data\n"
    )
    rows = "1,'a\\'b'\n2,\"c, d\"\n3,''\n4,'%'\n5,' e'\n6,\"f}\"\n"

    problem = read(tmp_path, head + rows, target="c")
    other = read(tmp_path, head + rows, target='it\'s, {a} "name" % \\')

    assert problem.class_names == ("a'b", "c, d", "", "%", " e", "f}")
    assert_array_equal(features(problem)[:, 0], [1, 2, 3, 4, 5, 6])
    assert_array_equal(features(other)[:, 0], [0, 1, 2, 3, 4, 5])


def test_comments_may_be_in_any_encoding(tmp_path: Path) -> None:
    text = b"% by M\xfcller\n" + HEAD.encode() + b"1,red,x\n% \xe9\n2,green,y\n"

    problem = read(tmp_path, text)

    assert_array_equal(features(problem), [[1, 0], [2, 1]])


def test_a_date_can_be_left_out(tmp_path: Path) -> None:
    head = '@attribute when date "yyyy-MM-dd"\n@attribute a real\n@attribute c {x,y}\n'
    rows = '@data\n"2001-01-01",1,x\n2002-01-01,2,y\n?,3,y\n'

    problem = read(tmp_path, head + rows, ignore=("when",))

    assert_array_equal(features(problem), [[1], [2], [3]])


# Dense rows


@pytest.mark.parametrize(
    "rows",
    [
        "1,dark blue,x\n?,red,y\n3,?,x\n",
        "1,'dark blue',x\n?,'red','y'\n3,?,'x'\n",
        '1,"dark blue",x\n?,"red",\'y\'\n3,?,"x"\n',
        " 1 ,\tdark blue , x\t\n ? , red , y\n\t3, ?,x \n",
        " 1, 'dark blue', x\n?, 'red', 'y' \n '3' ,?, 'x'\n",
        "1 'dark blue' x\n?\tred\ty\n3 \t ? x\n",
        "% first\n1,dark blue,x\n\n  % second\n?,red,y\n   \n3,?,x\n%",
        "1,dark blue,x % good\n?,red,y\t% better\n3,?,x %%%\n",
        "1,dark blue,x\r\n?,red,y\r\n\r\n3,?,x",
        "1,dark blue,x,{1}\n?,red,y, {1.0}\n3,?,x\n",
        "1e0,dark blue,x\n?,red,y\n+.3E1,?,x\n",
    ],
    ids=[
        "plain", "single quotes", "mixed quotes", "blanks", "blanks and quotes",
        "blanks only", "comment lines", "comments", "carriage returns", "weights of 1",
        "exponents",
    ],
)  # fmt: skip
def test_rows_are_written_in_many_ways(rows: str, tmp_path: Path) -> None:
    problem = read(tmp_path, HEAD + rows)

    assert_array_equal(features(problem), [[1, 2], [0, 0], [3, 0]])
    assert_array_equal(problem.true_costs.right, [0, 1, 0])


def test_one_hot_features_follow_the_declared_order(tmp_path: Path) -> None:
    text = HEAD + "1,dark blue,x\n?,red,y\n3,?,x\n"

    problem = read(tmp_path, text, features="one-hot")

    # a, a is missing, red, green, dark blue, colour is missing
    expected = [[1, 0, 0, 0, 1, 0], [0, 1, 1, 0, 0, 0], [3, 0, 0, 0, 0, 1]]
    assert_array_equal(features(problem), expected)


def test_a_question_mark_in_quotes_is_a_value(tmp_path: Path) -> None:
    head = "@attribute a {'?', b}\n@attribute c {x,y}\n@data\n"

    problem = read(tmp_path, head + "'?',x\n?,y\nb,y\n", features="one-hot")

    assert_array_equal(features(problem), [[1, 0, 0], [0, 0, 1], [0, 1, 0]])


def test_a_percent_sign_inside_a_value_begins_no_comment(tmp_path: Path) -> None:
    head = "@attribute a {10%, 50%}\n@attribute c {x%y,y}\n@data\n"

    problem = read(tmp_path, head + "50%,x%y\n10%,y\n50%,y % comment\n")

    assert problem.class_names == ("x%y", "y")
    assert_array_equal(features(problem), [[1], [0], [1]])


def test_a_backslash_outside_quotes_is_itself(tmp_path: Path) -> None:
    head = "@attribute a {a\\b, c}\n@attribute d string\n@attribute c {x,y}\n@data\n"

    problem = read(tmp_path, head + "a\\b,'q\\\\',x\nc,p\\\\,y\n", target="d")

    assert problem.class_names == ("p\\\\", "q\\")
    assert_array_equal(features(problem), [[0, 0], [1, 1]])


def test_strings_are_categories_in_sorted_order(tmp_path: Path) -> None:
    head = "@attribute s string\n@attribute c string\n@data\n"

    problem = read(tmp_path, head + "b,yes\n'a a',no\nb,yes\n?,no\nc,no\n")

    assert problem.class_names == ("no", "yes")
    assert_array_equal(features(problem), [[1], [0], [1], [0], [2]])


def test_an_integer_attribute_may_hold_fractions(tmp_path: Path) -> None:
    head = "@attribute a integer\n@attribute c {x,y}\n@data\n"

    problem = read(tmp_path, head + "1.5,x\n2,y\n")

    assert_array_equal(features(problem), [[1.5], [2]])


def test_a_numeric_target_holds_classes(tmp_path: Path) -> None:
    head = "@attribute a real\n@attribute class numeric\n@data\n"

    problem = read(tmp_path, head + "1,10\n2,9\n3,10\n")

    assert problem.class_names == ("9", "10")


def test_labels_of_a_multilabel_problem_may_be_nominal(tmp_path: Path) -> None:
    head = "@attribute a real\n@attribute b {0,1}\n@attribute c {0,1}\n@data\n"

    problem = read(tmp_path, head + "5,0,1\n6,1,1\n7,0,0\n", task="multilabel", target="b,c")

    assert problem.class_names == ("b", "c")
    assert_array_equal(problem.true_costs.start, [0, 1, 3, 3])
    assert_array_equal(problem.true_costs.right, [1, 0, 1])


@pytest.mark.parametrize(("pack", "ending"), [(gzip.compress, ".gz"), (bz2.compress, ".bz2")])
def test_a_file_may_be_compressed(
    pack: Callable[[bytes], bytes], ending: str, tmp_path: Path
) -> None:
    text = (HEAD + "1,red,x\n2,green,y\n").encode()

    problem = read(tmp_path, pack(text), f"some.rows.arff{ending}")

    assert problem.name == "some.rows"
    assert problem.digest == read(tmp_path, text).digest


# Sparse rows

SPARSE_HEAD = """@relation r
@attribute a numeric
@attribute colour {red, green, 'dark blue'}
@attribute b numeric
@attribute class {x, y, z}
@data
"""


def test_what_a_sparse_row_leaves_out_is_zero(tmp_path: Path) -> None:
    rows = "{0 1.5, 1 'dark blue', 3 z}\n{}\n{ 2 -7,\t3 y }\n"

    problem = read(tmp_path, SPARSE_HEAD + rows)

    assert problem.class_names == ("x", "y", "z")
    assert_array_equal(problem.true_costs.right, [2, 0, 1])
    assert_array_equal(features(problem), [[1.5, 2, 0], [0, 0, 0], [0, 0, -7]])


MANY_HEAD = """@attribute a numeric
@attribute colour {red, green, 'dark blue'}
@attribute far numeric
@attribute b numeric
@attribute class {x, y, z}
@data
"""
MANY_SPARSE = """{0 1.5,1 'dark blue',4 z}

% a comment
{1 ?,3 3, 4 x}, {1}
 {0 ?, 1 "green" , 3 0 } % explicit zero
{2 1e19, 3 -7,4 y}\r
{1 dark blue, 4 y}
{}"""
MANY_DENSE = """1.5,dark blue,0,0,z
0,?,0,3,x
?,green,0,0,x
0,red,1e19,-7,y
0,dark blue,0,0,y
0,red,0,0,x
"""


@pytest.mark.parametrize(
    "options",
    [
        {"ignore": ("far",)},
        {"ignore": ("far",), "features": "one-hot"},
        {"ignore": ("far",), "categorical": ("b",)},
        {"categorical": ("far", "a", "b", "colour"), "features": "one-hot"},
        {"ignore": ("colour", "a", "far")},
        {"ignore": ("colour", "a", "far"), "features": "one-hot"},
        {"target": "far"},
        {"target": 2, "features": "one-hot"},
        {"target": "b", "ignore": ("far", "class")},
    ],
    ids=str,
)
def test_sparse_rows_are_encoded_as_dense_ones(options: dict[str, Any], tmp_path: Path) -> None:
    problem = read(tmp_path, MANY_HEAD + MANY_SPARSE, **options)
    other = read(tmp_path, MANY_HEAD + MANY_DENSE, **options)

    assert_array_equal(features(problem), features(other))
    assert problem.digest == other.digest
    assert problem.class_names == other.class_names


COSTS_HEAD = """@attribute grade numeric
@attribute a numeric
@attribute qid numeric
@attribute l {0, 1}
@attribute m {0, 1}
@data
"""


@pytest.mark.parametrize(
    "options",
    [
        {"task": "multilabel", "target": "m,l"},
        {"task": "cost-sensitive", "target": "grade,a"},
        {"task": "ranking", "target": "grade", "max_relevance": 1, "ignore": ("l",)},
    ],
    ids=str,
)
def test_sparse_rows_serve_every_task(options: dict[str, Any], tmp_path: Path) -> None:
    sparse = "{0 0.5,1 1,2 7,4 1}\n{2 7}\n{0 1, 2 8,3 1, 4 1}\n{1 .25,2 8}\n"
    dense = "0.5,1,7,0,1\n0,0,7,0,0\n1,0,8,1,1\n0,.25,8,0,0\n"

    problem = read(tmp_path, COSTS_HEAD + sparse, **options)
    other = read(tmp_path, COSTS_HEAD + dense, **options)

    assert problem.task == options["task"]
    assert problem.digest == other.digest
    assert problem.class_names == other.class_names


def test_sparse_rows_may_hold_text_that_is_ignored(tmp_path: Path) -> None:
    head = "@attribute t string\n@attribute a real\n@attribute c {x,y}\n@data\n"
    rows = "{0 'some, text', 1 1}\n{2 y}\n{0 words,2 y}\n"

    problem = read(tmp_path, head + rows, ignore=("t",))

    assert_array_equal(features(problem), [[1], [0], [0]])


def test_wide_sparse_rows_need_no_table(tmp_path: Path) -> None:
    width, n = 10_000, 500
    head = "".join(f"@attribute a{j} numeric\n" for j in range(width))
    rows = "".join(f"{{{i} 1, {i + 1000} 2.5,{width} y}}\n{{}}\n" for i in range(n))

    problem = read(tmp_path, f"{head}@attribute c {{x,y}}\n@data\n{rows}")

    assert problem.n_features == width
    assert problem.contexts.value.size == 2 * n + 2 * n
    assert_array_equal(problem.contexts.feature[:3], [1, 1001, 0])


# Lines and blocks


@pytest.mark.parametrize("block", [1, 10, 64])
def test_the_size_of_blocks_makes_no_difference(
    block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "1,red,x\n% c\n2,'dark blue',y\n\n?,green,z\n4,red,x\n5,?,y"
    sparse = "{1 green}\n\n{0 5, 3 y}\n% c\n{2 ?,3 z}\n{}\n"
    expected = [read(tmp_path, HEAD + rows), read(tmp_path, SPARSE_HEAD + sparse)]
    monkeypatch.setattr(arff, "DENSE_BLOCK", block)
    monkeypatch.setattr(arff, "SPARSE_BLOCK", block)

    found = [read(tmp_path, HEAD + rows), read(tmp_path, SPARSE_HEAD + sparse)]

    assert [p.digest for p in found] == [p.digest for p in expected]


@pytest.mark.parametrize("block", [1, 20, 10**6])
@pytest.mark.parametrize(
    "rows",
    [
        "%\n\n1,red,x\n2,red,y\n\n% c\n3,red,?\n",
        "%\n\n{0 1}\n{3 y}\n\n% c\n{3 ?}\n",
        "%\n\n1,red,x\n2,red,y\n\n% c\n1e19,red,x\n",
        "%\n\n{0 1}\n{3 y}\n\n% c\n{0 1e19}\n",
        "%\n\n1,red,x\n2,red,y\n\n% c\nabc,red,x\n",
        "%\n\n{0 1}\n{3 y}\n\n% c\n{0 abc}\n",
    ],
)
def test_messages_tell_the_line_after_comments_and_blocks(
    rows: str, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arff, "DENSE_BLOCK", block)
    monkeypatch.setattr(arff, "SPARSE_BLOCK", block)
    head = SPARSE_HEAD if "{" in rows else HEAD
    line = head.count("\n") + 7

    with pytest.raises(DataError, match=rf"rows\.arff:{line}: "):
        read(tmp_path, head + rows)


# What polars may read

HEADER = Header(
    [
        Attribute("a", pl.Float64()),
        Attribute("b", pl.Enum(["x", "y z"])),
        Attribute("s", pl.String()),
    ],
    b"",
    1,
)


@pytest.mark.parametrize(
    ("rows", "third"),
    [
        ("1,x,some text\n?,y z,?\n", ["some text", None]),
        ("1,'x','some text'\n?,'y z',?\n", ["some text", None]),
        (' 1,\t"x" , "a, b"\n', ["a, b"]),
        ("1,x,50%\n", ["50%"]),
        ("1,x,a\\b\n", ["a\\b"]),
        ("1,x,caf\u00e9\n", ["caf\u00e9"]),
        ("1,x,a\r\n2,x,b\r\n", ["a", "b"]),
        ("1,x,a\n2,x,b ", ["a", "b"]),
    ],
)
def test_polars_reads_what_is_plain(rows: str, third: list[str | None]) -> None:
    frame = fast_frame(rows.encode(), HEADER)

    assert frame is not None
    assert frame.schema == pl.Schema(HEADER.schema)
    assert frame["s"].to_list() == third


@pytest.mark.parametrize(
    "rows",
    [
        "1,x\n",
        "1,x,a\n1,x\n1,x,?\n",
        "1,x,a,b\n",
        "1,x,\n",
        ",x,a\n",
        " ,x,a\n",
        "1,x,a\n\n",
        "\n1,x,a\n",
        "1,q,a\n",
        "one,x,a\n",
        "nan,x,a\n",
        "inf,x,a\n",
        "1e400,x,a\n",
        "1 2,x,a\n",
        "1,x,'?'\n",
        "1,x,''b''\n",
        "' ',x,a\n",
        "1,x,it's\n1,x,it's\n",
        "1,x,'a\n1,x,b'\n",
        "1,x,'a',\n",
        "1,'x','a,?,b'\n2,?\n",
        "1,'x',\"a\"\n",
        "1,x,'a\\'b'\n",
        "1,x,a\r\r\n",
        "1,x,a %b\n",
        "%1,x,a\n",
        "1,x,{5}\n",
        "\ufeff1,x,a\n",
    ],
)
def test_polars_does_not_read_what_is_unusual(rows: str) -> None:
    frame = fast_frame(rows.encode(), HEADER)

    assert frame is None
