"""Panics: how polars gives up on a damaged file, and what is printed of it.

A panic is no `Exception`, and the library prints pages about it to standard error. The
command line has a sentence of its own for a damaged file, so it keeps those pages back.
"""

import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

import polars as pl

from bakeoff.basics.text import in_one_line

PanicError: type[BaseException] = pl.exceptions.PanicException
_MARK = b"panicked at "


def reason_of(error: BaseException) -> str:
    """What a panic is about; often it is only about panics of other threads."""
    text = in_one_line(str(error))
    why = "it is damaged" if "unwrap()" in text else text
    return f"polars gave up ({why})"


class _Hush:
    """Standard error, put aside while files are read by one thread or several."""

    def __init__(self) -> None:
        self.is_wanted = False
        self._lock = threading.Lock()
        self._depth = 0
        self._real = -1
        self._kept: BinaryIO | None = None

    def begin(self) -> None:
        with self._lock:
            if self._depth == 0:
                sys.stderr.flush()
                self._real = os.dup(2)
                self._kept = tempfile.TemporaryFile()  # noqa: SIM115
                os.dup2(self._kept.fileno(), 2)
            self._depth += 1

    def end(self) -> None:
        with self._lock:
            self._depth -= 1
            if self._depth == 0 and self._kept is not None:
                sys.stderr.flush()
                os.dup2(self._real, 2)
                os.close(self._real)
                self._kept.seek(0)
                said = self._kept.read()
                self._kept.close()
                if _MARK not in said:  # somebody else's words, which are passed on
                    with suppress(OSError):
                        os.write(2, said)

    def restore(self) -> None:
        with self._lock:
            if self._depth > 0:
                os.dup2(self._real, 2)


_hush = _Hush()


def hush() -> None:
    """From now on nothing is printed of panics: standard error is ours alone."""
    _hush.is_wanted = True


def restore() -> None:
    """Give standard error back at once, for the last words of a process."""
    _hush.restore()


@contextmanager
def hushed() -> Iterator[None]:
    """Read files; what a panic prints meanwhile is not shown, if so wanted."""
    if not _hush.is_wanted:
        yield
        return
    _hush.begin()
    try:
        yield
    finally:
        _hush.end()
