"""The compiler: with parts.py, the only module that imports numba."""

import hashlib
import pickle
import types
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numba
from llvmlite import ir
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.extending import intrinsic

from bakeoff.core import jit
from bakeoff.core.jit import KERNELS, kernel_folder, loop_name, short_name, with_globals
from bakeoff.core.parts import PartCompiler

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "_nrt": False,  # kernels own no memory: no reference counts (design note 2)
    "no_cfunc_wrapper": True,
}


def bind(function: Any, name: str, open_names: dict[str, Any]) -> Any:
    """See `jit.bind`."""
    bound = with_globals(function, _names_of(function, open_names), short_name(name))
    dispatcher = numba.njit(**_OPTIONS)(bound)
    dispatcher._cache = _LoopCache(name)
    return dispatcher


@cache
def _part(function: Any) -> Any:
    """A kernel as loops inline it; when compiled it has no entry from Python."""
    if function in _INTRINSICS:
        return _INTRINSICS[function]
    options = _OPTIONS | {"forceinline": True, "no_cpython_wrapper": True}
    bound = with_globals(function, _names_of(function), function.__name__)
    return numba.njit(pipeline_class=PartCompiler, **options)(bound)


def _names_of(function: Any, open_names: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a function sees, with every kernel that it calls in its compiled form."""
    names = {**function.__globals__, **(open_names or {})}
    for name in function.__code__.co_names:
        used = names.get(name)
        if isinstance(used, types.FunctionType) and (used in KERNELS or used in _INTRINSICS):
            names[name] = _part(used)
    return names


class _LoopCache(NullCache):
    """Keeps the machine code of one bound function in our folder.

    Numba's own cache takes its place from a setting of the whole process, and loads
    what it finds there unchecked.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    @property
    def cache_path(self) -> str:
        """The folder, for numba's statistics."""
        return str(kernel_folder().path)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for a signature; None if that is not there."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        content = kernel_folder().read(self._name, _text_of(key))
        if content is None:
            return None
        try:
            known, parts = pickle.loads(content)
            return CompileResult._rebuild(target_context, *parts) if known == key else None
        except Exception:  # whatever unpickling may raise
            kernel_folder().reject(self._name, _text_of(key))
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keep what was compiled for a signature, unless it holds addresses."""
        if not cres.library.has_dynamic_globals:
            key = self._key(sig, cres.library.codegen)
            kernel_folder().write(self._name, _text_of(key), dumps((key, cres._reduce())))

    def _key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        """What machine code depends on besides the code of the loop."""
        return sig, codegen.magic_tuple(), self._name


def _text_of(key: tuple[Any, ...]) -> str:
    return hashlib.sha256(repr(key).encode()).hexdigest()[:16]


# ---- intrinsics


def _unpack(_context: Any, _address: Any, reference: Any) -> Any:
    """The type and the code of `jit.unpack`."""
    kind = reference.instance_type

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer = context.get_data_type(kind).as_pointer()
        block = builder.inttoptr(arguments[0], pointer)
        return context.unpack_value(builder, kind, block)

    return kind(numba.types.int64, reference), code


def _prefetch(_context: Any, array: Any, _row: Any, _byte: Any) -> Any:
    """The type and the code of `jit.prefetch`."""

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


def _call_rule(
    _context: Any, _address: Any, scores: Any, p: Any, settings: Any, _K: Any, _t: Any
) -> Any:
    """The type and the code of `jit.call_rule`."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        numbers, count = ir.DoubleType().as_pointer(), ir.IntType(64)
        pointers = []
        for kind, value in list(zip(signature.args, arguments, strict=True))[1:4]:
            view = context.make_array(kind)(context, builder, value)
            pointers.append(builder.bitcast(view.data, numbers))
        kind = ir.FunctionType(ir.VoidType(), [numbers, numbers, numbers, count, count])
        rule = builder.inttoptr(arguments[0], kind.as_pointer())
        builder.call(rule, [*pointers, *arguments[4:]])
        return context.get_dummy_value()

    integer = numba.types.int64
    return numba.types.void(integer, scores, p, settings, integer, integer), code


_INTRINSICS: dict[Any, Any] = {
    jit.unpack: intrinsic(_unpack),
    jit.prefetch: intrinsic(_prefetch),
    jit.call_rule: intrinsic(_call_rule),
}


def _write(_context: Any, kind: Any, _address: Any) -> Any:
    """The type and the code of what writes a value to an address."""

    def code(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer = context.get_data_type(kind).as_pointer()
        block = builder.inttoptr(arguments[1], pointer)
        context.pack_value(builder, kind, arguments[0], block)
        return context.get_dummy_value()

    return numba.types.void(kind, numba.types.int64), code


_to_address: Any = intrinsic(_write)


def _pack(values: Any, address: int) -> None:
    _to_address(values, address)


_packers: dict[str, Callable[..., None]] = {}


def pack(values: tuple[Any, ...], address: int, name: str) -> None:
    """Write values to an address, from where `jit.unpack` takes them."""
    if name not in _packers:
        _packers[name] = bind(_pack, loop_name(f"pack_{name}", _pack, {}), {})
    _packers[name](values, address)


def type_of(value: Any) -> Any:
    """See `jit.type_of`."""
    typeof: Any = numba.typeof
    return typeof(value)


# ---- rules of users


_NUMBERS = numba.types.CPointer(numba.types.float64)
_RULE = numba.types.void(_NUMBERS, _NUMBERS, _NUMBERS, numba.types.int64, numba.types.int64)
_READ = {bool: "settings[{}] != 0.0", int: "int(settings[{}])", float: "settings[{}]"}


def _part_of_scores(part: int) -> str:
    """Scores, lower or upper bounds, which follow one another; the rule may change them."""
    return f"carray(scores, 3 * K)[{part} * K : {part + 1} * K].copy()"


_GIVEN = {"t": "t", "K": "K", "lower": _part_of_scores(1), "upper": _part_of_scores(2)}
_WRAPPER = """
def wrapper(scores, p, settings, K, t):
    settings, out = carray(settings, {size}), carray(p, K)
    result = rule({arguments})
    if len(result) == K:
        for k in range(K):
            out[k] = result[k]
"""


def compiled_rule(
    function: Callable[..., Any], wants: Sequence[str], defaults: Mapping[str, Any]
) -> tuple[int, Any]:
    """The address of a rule, and what has to be kept as long as it is used."""
    own = [
        f"{name}={_READ[type(value)].format(place)}"
        for place, (name, value) in enumerate(defaults.items())
    ]
    arguments = [_part_of_scores(0), *(f"{name}={_GIVEN[name]}" for name in wants), *own]
    text = _WRAPPER.format(size=max(1, len(defaults)), arguments=", ".join(arguments))
    compiler: Any = numba
    names: dict[str, Any] = {
        "carray": compiler.carray,
        "rule": compiler.njit(error_model="numpy")(getattr(function, "py_func", function)),
    }
    exec(text, names)
    code = compiler.cfunc(_RULE)(names["wrapper"])
    return code.address, code
