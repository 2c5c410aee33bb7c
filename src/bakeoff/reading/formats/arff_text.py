"""ARFF text: lines without their comments, and values without their quotes.

Values stand between commas, or between blanks and tabs in a line without commas (as
Weka allows). A value in single or double quotes may hold anything, with a backslash
before quotes and backslashes; outside quotes a backslash is an ordinary character. A
`%` begins a comment at the start of a line and after a blank: `50%` is a value.
"""

import re
from pathlib import Path

from bakeoff.basics.errors import DataError
from bakeoff.data import at

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


def shown(text: str) -> str:
    """A text as a message quotes it: not all of it if it is long."""
    return repr(text if len(text) <= 40 else text[:40] + "...")


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
    found = _BEFORE_COMMENT.match(text)
    end = found.end() if found else 0
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
