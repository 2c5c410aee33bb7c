"""Text: the small pieces that sentences for users are made of."""

import difflib
import textwrap
from collections.abc import Iterable

UNPRINTABLE = "?"


def counted(n: int, what: str, several: str = "") -> str:
    """A number of things in words.

    >>> counted(1, "run"), counted(1200, "run"), counted(2, "loss", "losses")
    ('1 run', '1,200 runs', '2 losses')
    """
    return f"{n:,} {what if n == 1 else several or what + 's'}"


def joined(words: Iterable[str]) -> str:
    """Words as a sentence has them.

    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint at the nearest known word, or at all of them."""
    choices = sorted(known)
    if near := nearest(word, choices):
        return f"; did you mean {near!r}?"
    return f"; known: {', '.join(choices)}" if choices else "; it has none"


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known word that looks most like `word`, if any does."""
    matches = difflib.get_close_matches(word, list(known), 1, cutoff)
    return matches[0] if matches else None


def encodable(text: str) -> str:
    """A name as text that any file can hold, even if its bytes were no UTF-8."""
    try:
        data = text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        data = text.encode("utf-8", "backslashreplace")
    return data.decode("utf-8", "backslashreplace")


def printable(text: str) -> str:
    """Text without what would move a cursor, ring a bell, or cannot be encoded."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else UNPRINTABLE for c in text)


def in_one_line(text: str, longest: int = 300) -> str:
    """Text of any length and shape as part of a sentence."""
    return textwrap.shorten(text, longest, placeholder=" ...")
