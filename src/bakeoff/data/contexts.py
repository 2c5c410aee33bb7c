"""Rows of features as the kernels take them: moved up by one index, with the bias last."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bakeoff.core.types import Contexts, Ints
from bakeoff.data.checks import Pieces, as_pieces, check_lengths
from bakeoff.data.features import Features


def one_row_per_event(X: Any, n: int, what: str) -> tuple[Contexts, Features]:
    """The contexts of `n` events, and what is known of their columns."""
    pieces = as_pieces(X)
    check_lengths(pieces.shape[0], n, what)
    contexts = with_bias(pieces, np.arange(n + 1, dtype=np.int64))
    return contexts, features_of(pieces)


def features_of(pieces: Pieces) -> Features:
    """What is known of the columns of a matrix."""
    return pieces.features or Features(pieces.shape[1])


def kept(pieces: Pieces, rows: Ints) -> Pieces:
    """Some rows of a matrix, in ascending order."""

    def parts() -> Iterator[Any]:
        top = 0
        for piece in pieces.rows():
            low, high = np.searchsorted(rows, (top, top + piece.shape[0]))
            yield piece[rows[low:high] - top]
            top += piece.shape[0]

    nnz = sum(part.nnz for part in parts())
    return Pieces(parts, (len(rows), pieces.shape[1]), nnz, pieces.features)


def with_bias(pieces: Pieces, first_row: Ints) -> Contexts:
    """Rows with their features moved up by one index, and the bias put last."""
    n_rows = pieces.shape[0]
    start = np.zeros(n_rows + 1, np.int64)
    feature = np.zeros(pieces.nnz + n_rows, np.int32)
    value = np.ones(pieces.nnz + n_rows, np.float32)
    top = 0
    for piece in pieces.rows():
        end = top + piece.shape[0]
        start[top : end + 1] = start[top] + piece.indptr + np.arange(end - top + 1)
        inner = np.ones(start[end] - start[top], np.bool_)
        inner[start[top + 1 : end + 1] - 1 - start[top]] = False
        feature[start[top] : start[end]][inner] = piece.indices + 1
        value[start[top] : start[end]][inner] = piece.data
        top = end
    return Contexts(start, feature, value, first_row)
