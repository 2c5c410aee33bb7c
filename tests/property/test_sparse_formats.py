"""LibSVM, LETOR, Vowpal Wabbit text and NPZ: what is written is read as it was."""

import io
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy import sparse

from bakeoff.data.problem import Problem
from bakeoff.reading.options import Options
from bakeoff.reading.read_file import read_file

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.basics.errors.DataNotice")
brief = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])

VALUES = st.just(0.0) | st.floats(-(2.0**59), 2.0**59, width=32)
LABELS = st.lists(st.integers(-20, 20), min_size=8, max_size=8)


@st.composite
def matrices(draw: Any) -> Any:
    """Eight rows; every column has some entry, so that every format sees it."""
    width = draw(st.integers(1, 12))
    X = draw(arrays.arrays(np.float32, (8, width), elements=VALUES))
    X[draw(st.integers(0, 7)), ~X.any(axis=0)] = 1
    return X


def read(content: bytes, ending: str, **options: Any) -> Problem:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows{ending}"
        path.write_bytes(content)
        return read_file(path, Options(**options))


def svm(labels: list[str], X: Any, first: int = 1) -> bytes:
    """Lines of LibSVM text, with zeros and comments here and there."""
    lines = []
    for i, (label, row) in enumerate(zip(labels, X, strict=True)):
        kept = [j for j in range(len(row)) if row[j] or (i + j) % 3 == 0]
        features = " ".join(f"{j + first}:{row[j]!r:}" for j in kept)
        lines.append(f"{label} {features}{' # 1:2' if i % 2 else ''}\n")
    return "".join(lines).replace("np.float32(", "").replace(")", "").encode()


def vw(labels: list[str], X: Any) -> bytes:
    lines = []
    for label, row in zip(labels, X, strict=True):
        features = " ".join(f"f{j}:{float(row[j])!r}" for j in range(len(row)))
        lines.append(f"{label} | {features}\n")
    return "".join(lines).encode()


def npz(**members: Any) -> bytes:
    file = io.BytesIO()
    np.savez(file, **members)
    return file.getvalue()


def parquet(X: Any, y: list[int]) -> bytes:
    file = io.BytesIO()
    columns = {f"f{j}": X[:, j] for j in range(X.shape[1])}
    pl.DataFrame({**columns, "class": y}).write_parquet(file)
    return file.getvalue()


@brief
@given(matrices(), LABELS)
def test_the_same_rows_are_the_same_problem_in_every_format(X: Any, y: list[int]) -> None:
    assume(len(set(y)) > 1)
    expected = Problem.from_classes(X, y)
    labels = [str(label) for label in y]
    rows = sparse.csr_array(X)

    problems = [
        read(svm(labels, X), ".svm"),
        read(svm(labels, X, first=0), ".libsvm") if X[:, 0].any() else expected,
        read(vw(labels, X), ".vw"),
        read(npz(X=X, y=y), ".npz"),
        read(
            npz(
                X_data=rows.data,
                X_indices=rows.indices,
                X_indptr=rows.indptr,
                X_shape=rows.shape,
                y=y,
            ),
            ".npz",
        ),
        read(parquet(X, y), ".parquet"),
    ]

    assert {problem.digest for problem in problems} == {expected.digest}
    names = tuple(str(label) for label in sorted(set(y)))
    assert {problem.class_names for problem in problems[2:]} == {names}


@brief
@given(matrices(), st.lists(st.sets(st.integers(-3, 12)), min_size=8, max_size=8))
def test_label_sets_are_read_as_they_were_written(X: Any, sets: list[set[int]]) -> None:
    labels = sorted(set().union(*sets))
    assume(len(labels) > 1)
    X[:, 0] = 1  # a line with neither label nor features is a blank one
    Y = np.array([[label in found for label in labels] for found in sets], np.int8)
    texts = [",".join(str(label) for label in found) for found in sets]

    text = read(svm(texts, X), ".svm", task="multilabel")
    binary = read(npz(X=X, Y=Y), ".npz")

    assert text.digest == binary.digest == Problem.from_labels(X, Y).digest
    assert text.class_names == tuple(str(label) for label in labels)


@brief
@given(matrices(), arrays.arrays(np.float64, (8, 3), elements=st.floats(0, 1)))
def test_costs_are_read_as_they_were_written(X: Any, C: Any) -> None:
    labels = [" ".join(f"{k}:{float(c)!r}" for k, c in enumerate(row)) for row in C]

    text = read(vw(labels, X), ".vw")
    binary = read(npz(X=X, C=C), ".npz")

    assert text.digest == binary.digest == Problem.from_costs(X, C).digest


@brief
@given(
    matrices(),
    st.lists(st.integers(0, 4), min_size=8, max_size=8),
    st.lists(st.integers(1, 4), min_size=8, max_size=8),
    st.permutations(range(-3, 5)),
    st.integers(2, 5),
)
def test_documents_are_read_as_they_were_written(
    X: Any, grades: list[int], sizes: list[int], ids: list[int], most: int
) -> None:
    qid = np.repeat(ids, sizes)[:8]
    assume(len(set(qid)) < 8)
    labels = [f"{g} qid:{q}" for g, q in zip(grades, qid, strict=True)]
    options: dict[str, Any] = {"max_relevance": 4, "max_documents": most}
    expected = Problem.from_ranking(X, grades, qid, most, 4)

    text = read(svm(labels, X), ".letor", **options)
    same = read(svm(labels, X), ".svm", **options)
    binary = read(npz(X=X, relevance=grades, qid=qid), ".npz", **options)

    assert {p.digest for p in (text, same, binary)} == {expected.digest}


@brief
@given(matrices(), matrices(), st.lists(st.booleans(), min_size=4, max_size=4))
def test_events_are_read_as_they_were_written(own: Any, common: Any, shared: list[bool]) -> None:
    width = min(own.shape[1], common.shape[1])
    own, common = own[:, :width].astype(np.float64), common[:4, :width]
    costs = np.linspace(0, 1, 8)
    lines = vw([f"{i % 2}:{costs[i]!r}" for i in range(8)], own).splitlines()
    lines = [line.replace(b"np.float64(", b"").replace(b")", b"") for line in lines]
    heads = vw(["shared"] * 4, common).splitlines()
    text = b""
    for event in range(4):
        head = [heads[event]] if shared[event] else []
        text += b"\n".join([*head, *lines[2 * event : 2 * event + 2], b"", b""])

    X = own + np.repeat(common * np.array(shared)[:, None], 2, axis=0)
    seen = own.any(axis=0) | (common[shared].any(axis=0) if any(shared) else False)
    assume(seen.all() and np.abs(X).max() <= 1e18)
    problem = read(text, ".vw")

    expected = Problem.from_action_costs(X, costs, np.repeat(range(4), 2))
    assert problem.digest == expected.digest
