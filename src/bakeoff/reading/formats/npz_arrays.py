"""NPZ arrays: the arrays of an untrusted NPZ file, by name.

An NPZ file is a zip archive of `.npy` files. What its headers declare is checked before
anything is allocated: sizes, types, and that no Python object is in it.
"""

import io
import lzma
import math
import struct
import warnings
import zipfile
import zlib
from collections import Counter
from pathlib import Path
from tokenize import TokenError
from typing import IO, Any, Literal

import numpy as np
from numpy.lib import format as npy

from bakeoff.basics.errors import DataError
from bakeoff.reading.files import BOMB_BYTES, BOMB_RATIO, read_bytes

KINDS = "biufUS"  # booleans, numbers and strings

# What zipfile and NumPy raise on archives and headers that are not sound.
_UNSOUND = (
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


def arrays_in(path: Path) -> dict[str, Any]:
    """The arrays of a file, by name."""
    data = read_bytes(path)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _check_members(members, len(data))
            return {_name(member): _array(archive, member) for member in members}
    except DataError as error:
        raise DataError(f"{path}: {error}") from None
    except _UNSOUND as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise DataError(f"{path}: is not a readable NPZ file ({reason})") from None


def _name(member: zipfile.ZipInfo) -> str:
    return member.filename.removesuffix(".npy")


def _check_members(members: list[zipfile.ZipInfo], packed: int) -> None:
    """Refuse archives that unpack to too much, or hold two arrays of one name."""
    unpacked = sum(member.file_size for member in members)
    if unpacked > BOMB_BYTES and unpacked > BOMB_RATIO * packed:
        raise DataError(
            f"unpacks to more than {BOMB_RATIO} times its size, as files made to fill the memory do"
        )
    for name, times in Counter(_name(member) for member in members).items():
        if times > 1:
            raise DataError(f"holds {times} arrays that are called {name!r}")


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    """One array, in the machine's byte order."""
    name = _name(member)
    with archive.open(member) as file:
        shape, fortran_order, dtype = _header(file, name)
        size = math.prod(shape) * dtype.itemsize
        if size != member.file_size - file.tell():
            raise DataError(
                f"the array {name!r} should take {size} bytes, but there are "
                f"{member.file_size - file.tell()}; was the file cut off?"
            )
        array = np.frombuffer(file.read(size), dtype)
    order: Literal["C", "F"] = "F" if fortran_order else "C"
    native = array.astype(dtype.newbyteorder("="), copy=False)
    return native.reshape(shape, order=order)


def _header(file: IO[bytes], name: str) -> tuple[tuple[int, ...], bool, Any]:
    """Shape, whether in Fortran's order, and type, which must be a plain one."""
    version = npy.read_magic(file)
    read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
    if version not in read:
        raise DataError(f"the array {name!r} has the unknown format {version}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a header is odd, or of Python 2
        try:
            shape, fortran_order, dtype = read[version](file)
        except (MemoryError, TokenError):  # what Python's parser says of rubbish
            raise DataError(f"the array {name!r} has no readable header") from None
    if dtype.hasobject:
        raise DataError(
            f"the array {name!r} holds Python objects, which are not loaded; save "
            f"numbers or strings"
        )
    if dtype.kind not in KINDS:
        raise DataError(f"the array {name!r} must hold numbers or strings, got {dtype}")
    return shape, fortran_order, dtype
