"""NPZ files."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from bakeoff.basics.errors import DataError, DataNotice
from bakeoff.data.problem import Problem
from bakeoff.reading.formats import npz
from bakeoff.reading.options import Options

X = np.array([[1.0, 0.0, 0.5], [0.0, 2.0, 0.0], [3.0, 4.0, 0.0]])


def read(folder: Path, options: Options | None = None, **arrays: Any) -> Problem:
    path = folder / "arrays.npz"
    np.savez(path, **arrays)
    return npz.read(path, options or Options())


def parts(name: str, matrix: Any) -> dict[str, Any]:
    rows = sparse.csr_array(matrix)
    return {
        f"{name}_data": rows.data,
        f"{name}_indices": rows.indices,
        f"{name}_indptr": rows.indptr,
        f"{name}_shape": rows.shape,
    }


@pytest.mark.parametrize(
    ("y", "names"),
    [
        ([10, 9, 10], ("9", "10")),
        ([2.0, 1.0, 1.0], ("1", "2")),
        (["b", "a", "a"], ("a", "b")),
        (np.array([b"b", b"a", b"a"]), ("a", "b")),
        ([True, False, True], ("False", "True")),
    ],
)
def test_classes_are_numbers_or_strings(y: Any, names: Any, tmp_path: Path) -> None:
    problem = read(tmp_path, X=X, y=y)

    assert problem.digest == Problem.from_classes(X, np.asarray(y)).digest
    assert problem.class_names == names
    assert problem.name == "arrays"


def test_labels_are_flags(tmp_path: Path) -> None:
    Y = np.array([[1, 0, 0], [0, 0, 0], [0, 1, 1]])
    expected = Problem.from_labels(X, Y).digest

    dense = read(tmp_path, X=X, Y=Y, class_names=["a", "b", "c"])
    compressed = read(tmp_path, X=X, **parts("Y", Y))

    assert dense.digest == expected
    assert dense.class_names == ("a", "b", "c")
    assert compressed.digest == expected


def test_costs_are_given_one_by_one(tmp_path: Path) -> None:
    C = np.array([[0, 0.5], [1, 0], [0.25, 0.75]])

    problem = read(tmp_path, X=X, C=C, class_names=["stay", "go"])

    assert problem.digest == Problem.from_costs(X, C).digest
    assert problem.class_names == ("stay", "go")


def test_documents_have_a_grade_and_a_query(tmp_path: Path) -> None:
    ranking: dict[str, Any] = {"X": X, "relevance": [0, 2, 1], "qid": ["q2", "q2", "q1"]}
    expected = [
        Problem.from_ranking(X, [0, 2, 1], [2, 2, 1], 10, best).digest for best in (2, 3, 4)
    ]

    with pytest.warns(DataNotice, match="max_relevance is 2"):
        assert read(tmp_path, **ranking).digest == expected[0]
    assert read(tmp_path, **ranking, max_relevance=3).digest == expected[1]
    given = read(tmp_path, Options(max_relevance=4), **ranking, max_relevance=3)
    assert given.digest == expected[2]


@pytest.mark.parametrize(
    "same", [X, X.astype(np.float32), X.astype(np.float16), X.astype(">f8"), np.asfortranarray(X)]
)
def test_the_type_of_numbers_does_not_matter(same: Any, tmp_path: Path) -> None:
    expected = Problem.from_classes(X, [0, 1, 0]).digest
    compressed = parts("X", X)
    compressed["X_data"] = compressed["X_data"].astype(same.dtype)

    assert read(tmp_path, X=same, y=[0, 1, 0]).digest == expected
    assert read(tmp_path, **compressed, y=[0, 1, 0]).digest == expected


def test_the_order_of_bytes_does_not_matter(tmp_path: Path) -> None:
    whole = (2 * X).astype(">i4")

    problem = read(tmp_path, X=whole, y=np.array([7, 8, 7], ">u2"))

    assert problem.digest == Problem.from_classes(2 * X, [7, 8, 7]).digest


def test_parts_of_a_matrix_need_not_be_sorted(tmp_path: Path) -> None:
    unsorted: dict[str, Any] = {
        "X_data": np.array([0.5, 1, 2, 0, 4, 1, 2], np.float16),
        "X_indices": np.array([2, 0, 1, 2, 1, 0, 0], np.uint8),
        "X_indptr": [0, 2, 4, 7],
        "X_shape": (3, 3),
    }

    problem = read(tmp_path, **unsorted, y=[0, 1, 0])

    assert problem.digest == Problem.from_classes(X, [0, 1, 0]).digest


@pytest.mark.parametrize(
    ("y", "names"),
    [
        ([0, 2, 2], ("none", "two")),
        ([1, 2, 1], ("one", "two")),
        ([7, 8, 9], ("none", "one", "two")),
    ],
)
def test_class_names_are_those_of_the_classes_that_occur(
    y: list[int], names: tuple[str, ...], tmp_path: Path
) -> None:
    problem = read(tmp_path, X=X, y=y, class_names=["none", "one", "two"])

    assert problem.class_names == names


def test_a_compressed_archive_is_read(tmp_path: Path) -> None:
    path = tmp_path / "small.npz"
    np.savez_compressed(path, X=X, y=[0, 1, 0])

    problem = npz.read(path, Options(name="mine"))

    assert problem.digest == Problem.from_classes(X, [0, 1, 0]).digest
    assert problem.name == "mine"


def test_an_archive_that_lies_about_its_sizes_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "liar.npz"
    np.savez_compressed(path, X=np.zeros((100, 100)), y=np.arange(100) % 2)
    with zipfile.ZipFile(path) as archive:
        size = archive.getinfo("X.npy").file_size
    honest = path.read_bytes()

    half = (size // 2).to_bytes(4, "little")
    path.write_bytes(honest.replace(size.to_bytes(4, "little"), half))

    with pytest.raises(DataError, match="the array 'X' should take 80000 bytes"):
        npz.read(path, Options())
