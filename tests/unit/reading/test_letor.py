"""LETOR files."""

from pathlib import Path
from typing import Any

import pytest
from numpy.testing import assert_array_equal

from bakeoff.basics.errors import DataError, DataNotice
from bakeoff.data.problem import Problem
from bakeoff.reading.formats import letor, svmlight
from bakeoff.reading.options import Options

TEXT = """2 qid:10 1:0.5 3:1 # d1
0 qid:10 2:1 #d2 qid:9
1 qid:-3 1:4
# between queries

1 qid:2 1:7 2:1
2 qid:2 3:0.25
0 qid:2 1:1
"""


def read(folder: Path, text: str, file: str = "rows.letor", **options: Any) -> Problem:
    path = folder / file
    path.write_bytes(text.encode())
    return letor.read(path, Options(**options))


def test_an_event_is_a_query_and_its_actions_are_documents(tmp_path: Path) -> None:
    problem = read(tmp_path, TEXT, max_relevance=2)

    X = [[0.5, 0, 1], [0, 1, 0], [4, 0, 0], [7, 1, 0], [0, 0, 0.25], [1, 0, 0]]
    expected = Problem.from_ranking(X, [2, 0, 1, 1, 2, 0], [1, 1, 2, 3, 3, 3], 10, 2)
    assert problem.digest == expected.digest
    assert (problem.n, problem.n_actions) == (3, 3)


def test_the_best_grade_is_the_largest_and_this_is_said(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match="max_relevance is 2, the largest grade"):
        problem = read(tmp_path, TEXT)

    assert_array_equal(problem.true_costs.value, [0, 1, 0.5, 0.5, 0, 1])


def test_documents_beyond_the_first_are_left_out(tmp_path: Path) -> None:
    problem = read(tmp_path, TEXT, max_relevance=2, max_documents=2)

    assert problem.n_actions == 2
    assert problem.n_features == 3
    assert_array_equal(problem.true_costs.value, [0, 1, 0.5, 0.5, 0])
    assert_array_equal(problem.contexts.value, [0.5, 1, 1, 1, 1, 4, 1, 7, 1, 1, 0.25, 1])


def test_ten_documents_are_used_if_nothing_is_said(tmp_path: Path) -> None:
    text = "".join(f"{i % 2} qid:1 {i + 1}:{i + 1}\n" for i in range(13))

    with pytest.warns(DataNotice, match="3 documents beyond the first 10 of a query"):
        problem = read(tmp_path, text, max_relevance=1)

    assert read(tmp_path, text, max_relevance=1, max_documents=13).n_actions == 13
    assert problem.n_actions == 10
    assert problem.n_features == 13
    assert problem.nonzeros == 10


def test_documents_left_out_take_no_memory(tmp_path: Path) -> None:
    path = tmp_path / "rows.letor"
    path.write_text("".join(f"0 qid:{i // 20} 1:1 2:1\n" for i in range(100)))

    rows = svmlight.parsed(path, max_documents=3)

    assert rows.X.shape == (100, 2)
    assert rows.X.nnz == sum(piece.nnz for piece in rows.X.rows()) == 5 * 3 * 2


def test_pieces_may_end_within_a_query(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(f"{i % 3} qid:{i // 7} 1:{i} 2:{i + 1}\n" for i in range(100))
    whole = read(tmp_path, text, max_relevance=2, max_documents=5)
    monkeypatch.setattr(svmlight, "BYTES", 40)

    pieces = read(tmp_path, text, max_relevance=2, max_documents=5)

    assert pieces.digest == whole.digest


def test_the_grades_of_documents_left_out_still_count(tmp_path: Path) -> None:
    with pytest.warns(DataNotice, match="max_relevance is 4"):
        problem = read(tmp_path, "2 qid:1 1:1\n0 qid:1 2:1\n4 qid:1 1:1\n", max_documents=2)

    assert_array_equal(problem.true_costs.value, [0.5, 1])


def test_queries_may_come_in_any_order_but_only_once(tmp_path: Path) -> None:
    descending = "1 qid:9 1:1\n0 qid:9 1:2\n1 qid:-4 1:3\n0 qid:-5 1:3\n"

    assert read(tmp_path, descending, max_relevance=1).n == 3
    with pytest.raises(DataError, match=r"rows\.letor:5: .* but query 9 begins again"):
        read(tmp_path, descending + "1 qid:09 1:1\n")
