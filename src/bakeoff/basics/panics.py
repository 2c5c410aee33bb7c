"""Panics: how polars fails on a damaged file, and what it prints.

A panic is not an `Exception`, and polars prints pages about it to standard error. The
command line has its own sentence for a damaged file, so it suppresses those pages.
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
    """The reason of a panic; often that is only a panic in another thread."""
    text = in_one_line(str(error))
    why = "it is damaged" if "unwrap()" in text else text
    return f"polars gave up ({why})"


class _Hush:
    """Redirects standard error while one thread or several read files."""

    def __init__(self) -> None:
        self.is_active = False
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
                output = self._kept.read()
                self._kept.close()
                if _MARK not in output:  # not about a panic, so it is passed on
                    with suppress(OSError):
                        os.write(2, output)

    def restore(self) -> None:
        with self._lock:
            if self._depth > 0:
                os.dup2(self._real, 2)


_hush = _Hush()


def hush() -> None:
    """Suppress what panics print, from now on; only for the command line."""
    _hush.is_active = True


def restore() -> None:
    """Restore standard error at once, for the last message of a process."""
    _hush.restore()


@contextmanager
def hushed() -> Iterator[None]:
    """Suppress what panics print in this block, if `hush` was called."""
    if not _hush.is_active:
        yield
        return
    _hush.begin()
    try:
        yield
    finally:
        _hush.end()
