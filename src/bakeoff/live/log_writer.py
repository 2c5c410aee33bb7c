"""The writer of decision logs: a line is on its way to the disk before it counts.

Lines that belong together are one write to the end of the file: when `put` returns,
they survive the death of this process. `sync=True` waits for the disk, too, so that
they survive the loss of power. They are there as a whole or not at all, whatever
happens: a full disk, Ctrl-C, a log that somebody moves away.
"""

import fcntl
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import numpy as np

from bakeoff.basics.errors import DataError, ResultsError
from bakeoff.basics.notices import notify
from bakeoff.live.watch import Watch
from bakeoff.reading.files import check_name
from bakeoff.reading.logs import next_part

_PIECE = 1 << 16
_LONGEST_HEADER = 1 << 24


class Lines:
    """Lines to write together.

    They may be handed to `LogWriter.put` again until it returns: if an exception cut it
    short, the end of the file tells how far it came.
    """

    __slots__ = ("data", "is_begun")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.is_begun = False


class LogWriter:
    """Appends to a log; one that is torn is mended, one that is large is set aside."""

    def __init__(
        self, path: str | Path, *, most_bytes: int | None = None, sync: bool = False
    ) -> None:
        self.path = Path(path)
        self.most_bytes, self.sync = most_bytes, sync
        self._encode = msgspec.json.Encoder(enc_hook=_plain).encode
        self._header: Lines | None = None  # to be written before anything else
        self._first = b""  # the header, which every file begins with
        self._unwanted: Lines | None = None  # that could not be cut off when they failed
        self._file = -1
        self._watch: Watch | None = None  # none: the next line opens the file
        self._why_closed = ""
        check_name(self.path)
        try:
            self._open()
        except OSError as error:
            raise self._failed(error) from None

    def _open(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NONBLOCK
        opened: list[int] = []
        try:
            opened.extend(map(os.open, (self.path,), (flags,), (0o644,)))
            [file] = opened
            if not stat.S_ISREG(os.fstat(file).st_mode):
                raise ResultsError(
                    f"{self.path} is not a regular file; a log needs one, since its lines must stay"
                )
            _lock(file, self.path)
            torn = _mend(file)
            if self._unwanted is not None:
                _cut_off(file, self._unwanted)
                self._unwanted = None
            watch = Watch(self.path, file)
            [self._file], self._watch = opened, watch
        except BaseException:
            for file in opened:
                os.close(file)
            raise
        if torn:
            notify(f"{self.path}: its last line was torn ({torn} bytes): dropped")

    def start(self, header: Mapping[str, Any]) -> None:
        """Say who decides from now on; a log of other actions is set aside."""
        self._first = self.line(header)
        if self._header is not None:
            self._take_back(self._header)
            self._header = None
        if self._watch is None or not self._watch.is_in_place():
            self._open_again()
        if self._size() and not self._fits(header):
            self._set_aside()
        self._header = Lines(self._first)
        self._append(self._header)
        self._header = None

    def _fits(self, header: Mapping[str, Any]) -> bool:
        """Whether the log so far is about the same actions."""
        first = os.pread(self._file, _LONGEST_HEADER, 0).partition(b"\n")[0]
        try:
            found = msgspec.json.decode(first)
            return all(found[k] == header[k] for k in ("format", "actions", "n_actions"))
        except (msgspec.DecodeError, KeyError, TypeError):
            return False

    def line(self, record: Mapping[str, Any] | msgspec.Struct) -> bytes:
        """A record as a line."""
        try:
            return self._encode(record) + b"\n"
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"a log cannot hold this: {error}") from None

    def write(self, record: Mapping[str, Any]) -> None:
        """Append a record; when this returns it has been written."""
        self.put(Lines(self.line(record)))

    def put(self, lines: Lines) -> None:
        """Append lines, unless they are there; if they cannot be written, none is."""
        if lines.is_begun and self._has(lines):
            return
        watch = self._watch
        if watch is None or (
            (watch.news(0) or monotonic() > watch.look_again) and not watch.is_in_place()
        ):
            self._open_again()
        if self.most_bytes is not None:
            size, first = self._size(), len(self._first)
            if size + len(lines.data) > self.most_bytes > first < size:
                self._set_aside()
        if self._header is not None:
            if not (self._header.is_begun and self._has(self._header)):
                self._append(self._header)
            self._header = None
        self._append(lines)

    def _size(self) -> int:
        return os.fstat(self._file).st_size

    def _open_again(self) -> None:
        """Open the file at our place, which is not open or is another one by now."""
        if self._why_closed:
            raise ResultsError(f"{self.path} {self._why_closed}")
        try:
            if self._watch is not None:
                self._let_go()
                notify(f"{self.path} was moved or removed: a new log is begun there")
            self._open()
        except OSError as error:
            raise self._failed(error) from None
        if self._first:
            self._header = Lines(self._first)

    def _append(self, lines: Lines) -> None:
        data = lines.data
        lines.is_begun = True
        try:
            n = os.write(self._file, data)
            while n < len(data):
                n += os.write(self._file, data[n:])
            if self.sync:
                os.fsync(self._file)
        except OSError as error:
            self._take_back(lines)
            raise self._failed(error) from None

    def _has(self, lines: Lines) -> bool:
        """Whether lines that were begun are at the end of the file; if not, none is."""
        try:
            if self._file >= 0 and _at_the_end(self._file, lines) == len(lines.data):
                return True
        except OSError as error:
            raise self._failed(error) from None
        self._take_back(lines)
        return False

    def _take_back(self, lines: Lines) -> None:
        """Cut off what has been written of some lines, which are the last."""
        lines.is_begun = False
        try:
            if self._file >= 0:
                _cut_off(self._file, lines)
        except OSError:
            self._unwanted = lines
            self._let_go()  # who opens it again cuts them off

    def _set_aside(self) -> None:
        """Give the file so far a number, and begin a new one."""
        if self._watch is None or not self._watch.is_in_place():
            self._open_again()  # its folder was moved, which nobody tells
            return
        try:
            os.fsync(self._file)
            self.path.rename(next_part(self.path))
            self._let_go()
        except OSError as error:
            raise self._failed(error) from None
        self._open_again()

    def _let_go(self) -> None:
        """Close the file; the next line opens it again."""
        watch, self._watch, file = self._watch, None, self._file
        if watch is not None:
            watch.close()
        if file >= 0:
            fcntl.flock(file, fcntl.LOCK_UN)
            self._file = -1
            os.close(file)

    def close(self) -> None:
        """Write nothing more."""
        self._why_closed = "is closed"
        self._let_go()

    def disown(self) -> None:
        """Leave the log to the process that this one was forked from."""
        self._why_closed = (
            "is the log of the process that this one was forked from; make or load a "
            "learner in each process, with a log of its own"
        )
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.close()
        file, self._file = self._file, -1
        if file >= 0:
            os.close(file)  # and no unlocking: the lock is the other's

    def _failed(self, error: OSError) -> ResultsError:
        if isinstance(error, ResultsError):
            return error
        return ResultsError(f"{self.path} cannot be written: {error.strerror}")


def _at_the_end(file: int, lines: Lines) -> int:
    """How many bytes of some lines a file ends with; no two lines are equal."""
    size, data = os.fstat(file).st_size, lines.data
    begin = max(0, size - len(data))
    tail = os.pread(file, size - begin, begin)
    start = tail.find(data[: data.find(b"\n") + 1])
    if start < 0:  # at most a torn line, which goes anyway
        return 0
    return len(tail) - start if data.startswith(tail[start:]) else 0


def _cut_off(file: int, lines: Lines) -> None:
    """Shorten a file by what it ends with of some lines."""
    os.ftruncate(file, os.fstat(file).st_size - _at_the_end(file, lines))
    _mend(file)


def _mend(file: int) -> int:
    """Drop a last line that was not finished; how many bytes it had."""
    size = os.fstat(file).st_size
    end = size
    while end > 0:
        begin = max(0, end - _PIECE)
        newline = os.pread(file, end - begin, begin).rfind(b"\n")
        if newline >= 0:
            end = begin + newline + 1
            break
        end = begin
    if end < size:
        os.ftruncate(file, end)
    return size - end


def _lock(file: int, path: Path) -> None:
    """Hold a file that is open; the lock goes with the process."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ResultsError(
            f"{path} is being written by another process; each needs a log of its own"
        ) from None


def _plain(value: Any) -> Any:
    """What JSON has no form for."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, str):
        return str(value)
    raise DataError(f"a log cannot hold {value!r:.80}")
