"""The writer of decision logs: a line is on its way to the disk before it counts.

Each line is one write to the end of the file: when `write` returns, the line survives
the death of this process. `sync=True` waits for the disk, too, so that it survives the
loss of power.
"""

import fcntl
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from bakeoff.errors import ResultsError
from bakeoff.notices import notify

_PIECE = 1 << 16
_LONGEST_HEADER = 1 << 24


class LogWriter:
    """Appends to a log; one that is torn is mended, one that is large is set aside."""

    def __init__(
        self, path: str | Path, *, most_bytes: int | None = None, sync: bool = False
    ) -> None:
        self.path = Path(path)
        self.most_bytes, self.sync = most_bytes, sync
        self._encode = msgspec.json.Encoder(enc_hook=_plain).encode
        self._header = b""
        self._file = -1
        try:
            self._open()
        except OSError as error:
            raise self._failed(error) from None

    def _open(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
        self._file = os.open(self.path, flags, 0o644)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise ResultsError(
                f"{self.path} is being written by another process; each needs a log of "
                f"its own"
            ) from None
        self._size = self._mended()

    def _mended(self) -> int:
        """Drop a last line that was not finished; the size of the file."""
        size = os.fstat(self._file).st_size
        end = size
        while end > 0:
            begin = max(0, end - _PIECE)
            newline = os.pread(self._file, end - begin, begin).rfind(b"\n")
            if newline >= 0:
                end = begin + newline + 1
                break
            end = begin
        if end < size:
            os.ftruncate(self._file, end)
            notify(f"{self.path}: its last line was torn ({size - end} bytes): dropped")
        return end

    def start(self, header: Mapping[str, Any]) -> None:
        """Say who decides from now on; a log of other actions is set aside."""
        self._header = self._encode(header) + b"\n"
        if self._size and not self._fits(header):
            self._set_aside()
        self._append(self._header)

    def _fits(self, header: Mapping[str, Any]) -> bool:
        """Whether the log so far is about the same actions."""
        first = os.pread(self._file, _LONGEST_HEADER, 0).partition(b"\n")[0]
        try:
            found = msgspec.json.decode(first)
            return all(
                found[k] == header[k] for k in ("format", "actions", "n_actions")
            )
        except (msgspec.DecodeError, KeyError, TypeError):
            return False

    def write(self, record: Mapping[str, Any]) -> None:
        """Append a record; when this returns it has been written."""
        line = self._encode(record) + b"\n"
        limit = self.most_bytes
        if limit is not None and self._size + len(line) > limit > len(self._header):
            self._set_aside()
            self._append(self._header)
        self._append(line)

    def _append(self, line: bytes) -> None:
        if self._file < 0:
            raise ResultsError(f"{self.path} is closed")
        try:
            written = os.write(self._file, line)
            while written < len(line):
                written += os.write(self._file, line[written:])
            if self.sync:
                os.fsync(self._file)
        except OSError as error:
            os.ftruncate(self._file, self._size)  # no half a line
            raise self._failed(error) from None
        self._size += len(line)

    def _set_aside(self) -> None:
        """Give the file so far a number, and begin a new one."""
        try:
            os.fsync(self._file)
            self.path.rename(next_part(self.path))
            self.close()
            self._open()
        except OSError as error:
            raise self._failed(error) from None

    def close(self) -> None:
        """Let go of the file."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _failed(self, error: OSError) -> ResultsError:
        if isinstance(error, ResultsError):
            return error
        return ResultsError(f"{self.path} cannot be written: {error.strerror}")


def parts_of(path: str | Path) -> list[Path]:
    """The files of a log in order: those set aside, and the newest."""
    path = Path(path)
    pattern = f"{path.stem}.[0-9][0-9][0-9][0-9][0-9][0-9]{path.suffix}"
    older = sorted(path.parent.glob(pattern))
    return [*older, path] if path.exists() else older


def next_part(path: Path) -> Path:
    """The name for a file that is set aside."""
    taken = [part for part in parts_of(path) if part != path]
    number = int(taken[-1].stem.rpartition(".")[2]) + 1 if taken else 1
    return path.with_name(f"{path.stem}.{number:06}{path.suffix}")


def _plain(value: Any) -> Any:
    """What JSON has no form for."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, str):
        return str(value)
    raise ResultsError(f"a log cannot hold {value!r:.80}")
