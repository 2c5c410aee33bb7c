r"""Model files: a JSON header and arrays in one file, with a checksum.

    bakeoff-model\n | length of header (8 bytes) | header | arrays | SHA-256 (32 bytes)

Numbers are little-endian. A file appears as a whole or not at all. Nothing in it is
executed, and no array can be larger than the file.
"""

import glob
import hashlib
import json
import os
import secrets
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from bakeoff.basics.errors import DataError, ResultsError
from bakeoff.reading.files import check_name

Arrays = dict[str, NDArray[Any]]

FORMAT = 1
_MAGIC = b"bakeoff-model\n"
_DIGEST = 32
_LONGEST_HEADER = 2**31
_TYPES = {"float32": "<f4", "float64": "<f8", "int64": "<i8"}
_FORGOTTEN = 3600  # seconds after which an unfinished file is removed


def write_model(path: Path, header: dict[str, Any], arrays: Arrays) -> None:
    """Write a model file; readers of `path` see the old file or the new one."""
    layout = [[k, str(v.dtype), list(v.shape)] for k, v in arrays.items()]
    text = json.dumps({**header, "format": FORMAT, "arrays": layout}).encode()
    check_name(path)
    try:
        with _replacing(path) as file:
            digest = hashlib.sha256()
            parts: list[Any] = [_MAGIC, len(text).to_bytes(8, "little"), text]
            parts += [_bytes(array) for array in arrays.values()]
            for part in parts:
                file.write(part)
                digest.update(part)
            file.write(digest.digest())
    except OSError as error:
        raise ResultsError(f"{path} cannot be written: {error.strerror}") from None


def _bytes(array: NDArray[Any]) -> memoryview:
    flat: Any = np.ascontiguousarray(array, _TYPES[str(array.dtype)]).reshape(-1)
    return memoryview(flat).cast("B") if flat.size else memoryview(b"")


@contextmanager
def _replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file that replaces `path` when all of it is on the disk."""
    for old in path.parent.glob(f".{glob.escape(path.name)}.*.saving"):
        with suppress(FileNotFoundError):  # another thread may have removed it
            if time.time() - old.stat().st_mtime > _FORGOTTEN:
                old.unlink()  # left by a process that was killed
    unfinished = path.parent / f".{path.name}.{secrets.token_hex(4)}.saving"
    try:
        with unfinished.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def read_model(path: Path) -> tuple[dict[str, Any], Arrays]:
    """The header and the arrays of a model file."""
    check_name(path)
    try:
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
            raise DataError(f"{path} is not a regular file")
        data = path.read_bytes()  # not a memory map: the file may be overwritten
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None
    if not data.startswith(_MAGIC):
        raise DataError(f"{path} is not a bakeoff model file")
    header, top = _header(path, data)
    if header.get("format") != FORMAT:
        raise DataError(
            f"{path} has format {header.get('format')!r}, but this version of bakeoff "
            f"reads format {FORMAT}; a newer version may read it"
        )
    body, digest = memoryview(data)[:-_DIGEST], data[-_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        raise _damaged(path, "its checksum is wrong")
    try:
        return header, _arrays(header, body[top:])
    except (KeyError, TypeError, ValueError, IndexError, OverflowError):
        raise _damaged(path, "its arrays do not fit") from None


def _header(path: Path, data: bytes) -> tuple[dict[str, Any], int]:
    """The header, and where the arrays begin."""
    begin = len(_MAGIC) + 8
    length = int.from_bytes(data[len(_MAGIC) : begin], "little")
    if length > _LONGEST_HEADER or begin + length + _DIGEST > len(data):
        raise _damaged(path, "it ends too early")
    try:
        header = json.loads(data[begin : begin + length])
    except (ValueError, RecursionError):
        raise _damaged(path, "its header is not JSON") from None
    if not isinstance(header, dict):
        raise _damaged(path, "its header is not a JSON object")
    return header, begin + length


def _arrays(header: dict[str, Any], data: memoryview) -> Arrays:
    """Arrays by name, copied out of the file."""
    arrays: Arrays = {}
    top = 0
    for name, kind, shape in header["arrays"]:
        dtype = np.dtype(_TYPES[kind])
        count = 1
        for size in shape:
            count *= size if isinstance(size, int) and size >= 0 else -1
        end = top + count * dtype.itemsize
        if count < 0 or end > len(data):
            raise ValueError(name)
        flat = np.frombuffer(data[top:end], dtype)
        arrays[name] = flat.astype(np.dtype(kind)).reshape(shape)
        top = end
    if top != len(data):
        raise ValueError("bytes are left over")
    return arrays


def _damaged(path: Path, why: str) -> DataError:
    return DataError(f"{path} is damaged: {why}; load an earlier copy")
