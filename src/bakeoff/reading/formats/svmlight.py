"""Svmlight: lines of `label [qid:number] index:value ... [# comment]` as rows.

What the LibSVM and LETOR readers share. scikit-learn's parser reads some lines at a
time. What it refuses, or accepts by mistake (`1_0:2`, `3:nan`), is located in a second,
slow pass.
"""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Floats, Indices
from bakeoff.data import LARGEST, Pieces, at
from bakeoff.reading.files import opened, shown
from bakeoff.reading.formats.labelled_lines import Lines, Texts

BYTES = 2**18  # of lines that are parsed together
LAST_INDEX = 2**31 - 2
LAST_LABEL = 2.0**53  # up to here, different integers are different numbers

_PLAIN = b"0123456789.:+-eE \t\n"  # all that features are made of
_SIGNED_INDEX = (b" -", b" +", b"\t-", b"\t+")
_HEAD = re.compile(  # label and query id; each may be missing
    rb"\s*+(?:([^\s:]++)(?=\s|\Z))?\s*+(qid:\S*+)?+"
)
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class _Piece(NamedTuple):
    """The features of some lines, with the indices of the file."""

    data: Floats
    indices: Indices
    start: Any  # (rows + 1,)
    lowest: int  # of the indices, also of those with value 0
    highest: int


class Rows(NamedTuple):
    """The rows of a file: features, labels as text, and query ids as text if any."""

    lines: Lines
    queries: Texts
    X: Pieces


def parsed(path: Path, max_documents: int) -> Rows:
    """The rows of a file; blank lines and comments are skipped.

    Documents of a query beyond the first `max_documents` are read but keep none of
    their features: of MSLR's 4 GB, a tenth is used.
    """
    lines, queries = Lines(path), Texts()
    pieces, top = [], 0
    with opened(path) as file:
        while some := file.readlines(BYTES):
            pieces.append(_piece(some, top, lines, queries, max_documents))
            top += len(some)
    if not len(lines.labels):
        raise DataError(f"{path}: has no rows, but a problem needs at least one")
    return Rows(lines, queries, _matrix(pieces, path))


def number_of(text: bytes) -> float | None:
    """The number that a text is, if it is one; exact for integers."""
    if _NUMBER.fullmatch(text) is None or abs(float(text)) > LAST_LABEL:
        return None
    return float(text)


def _piece(some: list[bytes], top: int, lines: Lines, queries: Texts, max_documents: int) -> _Piece:
    """The features of some lines; their labels and query ids are put with the rest."""
    fields_of = [_fields(line) for line in some]
    rows = [fields for fields in fields_of if any(fields)]
    if len(rows) < len(fields_of):
        lines.skipped += [top + i for i, row in enumerate(fields_of, 1) if not any(row)]
    lines.labels.extend([label for label, _, _ in rows])
    rank = queries.extend([query for _, query, _ in rows])
    text = b"".join([b"0 %b\n" % features for _, _, features in rows])
    if text.translate(None, _PLAIN) or any(sign in text for sign in _SIGNED_INDEX):
        _blame(some, top, lines.path)
    try:
        matrix = load_svmlight_file(io.BytesIO(text), zero_based=True)[0]
    except (ValueError, OverflowError):
        _blame(some, top, lines.path)
    lowest = int(matrix.indices.min(initial=1))
    highest = int(matrix.indices.max(initial=0))
    if highest > LAST_INDEX or not (np.abs(matrix.data) <= LARGEST).all():
        _blame(some, top, lines.path)
    matrix = matrix.astype(np.float32)
    if rows and rows[0][1]:  # the rows are documents
        matrix.data[np.repeat(rank >= max_documents, np.diff(matrix.indptr))] = 0
    matrix.eliminate_zeros()
    # copies, since what is left may be a view of all that there was
    data, indices = matrix.data.copy(), matrix.indices.astype(np.int32)
    return _Piece(data, indices, matrix.indptr, lowest, highest)


def _fields(line: bytes) -> tuple[bytes, bytes, bytes]:
    """Label, query id and features; each may be empty, all are in a blank line."""
    if b"#" in line:
        line = line[: line.index(b"#")]
    head = _HEAD.match(line)
    assert head is not None  # it matches anything
    label, query = head.groups(b"")
    return label, query, line[head.end() :].rstrip()


def _matrix(pieces: list[_Piece], path: Path) -> Pieces:
    """The rows of all pieces; indices count from 1, or from 0 if a 0 occurs."""
    first = min(piece.lowest for piece in pieces)
    width = max(piece.highest for piece in pieces) + 1 - first
    if width == 0:
        raise DataError(f"{path}: no row has a feature, as in 3:0.5")

    def rows() -> Iterator[Any]:
        for piece in pieces:
            indices = piece.indices - np.int32(first)
            shape = (len(piece.start) - 1, width)
            yield sparse.csr_array((piece.data, indices, piece.start), shape)

    n = sum(len(piece.start) - 1 for piece in pieces)
    return Pieces(rows, (n, width), sum(len(piece.data) for piece in pieces))


def _blame(some: list[bytes], top: int, path: Path) -> NoReturn:
    """Say what is wrong with the features of the first bad line."""
    for number, line in enumerate(some, top + 1):
        _check_features(_fields(line)[2].lstrip(b" \t"), at(path, number))
    raise AssertionError(f"{path}: lines after {top} were refused without a reason")


def _check_features(features: bytes, where: str) -> None:
    last = -1
    for feature in re.split(rb"[ \t]+", features) if features else ():
        index, colon, value = feature.partition(b":")
        if not colon:
            raise DataError(f"{where}: expected index:value, got {shown(feature)}")
        if not index.isdigit() or len(index) > 4300 or int(index) > LAST_INDEX:
            raise DataError(
                f"{where}: the index in {shown(feature)} must be an integer from 0 to {LAST_INDEX}"
            )
        if int(index) <= last:
            raise DataError(f"{where}: indices must ascend, but {int(index)} comes after {last}")
        last = int(index)
        if _NUMBER.fullmatch(value) is None or abs(float(value)) > LARGEST:
            raise DataError(
                f"{where}: the value in {shown(feature)} must be a number of at most "
                f"{LARGEST:g} in magnitude"
            )
