"""Ranking data that are brought by hand: where to put them, and how they are joined."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff.basics.errors import DataError
from bakeoff.reading.catalog import licensed
from bakeoff.reading.catalog.cache import data_folder
from bakeoff.reading.catalog.download import unwatched
from bakeoff.reading.options import Options

MSLR = {
    "Fold1/train.txt": "4 qid:1 1:1 3:0.5\n0 qid:1 2:2\n2 qid:7 1:3\n",
    "Fold1/vali.txt": "1 qid:7 1:4\n1 qid:7 1:7\n",  # another query of that number
    "Fold1/test.txt": "3 qid:4 2:5\n3 qid:4 4:6\n",
}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BAKEOFF_CACHE", str(tmp_path))


def bring(name: str, files: dict[str, str]) -> None:
    for file, text in files.items():
        path = data_folder(name) / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_who_has_not_brought_them_is_told_page_files_and_folder() -> None:
    with pytest.raises(DataError) as refusal:
        licensed.fetch("mslr30k", unwatched)

    assert str(refusal.value) == (
        f"mslr30k: must be brought by hand, since a licence must be agreed to; get "
        f"MSLR-WEB30K from https://www.microsoft.com/en-us/research/project/mslr/ and "
        f"put Fold1/train.txt, Fold1/vali.txt, Fold1/test.txt into "
        f"{data_folder('mslr30k')} (also with .gz, .bz2, .zst)"
    )


def test_who_has_brought_some_is_told_the_others() -> None:
    bring("yahoo", {f"set1.{part}.txt": "" for part in ("train", "valid", "test")})

    with pytest.raises(DataError, match=r"and put set2\.train\.txt, set2\.valid\.txt"):
        licensed.read("yahoo", Options())

    assert not licensed.is_here("yahoo")


def test_files_that_were_brought_are_one_problem() -> None:
    bring("mslr30k", MSLR)
    source = licensed.source("mslr30k")
    assert source.fetch is not None
    source.fetch(unwatched)

    problem = source.read(Options())

    assert source.is_here()
    assert (problem.name, problem.task) == ("mslr30k", "ranking")
    assert (problem.n, problem.n_features, problem.n_actions) == (4, 4, 2)
    assert_array_equal(problem.true_costs.start, [0, 2, 3, 5, 7])
    assert_array_equal(problem.true_costs.value, [0, 1, 0.5, 0.75, 0.75, 0.25, 0.25])
    assert_array_equal(problem.contexts.first_row, [0, 2, 3, 5, 7])
    assert_array_equal(problem.contexts.start, [0, 3, 5, 7, 9, 11, 13, 15])
    features = [1, 3, 0, 2, 0, 1, 0, 1, 0, 1, 0, 2, 0, 4, 0]
    assert_array_equal(problem.contexts.feature, features)
    values = [1, 0.5, 1, 2, 1, 3, 1, 4, 1, 7, 1, 5, 1, 6, 1]
    assert_array_equal(problem.contexts.value, values)


def test_files_may_be_compressed(tmp_path: Path) -> None:
    bring("mslr30k", MSLR)
    plain = licensed.read("mslr30k", Options()).digest
    train = data_folder("mslr30k") / "Fold1" / "train.txt"
    train.with_name("train.txt.gz").write_bytes(gzip.compress(train.read_bytes()))
    train.unlink()

    assert licensed.read("mslr30k", Options()).digest == plain


def test_the_first_documents_of_a_query_are_kept() -> None:
    many = "".join(f"0 qid:1 1:{i + 1}\n" for i in range(12))
    bring("mslr30k", {**MSLR, "Fold1/vali.txt": many})

    problem = licensed.read("mslr30k", Options())
    fewer = licensed.read("mslr30k", Options(max_documents=3))

    assert problem.n_actions == 10
    assert fewer.n_actions == 3


def test_yahoo_keeps_the_features_that_occur_in_both_sets() -> None:
    bring(
        "yahoo",
        {
            "set1.train.txt": "0 qid:1 2:1 5:2\n1 qid:1 2:1\n",
            "set1.valid.txt": "1 qid:2 9:3\n1 qid:2 9:4\n",
            "set1.test.txt": "2 qid:3 2:4\n2 qid:3 5:4\n",
            "set2.train.txt": "3 qid:1 1:5 9:6\n3 qid:1 1:5\n",
            "set2.valid.txt": "4 qid:2 2:7 700:8\n4 qid:2 700:1\n",
            "set2.test.txt": "0 qid:3 1:9\n0 qid:3 2:1\n",
        },
    )

    problem = licensed.read("yahoo", Options())

    bias = (0, 1.0)
    rows = [
        [(1, 1.0), bias], [(1, 1.0), bias],
        [(2, 3.0), bias], [(2, 4.0), bias],
        [(1, 4.0), bias], [bias],
        [(2, 6.0), bias], [bias],
        [(1, 7.0), bias], [bias],
        [bias], [(1, 1.0), bias],
    ]  # fmt: skip
    contexts = problem.contexts
    assert (problem.n, problem.n_features, problem.n_actions) == (6, 2, 2)
    assert_array_equal(contexts.start[1:], np.cumsum([len(row) for row in rows]))
    assert_array_equal(contexts.feature, [j for row in rows for j, _ in row])
    assert_array_equal(contexts.value, [value for row in rows for _, value in row])
    assert_array_equal(
        problem.true_costs.value, [1, 0.75, 0.75, 0.75, 0.5, 0.5, 0.25, 0.25, 0, 0, 1, 1]
    )


def test_a_fault_in_a_file_is_told_with_its_line() -> None:
    bring("mslr30k", {**MSLR, "Fold1/test.txt": "0 qid:1 1:1\n5 qid:1 1:1\n"})

    with pytest.raises(DataError, match=r"Fold1/test\.txt:2: the grade 5 exceeds"):
        licensed.read("mslr30k", Options())
