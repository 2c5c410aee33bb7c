"""Notices: warnings about choices made for the user, at the line of the user's code."""

import sys
import warnings
from pathlib import Path

from bakeoff.basics.errors import DataNotice

_PACKAGE = str(Path(__file__).parents[1])


def notify(text: str) -> None:
    """Warn with a `DataNotice` that points at the line that called the package."""
    warnings.warn(text, DataNotice, stacklevel=_levels_to_caller())


def _levels_to_caller() -> int:
    """How far the first frame outside the package is, as `warnings.warn` counts."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        level, frame = level + 1, frame.f_back
    return level
