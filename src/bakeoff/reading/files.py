"""Files: open what may be compressed, and say in one sentence why one cannot be read.

Every reader opens files here, so that a missing, truncated or hostile file ends in the
same `DataError` whatever its format.
"""

import bz2
import errno
import gzip
import io
import os
import sys
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.basics.memory import available_memory
from bakeoff.data import at

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

COMPRESSED = (".gz", ".bz2", ".zst")

# Data compress by a factor of 2 to 50; a small file that unpacks to this much is
# made to fill the memory.
BOMB_BYTES = 256 * 2**20
BOMB_RATIO = 250
UNPACKED_SHARE = 4  # of the memory: what is unpacked becomes arrays beside it


def plain_name(path: Path) -> str:
    """The file's name without the ending of its compression."""
    return path.stem if path.suffix.lower() in COMPRESSED else path.name


def plain_stem(path: Path) -> str:
    """The file's name without the endings of its compression and its format."""
    return Path(plain_name(path)).stem


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked and without a byte order mark.

    Errors of opening, unpacking and decoding become a `DataError`; others pass.
    """
    with explained(path):
        check_regular(path)
        with path.open("rb") as packed:
            file = io.BufferedReader(_Unpacked(packed, path), 2**20)
            if file.peek(len(BOM_UTF8)).startswith(BOM_UTF8):
                file.read(len(BOM_UTF8))
            yield file


def read_bytes(path: Path) -> bytes:
    """All of the file's bytes, as `opened` gives them."""
    with opened(path) as file:
        return file.read()


def decoded(data: bytes, path: Path) -> str:
    """Bytes as UTF-8 text."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{at(path, line)}: byte 0x{data[error.start]:02x} is not UTF-8 text; "
            f"convert the file to UTF-8"
        ) from None


def shown(text: str | bytes) -> str:
    """A text as a message quotes it, cut off if it is long."""
    words = text if isinstance(text, str) else text.decode(errors="backslashreplace")
    return repr(words if len(words) <= 40 else words[:40] + "...")


def check_text(data: bytes, path: Path) -> None:
    """Refuse what no UTF-8 text has, before a parser guesses at it."""
    if data[:2] in (BOM_UTF16_LE, BOM_UTF16_BE):
        raise DataError(f"{at(path, 1)}: is UTF-16 text; convert the file to UTF-8")
    zero = data.find(b"\0")
    if zero >= 0:
        line = data.count(b"\n", 0, zero) + 1
        raise DataError(f"{at(path, line)}: holds a zero byte, which no text has")


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the operating system and the unpackers raise into a `DataError`."""
    try:
        yield
    except DataError:
        raise
    except FileNotFoundError:
        raise DataError(f"{path}: no such file or folder") from None
    except IsADirectoryError:
        raise DataError(f"{path}: is a folder where a file was meant") from None
    except EOFError:
        raise DataError(
            f"{path}: ends in the middle of its compressed data; was it cut off?"
        ) from None
    except (gzip.BadGzipFile, zlib.error, zstd.ZstdError) as error:
        raise DataError(f"{path}: is not valid compressed data ({error})") from None
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno == errno.ELOOP:
            reason = "its symbolic links go round in a circle"
        elif error.errno is None:  # how bz2 says that data are not its own
            reason = f"is not valid compressed data ({reason})"
        raise DataError(f"{path}: cannot be read: {reason}") from None


def check_regular(path: Path) -> None:
    """Refuse what is not a regular file, such as a pipe, or does not fit into memory."""
    size = path.stat().st_size  # says what is wrong where `is_file` would only say no
    if path.is_dir():
        raise DataError(f"{path}: is a folder where a file was meant")
    if not path.is_file():
        raise DataError(f"{path}: is neither a file nor a folder")
    if size > available_memory():
        raise DataError(
            f"{path}: has {size / 1e9:,.1f} GB, but there are only "
            f"{available_memory() / 1e9:,.1f} GB of memory"
        )


class _Unpacked(io.RawIOBase):
    """A stream of unpacked bytes that stops when they are out of all proportion."""

    def __init__(self, packed: IO[bytes], path: Path) -> None:
        self._path = path
        self._size = path.stat().st_size
        self._most = available_memory() // UNPACKED_SHARE
        self._read = 0
        self._stream: Any = packed
        match path.suffix.lower():
            case ".gz":
                self._stream = gzip.GzipFile(fileobj=packed)
            case ".bz2":
                self._stream = bz2.BZ2File(packed)
            case ".zst":
                self._stream = zstd.ZstdFile(packed)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count: int = self._stream.readinto(buffer)
        self._read += count
        if self._read > BOMB_BYTES and self._read > BOMB_RATIO * self._size:
            raise DataError(
                f"{self._path}: unpacks to more than {BOMB_RATIO} times its size, as "
                f"files made to fill the memory do; unpack it first if you trust it"
            )
        if self._read > self._most and self._read > 2 * self._size:
            raise DataError(
                f"{self._path}: unpacks to more than {self._most / 1e9:,.2f} GB, a "
                f"quarter of the memory there is; unpack it first if you trust it"
            )
        return count


def check_name(path: Path) -> None:
    """Refuse a name that no file can have."""
    try:
        name = os.fsencode(path)
    except UnicodeEncodeError:
        name = b"\0"
    if b"\0" in name:
        raise SpecError(f"{str(path)!r:.80} cannot be the name of a file")
