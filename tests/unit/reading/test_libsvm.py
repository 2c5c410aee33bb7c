"""LibSVM files."""

import bz2
import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff.basics.errors import DataError, DataNotice
from bakeoff.data.problem import Problem
from bakeoff.reading.formats import libsvm, svmlight
from bakeoff.reading.options import Options


def read(folder: Path, text: str, file: str = "rows.svm", **options: Any) -> Problem:
    path = folder / file
    path.write_bytes(text.encode())
    return libsvm.read(path, Options(**options))


def test_a_line_is_a_label_and_its_features(tmp_path: Path) -> None:
    problem = read(tmp_path, "3 1:0.5 4:-2\n1 2:1e3\n3\n")

    X = [[0.5, 0, 0, -2], [0, 1e3, 0, 0], [0, 0, 0, 0]]
    assert problem.digest == Problem.from_classes(X, [3, 1, 3]).digest
    assert problem.class_names == ("1", "3")
    assert problem.name == "rows"


def test_comments_blank_lines_tabs_and_line_ends_do_not_matter(tmp_path: Path) -> None:
    plain = read(tmp_path, "1 1:2 3:1\n2 2:5\n")

    adorned = read(
        tmp_path, "\ufeff# qid:7 1:9\r\n  1\t1:2   3:1 # qid:3, 5:1\r\n\r\n \t\r\n2 2:5#\r\n"
    )

    assert adorned.digest == plain.digest


def test_indices_count_from_0_if_a_0_occurs(tmp_path: Path) -> None:
    from_1 = read(tmp_path, "1 1:2 3:1\n2 2:5\n")

    from_0 = read(tmp_path, "1 0:2 2:1\n2 1:5\n")

    assert from_0.digest == from_1.digest


def test_a_feature_that_is_always_0_counts_but_is_not_stored(tmp_path: Path) -> None:
    problem = read(tmp_path, "1 1:2 5:0\n2 2:5 3:0.0\n")

    assert problem.n_features == 5
    assert problem.nonzeros == 2


def test_values_too_small_for_single_precision_are_left_out(tmp_path: Path) -> None:
    problem = read(tmp_path, "1 1:2 2:1e-60\n2 2:5\n")

    assert problem.nonzeros == 2


def test_classes_are_sorted_as_numbers(tmp_path: Path) -> None:
    labels = ["10", "9", "-1", "+9.0", "1e1", "0.5", "010", ".5"]

    problem = read(tmp_path, "".join(f"{label} 1:1\n" for label in labels))

    assert problem.class_names == ("-1", "0.5", "9", "10")
    assert_array_equal(problem.true_costs.right, [3, 2, 0, 2, 3, 1, 3, 1])


def test_commas_make_it_multilabel_and_this_is_said(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match=r"rows\.svm:2: has several labels"):
        problem = read(tmp_path, "4 1:1\n10,1 1:2\n 2:1\n4,1 1:5\n")

    X = [[1, 0], [2, 0], [0, 1], [5, 0]]
    labels = [[1], [0, 2], [], [0, 1]]
    assert problem.digest == Problem.from_labels(X, labels).digest
    assert problem.class_names == ("1", "4", "10")


def test_a_row_without_label_makes_it_multilabel(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match=r"rows\.svm:2: has no label"):
        problem = read(tmp_path, "4 1:1\n1:2 2:1\n5 2:1\n")

    assert problem.task == "multilabel"
    assert_array_equal(problem.true_costs.start, [0, 1, 1, 2])


@pytest.mark.parametrize(
    ("file", "options"), [("rows.multilabel.svm", {}), ("rows.svm", {"task": "multilabel"})]
)
def test_a_multilabel_file_that_is_said_to_be_one_is_no_surprise(
    file: str, options: dict[str, Any], tmp_path: Path
) -> None:
    problem = read(tmp_path, "4 1:1\n1:2 2:1\n5 2:1\n", file, **options)

    assert problem.task == "multilabel"


def test_query_ids_make_it_a_ranking(tmp_path: Path) -> None:
    problem = read(tmp_path, "2 qid:1 1:1\n0 qid:1 1:2\n", max_relevance=2)

    assert problem.task == "ranking"
    assert_array_equal(problem.true_costs.value, [0, 1])


@pytest.mark.parametrize("options", [{"features": "one-hot"}, {"header": False}])
def test_options_with_nothing_to_say_change_nothing(
    options: dict[str, Any], tmp_path: Path
) -> None:
    text = "1 1:2\n2 2:5\n"

    assert read(tmp_path, text, **options).digest == read(tmp_path, text).digest


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress])
def test_a_compressed_file_is_unpacked(pack: Any, tmp_path: Path) -> None:
    ending = {gzip.compress: ".gz", bz2.compress: ".bz2"}[pack]
    path = tmp_path / f"rows.svm{ending}"
    path.write_bytes(pack(b"1 1:2\n2 2:5\n"))

    problem = libsvm.read(path, Options())

    assert problem.digest == read(tmp_path, "1 1:2\n2 2:5\n").digest
    assert problem.name == "rows"


def test_a_file_is_the_same_whether_read_in_one_piece_or_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    rows = [f"{i % 3} {1 + i % 5}:1 9:{rng.random()} # {i}" for i in range(200)]
    text = "\n\n".join(rows)
    whole = read(tmp_path, text)
    monkeypatch.setattr(svmlight, "BYTES", 100)

    pieces = read(tmp_path, text)

    assert pieces.digest == whole.digest


def test_the_line_of_an_error_counts_all_lines_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(svmlight, "BYTES", 30)
    text = "# first\n" + "1 1:2\n\n2 1:3\n" * 20

    with pytest.raises(DataError, match=r"rows\.svm:62: expected index:value"):
        read(tmp_path, text + "1 1:2 3\n")
    with pytest.raises(DataError, match=r"rows\.svm:62: a label"):
        read(tmp_path, text + "word 1:2\n")


def test_labels_that_differ_are_not_confused(tmp_path: Path) -> None:
    problem = read(tmp_path, f"{2**53 - 1} 1:1\n{2**53} 1:1\n")

    assert problem.class_names == (str(2**53 - 1), str(2**53))
    with pytest.raises(DataError, match=r"rows\.svm:2: a label"):
        read(tmp_path, f"{2**53} 1:1\n{2**53 + 2} 1:1\n")
