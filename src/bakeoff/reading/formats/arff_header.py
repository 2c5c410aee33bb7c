"""The header of an ARFF file: its attributes, up to the first row of data."""

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.data import at
from bakeoff.reading.formats.arff_text import QUOTED, shown, split, text_of, value_of

_ATTRIBUTE = re.compile(rf"@attribute[ \t]+({QUOTED}|[^ \t'\"{{][^ \t{{]*)(.*)", re.I)
_NOMINAL = re.compile(rf"\{{((?:{QUOTED}|[^'\"{{}}]++)*)\}}")
_NUMERIC = re.compile(r"(?:numeric|real|integer)[ \t]*(?:\[.*\])?", re.I)  # a range
_SHOWN = 6  # declared values in a message


class Attribute(NamedTuple):
    """A column: numbers (Float64), declared values (Enum) or text (String)."""

    name: str
    dtype: pl.DataType

    def values_of(self, text: pl.Expr) -> pl.Expr:
        """Texts as values of this attribute; null where one is no such value."""
        if isinstance(self.dtype, pl.Float64):
            return finite_numbers(text)
        return text.cast(self.dtype, strict=False)

    def refusal(self, text: str) -> str:
        """Why a text is no value of this attribute."""
        got = f"or ?, got {shown(text)}"
        if not isinstance(self.dtype, pl.Enum):
            return f"{shown(self.name)} must be a finite number {got}"
        declared = self.dtype.categories.to_list()
        values = ", ".join(shown(value) for value in declared[:_SHOWN])
        more = ", ..." if len(declared) > _SHOWN else ""
        return f"{shown(self.name)} must be one of its declared values ({values}{more}) {got}"


def finite_numbers(text: pl.Expr) -> pl.Expr:
    """Texts as numbers; null where one is none, or infinite."""
    number = text.str.strip_chars(" \t").cast(pl.Float64, strict=False)
    return pl.when(number.is_finite()).then(number)


class Header(NamedTuple):
    """What stands before the data."""

    attributes: list[Attribute]
    first_row: bytes  # empty if there is none
    line: int  # of the first row

    @property
    def schema(self) -> dict[str, pl.DataType]:
        """The data type of each column."""
        return {attribute.name: attribute.dtype for attribute in self.attributes}


def read_header(file: IO[bytes], path: Path) -> Header:
    """Read as far as the first row; dates are words."""
    attributes: dict[str, Attribute] = {}
    data = False
    number = 0
    for number, raw in enumerate(file, 1):
        text = text_of(raw, path, number)
        if not text:
            continue
        if data:
            return Header(list(attributes.values()), raw, number)
        keyword = _first_word(text)
        if keyword == "@attribute":
            try:
                attribute = _attribute(text)
            except ValueError as error:
                raise DataError(f"{at(path, number)}: {error}") from None
            if attribute.name in attributes:
                raise DataError(
                    f"{at(path, number)}: the attribute {shown(attribute.name)} is "
                    f"declared twice; names must differ"
                )
            attributes[attribute.name] = attribute
        elif text.lower() == "@data":
            if not attributes:
                raise DataError(f"{at(path, number)}: no @attribute stands before this")
            data = True
        elif keyword != "@relation":
            raise DataError(
                f"{at(path, number)}: expected @relation, @attribute or @data, got {shown(text)}"
            )
    if not data:
        raise DataError(f"{path}: has no @data line, after which the rows begin")
    return Header(list(attributes.values()), b"", number + 1)


def _attribute(text: str) -> Attribute:
    """An attribute from its line; a `ValueError` says what is wrong with it."""
    found = _ATTRIBUTE.fullmatch(text)
    name = value_of(found[1]) if found else None
    if not found or not name or "\n" in name or "\r" in name:
        raise ValueError("expected @attribute, a name and a type; quote unusual names")
    kind = found[2].strip(" \t")
    if kind.startswith("{"):
        return Attribute(name, _enum(tuple(_declared_values(name, kind))))
    if _NUMERIC.fullmatch(kind):
        return Attribute(name, pl.Float64())
    word = _first_word(kind)
    if word in ("string", "date"):
        return Attribute(name, pl.String())
    raise ValueError(
        f"the type of {shown(name)} must be numeric, real, integer, string or values "
        f"in braces, got {shown(kind)}"
    )


def _declared_values(name: str, kind: str) -> list[str]:
    found = _NOMINAL.fullmatch(kind)
    if not found:
        raise ValueError(
            f"the values of {shown(name)} must be listed as {{a, b, 'c d'}} on one "
            f"line, got {shown(kind)}"
        )
    inner = found[1].strip(" \t")
    values = ["?" if value is None else value for value in split(inner)] if inner else []
    if len(set(values)) < len(values):
        [(again, _)] = Counter(values).most_common(1)
        raise ValueError(f"the attribute {shown(name)} declares {shown(again)} twice")
    return values


@lru_cache(maxsize=64)  # wide files declare {0, 1} thousands of times, at 50 us each
def _enum(values: tuple[str, ...]) -> pl.Enum:
    return pl.Enum(values)


def _first_word(text: str) -> str:
    return re.split(r"[ \t]", text, maxsplit=1)[0].lower()
