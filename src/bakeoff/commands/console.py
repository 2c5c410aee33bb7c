"""The terminal: what all commands print through."""

import os
import re
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from bakeoff.basics.text import printable

_WIDE = None if sys.stdout.isatty() or "COLUMNS" in os.environ else 200
out = Console(width=_WIDE)  # what is piped is not folded
err = Console(stderr=True)
_BRACKET = re.compile(r"(\\*)\[([a-z#/@]?)")


def say(text: str, style: str = "") -> None:
    """A line on the error stream, but for what would move the cursor."""
    err.print(printable(text), style=style, highlight=False, soft_wrap=True, markup=False)


def plain(text: str) -> str:
    """A name without what would move the cursor or be taken for markup."""
    return _BRACKET.sub(_escaped, printable(text))


def _escaped(match: re.Match[str]) -> str:
    """A bracket; backslashes before it count for rich only where a tag may begin."""
    slashes, start = match.groups()
    return slashes * (2 if start else 1) + r"\[" + start


def count(number: int | None) -> str:
    """A number with commas; nothing if it is not known."""
    return "" if number is None else f"{number:,}"


def table(words: Sequence[str], numbers: Sequence[str]) -> Table:
    """An empty table: columns of words, then columns of numbers."""
    grid = Table(box=None, header_style="bold", pad_edge=False)
    for heading in words:
        grid.add_column(heading, overflow="fold")
    for heading in numbers:
        grid.add_column(heading, justify="right", no_wrap=True)
    return grid


def bar(verb: str, total: int) -> Progress:
    """A progress bar on the terminal's error stream, gone when done."""
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    progress.add_task(verb, total=total)
    return progress


def show_notice(message: Warning | str, *_: Any, **__: Any) -> None:
    """A warning as one line."""
    say(f"note: {message}", "yellow")
