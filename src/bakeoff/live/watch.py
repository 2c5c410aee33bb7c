"""Watch: whether an open file is still where it was opened.

Linux reports (inotify) when somebody moves, removes or replaces the file, which costs a
tenth of a `stat` before every line. On other systems, and for what Linux cannot see (a
network drive), the file is looked up now and then.
"""

import ctypes
import os
import select
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_ATTRIBUTES, _DELETED, _MOVED = 0x4, 0x400, 0x800  # of <sys/inotify.h>
_LOOK_AGAIN = 0.1  # seconds


class Watch:
    """Watches the file at `path`, which is open as `file`."""

    def __init__(self, path: Path, file: int) -> None:
        self._path = path
        self._identity = _identity(os.fstat(file))
        self.look_again = 0.0  # the time to look even without news
        self._inotify = _inotify(path)
        self.has_news: Callable[[int], Any] = _always  # takes a timeout in ms
        if self._inotify >= 0:
            poll = select.poll()
            poll.register(self._inotify, select.POLLIN)
            self.has_news = poll.poll

    def is_in_place(self) -> bool:
        """Whether the file is where it was opened; this is slow."""
        self.look_again = time.monotonic() + _LOOK_AGAIN
        try:
            if self._inotify >= 0:
                with suppress(BlockingIOError):
                    os.read(self._inotify, 4096)
            return _identity(self._path.stat()) == self._identity
        except (FileNotFoundError, NotADirectoryError):
            return False

    def close(self) -> None:
        """Stop watching."""
        handle, self._inotify, self.has_news = self._inotify, -1, _always
        if handle >= 0:
            os.close(handle)


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_ino, status.st_dev


def _always(_: int) -> bool:
    return True


def _inotify(path: Path) -> int:
    """A handle for what Linux reports about a file, or -1."""
    try:
        libc = ctypes.CDLL(None)
        handle = int(libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
    except (OSError, AttributeError):  # another system
        return -1
    events = _ATTRIBUTES | _DELETED | _MOVED
    if handle >= 0 and libc.inotify_add_watch(handle, os.fsencode(path), events) < 0:
        os.close(handle)
        return -1
    return handle
