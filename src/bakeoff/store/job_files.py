"""Store files: names that tell what is inside, writing as a whole, one writer.

A file of results is called STREAM-GROUP-ROWS-ERRORS.parquet, or, of a job that failed
as a whole, STREAM-GROUP-ROWS-failed.parquet.
"""

import fcntl
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import polars as pl

from bakeoff.basics.errors import ResultsError
from bakeoff.basics.files import is_unfinished
from bakeoff.basics.panics import PanicError, hushed, reason_of
from bakeoff.basics.text import in_one_line

_NAME = re.compile(
    r"(?P<stream>[0-9a-f]+-\d+)-(?P<group>[0-9a-f]+)-(?P<rows>\d+)-(?P<end>\d+|failed)"
    r"\.parquet"
)
_UNFINISHED = re.compile(rf"\.{_NAME.pattern}(\.[0-9a-f]{{16}})?\.tmp")


class File(NamedTuple):
    """What the name of a file of results says."""

    path: Path
    stream: str  # problem and shuffle
    group: str  # runs
    n_rows: int
    n_errors: int
    failed: bool  # as a whole, so that it is tried again
    is_regular: bool = True  # and neither a folder nor a pipe

    @property
    def key(self) -> str:
        """The job."""
        return f"{self.stream}-{self.group}"


class Fault(NamedTuple):
    """A file that cannot be used, and why."""

    path: Path
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}"


def name_of(key: str, n_rows: int, n_errors: int | None) -> str:
    """The name of a job's file; without a number of errors, of one that failed."""
    return f"{key}-{n_rows}-{'failed' if n_errors is None else n_errors}.parquet"


def files_in(folder: Path) -> Iterator[File]:
    """The files of results in a folder, if there is one."""
    if not folder.is_dir():
        return
    for entry in os.scandir(folder):
        match = _NAME.fullmatch(entry.name)
        if match:
            failed = match["end"] == "failed"
            n_rows = int(match["rows"])
            n_errors = n_rows if failed else int(match["end"])
            yield File(Path(entry.path), match["stream"], match["group"], n_rows,
                       n_errors, failed, entry.is_file())  # fmt: skip


def remove_unfinished(file: Path, folder: Path) -> None:
    """Remove what is left of a file, and of files of results in a folder."""
    for entry in os.scandir(file.parent):
        if is_unfinished(entry.name, file.name):
            Path(entry.path).unlink()
    for entry in os.scandir(folder):
        if _UNFINISHED.fullmatch(entry.name):
            Path(entry.path).unlink()


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Hold a folder for this process; the lock goes with it, however that ends."""
    with explained(folder):
        lock = (folder / "lock").open("ab+", buffering=0)
    try:
        with explained(folder):
            _take(lock, folder)
        yield
    finally:
        lock.close()


def _take(lock: IO[bytes], folder: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().decode(errors="replace") or "another process"
        raise ResultsError(
            f"{folder}: is being written by {holder}; wait for it, or give another folder"
        ) from None
    lock.truncate(0)
    lock.write(f"process {os.getpid()} on {os.uname().nodename}".encode())


@contextmanager
def explained(path: Path | None = None) -> Iterator[None]:
    """Turn what the operating system and polars say into a `ResultsError`."""
    where = "" if path is None else f"{path}: "
    try:
        with hushed():
            yield
    except ResultsError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        what = "cannot be read" if path is None else "the store cannot be used"
        raise ResultsError(f"{where}{what}: {reason}") from None
    except PanicError as error:
        raise ResultsError(f"{where}is damaged: {reason_of(error)}") from None
    except pl.exceptions.PolarsError as error:
        reason = (str(error).splitlines() or ["no reason given"])[0]
        raise ResultsError(f"{where}is damaged ({in_one_line(reason)})") from None
