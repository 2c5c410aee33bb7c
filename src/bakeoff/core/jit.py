"""Compilation: with parts.py, the only module that knows numba.

Kernels are plain Python functions; `NUMBA_DISABLE_JIT=1` runs them uncompiled, with the
same result to the last bit (no `fastmath`, and the operations of docs/arithmetic.md).

Numba checks only the file of a cached function, not the files of what it calls, so the
cache folder is named after a hash of this package's sources. Kernels import nothing of
ours from outside it.
"""

import atexit
import hashlib
import os
import shutil
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.extending import intrinsic

from bakeoff.core.parts import PartCompiler

P = ParamSpec("P")
R = TypeVar("R")

config: Any = numba.config  # its attributes are made at run time
compiled: bool = not config.DISABLE_JIT


def _source_hash() -> str:
    """A hash of the sources of all kernels and of what changes compilation."""
    digest = hashlib.sha256(f"{numba.__version__} {config.BOUNDSCHECK}".encode())
    folder = Path(__file__).parent
    for path in sorted(folder.rglob("*.py")):
        digest.update(str(path.relative_to(folder)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """The folder of compiled kernels, made if need be."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    base = config.CACHE_DIR or Path(home) / "bakeoff"
    folder = Path(base) / f"kernels-{_source_hash()}"
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            _forget_old_kernels(folder.parent)
    except OSError:  # a read-only home: compile anew in each process
        folder = Path(tempfile.mkdtemp(prefix="bakeoff-kernels-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _forget_old_kernels(base: Path) -> None:
    """Remove kernels of sources that have not been compiled for a week."""
    for folder in base.glob("kernels-*"):
        if time.time() - folder.stat().st_mtime > 7 * 86400:
            shutil.rmtree(folder, ignore_errors=True)


CACHE_FOLDER = _cache_folder()


@contextmanager
def _cached_here() -> Iterator[None]:
    """Let what is compiled now be kept in our folder; others keep theirs."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(CACHE_FOLDER)
    try:
        yield
    finally:
        config.CACHE_DIR = before


_OPTIONS: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,  # kernels own no memory: no reference counts (design note 2)
    "no_cfunc_wrapper": True,
}


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Make `function` a part of compiled loops; it sees arrays and named tuples.

    It allocates nothing, and when compiled it has no entry from Python: what Python is
    to call is made with `bind`.
    """
    options = {
        **_OPTIONS,
        "cache": False,
        "forceinline": True,
        "no_cpython_wrapper": True,
    }
    if compiled:
        options["pipeline_class"] = PartCompiler
    return numba.njit(**options)(function)


def bind(function: Callable[P, R], name: str, **open_names: Any) -> Callable[P, R]:
    """Compile `function` for calls from Python, with its open names filled in.

    Passing kernels as arguments, or building the loop in a closure, would defeat the
    disk cache. The cache tells bound functions apart by `name` alone.
    """
    source = getattr(function, "py_func", function)
    filled = {**source.__globals__, **open_names}
    bound = types.FunctionType(source.__code__, filled, name)
    bound.__qualname__ = name
    bound.__module__ = source.__module__
    with _cached_here():
        return numba.njit(**_OPTIONS)(bound)


def type_of(value: Any) -> Any:
    """What `unpack` needs to know of what was packed."""
    typeof: Any = numba.typeof
    return typeof(value) if compiled else None


class Packed:
    """Arrays and named tuples that a compiled loop finds by one number.

    Handing over dozens of arrays one by one takes longer than most kernels.
    """

    def __init__(self, values: tuple[Any, ...], name: str) -> None:
        self.values = values  # keeps the arrays alive
        if compiled:
            self._block = np.zeros(4096, np.int64)
            self.address = int(self._block.ctypes.data)
            if name not in _packers:
                _packers[name] = bind(_pack, f"pack_{name}")
            _packers[name](values, self.address)
        else:
            self.address = id(self)
            _packed[self.address] = values

    def __del__(self) -> None:
        _packed.pop(self.address, None)


_packed: dict[int, tuple[Any, ...]] = {}  # what is packed, where nothing is compiled
_packers: dict[str, Callable[..., None]] = {}


def _unpack(_context: Any, _address: Any, reference: Any) -> Any:
    """The type and the code of `unpack`."""
    kind = reference.instance_type

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer = context.get_data_type(kind).as_pointer()
        block = builder.inttoptr(arguments[0], pointer)
        return context.unpack_value(builder, kind, block)

    return kind(numba.types.int64, reference), code


def _write(_context: Any, kind: Any, _address: Any) -> Any:
    """The type and the code of what writes a value to an address."""

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer = context.get_data_type(kind).as_pointer()
        block = builder.inttoptr(arguments[1], pointer)
        context.pack_value(builder, kind, arguments[0], block)
        return context.get_dummy_value()

    return numba.types.void(kind, numba.types.int64), code


def _find(address: int, _type: Any) -> tuple[Any, ...]:
    return _packed[address]


unpack: Any = intrinsic(_unpack) if compiled else _find
"""The values at the address of a `Packed`, given their `type_of`."""
_to_address: Any = intrinsic(_write)


def _pack(values: Any, address: int) -> None:
    _to_address(values, address)


def _to_cache(_context: Any, array: Any, _row: Any, _byte: Any) -> Any:
    """The type and the code of `prefetch`."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        stride = builder.extract_value(view.strides, 0)
        offset = builder.add(builder.mul(arguments[1], stride), arguments[2])
        start = builder.ptrtoint(view.data, stride.type)
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        hint = builder.module.declare_intrinsic("llvm.prefetch", [byte], kind)
        where = builder.inttoptr(builder.add(start, offset), byte)
        builder.call(hint, [where, number(0), number(2), number(1)])
        return context.get_dummy_value()

    return numba.types.void(array, numba.types.int64, numba.types.int64), code


def _stay(_array: Any, _row: int, _byte: int) -> None:
    """Nothing to fetch where nothing is compiled."""


prefetch: Any = intrinsic(_to_cache) if compiled else _stay
"""Ask for a byte of a row of an array to be in the second cache soon."""


_known: set[str] = set()  # what this process has asked about


def _nothing() -> None:
    """There is nothing to do."""


def announce_compilation(name: str) -> Callable[[], None]:
    """Say that `name` will be compiled, unless it is cached; call the result after.

    A mark in the cache folder remembers what has been compiled.
    """
    if not compiled or name in _known:
        return _nothing
    _known.add(name)
    if is_compiled(name):
        return _nothing
    sys.stderr.write(
        f"bakeoff: compiling {name}, once, which takes 10 to 30 seconds "
        f"(kept in {CACHE_FOLDER})\n"
    )
    return _mark(name).touch


def is_compiled(name: str) -> bool:
    """Whether the cache has a loop of this name."""
    return _mark(name).exists()


def _mark(name: str) -> Path:
    return CACHE_FOLDER / f"{name}.compiled"
