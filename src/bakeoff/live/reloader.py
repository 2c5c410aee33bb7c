"""Reloader: reads a file again when it has changed, in one thread at a time."""

import threading
from collections.abc import Callable
from pathlib import Path

from bakeoff.basics.errors import DataError
from bakeoff.reading.files import check_name


class Reloader:
    """Remembers which version of a file was read last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stamp: tuple[int, ...] = ()

    def reload(self, path: Path, read: Callable[[Path], None]) -> bool:
        """Call `read`, unless the file is unchanged or another thread is reading it.

        Returns whether it was called.
        """
        acquired: list[bool] = []
        try:
            acquired.extend(map(self._lock.acquire, (False,)))  # leaves no gap for Ctrl-C
            if not acquired[0]:
                return False
            stamp = _stamp_of(path)
            if stamp == self._stamp:
                return False
            read(path)
            self._stamp = stamp
            return True
        finally:
            if acquired and acquired[0]:
                self._lock.release()


def _stamp_of(path: Path) -> tuple[int, ...]:
    check_name(path)
    try:
        status = path.stat()
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None
    return status.st_mtime_ns, status.st_ino, status.st_size
