"""Bad NPZ files."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.bad_inputs.case import Bad

X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0]])
y = np.array([0, 1, 0])
PARTS: dict[str, Any] = {
    "X_data": np.array([1.0, 2.0, 3.0, 4.0]),
    "X_indices": np.array([0, 1, 0, 1]),
    "X_indptr": np.array([0, 1, 2, 4]),
    "X_shape": np.array([3, 2]),
    "y": y,
}


def saved(**arrays: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def npy(shape: str, data: bytes, dtype: str = "<f8", version: int = 1) -> bytes:
    """A `.npy` file whose header may lie."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}}}\n"
    size = len(header).to_bytes(2, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + header.encode() + data


def zipped(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def bomb(path: Path) -> None:
    """A third of a megabyte that unpacks to 320 MB."""
    zeros = bytes(2**20)
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("X.npy", "w") as member,
    ):
        member.write(npy(f"({40 * 2**20}, 1)", b""))
        for _ in range(320):
            member.write(zeros)


def twice(path: Path) -> None:
    path.write_bytes(saved(X=X, y=y, Y=X).replace(b"Y.npy", b"y.npy"))


def refused(title: str, content: bytes | Callable[[Path], None], says: str, **options: Any) -> Bad:
    return Bad(title, "arrays.npz", content, f"arrays.npz: {says}", options)


CASES = [
    refused("an empty file", b"", "readable"),
    refused("a file that is no zip", b"X = 3", "readable"),
    refused("half a file", saved(X=X, y=y)[:300], "readable"),
    refused(
        "a flipped bit", saved(X=X, y=y).replace(X.tobytes(), (X + 1).tobytes()), "readable 'X.npy'"
    ),
    refused("a zip bomb", bomb, "unpacks 250"),
    refused("two arrays of one name", twice, "arrays 'y' 2"),
    refused("a shape that is a lie", zipped(X=npy(f"({10**12}, 1)", b"\0" * 16)), "array 'X' 16"),
    refused("a member that is no array", zipped(X=b"text"), "readable"),
    refused("an unknown version", zipped(X=npy("(2,)", b"", version=3)), "array 'X'"),
    refused("a header that is no header", zipped(X=npy("-" * 9000, b"")), "header 'X'"),
    refused("Python objects", saved(X=X, y=np.array(["a", None, "b"], object)), "objects 'y'"),
    refused("dates", saved(X=X, y=y.astype("M8[s]")), "array 'y'"),
    refused("no arrays", zipped(), "arrays"),
    refused("no features", saved(y=y), "arrays 'y'"),
    refused("no target", saved(X=X), "arrays 'X'"),
    refused("two targets", saved(X=X, y=y, C=X), "arrays 'C' 'y'"),
    refused("an unknown array", saved(X=X, y=y, Z=y), "arrays 'Z'"),
    refused("relevance without qid", saved(X=X, relevance=y), "arrays 'relevance'"),
    refused("no rows", saved(X=X[:0], y=y[:0]), "class"),
    refused("no columns", saved(X=X[:, :0], y=y), "columns"),
    refused("one class", saved(X=X, y=y * 0), "only '0'"),
    refused("more rows than classes", saved(X=X, y=y[:2]), "rows 2"),
    refused("X in one dimension", saved(X=y, y=y), "shape 3"),
    refused("y in two dimensions", saved(X=X, y=X), "shape"),
    refused("words for features", saved(X=X.astype(str), y=y), "numbers"),
    refused("a feature that is NaN", saved(X=X * np.nan, y=y), "finite"),
    refused("a class that is NaN", saved(X=X, y=y * np.nan), "finite 0"),
    refused("the target of a regression", saved(X=X, y=y + X[:, 0] / 7), "regression 3"),
    refused("labels other than 0 and 1", saved(X=X, Y=X), "only 1"),
    refused("costs above 1", saved(X=X, C=X), "costs 1"),
    refused("a negative grade", saved(X=X, relevance=y - 1, qid=y), "relevance -1.0"),
    refused("a query that begins again", saved(X=X, relevance=y, qid=y), "together 2"),
    refused(
        "several best grades",
        saved(X=X, relevance=y, qid=[1, 1, 2], max_relevance=[1, 2]),
        "max_relevance 2",
    ),
    refused(
        "too many names of classes",
        saved(X=X, y=y + 5, class_names=["a", "b", "c"]),
        "class_names 6",
    ),
    refused("numbers for names", saved(X=X, y=y, class_names=[1, 2]), "class_names"),
    refused(
        "names for words", saved(X=X, y=["a", "b", "a"], class_names=["a", "b"]), "class_names"
    ),
    refused(
        "an index beyond the columns",
        saved(**{**PARTS, "X_indices": np.array([0, 1, 0, 2])}),
        "X_indices 2",
    ),
    refused(
        "a negative index", saved(**{**PARTS, "X_indices": np.array([0, 1, -1, 1])}), "X_indices -1"
    ),
    refused("fractions for indices", saved(**{**PARTS, "X_indices": np.ones(4)}), "shape 4"),
    refused(
        "rows that end before they begin",
        saved(**{**PARTS, "X_indptr": np.array([0, 3, 2, 4])}),
        "ascend 4",
    ),
    refused(
        "rows beyond the data", saved(**{**PARTS, "X_indptr": np.array([0, 1, 2, 400])}), "ascend 4"
    ),
    refused("too few rows", saved(**{**PARTS, "X_indptr": np.array([0, 4])}), "ascend 4"),
    refused("fewer data than indices", saved(**{**PARTS, "X_data": np.ones(3)}), "length 4"),
    refused(
        "words for data", saved(**{**PARTS, "X_data": np.array(["a", "b", "c", "d"])}), "numbers"
    ),
    refused("a negative shape", saved(**{**PARTS, "X_shape": np.array([3, -2])}), "columns"),
    refused("a part missing", saved(X_data=y, X_indices=y, y=y), "arrays 'X_data'"),
    refused("a target by name", saved(X=X, y=y), "chosen 'y'", target="y"),
    refused("ranking wanted from classes", saved(X=X, y=y), "ranking y", task="ranking"),
]
