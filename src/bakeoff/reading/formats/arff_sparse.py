"""Sparse rows of an ARFF file: `{0 1.5, 3 'b c'}`, where what is left out is 0.

For an attribute with declared values, 0 is the first of them.
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Bools, Doubles, Ints
from bakeoff.data import at
from bakeoff.reading.files import shown
from bakeoff.reading.formats.arff_header import (
    QUOTED,
    Attribute,
    finite_numbers,
    text_of,
    values_of,
    without_weight,
)
from bakeoff.reading.tables.table import Table

_WORD = r"""[^,'"{} \t]++"""
_VALUE = rf"(?:{QUOTED}|{_WORD}(?:[ \t]++{_WORD})*)"
_ENTRY = rf"[ \t]*+[0-9]++[ \t]++{_VALUE}[ \t]*+"
_ROW = re.compile(rf"\{{(?:{_ENTRY}(?:,{_ENTRY})*|[ \t]*+)\}}")
_PAIR = re.compile(rf"([0-9]++)[ \t]++({_VALUE})")

Rows = tuple[Any, Sequence[int]]  # a CSR matrix, and the line of each row
Where = Callable[[int], str]  # the place of an entry, for messages


class SparseTable(NamedTuple):
    """All rows of a file; the matrices have a column per attribute, NaN if missing."""

    matrices: list[Any]  # some rows each
    attributes: list[Attribute]
    table: Table  # with the columns but without rows, for names and messages


class Decoder(NamedTuple):
    """What turns texts into numbers and codes."""

    attributes: list[Attribute]
    is_nominal: Bools  # of each attribute
    is_text: Bools  # of each attribute: only if it is ignored
    codes: pl.DataFrame  # of each declared value: column, text, code
    path: Path


def decoder_of(attributes: list[Attribute], ignore: Sequence[str], path: Path) -> Decoder:
    """The decoder of a file, unless it has attributes without a value 0."""
    columns: list[int] = []
    texts: list[str] = []
    codes: list[int] = []
    for column, (name, dtype) in enumerate(attributes):
        values = dtype.categories.to_list() if isinstance(dtype, pl.Enum) else []
        is_number = isinstance(dtype, pl.Float64)
        if not (is_number or values or name in ignore):
            raise DataError(
                f"{path}: sparse rows cannot leave out {shown(name)}, which is text or "
                f"declares no values; leave it out with ignore"
            )
        columns += [column] * len(values)
        texts += values
        codes += range(len(values))
    return Decoder(
        attributes,
        np.array([isinstance(dtype, pl.Enum) for _, dtype in attributes], np.bool_),
        np.array([isinstance(dtype, pl.String) for _, dtype in attributes], np.bool_),
        pl.DataFrame(
            {"column": columns, "text": texts, "code": codes},
            schema={"column": pl.Int64, "text": pl.String, "code": pl.Float64},
        ),
        path,
    )


def rows_of(block: bytes, line: int, decoder: Decoder) -> Rows:
    """The rows in a block of whole lines, of which the first has the number `line`."""
    lines: list[int] = []
    tokens: list[str] = []
    sizes = [0]
    for number, raw in enumerate(block.split(b"\n"), line):
        text = text_of(raw, decoder.path, number)
        if text:
            pairs = _tokens(text, at(decoder.path, number))
            lines.append(number)
            sizes.append(len(pairs) // 2)
            tokens += pairs
    start = np.cumsum(sizes)

    def where(entry: int) -> str:
        row = int(np.searchsorted(start, entry, side="right")) - 1
        return at(decoder.path, lines[row])

    column = _columns(tokens[::2], start, where, len(decoder.attributes))
    value = _values(tokens[1::2], column, where, decoder)
    small = (value, column.astype(np.int32), start.astype(np.int32))
    shape = (len(lines), len(decoder.attributes))
    return sparse.csr_array(small, shape=shape), lines


def _tokens(text: str, where: str) -> list[str]:
    """The indices and values of a row in turn."""
    try:
        row = without_weight(text)
    except ValueError as error:
        raise DataError(f"{where}: {error}") from None
    if not _ROW.fullmatch(row):
        raise DataError(
            f"{where}: expected a sparse row such as {{0 1.5, 3 'b c'}}, got {shown(row)}"
        )
    return [token for pair in _PAIR.findall(row) for token in pair]


def _columns(texts: list[str], start: Ints, where: Where, width: int) -> Ints:
    """Indices of attributes, which must ascend in each row."""
    index = pl.Series(texts, dtype=pl.String).cast(pl.Int64, strict=False)
    column = index.fill_null(width).to_numpy()  # null: more than 64 bits
    if column.max(initial=0) >= width:
        entry = int(np.argmax(column >= width))
        raise DataError(
            f"{where(entry)}: the index {texts[entry][:20]} must be below {width}, "
            f"the number of attributes"
        )
    stays = np.diff(column, prepend=-1) <= 0
    stays[start[:-1][np.diff(start) > 0]] = False  # where rows begin
    if stays.any():
        entry = int(np.argmax(stays))
        raise DataError(
            f"{where(entry)}: the indices of a row must ascend, but {column[entry]} "
            f"follows {column[entry - 1]}"
        )
    return column


def _values(tokens: list[str], column: Ints, where: Where, decoder: Decoder) -> Doubles:
    """Numbers, codes of declared values, and NaN for what is missing or mere text."""
    text = pl.Series("text", values_of(tokens), pl.String)
    text = text.set(pl.Series(decoder.is_text[column]), None)
    value = pl.select(finite_numbers(pl.lit(text))).to_series()
    nominal = np.flatnonzero(decoder.is_nominal[column])
    if len(nominal):
        declared = pl.DataFrame({"column": column[nominal], "text": text[nominal]})
        codes = declared.join(
            decoder.codes, on=["column", "text"], how="left", maintain_order="left"
        )
        value = value.scatter(nominal, codes["code"])
    bad = text.is_not_null() & value.is_null()
    if bad.any():
        entry = int(bad.arg_max() or 0)
        attribute = decoder.attributes[column[entry]]
        raise DataError(f"{where(entry)}: {attribute.refusal(text[entry])}")
    return value.to_numpy()
