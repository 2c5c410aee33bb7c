"""ARFF text: the header up to the first row, lines without comments, values without quotes.

Values stand between commas, or between blanks and tabs in a line without commas (as
Weka allows). A value in single or double quotes may hold anything, with a backslash
before quotes and backslashes; outside quotes a backslash is an ordinary character. A
`%` begins a comment at the start of a line and after a blank: `50%` is a value.
"""

import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import IO, NamedTuple

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.data import at
from bakeoff.reading.files import shown

# Only classes are possessive: groups that are were faulty in Python up to 3.11.4.
QUOTED = r"""'[^'\\]*+(?:\\.[^'\\]*+)*'|"[^"\\]*+(?:\\.[^"\\]*+)*\""""
WORD = r"""[^,'" \t]++"""
PLAIN = rf"{WORD}(?:[ \t]++{WORD})*"

_COMMAS = re.compile(rf"(?:[ \t]*+(?:{QUOTED}|{PLAIN}|)[ \t]*+,)+")
_COMMAS_VALUE = re.compile(rf"[ \t]*+({QUOTED}|{PLAIN}|)[ \t]*+,")
_BLANKS = re.compile(rf"(?:(?:{QUOTED}|{WORD})(?:[ \t]++|$))+")
_BLANKS_VALUE = re.compile(rf"{QUOTED}|{WORD}")
_BEFORE_COMMENT = re.compile(rf"""(?:{QUOTED}|[^%'"]++|(?<![ \t])%)*""")
_ONE = re.compile(r"[ \t]*1(?:\.0*)?[ \t]*")
_ESCAPE = re.compile(r"\\(.)")
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}

_ATTRIBUTE = re.compile(rf"@attribute[ \t]+({QUOTED}|[^ \t'\"{{][^ \t{{]*)(.*)", re.I)
_NOMINAL = re.compile(rf"\{{((?:{QUOTED}|[^'\"{{}}]++)*)\}}")
_NUMERIC = re.compile(r"(?:numeric|real|integer)[ \t]*(?:\[.*\])?", re.I)  # a range
_SHOWN = 6  # declared values in a message


# ---- lines and values


def text_of(line: bytes, path: Path, number: int) -> str:
    """A line as text without blanks around it and without comments."""
    plain = line.strip(b" \t\r\n")
    if plain.startswith(b"%"):
        return ""  # comments may be in any encoding
    if b"\r" in plain:
        raise DataError(
            f"{at(path, number)}: has a carriage return inside; lines must end in a "
            f"newline, with or without a carriage return before it"
        )
    try:
        text = plain.decode()
    except UnicodeDecodeError:
        raise DataError(
            f"{at(path, number)}: is not UTF-8 text; convert the file to UTF-8"
        ) from None
    return _without_comment(text) if "%" in text else text


def _without_comment(text: str) -> str:
    match = _BEFORE_COMMENT.match(text)
    end = match.end() if match else 0
    return text[:end].rstrip(" \t") if text[end : end + 1] == "%" else text


def without_weight(text: str) -> str:
    """A row without its weight, which must be 1; else a `ValueError`."""
    begin = text.rfind("{")
    if begin <= 0 or not text.endswith("}") or text[begin - 1] not in ", \t":
        return text
    weight = text[begin + 1 : -1]
    if not _ONE.fullmatch(weight):
        raise ValueError(
            f"has the weight {shown(weight)}, but weights other than 1 are not supported"
        )
    return text[:begin].rstrip(", \t")


def split(text: str) -> list[str | None]:
    """The values of a row or of a declaration; None where one is missing.

    A `ValueError` says what is wrong with the text.
    """
    tokens = _tokens(text)
    if "" in tokens:
        raise ValueError("has an empty value; a missing one is written ?")
    return values_of(tokens)


def _tokens(text: str) -> list[str]:
    if "'" not in text and '"' not in text:
        if "," in text:
            return [token.strip(" \t") for token in text.split(",")]
        return re.split(r"[ \t]+", text)
    if "," in text and _COMMAS.fullmatch(f"{text},"):
        return _COMMAS_VALUE.findall(f"{text},")
    if _BLANKS.fullmatch(text):
        return _BLANKS_VALUE.findall(text)
    raise ValueError(
        "has a quote in the wrong place; quotes stand around a whole value, and a "
        "quote inside has a backslash before it"
    )


def values_of(tokens: list[str]) -> list[str | None]:
    """Values without their quotes and escapes; None for question marks."""
    # Most are plain, and need no call: five times as fast.
    return [value_of(t) if t[0] in "'\"?" else t for t in tokens]


def value_of(token: str) -> str | None:
    """A value without its quotes and escapes; None for an unquoted question mark."""
    if token == "?":
        return None
    if token[0] in "'\"":
        return _ESCAPE.sub(_unescaped, token[1:-1]) if "\\" in token else token[1:-1]
    return token


def _unescaped(escape: re.Match[str]) -> str:
    return _CONTROL.get(escape[1], escape[1])


# ---- the header


class Attribute(NamedTuple):
    """A column: numbers (Float64), declared values (Enum) or text (String)."""

    name: str
    dtype: pl.DataType

    def values_of(self, text: pl.Expr) -> pl.Expr:
        """Texts as values of this attribute; null where that is impossible."""
        if isinstance(self.dtype, pl.Float64):
            return finite_numbers(text)
        return text.cast(self.dtype, strict=False)

    def refusal(self, text: str) -> str:
        """Why a text is not a value of this attribute."""
        got = f"or ?, got {shown(text)}"
        if not isinstance(self.dtype, pl.Enum):
            return f"{shown(self.name)} must be a finite number {got}"
        declared = self.dtype.categories.to_list()
        values = ", ".join(shown(value) for value in declared[:_SHOWN])
        more = ", ..." if len(declared) > _SHOWN else ""
        return f"{shown(self.name)} must be one of its declared values ({values}{more}) {got}"


def finite_numbers(text: pl.Expr) -> pl.Expr:
    """Texts as numbers; null where a text is not a finite number."""
    number = text.str.strip_chars(" \t").cast(pl.Float64, strict=False)
    return pl.when(number.is_finite()).then(number)


class Header(NamedTuple):
    """What stands before the data."""

    attributes: list[Attribute]
    first_row: bytes  # empty if there are no rows
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
    match = _ATTRIBUTE.fullmatch(text)
    name = value_of(match[1]) if match else None
    if not match or not name or "\n" in name or "\r" in name:
        raise ValueError("expected @attribute, a name and a type; quote unusual names")
    kind = match[2].strip(" \t")
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
    match = _NOMINAL.fullmatch(kind)
    if not match:
        raise ValueError(
            f"the values of {shown(name)} must be listed as {{a, b, 'c d'}} on one "
            f"line, got {shown(kind)}"
        )
    inner = match[1].strip(" \t")
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
