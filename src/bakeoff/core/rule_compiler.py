"""The compiler of rules: a user's function as machine code that loops call by its address."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numba
from numba.core import types
from numba.core.errors import NumbaError

NOT_COMPILED = (NumbaError, NotImplementedError, TypeError, AttributeError, KeyError)
_NUMBERS = types.CPointer(types.float64)
_SIGNATURE = types.void(_NUMBERS, _NUMBERS, _NUMBERS, types.int64, types.int64)
_READ = {bool: "settings[{}] != 0.0", int: "int(settings[{}])", float: "settings[{}]"}
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
    arguments = ["carray(scores, K).copy()", *(f"{name}={name}" for name in wants), *own]
    text = _WRAPPER.format(size=max(1, len(defaults)), arguments=", ".join(arguments))
    compiler: Any = numba
    names: dict[str, Any] = {
        "carray": compiler.carray,
        "rule": compiler.njit(error_model="numpy")(getattr(function, "py_func", function)),
    }
    exec(text, names)
    code = compiler.cfunc(_SIGNATURE)(names["wrapper"])
    return code.address, code
