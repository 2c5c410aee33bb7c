"""Compilation: what kernels are made of, whether they are compiled or not.

Kernels are plain Python functions. `bind` makes a loop of them that Python may call, and
compiles it; only then is numba imported (compiler.py), so that everything that plays
nothing starts quickly. `NUMBA_DISABLE_JIT=1` runs loops uncompiled, with the same result
to the last bit (no `fastmath`, and the operations of docs/reference/arithmetic.md).
"""

import importlib
import os
import sys
import types
from collections.abc import Callable
from functools import cache
from importlib import metadata
from typing import Any, ParamSpec, TypeVar

import numpy as np

from bakeoff.core.code_hash import FOLDER, files_hash, loop_hash
from bakeoff.core.kernel_folder import KernelFolder, base_folder

P = ParamSpec("P")
R = TypeVar("R")

compiled: bool = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
KERNELS: set[Callable[..., Any]] = set()  # functions that are compiled within loops


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Make `function` a part of compiled loops; it sees arrays and named tuples.

    It allocates nothing. What Python is to call is made with `bind`.
    """
    KERNELS.add(function)
    return function


def bind(function: Callable[P, R], name: str, **open_names: Any) -> Callable[P, R]:
    """Compile `function` for calls from Python, with its open names filled in.

    Passing kernels as arguments, or building the loop in a closure, would defeat the
    disk cache. The cache tells bound functions apart by `name` and by their code.
    """
    if compiled:
        return _compiler().bind(function, loop_name(name, function, open_names), open_names)
    return with_globals(function, {**function.__globals__, **open_names}, name)


def loop_name(name: str, function: Callable[..., Any], open_names: dict[str, Any]) -> str:
    """The name of a loop in the cache, with a hash of the code that it consists of.

    >>> short_name(loop_name("mine", with_globals, {}))
    'mine'
    """
    kernels = [value for value in open_names.values() if isinstance(value, types.FunctionType)]
    others = [value for value in open_names.values() if not isinstance(value, types.FunctionType)]
    return f"{name}.{loop_hash(function, *kernels, also=others)}"


def short_name(name: str) -> str:
    """The name of a loop for people."""
    return name.partition(".")[0]


def with_globals(function: Any, names: dict[str, Any], name: str) -> Any:
    """A function of the same code that sees other names, and has another itself."""
    bound = types.FunctionType(function.__code__, names, name, function.__defaults__)
    bound.__qualname__, bound.__module__ = name, function.__module__
    return bound


def _compiler() -> Any:
    return importlib.import_module("bakeoff.core.compiler")


@cache
def kernel_folder() -> KernelFolder:
    """Where compiled loops are kept.

    Machine code depends on the code of a loop, which is part of the name of its file, and on
    what compiles it, after which the folder is named.
    """
    versions = map(metadata.version, ("numba", "llvmlite"))
    checks = os.environ.get("NUMBA_BOUNDSCHECK", "")
    compilers = [FOLDER / name for name in ("compiler.py", "jit.py", "parts.py")]
    return KernelFolder(
        base_folder(os.environ.get("NUMBA_CACHE_DIR", "")),
        files_hash(compilers, *versions, sys.implementation.cache_tag, checks),
    )


# ---- what loops find by an address


class Packed:
    """Arrays and named tuples that a compiled loop finds by one number.

    Handing over dozens of arrays one by one takes longer than most kernels.
    """

    address = 0  # before it has one

    def __init__(self, values: tuple[Any, ...], name: str) -> None:
        self.values = values  # keeps the arrays alive
        if compiled:
            self._block = np.zeros(4096, np.int64)
            self.address = int(self._block.ctypes.data)
            _compiler().pack(values, self.address, name)
        else:
            self.address = id(self)
            _packed[self.address] = values

    def __del__(self) -> None:
        _packed.pop(self.address, None)


_packed: dict[int, tuple[Any, ...]] = {}  # what is packed, where nothing is compiled


def type_of(value: Any) -> Any:
    """What `unpack` needs to know of what was packed."""
    return _compiler().type_of(value) if compiled else None


def unpack(address: int, kind: Any) -> Any:
    """The values at the address of a `Packed`, given their `type_of`."""
    return _packed[address]


_callables: dict[int, Callable[..., None]] = {}  # rules, where nothing is compiled


def callable_at(function: Callable[..., None]) -> int:
    """A number by which `call_rule` finds a function, where nothing is compiled."""
    number = len(_callables) + 1
    _callables[number] = function
    return number


def call_rule(address: int, scores: Any, p: Any, settings: Any, K: int, t: int) -> None:
    """Call the rule at an address, which writes its probabilities into `p`."""
    _callables[address](scores, p, settings, K, t)


def prefetch(array: Any, row: Any, byte: Any) -> None:
    """Ask for a byte of a row of an array to be in the second cache soon."""


# ---- what users are told


_known: set[str] = set()  # what this process has asked about


def announce_compilation(name: str) -> None:
    """Say that the loop of this name (`loop_name`) will be compiled, unless it is cached."""
    if not compiled or name in _known:
        return
    _known.add(name)
    if is_compiled(name):
        return
    folder = kernel_folder().prepare()
    kept = "" if folder is None else f" (kept in {folder})"
    sys.stderr.write(
        f"bakeoff: compiling {short_name(name)}, once, which takes 10 to 30 seconds{kept}\n"
    )


def is_compiled(name: str) -> bool:
    """Whether the cache has a loop of this name."""
    return kernel_folder().has(name)
