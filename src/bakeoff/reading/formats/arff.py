"""ARFF files: declared attributes, then rows that are dense or sparse.

The target is the last attribute, or named; declared values keep their order. What may
stand in quotes, between values and in comments: see `arff_header`.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import IO

import numpy as np
import polars as pl

from bakeoff.data import Place, Problem
from bakeoff.reading.files import opened, plain_stem
from bakeoff.reading.formats import arff_dense, arff_sparse
from bakeoff.reading.formats.arff_header import Header, read_header
from bakeoff.reading.formats.arff_sparse import SparseTable
from bakeoff.reading.formats.arff_sparse_problem import sparse_problem
from bakeoff.reading.options import Options
from bakeoff.reading.tables.table import Table
from bakeoff.reading.tables.tables import problem_of

# The text is read in blocks of lines, so that it need not be in memory as a whole.
# Sparse rows become Python objects on the way, ten times as large as their text.
DENSE_BLOCK = 2**21
SPARSE_BLOCK = 2**19


def read(path: Path, options: Options) -> Problem:
    """The problem in an ARFF file."""
    name = options.name or plain_stem(path)
    with opened(path) as file:
        header = read_header(file, path)
        if header.first_row.lstrip(b" \t").startswith(b"{"):
            rows = _sparse_rows(file, header, path, options.ignore)
            return sparse_problem(rows, options, name)
        table = _dense_rows(file, header, path)
    return problem_of(table, options, name)


def _dense_rows(file: IO[bytes], header: Header, path: Path) -> Table:
    frames = [pl.DataFrame(schema=header.schema)]
    lines = []
    for block, line in _blocks(file, header, DENSE_BLOCK):
        rows, numbers = arff_dense.rows_of(block, line, header, path)
        frames.append(rows)
        lines.append(numbers)
    return Table(pl.concat(frames), Place(str(path), _line_finder(lines)))


def _sparse_rows(file: IO[bytes], header: Header, path: Path, ignore: Sequence[str]) -> SparseTable:
    decoder = arff_sparse.decoder_of(header.attributes, ignore, path)
    matrices = []
    lines = []
    for block, line in _blocks(file, header, SPARSE_BLOCK):
        rows, numbers = arff_sparse.rows_of(block, line, decoder)
        matrices.append(rows)
        lines.append(numbers)
    empty = Table(pl.DataFrame(schema=header.schema), Place(str(path), _line_finder(lines)))
    return SparseTable(matrices, header.attributes, empty)


def _blocks(file: IO[bytes], header: Header, size: int) -> Iterator[tuple[bytes, int]]:
    """Whole lines of about `size` bytes in all, and the number of the first."""
    block = header.first_row
    line = header.line
    while block := block + file.read(size) + file.readline():
        yield block, line
        line += int((np.frombuffer(block, np.uint8) == ord("\n")).sum())
        block = b""


def _line_finder(blocks: list[Sequence[int]]) -> Callable[[int], int]:
    """What finds the line of a row from the lines of each block's rows."""
    first = [0, *accumulate(len(lines) for lines in blocks)]

    def line_of(row: int) -> int:
        block = bisect_right(first, row) - 1
        return blocks[block][row - first[block]]

    return line_of
