"""Values as written: lists, dictionaries and objects that users' code names, by their source.

A learner keeps in them what it has seen, so what they hold at some moment says nothing of the
code. What was written does: in a file, or in the cells of a notebook. Without either, as in
Python's prompt, a list or dictionary counts as it was when it was first seen.
"""

import sys
import sysconfig
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from bakeoff.core.code_hash import Definition, written

Names = Mapping[str, Any]  # of a module

_LIBRARIES = tuple({*map(sysconfig.get_path, ("stdlib", "purelib", "platlib"))})
_first: dict[int, tuple[Any, str]] = {}  # values, kept so that no other gets their number


def definition_of(name: str, names: Names) -> Definition | None:
    """What the source of a module, or of one that it imports from, says of a name."""
    parts: list[Definition] = []
    for source in _sources(names):
        for is_anew, part in _written(source, name):
            parts = [part] if is_anew else [*parts, *([part] if part not in parts else [])]
    if parts:
        shapes, uses = zip(*parts, strict=True)
        return Definition(";".join(shapes), frozenset().union(*uses))
    homes = _homes(name, names) if name in names else ()
    return next((one for home in homes if (one := definition_of(name, home))), None)


def is_of_users(module: ModuleType | None) -> bool:
    """Whether a module is a file that no library has, and not one of ours."""
    file = getattr(module, "__file__", None)
    if module is None or file is None or not file.endswith(".py"):
        return False
    is_ours = module.__name__.partition(".")[0] == __name__.partition(".")[0]
    return not is_ours and not file.startswith(_LIBRARIES)


def first_seen(value: Any, texts: Iterable[str]) -> str:
    """What a list or dictionary held when this was first asked of it."""
    if id(value) not in _first:
        _first[id(value)] = value, "\n".join(texts)
    return _first[id(value)][1]


def _sources(names: Names) -> list[bytes]:
    """The texts that defined a module: its file, or the cells that ran so far, in order."""
    cells = names.get("In")  # IPython's; magics are calls in it
    if isinstance(cells, list) and "get_ipython" in names:
        return [cell.encode() for cell in cells if isinstance(cell, str)]
    path = Path(str(names.get("__file__") or ""))
    return [path.read_bytes()] if path.suffix == ".py" and path.is_file() else []


def _written(source: bytes, name: str) -> list[tuple[bool, Definition]]:
    try:
        return list(written(source, name))
    except (SyntaxError, ValueError, RecursionError):  # a cell that never ran
        return []


def _homes(name: str, names: Names) -> Iterator[Names]:
    """Other modules of the user that have the same value by the same name."""
    for module in [*sys.modules.values()]:
        others = getattr(module, "__dict__", names)
        if others is not names and others.get(name) is names[name] and is_of_users(module):
            yield others
