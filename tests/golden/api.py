"""The public interface as text: a line for every name that users may rely on."""

import dataclasses
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bakeoff
from tests.golden.files import HERE

PATH = HERE / "api.txt"
RENEW = "python -m tests.golden.make api"
ROOT = HERE.parents[1]
BLOCK = re.compile(r"```python\n(.*?)```", re.S)
IMPORT = re.compile(r"^from (bakeoff\.[\w.]+) import ([\w, ]+)$", re.M)
INTERNAL = "bakeoff.core."  # for those who write explorers in this repository
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def snapshot() -> str:
    """All public names with their signatures, sorted."""
    names = [("bakeoff", name) for name in dir(bakeoff) if not name.startswith("__")]
    names += [("bakeoff.basics.errors", name) for name in _classes("bakeoff.basics.errors")]
    names += sorted(_named_in_docs())
    lines: list[str] = []
    for module, name in dict.fromkeys(names):
        value = getattr(importlib.import_module(module), name)
        lines += _lines(f"{module}.{name}", value)
    return "\n".join(lines) + "\n"


def _classes(module: str) -> list[str]:
    found = inspect.getmembers(importlib.import_module(module), inspect.isclass)
    return [name for name, _ in found]


def _named_in_docs() -> Iterator[tuple[str, str]]:
    """What the pages import from modules of the package."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        for block in BLOCK.findall(page.read_text("utf-8")):
            for module, names in IMPORT.findall(block):
                if not module.startswith(INTERNAL):
                    yield from ((module, name.strip()) for name in names.split(","))


def _lines(name: str, value: Any) -> Iterator[str]:
    if not inspect.isclass(value):
        yield f"{name}{_signature(value)}"
        return
    bases = ", ".join(base.__name__ for base in value.__bases__)
    yield f"class {name}({bases}){_signature(value)}"
    for member in sorted(_members(value)):
        yield _member(f"{name}.{member}", inspect.getattr_static(value, member, None))


def _members(value: type) -> set[str]:
    """Public methods, properties and fields, inherited ones of ours included."""
    ours = [c for c in value.__mro__ if c.__module__.startswith("bakeoff")]
    found = {name for c in ours for name in vars(c)}
    if dataclasses.is_dataclass(value):
        found |= {field.name for field in dataclasses.fields(value)}
    return {name for name in found if not name.startswith("_")}


def _member(name: str, value: Any) -> str:
    if isinstance(value, (classmethod, staticmethod)):
        return f"  {type(value).__name__} {name}{_signature(value.__func__)}"
    if inspect.isfunction(value):
        return f"  {name}{_signature(value)}"
    return f"  attribute {name}"


def _signature(value: Any) -> str:
    """Names, kinds and defaults; how types are printed depends on other packages."""
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return ""
    bare = [p.replace(annotation=p.empty) for p in found.parameters.values()]
    plain = inspect.Signature(bare)
    return ADDRESS.sub("", str(plain))


def make_api(path: Path = PATH) -> None:
    """Write the interface of today."""
    path.write_text(snapshot(), "utf-8")
