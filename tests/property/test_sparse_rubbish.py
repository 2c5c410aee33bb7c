"""LibSVM, LETOR, Vowpal Wabbit text and NPZ: rubbish is refused politely."""

import io
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from bakeoff.basics.errors import DataError
from bakeoff.data.problem import Problem
from bakeoff.reading.options import Options
from bakeoff.reading.read_file import read_file

pytestmark = pytest.mark.filterwarnings("ignore::bakeoff.basics.errors.DataNotice")
brief = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])

SVM = b"1 1:0.5 3:2 # a\n2 2:1e3\n\n1,2 1:1\n 3:4\n"
LETOR = b"2 qid:1 1:0.5 3:2 # a\n0 qid:1 2:1\n1 qid:7 1:-1\n"
CLASSES = b"1 1.0 'tag |a x:0.5 y |b:2 z\n2 |a y\ncat | x\n"
COSTS = b"1:0.5 2:1 |a x\n2:0 1:0.25 |b y:2\n"
EVENTS = b"shared |s u\n1:0.5 |a x:2\n2:1 |a y\n\n1:0 |a x\n3:1 |b y\n\n"
TEXTS = [(SVM, ".svm"), (LETOR, ".letor")] + [(text, ".vw") for text in (CLASSES, COSTS, EVENTS)]


def archive(compressed: bool) -> bytes:
    file = io.BytesIO()
    save = np.savez_compressed if compressed else np.savez
    save(file, X=np.eye(3), y=np.array([0, 1, 0]))
    return file.getvalue()


def attempt(content: bytes, ending: str, **options: Any) -> Problem | None:
    """The problem, or None if the file was refused as it should be."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"rows{ending}"
        path.write_bytes(content)
        try:
            return read_file(path, Options(**options))
        except DataError as error:
            message = str(error)
        assert message.startswith(f"{path}:")
        assert "\n" not in message
        return None


@st.composite
def damaged(draw: Any, content: bytes, pieces: list[bytes]) -> bytes:
    """A file with some bytes deleted and some pieces put in."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        end = start + draw(st.integers(0, 3))
        piece = draw(st.sampled_from(pieces) | st.binary(max_size=2))
        content = content[:start] + piece + content[end:]
    return content


WORDS = [
    *(b" ", b"\n", b"\n\n", b"\r", b"\t", b":", b"::", b",", b"#", b"|", b"'", b"-"),
    *(b"+", b".", b"_", b"0", b"1", b"9" * 30, b"0" * 5000, b"nan", b"inf", b"1e400"),
    *(b"qid:", b"qid:1", b"shared", b"1:0", b"2:1", b"a:b", b"\x00", b"\xff", b"\x0c"),
]


@brief
@given(st.binary(max_size=60), st.sampled_from([".svm", ".letor", ".vw", ".npz"]))
def test_random_bytes_are_refused(content: bytes, ending: str) -> None:
    attempt(content, ending)


@pytest.mark.parametrize(("content", "ending"), TEXTS)
@brief
@given(data=st.data())
def test_damaged_text_is_read_or_refused(content: bytes, ending: str, data: st.DataObject) -> None:
    attempt(data.draw(damaged(content, WORDS)), ending)


@pytest.mark.parametrize("task", ["multiclass", "multilabel", "ranking"])
@brief
@given(data=st.data())
def test_damaged_text_is_read_or_refused_whatever_the_task(task: str, data: st.DataObject) -> None:
    problem = attempt(data.draw(damaged(SVM, WORDS)), ".svm", task=task)

    assert problem is None or problem.task == task


@brief
@given(st.text(st.sampled_from("0123 \t\n:.-+e#,_qid"), max_size=40))
@example("1 1:2\n2 " + "0" * 5000 + "1:2\n")
@example("1 1:2 -0:1\n2 1:1\n")
@example("1 1:2 +3:1\n2 1:1\n")
def test_what_the_fast_parser_takes_is_what_the_format_allows(text: str) -> None:
    problem = attempt(text.encode(), ".svm", task="multilabel")

    if problem is not None:
        tokens = [
            token
            for line in text.split("\n")
            for token in line.partition("#")[0].split()
            if ":" in token
        ]
        for token in tokens:
            index, value = token.split(":")
            assert index.isdigit()
            assert float(value.replace("_", "?")) <= 1e18


@pytest.mark.parametrize("compressed", [False, True])
@brief
@given(data=st.data())
def test_damaged_archives_are_read_or_refused(compressed: bool, data: st.DataObject) -> None:
    attempt(data.draw(damaged(archive(compressed), [b"\x00", b"\xff" * 4])), ".npz")


@brief
@given(data=st.data())
def test_arrays_with_damaged_headers_are_read_or_refused(data: st.DataObject) -> None:
    file = io.BytesIO()
    np.save(file, np.eye(3))
    member = data.draw(damaged(file.getvalue(), [b"9", b"O", b"(", b"-1, ", b"U", b"|"]))
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as written:
        written.writestr("X.npy", member)
        written.writestr("C.npy", file.getvalue())

    attempt(packed.getvalue(), ".npz")
