"""CSV and TSV files."""

from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_array_equal

from bakeoff.basics.errors import DataError, DataNotice
from bakeoff.data.problem import Problem
from bakeoff.reading.formats import csv
from bakeoff.reading.options import Options
from tests.dense import features


def read(folder: Path, text: str, file: str = "rows.csv", **options: Any) -> Problem:
    path = folder / file
    path.write_bytes(text.encode())
    return csv.read(path, Options(**options))


def test_the_last_column_is_the_target(tmp_path: Path) -> None:
    problem = read(tmp_path, "a,b,class\n1,2,x\n3,4,y\n5,6,x\n")

    assert (problem.n, problem.n_features, problem.n_actions) == (3, 2, 2)
    assert problem.class_names == ("x", "y")
    assert_array_equal(problem.true_costs.right, [0, 1, 0])
    assert_array_equal(features(problem), [[1, 2], [3, 4], [5, 6]])


@pytest.mark.parametrize("target", ["class", 1, "1", -2])
def test_the_target_can_be_named_or_counted(target: str | int, tmp_path: Path) -> None:
    problem = read(tmp_path, "a,class,b\n1,x,2\n3,y,4\n", target=target)

    assert problem.class_names == ("x", "y")
    assert_array_equal(features(problem), [[1, 2], [3, 4]])


def test_numeric_classes_are_sorted_as_numbers(tmp_path: Path) -> None:
    problem = read(tmp_path, "a,class\n1,10\n2,9\n3,2\n")

    assert problem.class_names == ("2", "9", "10")


@pytest.mark.parametrize("before", ["", " "])
@pytest.mark.parametrize("least", [2**53 + 1, 2**63, 2**64, -(2**64) - 2])
def test_classes_that_floats_would_merge_stay_apart(
    least: int, before: str, tmp_path: Path
) -> None:
    rows = [least + 1, least, 7, least]

    problem = read(tmp_path, "a,class\n" + "".join(f"1,{before}{k}\n" for k in rows))

    classes = sorted({*rows})
    assert problem.class_names == tuple(map(str, classes))
    assert_array_equal(problem.true_costs.right, [classes.index(k) for k in rows])


def test_words_become_the_numbers_of_their_sorted_categories(tmp_path: Path) -> None:
    problem = read(tmp_path, "colour,class\nred,x\nblue,y\ngreen,x\nred,y\n")

    assert_array_equal(features(problem), [[2], [0], [1], [2]])


@pytest.mark.parametrize(
    "nothing", ["", "?", "NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", " ? "]
)
def test_a_missing_value_is_left_out(nothing: str, tmp_path: Path) -> None:
    text = f"a,colour,class\n{nothing},red,x\n3,{nothing},y\n4,blue,y\n"

    problem = read(tmp_path, text)

    assert_array_equal(features(problem), [[0, 1], [3, 0], [4, 0]])


def test_one_hot_features_have_an_indicator_where_values_are_missing(tmp_path: Path) -> None:
    text = "a,colour,b,class\n5,red,1,x\n,?,2,y\n7,blue,3,y\n"

    problem = read(tmp_path, text, features="one-hot")

    # a, a is missing, blue, red, colour is missing, b
    expected = [[5, 0, 0, 1, 0, 1], [0, 1, 0, 0, 1, 2], [7, 0, 1, 0, 0, 3]]
    assert_array_equal(features(problem), expected)


def test_a_column_of_numbers_can_be_declared_categorical(tmp_path: Path) -> None:
    text = "zip,class\n10,x\n9,y\n100,x\n"

    coded = read(tmp_path, text, categorical=("zip",))
    one_hot = read(tmp_path, text, categorical=("zip",), features="one-hot")

    assert_array_equal(features(coded), [[1], [0], [2]])
    assert_array_equal(features(one_hot), [[0, 1, 0], [1, 0, 0], [0, 0, 1]])


def test_a_mixed_column_can_be_declared_categorical(tmp_path: Path) -> None:
    problem = read(tmp_path, "a,class\n1,x\n3+,y\n2,x\n", categorical=("a",))

    assert_array_equal(features(problem), [[0], [2], [1]])


def test_classes_may_mix_numbers_and_words(tmp_path: Path) -> None:
    problem = read(tmp_path, "a,class\n1,3+\n2,1\n3,2\n")

    assert problem.class_names == ("1", "2", "3+")


def test_truth_values_are_numbers(tmp_path: Path) -> None:
    problem = read(tmp_path, "a,class\ntrue,x\nfalse,y\n")

    assert_array_equal(features(problem), [[1], [0]])


def test_an_ignored_column_is_left_out_before_the_last_is_looked_for(tmp_path: Path) -> None:
    problem = read(tmp_path, "a,class,id\n1,x,77\n2,y,78\n", ignore=("id",))

    assert problem.class_names == ("x", "y")
    assert problem.n_features == 1


def test_a_file_without_a_header_is_said_to_have_none(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match="looks like data"):
        problem = read(tmp_path, "5.1,3.5,setosa\n4.9,3.0,virginica\n")

    assert (problem.n, problem.n_features) == (2, 2)
    assert problem.class_names == ("setosa", "virginica")


def test_what_is_said_about_the_header_is_believed(tmp_path: Path) -> None:
    with_names = read(tmp_path, "2019,2020,t\n1,2,x\n3,4,y\n", header=True)
    without = read(tmp_path, "low,red,x\nhigh,blue,y\n", header=False)

    assert with_names.class_names == ("x", "y")
    assert without.n == 2


def test_row_numbers_without_a_name_are_left_out_aloud(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match="numbers the rows; left out"):
        problem = read(tmp_path, ",a,class\n0,5,x\n1,6,y\n2,7,x\n")

    assert_array_equal(features(problem), [[5], [6], [7]])


def test_ignored_row_numbers_do_not_make_the_next_column_one(tmp_path: Path) -> None:
    problem = read(tmp_path, ",a,b,class\n0,5,1,x\n1,6,1,y\n", ignore=("column_1",))

    assert_array_equal(features(problem), [[5, 1], [6, 1]])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a,class\n1,x\n2,\0y\n", "csv:3: .* zero byte"),
        ("a,class\n1,x\n".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "rows.csv"
    path.write_bytes(content)

    with pytest.raises(DataError, match=message):
        csv.read(path, Options())


def test_blank_lines_blanks_and_line_ends_do_not_matter(tmp_path: Path) -> None:
    plain = read(tmp_path, "a,b,class\n1,2,x\n3,4,y\n")
    untidy = read(tmp_path, "\r\na, b ,class\r\n 1,2 ,x\r\n   \r\n3, 4,y\r\n\r\n  ")

    assert untidy.digest == plain.digest


def test_quoted_values_may_hold_separators_quotes_and_line_breaks(tmp_path: Path) -> None:
    text = 'a,"b, c",class\n1,2,"x, ""y""\nz"\n\n3,4,"w"\n'

    problem = read(tmp_path, text)

    assert problem.class_names == ("w", 'x, "y"\nz')
    assert problem.n == 2


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_seen_from_the_first_line(separator: str, tmp_path: Path) -> None:
    text = "a,b,class\n1,2.5,x\n3,4,y\n".replace(",", separator)

    problem = read(tmp_path, text)

    assert_array_equal(features(problem), [[1, 2.5], [3, 4]])


def test_decimal_commas_are_understood_between_semicolons(tmp_path: Path) -> None:
    problem = read(tmp_path, "a;b;class\n1,5;2;x\n-2,25;3;y\n")

    assert_array_equal(features(problem), [[1.5, 2], [-2.25, 3]])


def test_a_byte_order_mark_is_no_part_of_the_first_name(tmp_path: Path) -> None:
    problem = read(tmp_path, "\ufeffclass,a\nx,1\ny,2\n", target="class")

    assert problem.class_names == ("x", "y")


def test_tab_separated_values_may_be_empty(tmp_path: Path) -> None:
    problem = read(tmp_path, "a\tb\tclass\n1\t\tx\n\t\ty\n", "rows.tsv")

    assert_array_equal(features(problem), [[1, 0], [0, 0]])


def test_numbers_may_be_written_with_a_plus(tmp_path: Path) -> None:
    problem = read(tmp_path, "a,class\n+1,x\n1e2,y\n.5,y\n")

    assert_array_equal(features(problem), [[1], [100], [0.5]])


def test_a_table_can_hold_labels_costs_or_queries(tmp_path: Path) -> None:
    labels = read(tmp_path, "red,blue,a\n0,1,5\n1,1,6\n", task="multilabel", target="red,blue")
    costs = read(
        tmp_path, "left,right,a\n0,0.5,5\n1,0.25,6\n", task="cost-sensitive", target="left,right"
    )
    queries = read(tmp_path, "grade,qid,a\n4,7,5\n0,7,6\n2,3,7\n",
                   task="ranking", target="grade", max_relevance=4)  # fmt: skip

    assert (labels.task, labels.class_names) == ("multilabel", ("red", "blue"))
    assert_array_equal(labels.true_costs.right, [1, 0, 1])
    assert_array_equal(costs.true_costs.value, [0, 0.5, 1, 0.25])
    assert (queries.n, queries.n_actions, queries.n_features) == (2, 2, 1)
    assert_array_equal(queries.true_costs.value, [0, 1, 0.5])


def test_the_largest_grade_is_said_aloud(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match="max_relevance is 2, the largest grade"):
        problem = read(
            tmp_path, "grade,qid,a\n2,7,5\n0,7,6\n1,3,7\n", task="ranking", target="grade"
        )

    assert_array_equal(problem.true_costs.value, [0, 1, 0.5])


def test_a_column_name_is_never_a_pattern(tmp_path: Path) -> None:
    text = "*,^a$,class\n0,1,x\n0,2,y\n5,,y\n"

    ignored = read(tmp_path, text, ignore=("*",))
    named = read(tmp_path, text, categorical=("*", "^a$"), features="one-hot")

    assert_array_equal(features(ignored), [[1], [2], [0]])
    # 0, 5, 1, 2, missing
    expected = [[1, 0, 1, 0, 0], [1, 0, 0, 1, 0], [0, 1, 0, 0, 1]]
    assert_array_equal(features(named), expected)


@pytest.mark.parametrize(
    "text",
    [
        'a;b;"c, d";class\n1;2,5;"p, q; r";x\n3;4,5;"s, t";y\n',
        "a;b;c;class\n1,0;2,5;p;x\n3;4,5;s;y\n",
        "a\tb\tc\tclass\n1\t2,5\tp\tx\n3\t4,5\ts\ty\n",
        "a|b|c|class\n1|2,5|p|x\n3|4,5|s|y\n",
    ],
)
def test_commas_do_not_hide_another_separator(text: str, tmp_path: Path) -> None:
    problem = read(tmp_path, text)

    assert problem.class_names == ("x", "y")
    assert_array_equal(features(problem), [[1, 2.5, 0], [3, 4.5, 1]])


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("a;class\n1,5;x\n2,5;y\noops;x\n", "rows.csv:4: column 'a' holds numbers in"),
        ("a;class\n1.234,5;x\n2,5;y\n", "rows.csv:2: column 'a' holds numbers in"),
        ('a,class\n"1,234",x\n"2,5",y\n', "rows.csv:2: column 'a' holds numbers with"),
        ("a,class\n12345678901234567890,x\n1,y\n", "rows.csv:2: column 'a' must be"),
    ],
)
def test_numbers_that_are_not_understood_are_not_made_categories(
    text: str, where: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=where):
        read(tmp_path, text)


def test_names_that_look_like_equal_numbers_stay_different(tmp_path: Path) -> None:
    problem = read(tmp_path, "zip,class\n01234,x\n1234,y\n00501,x\n", categorical=("zip",))

    assert_array_equal(features(problem), [[1], [2], [0]])


def test_a_query_id_in_the_last_column_is_not_the_grade(tmp_path: Path) -> None:
    problem = read(tmp_path, "a,grade,qid\n5,0,1\n6,2,1\n7,1,2\n", task="ranking", max_relevance=2)

    assert_array_equal(problem.true_costs.value, [1, 0, 0.5])
    assert problem.n_features == 1


def test_suspicious_columns_are_pointed_out(tmp_path: Path) -> None:
    rows = "".join(f"day{day},row{day}\n" for day in range(1, 31))

    with pytest.warns(DataNotice) as notices:
        read(tmp_path, f"when,class\n{rows}")

    said = [str(notice.message) for notice in notices]
    assert any("holds 30 different words in 30 rows" in text for text in said)
    assert any("has 30 classes in 30 rows" in text for text in said)


def test_shuffled_row_numbers_are_left_out_too(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match="numbers the rows; left out"):
        problem = read(tmp_path, ",a,class\n7,5,x\n1,6,y\n2,7,x\n")

    assert problem.n_features == 1
