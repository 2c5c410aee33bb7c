"""Dense rows of an ARFF file: by polars where that is safe, else value by value."""

from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Bools, Ints
from bakeoff.data import at
from bakeoff.reading.formats.arff_header import Header, split, text_of, without_weight

CELLS = 2**16  # that are Python objects at a time

Bytes = NDArray[np.uint8]
Rows = tuple[pl.DataFrame, Sequence[int]]  # and the line of each


def rows_of(block: bytes, line: int, header: Header, path: Path) -> Rows:
    """The rows in a block of whole lines, of which the first has the number `line`."""
    frame = fast_frame(block, header)
    if frame is not None:
        return frame, range(line, line + frame.height)
    lines = numbered_rows(block, line)
    if lines and len(lines) < block.count(b"\n"):  # all that is unusual, maybe
        frame = fast_frame(b"".join(raw + b"\n" for _, raw in lines), header)
    if frame is None:
        frame = slow_frame(lines, header, path)
    return frame, [number for number, _ in lines]


def numbered_rows(block: bytes, line: int) -> list[tuple[int, bytes]]:
    """The lines that are neither blank nor comments."""
    return [
        (number, raw)
        for number, raw in enumerate(block.split(b"\n"), line)
        if (plain := raw.strip(b" \t\r")) and not plain.startswith(b"%")
    ]


# ---- by polars


def fast_frame(block: bytes, header: Header) -> pl.DataFrame | None:
    """The rows as polars reads them; None where that might not be what they mean."""
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    if not block.endswith(b"\n"):
        block += b"\n"
    quotes = [quote for quote in (b"'", b'"') if quote in block]
    unusual = (b"{", b"}", b"\r", *(quotes and (b"\\",)))
    if len(quotes) > 1 or any(byte in block for byte in unusual):
        return None
    text = np.frombuffer(block, np.uint8)
    if block.startswith(BOM_UTF8) or (b"%" in block and _has_comments(text)):
        return None
    quote = quotes[0] if quotes else None
    if b" " in block or b"\t" in block:
        text = _trimmed(text, quote)
        block = text.tobytes()
    marks = _places(text, quote)
    if not _around_values(text, marks):
        return None
    try:
        frame = pl.read_csv(
            block, has_header=False, schema=header.schema, null_values=["?"],
            quote_char=quote.decode() if quote else None,
        )  # fmt: skip
    except pl.exceptions.PolarsError:
        return None
    return frame if _is_faithful(frame, text, marks) else None


def _is_faithful(frame: pl.DataFrame, text: Bytes, marks: Ints) -> bool:
    """Whether each line gave a row, and only question marks gave nulls.

    polars makes nulls of empty and of absent values as well.
    """
    marked = _places(text, b"?")
    missing = marked[_is_separator(text[marked - 1]) & _is_separator(text[marked + 1])]
    nulls = frame.null_count().sum_horizontal().sum()
    sums = frame.select(pl.col(pl.Float64).sum()).to_numpy()
    return (
        frame.height == np.count_nonzero(text == ord("\n"))
        and nulls == np.count_nonzero(_is_outside(missing, marks))
        and bool(np.isfinite(sums).all())
    )


def _has_comments(text: Bytes) -> bool:
    before = text[_places(text, b"%") - 1]
    return bool(np.isin(before, list(b" \t\n")).any())


def _trimmed(text: Bytes, quote: bytes | None) -> Bytes:
    """The text without blanks next to commas and newlines, except in quotes."""
    blanks = np.flatnonzero((text == ord(" ")) | (text == ord("\t")))
    blanks = blanks[_is_outside(blanks, _places(text, quote))]
    begins = np.flatnonzero(np.diff(blanks, prepend=-2) > 1)  # of runs of blanks
    sizes = np.diff(begins, append=len(blanks))
    first = blanks[begins]
    after = first + sizes  # in range: the text ends in a newline
    loose = _is_separator(text[first - 1]) | _is_separator(text[after])
    return np.delete(text, blanks[np.repeat(loose, sizes)])


def _around_values(text: Bytes, marks: Ints) -> bool:
    """Whether all quotes stand in pairs around whole values."""
    opening, closing = marks[::2], marks[1::2]
    return (
        len(opening) == len(closing)
        and bool(_is_separator(text[opening - 1]).all())
        and bool(_is_separator(text[closing + 1]).all())
    )


def _places(text: Bytes, byte: bytes | None) -> Ints:
    if byte is None:
        return np.empty(0, np.int64)
    return np.flatnonzero(text == ord(byte))


def _is_separator(bytes_: Bytes) -> Bools:
    return (bytes_ == ord(",")) | (bytes_ == ord("\n"))


def _is_outside(places: Ints, marks: Ints) -> Bools:
    """Which places have an even number of quotes before them."""
    if not len(marks):
        return np.ones(len(places), np.bool_)
    return np.searchsorted(marks, places) % 2 == 0


# ---- value by value


def slow_frame(lines: Sequence[tuple[int, bytes]], header: Header, path: Path) -> pl.DataFrame:
    """The rows in numbered lines, or what is wrong with the first bad one."""
    size = max(1, CELLS // len(header.attributes))
    frames = [pl.DataFrame(schema=header.schema)]
    for top in range(0, len(lines), size):
        numbers = [number for number, _ in lines[top : top + size]]
        rows = [_values(line, header, path) for line in lines[top : top + size]]
        frames.append(_typed(rows, numbers, header, path))
    return pl.concat(frames, rechunk=True)


def _values(line: tuple[int, bytes], header: Header, path: Path) -> list[str | None]:
    number, raw = line
    text = text_of(raw, path, number)
    width = len(header.attributes)
    try:
        if text.startswith("{"):
            raise ValueError("is a sparse row among dense ones; they cannot be mixed")
        values = split(without_weight(text))
        if len(values) != width:
            raise ValueError(f"expected {width} values, found {len(values)}")
    except ValueError as error:
        raise DataError(f"{at(path, number)}: {error}") from None
    return values


def _typed(
    rows: list[list[str | None]], numbers: list[int], header: Header, path: Path
) -> pl.DataFrame:
    """The values as numbers and categories, or what is wrong with the first bad row."""
    schema = dict.fromkeys(header.schema, pl.String)
    text = pl.DataFrame(rows, schema, orient="row")
    frame = text.select(
        attribute.values_of(pl.nth(place)) for place, attribute in enumerate(header.attributes)
    )
    if frame.null_count().row(0) == text.null_count().row(0):
        return frame
    before, after = (f.select(pl.all().is_null()).to_numpy() for f in (text, frame))
    row, place = map(int, np.argwhere(after & ~before)[0])
    refusal = header.attributes[place].refusal(text[row, place])
    raise DataError(f"{at(path, numbers[row])}: {refusal}")
