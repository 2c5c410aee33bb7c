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
    refused("an empty file", b"", "is not a readable NPZ file"),
    refused("a file that is no zip", b"X = 3", "is not a readable NPZ file"),
    refused("half a file", saved(X=X, y=y)[:300], "is not a readable NPZ file"),
    refused(
        "a flipped bit",
        saved(X=X, y=y).replace(X.tobytes(), (X + 1).tobytes()),
        "is not a readable NPZ file (Bad CRC-32 for file 'X.npy')",
    ),
    refused("a zip bomb", bomb, "unpacks to more than 250 times its size"),
    refused("two arrays of one name", twice, "holds 2 arrays that are called 'y'"),
    refused(
        "a shape that is a lie",
        zipped(X=npy(f"({10**12}, 1)", b"\0" * 16)),
        "the array 'X' should take 8000000000000 bytes, but there are 16",
    ),
    refused("a member that is no array", zipped(X=b"text"), "is not a readable NPZ file"),
    refused("an unknown version", zipped(X=npy("(2,)", b"", version=3)), "the array 'X' has the"),
    refused(
        "a header that is no header",
        zipped(X=npy("-" * 9000, b"")),
        "the array 'X' has no readable header",
    ),
    refused(
        "Python objects",
        saved(X=X, y=np.array(["a", None, "b"], object)),
        "the array 'y' holds Python objects, which are not loaded",
    ),
    refused("dates", saved(X=X, y=y.astype("M8[s]")), "the array 'y' must hold numbers or"),
    refused("no arrays", zipped(), "holds the arrays none; expected X (or X_data,"),
    refused("no features", saved(y=y), "holds the arrays 'y'; expected X (or X_data, X_indices"),
    refused("no target", saved(X=X), "holds the arrays 'X'; expected X (or X_data, X_indices"),
    refused("two targets", saved(X=X, y=y, C=X), "holds the arrays 'C', 'X', 'y'; expected"),
    refused("an unknown array", saved(X=X, y=y, Z=y), "holds the arrays 'X', 'Z', 'y'; expected"),
    refused("relevance without qid", saved(X=X, relevance=y), "holds the arrays 'X', 'relevance'"),
    refused("no rows", saved(X=X[:0], y=y[:0]), "holds no class, but a problem needs at least"),
    refused("no columns", saved(X=X[:, :0], y=y), "X has no columns"),
    refused("one class", saved(X=X, y=y * 0), "holds only the class '0', but a problem needs"),
    refused("more rows than classes", saved(X=X, y=y[:2]), "X has 3 rows but y has 2"),
    refused("X in one dimension", saved(X=y, y=y), "X must have two dimensions, got shape (3"),
    refused("y in two dimensions", saved(X=X, y=X), "y must have one dimension, got shape"),
    refused("words for features", saved(X=X.astype(str), y=y), "X must hold real numbers, got"),
    refused("a feature that is NaN", saved(X=X * np.nan, y=y), "X must hold finite numbers of at"),
    refused("a class that is NaN", saved(X=X, y=y * np.nan), "y must be finite, but row 0 holds"),
    refused(
        "the target of a regression",
        saved(X=X, y=y + X[:, 0] / 7),
        "holds 3 different numbers in 3 rows; turn a regression target into classes",
    ),
    refused("labels other than 0 and 1", saved(X=X, Y=X), "Y must hold only 0 and 1, but row"),
    refused("costs above 1", saved(X=X, C=X), "costs in C must lie between 0 and 1, but row"),
    refused(
        "a negative grade",
        saved(X=X, relevance=y - 1, qid=y),
        "relevance must lie between 0 and 1e+18, but row 0 holds -1.0",
    ),
    refused(
        "a query that begins again",
        saved(X=X, relevance=y, qid=y),
        "the documents of a query must stand together, but qid 0 begins again in row 2",
    ),
    refused(
        "several best grades",
        saved(X=X, relevance=y, qid=[1, 1, 2], max_relevance=[1, 2]),
        "max_relevance must be one number, got shape (2,)",
    ),
    refused(
        "too many names of classes",
        saved(X=X, y=y + 5, class_names=["a", "b", "c"]),
        "class_names has 3 names, but y holds 2 classes from 5 to 6",
    ),
    refused("numbers for names", saved(X=X, y=y, class_names=[1, 2]), "class_names must hold"),
    refused(
        "names for words",
        saved(X=X, y=["a", "b", "a"], class_names=["a", "b"]),
        "class_names name integers, but y holds <U1",
    ),
    refused(
        "an index beyond the columns",
        saved(**{**PARTS, "X_indices": np.array([0, 1, 0, 2])}),
        "X_indices must lie between 0 and 1, found 0 to 2",
    ),
    refused(
        "a negative index",
        saved(**{**PARTS, "X_indices": np.array([0, 1, -1, 1])}),
        "X_indices must lie between 0 and 1, found -1 to 1",
    ),
    refused(
        "fractions for indices",
        saved(**{**PARTS, "X_indices": np.ones(4)}),
        "X_indices must hold integers in one dimension, got shape (4,) of float64",
    ),
    refused(
        "rows that end before they begin",
        saved(**{**PARTS, "X_indptr": np.array([0, 3, 2, 4])}),
        "X_indptr must hold 4 numbers that ascend from 0 to 4",
    ),
    refused(
        "rows beyond the data",
        saved(**{**PARTS, "X_indptr": np.array([0, 1, 2, 400])}),
        "X_indptr must hold 4 numbers that ascend from 0 to 4",
    ),
    refused(
        "too few rows",
        saved(**{**PARTS, "X_indptr": np.array([0, 4])}),
        "X_indptr must hold 4 numbers that ascend from 0 to 4",
    ),
    refused(
        "fewer data than indices",
        saved(**{**PARTS, "X_data": np.ones(3)}),
        "X_data and X_indices must have the same length, got (3,) and (4,)",
    ),
    refused(
        "words for data",
        saved(**{**PARTS, "X_data": np.array(["a", "b", "c", "d"])}),
        "X_data must hold numbers, got <U1",
    ),
    refused(
        "a negative shape",
        saved(**{**PARTS, "X_shape": np.array([3, -2])}),
        "X_shape must be rows and columns, got [3, -2]",
    ),
    refused("a part missing", saved(X_data=y, X_indices=y, y=y), "holds the arrays 'X_data',"),
    refused(
        "a target by name",
        saved(X=X, y=y),
        "the target 'y' cannot be chosen in this format: it is the array y, Y, C or",
        target="y",
    ),
    refused(
        "ranking wanted from classes",
        saved(X=X, y=y),
        "cannot be read as ranking: it holds the array y, which makes it multiclass",
        task="ranking",
    ),
]
