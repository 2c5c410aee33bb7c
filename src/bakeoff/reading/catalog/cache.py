"""The cache: the folder of downloads, in which each file is complete or absent."""

import os
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import platformdirs

from bakeoff.basics.errors import DataError
from bakeoff.basics.files import whole

VARIABLE = "BAKEOFF_CACHE"
ABANDONED = 86400.0  # seconds after which an unfinished file counts as abandoned


def data_folder(*parts: str) -> Path:
    """A folder for fetched data, whether or not it exists."""
    return _cache_folder().joinpath("data", *parts)


def _cache_folder() -> Path:
    """`BAKEOFF_CACHE`, else the system's folder for caches, which kernels use too."""
    with suppress(RuntimeError):  # how pathlib says that a user has no home
        if chosen := os.environ.get(VARIABLE):
            return Path(chosen).expanduser()
        folder = Path(platformdirs.user_cache_dir("bakeoff", appauthor=False))
        if folder.is_absolute():
            return folder
    raise DataError(f"there is no home folder to keep data in; set {VARIABLE} to a folder")


def store(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file of the cache: all of it, or nothing if `chunks` raises.

    Several processes may write the same file; the last to finish wins. Any `OSError`
    counts as an error of the disk.
    """
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(8)}.part")
    with writable(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        _forget_abandoned(path)
        with whole(path, unfinished) as file:
            for chunk in chunks:
                file.write(chunk)


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """Turn errors of writing to the cache into a `DataError`."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, FileExistsError | NotADirectoryError):
            reason = "a file is in the way"
        raise DataError(
            f"{path}: cannot be written ({reason}); "
            f"set {VARIABLE} to a folder that can hold the data"
        ) from None


def _forget_abandoned(path: Path) -> None:
    """Remove unfinished files of writers that were killed."""
    for old in path.parent.glob(f".{path.name}.*.part"):
        with suppress(FileNotFoundError):  # another process was quicker
            if time.time() - old.stat().st_mtime > ABANDONED:
                old.unlink()
