"""Notices: warnings about choices made for the user, at the line of the user's code."""

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from bakeoff.basics.errors import DataNotice

_PACKAGE = str(Path(__file__).parents[1])
_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


def notify(text: str) -> None:
    """Warn with a `DataNotice` that points at the line that called the package."""
    listener = _listener.get()
    if listener is not None:
        listener(text)
        return
    warnings.warn(text, DataNotice, stacklevel=_levels_to_caller())


@contextmanager
def heard_by(listener: Callable[[str], None]) -> Iterator[None]:
    """Give the notices of this thread to somebody who passes them on."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def _levels_to_caller() -> int:
    """How far the first frame outside the package is, as `warnings.warn` counts."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
