"""Sources: what the kernels of this package are, as hashes of its files."""

import ast
import hashlib
import threading
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
NO_RESULTS = {"kernel_folder.py", "live.py", "sources.py"}  # of simulations
_PARSING = threading.Lock()  # Python 3.11 counts the depth of a tree for all threads together


def source_hash(*also: object) -> str:
    """A hash of every byte of the sources, and of what else changes compilation."""
    digest = hashlib.sha256(" ".join(map(str, also)).encode())
    for path in sorted(FOLDER.rglob("*.py")):
        digest.update(str(path.relative_to(FOLDER)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@cache
def code_hash() -> str:
    """A hash of the code that simulations run.

    Comments, docstrings and spaces do not count, nor does the version of Python.
    """
    digest = hashlib.sha256()
    for path in sorted(FOLDER.rglob("*.py")):
        name = str(path.relative_to(FOLDER))
        if name not in NO_RESULTS:
            digest.update(f"{name}\n{shape_of(path.read_bytes())}\n".encode())
    return digest.hexdigest()[:16]


def shape_of(source: bytes) -> str:
    """The code of a file in one form, however it is laid out.

    >>> shape_of(b"x = 1  # one") == shape_of(b"'''Docs.'''; x=1")
    True
    """
    with _PARSING:
        tree = ast.parse(source)
    return _shape(tree)


def _shape(node: Any) -> str:
    if isinstance(node, list):
        return f"[{','.join(map(_shape, node))}]"
    if not isinstance(node, ast.AST):
        return repr(node)
    parts = []
    for name, value in ast.iter_fields(node):
        match value:
            case None | []:  # versions of Python add optional fields
                continue
            case [ast.Expr(value=ast.Constant(value=str())), *others]:
                value = others
        parts.append(f"{name}={_shape(value)}")
    return f"{type(node).__name__}({','.join(parts)})"
