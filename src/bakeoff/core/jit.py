"""Compilation: with parts.py, the only module that knows numba.

Kernels are plain Python functions; `NUMBA_DISABLE_JIT=1` runs them uncompiled, with the
same result to the last bit (no `fastmath`, and the operations of docs/arithmetic.md).

Machine code depends on the file of a function and on the files of what it calls, so the
folder of compiled loops (kernel_folder.py) is named after a hash of this package's
sources. Kernels import nothing of ours from outside it.
"""

import hashlib
import pickle
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.extending import intrinsic

from bakeoff.core.kernel_folder import KernelFolder, base_folder
from bakeoff.core.parts import PartCompiler
from bakeoff.core.sources import source_hash

P = ParamSpec("P")
R = TypeVar("R")

config: Any = numba.config  # its attributes are made at run time
compiled: bool = not config.DISABLE_JIT
KERNELS = KernelFolder(
    base_folder(config.CACHE_DIR),
    source_hash(
        numba.__version__, llvmlite.__version__, sys.implementation.cache_tag, config.BOUNDSCHECK
    ),
)


class _LoopCache(NullCache):
    """Keeps the machine code of one bound function in our folder.

    Numba's own cache takes its place from a setting of the whole process, and loads
    what it finds there unchecked.
    """

    def __init__(self, function: types.FunctionType, name: str) -> None:
        self._function, self._name = function, name

    @property
    def cache_path(self) -> str:
        """The folder, for numba's statistics."""
        return str(KERNELS.path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; None if that is not there."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        content = KERNELS.read(self._name, _text_of(key))
        if content is None:
            return None
        try:
            known, parts = pickle.loads(content)
            return _rebuilt(target_context, parts) if known == key else None
        except Exception:  # whatever unpickling may raise
            KERNELS.reject(self._name, _text_of(key))
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep what was compiled for a signature, unless it holds addresses."""
        if not cres.library.has_dynamic_globals:
            key = self._key(sig, cres.library.codegen)
            KERNELS.write(self._name, _text_of(key), dumps((key, cres._reduce())))

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """What machine code depends on besides the sources of all kernels."""
        code = self._function.__code__
        try:
            source = Path(code.co_filename).read_bytes()
        except OSError:
            source = b""
        digest = hashlib.sha256(source + code.co_code).hexdigest()
        return sig, codegen.magic_tuple(), digest


def _text_of(key: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:16]


def _rebuilt(target_context: Any, parts: Any) -> Any:
    return CompileResult._rebuild(target_context, *parts)


_OPTIONS: dict[str, Any] = {
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
    options = {**_OPTIONS, "forceinline": True, "no_cpython_wrapper": True}
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
    dispatcher = numba.njit(**_OPTIONS)(bound)
    if compiled:
        dispatcher._cache = _LoopCache(bound, name)
    return dispatcher


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
        self.address = 0
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


def announce_compilation(name: str) -> None:
    """Say that the loop of this name will be compiled, unless it is cached."""
    if not compiled or name in _known:
        return
    _known.add(name)
    if is_compiled(name):
        return
    folder = KERNELS.prepare()
    kept = "" if folder is None else f" (kept in {folder})"
    sys.stderr.write(f"bakeoff: compiling {name}, once, which takes 10 to 30 seconds{kept}\n")


def is_compiled(name: str) -> bool:
    """Whether the cache has a loop of this name."""
    return KERNELS.has(name)
