"""The writer of decision logs: lines are written before they count.

Lines that belong together are appended in one write. When `put` returns, they survive
the death of this process; with `sync=True` they are on the disk and survive the loss of
power, too. Either all of them are in the file or none, even if the disk is full, Ctrl-C
interrupts the call, or somebody moves the log.
"""

import fcntl
import os
import stat
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import numpy as np

from bakeoff.basics.errors import DataError, ResultsError, SpecError
from bakeoff.basics.notices import notify
from bakeoff.live.watch import Watch
from bakeoff.reading.files import check_name
from bakeoff.reading.logs import LEFT_OUT, next_part

_PIECE = 1 << 16
_LONGEST_HEADER = 1 << 24


class Lines:
    """Lines to write together.

    If an exception cuts `LogWriter.put` short, call it again with the same lines: it
    finds out from the end of the file how much was written.
    """

    __slots__ = ("data", "is_begun")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.is_begun = False


class LogWriter:
    """Appends to a log; drops a torn last line, and starts a new file when it is full.

    Features of contexts whose names are among `without` are not logged; * stands for
    anything, so that `without=["*"]` logs no context.

    Parameters
    ----------
    path
        The file.
    most_bytes
        The size at which a new file starts.
    sync
        Whether to wait until the disk has each line.
    without
        Names of features that are not logged.

    Raises
    ------
    ResultsError
        If the file cannot be written.

    Examples
    --------
    >>> writer = bakeoff.LogWriter("log.jsonl", without=["email"])
    >>> learner = bakeoff.Learner("greedy", actions=["a", "b"], log=writer)
    >>> _ = learner.choose({"age": 31, "email": "x@y.z"})
    >>> learner.close()
    >>> "x@y.z" in Path("log.jsonl").read_text()
    False
    """

    def __init__(
        self,
        path: str | Path,
        *,
        most_bytes: int | None = None,
        sync: bool = False,
        without: Sequence[str] = (),
    ) -> None:
        self.path = Path(path)
        self.most_bytes, self.sync = most_bytes, sync
        self.without = _checked_patterns(without)
        self._encode = msgspec.json.Encoder(enc_hook=_plain).encode
        self._header: Lines | None = None  # to write before the next lines
        self._first = b""  # the header at the beginning of every file
        self._unwanted: Lines | None = None  # lines of a failed call that could not be removed
        self._file = -1
        self._watch: Watch | None = None  # None: the next line opens the file
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
                raise ResultsError(f"{self.path} is not a regular file, which a log must be")
            _lock(file, self.path)
            torn = _drop_torn_line(file)
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
            notify(f"{self.path}: the last line was torn ({torn} bytes): dropped")

    def start(self, header: Mapping[str, Any]) -> None:
        """Write a header; a log of other actions is set aside first.

        Parameters
        ----------
        header
            The first record of a log.

        Raises
        ------
        ResultsError
            If the file cannot be written.
        """
        self._first = self.line(header)
        if self._header is not None:
            self._remove(self._header)
            self._header = None
        if self._watch is None or not self._watch.is_in_place():
            self._open_again()
        if self._size() and not self._fits(header):
            self._set_aside()
        self._header = Lines(self._first)
        self._append(self._header)
        self._header = None

    def change(self, header: Mapping[str, Any], lines: Lines) -> None:
        """Append what has changed since the header; later files begin with the new one.

        Parameters
        ----------
        header
            The header as it is now.
        lines
            What has changed.
        """
        self.put(lines)
        self._first = self.line(header)

    def _fits(self, header: Mapping[str, Any]) -> bool:
        """Whether the log so far has the same actions."""
        first = os.pread(self._file, _LONGEST_HEADER, 0).partition(b"\n")[0]
        try:
            before = msgspec.json.decode(first)
            same = all(before[k] == header[k] for k in ("format", "actions", "n_actions"))
            return same and all(before.get(k) == header.get(k) for k in ("reward_range", LEFT_OUT))
        except (msgspec.DecodeError, KeyError, TypeError):
            return False

    def line(self, record: Mapping[str, Any] | msgspec.Struct) -> bytes:
        """A record as a line of JSON.

        Parameters
        ----------
        record
            What to write.

        Returns
        -------
        bytes
            The line, with its end.
        """
        try:
            return self._encode(record) + b"\n"
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"a log cannot store this record: {error}") from None

    def write(self, record: Mapping[str, Any]) -> None:
        """Append a record; it has been written when this returns.

        Parameters
        ----------
        record
            A decision, an outcome or an activation.

        Raises
        ------
        ResultsError
            If the file cannot be written.
        """
        self.put(Lines(self.line(record)))

    def put(self, lines: Lines) -> None:
        """Append lines that are not in the file yet, all of them or none.

        Parameters
        ----------
        lines
            What to append.

        Raises
        ------
        ResultsError
            If the disk is full.
        """
        if lines.is_begun and self._has(lines):
            return
        watch = self._watch
        if watch is None or (
            (watch.has_news(0) or monotonic() > watch.look_again) and not watch.is_in_place()
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
        """Open the file at `path`, which is closed or has been replaced."""
        if self._why_closed:
            raise ResultsError(f"{self.path} {self._why_closed}")
        try:
            if self._watch is not None:
                self._release()
                notify(f"{self.path} was moved or removed: a new log begins there")
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
            self._remove(lines)
            raise self._failed(error) from None

    def _has(self, lines: Lines) -> bool:
        """Whether all lines are at the end of the file; if not, remove what there is."""
        try:
            if self._file >= 0 and _at_the_end(self._file, lines) == len(lines.data):
                return True
        except OSError as error:
            raise self._failed(error) from None
        self._remove(lines)
        return False

    def _remove(self, lines: Lines) -> None:
        """Remove from the end of the file what has been written of some lines."""
        lines.is_begun = False
        try:
            if self._file >= 0:
                _cut_off(self._file, lines)
        except OSError:
            self._unwanted = lines
            self._release()  # they are removed when the file is opened again

    def _set_aside(self) -> None:
        """Rename the file to a numbered part, and start a new one."""
        if self._watch is None or not self._watch.is_in_place():
            self._open_again()  # its folder was moved, which inotify does not report
            return
        try:
            os.fsync(self._file)
            self.path.rename(next_part(self.path))
            self._release()
        except OSError as error:
            raise self._failed(error) from None
        self._open_again()

    def _release(self) -> None:
        """Close the file; the next line opens it again."""
        watch, self._watch, file = self._watch, None, self._file
        if watch is not None:
            watch.close()
        if file >= 0:
            fcntl.flock(file, fcntl.LOCK_UN)
            self._file = -1
            os.close(file)

    def close(self) -> None:
        """Close the file for good."""
        self._why_closed = "is closed"
        self._release()

    def disown(self) -> None:
        """Leave the log to the parent process after a fork."""
        self._why_closed = (
            "is the log of the parent process of this fork; make or load a learner in "
            "each process, with a log of its own"
        )
        watch, self._watch = self._watch, None
        if watch is not None:
            watch.close()
        file, self._file = self._file, -1
        if file >= 0:
            with suppress(OSError):  # somebody else has closed it
                os.close(file)  # without unlocking: the lock belongs to the parent

    def _failed(self, error: OSError) -> ResultsError:
        if isinstance(error, ResultsError):
            return error
        return ResultsError(f"{self.path} cannot be written: {error.strerror}")


def _checked_patterns(names: Any) -> tuple[str, ...]:
    """Names of features, in which * stands for anything."""
    if isinstance(names, str) or not isinstance(names, Sequence):
        raise SpecError(f"without must be a list of names of features, got {names!r:.80}")
    if not all(isinstance(name, str) and name for name in names):
        raise SpecError(f"without must hold names of features, got {names!r:.80}")
    return tuple(names)


def _at_the_end(file: int, lines: Lines) -> int:
    """How many bytes at the end of a file are from these lines; no two lines are equal."""
    size, data = os.fstat(file).st_size, lines.data
    begin = max(0, size - len(data))
    tail = os.pread(file, size - begin, begin)
    start = tail.find(data[: data.find(b"\n") + 1])
    if start < 0:  # at most a torn line, which is dropped anyway
        return 0
    return len(tail) - start if data.startswith(tail[start:]) else 0


def _cut_off(file: int, lines: Lines) -> None:
    """Remove what a file ends with of some lines."""
    os.ftruncate(file, os.fstat(file).st_size - _at_the_end(file, lines))
    _drop_torn_line(file)


def _drop_torn_line(file: int) -> int:
    """Drop an unfinished last line; returns how many bytes it had."""
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


def locked(path: Path) -> int:
    """An open file of a log that nobody else writes."""
    file = os.open(path, os.O_RDWR)
    try:
        _lock(file, path)
    except BaseException:
        os.close(file)
        raise
    return file


def _lock(file: int, path: Path) -> None:
    """Lock an open file; the lock ends with the process."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise ResultsError(
            f"{path} is being written by another process; each process needs a log of its own"
        ) from None


def _plain(value: Any) -> Any:
    """Convert values that JSON cannot represent."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, str):
        return str(value)
    raise DataError(f"a log cannot store {value!r:.80}")
