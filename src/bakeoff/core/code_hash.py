"""Code hash: the code that a loop or an explorer consists of, as a hash.

That is its functions and everything that they name, in this package or in files beside
their own: other kernels, constants, the types of arguments. Nothing else changes the hash,
so an edit touches the loops and the results that it can change, and no others.
Comments, docstrings and spaces do not count, nor does the version of Python.
"""

import ast
import hashlib
import sys
import threading
import types
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
PACKAGE = __name__.rpartition(".")[0]
APART = {FOLDER / "jit.py", FOLDER / "explorers" / "base.py"}  # how kernels and records are made
RECORD, ONLY_SHOWN = "Explorer", "names"  # a record's call, and what changes no result of it
_PLAIN = (int, float, str, bytes, tuple)  # constants
_PARSING = threading.Lock()  # Python 3.11 counts the depth of a tree for all threads together

Place = tuple[Path, str]  # a file, and a name that it defines


class Definition(NamedTuple):
    """What a file says of one of its names."""

    shape: str
    uses: frozenset[str]  # names, and names with an attribute: "jit.kernel"


class File(NamedTuple):
    """What a file defines, and the modules and names that its other names come from."""

    definitions: dict[str, Definition]
    imports: dict[str, tuple[str, str]]
    records: dict[str, str]  # names of variables, by the names of explorers


def files_hash(paths: Iterable[Path], *also: object) -> str:
    """A hash of whole files, and of what else changes compilation."""
    return _hash([*map(str, also), *(shape_of(path.read_bytes()) for path in paths)])


def loop_hash(*values: Any, also: Iterable[object] = ()) -> str:
    """A hash of functions and classes, with all that they refer to, and of what else counts."""
    return _hash([*map(str, also), _closure(values)])


@cache
def _closure(values: tuple[Any, ...]) -> str:
    found: dict[Place, str] = {}
    todo: list[Place] = []
    texts: list[str] = []
    for value in values:
        place = value if isinstance(value, tuple) else _place_of(value)
        if place is None or place[1] not in file_of(place[0]).definitions:
            _note_bare(value, texts, todo, set())
        else:
            todo.append(place)
    while todo:
        path, name = todo.pop()
        if (path, name) not in found:
            definition = file_of(path).definitions[name]
            found[path, name] = definition.shape
            todo += [place for use in definition.uses for place in _places(path, use)]
    parts = sorted(f"{path.name} {name} {shape}" for (path, name), shape in found.items())
    return _hash([*texts, *parts])


def _hash(texts: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode(errors="replace")).hexdigest()[:16]


def record_place(name: str, settings: type) -> Place | None:
    """Where the record of an explorer is defined, if that is the file of its settings."""
    place = _place_of(settings)
    variable = None if place is None else file_of(place[0]).records.get(name)
    return None if place is None or variable is None else (place[0], variable)


def _place_of(value: Any) -> Place | None:
    """Where a function or class is defined; None if no file has it, as in a notebook."""
    file = getattr(sys.modules.get(value.__module__), "__file__", None)
    if hasattr(value, "__code__"):
        file = value.__code__.co_filename
    path = Path(file or "")
    return (path, value.__name__) if path.is_file() else None


def _note_bare(value: Any, texts: list[str], todo: list[Place], seen: set[int]) -> None:
    """Note what is known of a function without a file, and of what it names."""
    code = getattr(value, "__code__", None)
    constants = [one for one in code.co_consts if not hasattr(one, "co_code")] if code else []
    texts.append(f"{value.__name__} {code.co_code.hex() if code else ''} {constants}")
    seen.add(id(value))
    for name in code.co_names if code else ():
        used = value.__globals__.get(name)
        if not isinstance(used, (type, types.FunctionType)) or id(used) in seen:
            texts += [f"{name} {used!r}"] if isinstance(used, _PLAIN) else []
            continue
        place = _place_of(used)
        if place is None or place[0] in APART or place[1] not in file_of(place[0]).definitions:
            _note_bare(used, texts, todo, seen)
        elif FOLDER in place[0].parents:
            todo.append(place)


def _places(path: Path, use: str) -> Iterator[Place]:
    """Where a name that a file uses is defined, as far as it is followed."""
    name, _, attribute = use.partition(".")
    file = file_of(path)
    if name in file.definitions:
        yield path, name
    elif name in file.imports:
        module, imported = file.imports[name]
        inner = _path_of(f"{module}.{imported}", path) if imported else _path_of(module, path)
        outer = _path_of(module, path) if imported else None
        if inner is not None and attribute:
            yield from _followed(inner, attribute)
        elif outer is not None:
            yield from _followed(outer, imported)


def _followed(path: Path, name: str) -> Iterator[Place]:
    if path not in APART:
        yield from _places(path, name)


@cache
def _path_of(module: str, user: Path) -> Path | None:
    """The file of a module of this package, or of one beside the file that uses it."""
    base, inside = user.parent, module
    if module == PACKAGE or module.startswith(f"{PACKAGE}."):
        base, inside = FOLDER, module.removeprefix(PACKAGE).lstrip(".")
    path = base.joinpath(*inside.split(".")).with_suffix(".py")
    return path if inside and path.is_file() else None


def written(source: bytes, name: str) -> Iterator[tuple[bool, Definition]]:
    """What a text says of a name that it defines or changes, and whether each begins anew.

    >>> [anew for anew, _ in written(b"a = {}; b = 2; a['k'] = b; a.update(k=b)", "a")]
    [True, False, False]
    """
    for node in _statements(_parsed(source).body):
        names = [one.id for one in _touched(node) if isinstance(one, ast.Name)]
        if name in names or name in _bare_targets(node):
            yield name in _bare_targets(node), Definition(_shape(node), frozenset(_uses(node)))


def files_with(path: Path) -> list[Path]:
    """A file, and the files beside it that it imports, and those that these import."""
    found = [path]
    for file in found:
        pairs = file_of(file).imports.values()
        modules = [one for module, name in pairs for one in (module, f"{module}.{name}")]
        paths = [_path_of(module, file) for module in modules]
        found += [one for one in dict.fromkeys(paths) if one is not None and one not in found]
    return [one for one in found if one == path or FOLDER.parent not in one.parents]


def file_of(path: Path) -> File:
    """What a file says; one of users is read again if it has changed."""
    if FOLDER in path.parents:
        return _file(path)
    status = path.stat()
    return _file(path, status.st_mtime_ns, status.st_size)


@cache
def _file(path: Path, *_changed: int) -> File:
    parts: dict[str, list[Definition]] = {}
    imports: dict[str, tuple[str, str]] = {}
    records: dict[str, str] = {}
    for node in _statements(_parsed(path.read_bytes()).body):
        match node:
            case ast.Import():
                imports |= {a.asname or a.name: (a.name, "") for a in node.names}
            case ast.ImportFrom(module=str(module), level=0 | 1):
                imports |= {a.asname or a.name: (module, a.name) for a in node.names}
            case ast.FunctionDef() | ast.ClassDef() | ast.Assign() | ast.AnnAssign():
                record = _without_names(node)
                one = Definition(_shape(node), frozenset(_uses(node)))
                for name in _defined(node):
                    parts.setdefault(name, []).append(one)
                    if record:
                        records[record] = name
    definitions = {
        name: Definition(
            ";".join(d.shape for d in some), frozenset().union(*(d.uses for d in some))
        )
        for name, some in parts.items()
    }
    return File(definitions, imports, records)


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a file, those under conditions too."""
    for node in body:
        yield node
        for inner in ("body", "orelse", "finalbody"):
            if isinstance(node, (ast.If, ast.Try)):
                yield from _statements(getattr(node, inner, ()))


def _defined(node: Any) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name)]


def _bare_targets(node: Any) -> list[str]:
    """The names that a statement binds anew."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    some = {ast.Assign: "targets", ast.AnnAssign: "target"}.get(type(node))
    targets = getattr(node, some) if some else []
    several = targets if isinstance(targets, list) else [targets]
    return [
        one.id
        for target in several
        for one in (target.elts if isinstance(target, ast.Tuple) else [target])
        if isinstance(one, ast.Name)
    ]


def _touched(node: Any) -> Iterator[ast.AST]:
    """The parts of a statement that may change a value: x[0] = 1, x += [1], x.append(1)."""
    match node:
        case ast.Assign(targets=targets):
            for target in targets:
                yield from ast.walk(target)
        case ast.AugAssign(target=target):
            yield from ast.walk(target)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=value))):
            yield value


def _without_names(node: Any) -> str:
    """The name of the explorer whose record this is; its names in tables are taken out."""
    call = getattr(node, "value", None)
    match call:
        case ast.Call(func=ast.Name(id=function), args=[ast.Constant(value=str(name)), *_]) if (
            function == RECORD
        ):
            call.keywords = [one for one in call.keywords if one.arg != ONLY_SHOWN]
            return name
    return ""


def _uses(node: ast.AST) -> Iterator[str]:
    for one in ast.walk(node):
        match one:
            case ast.Name(id=name):
                yield name
            case ast.Attribute(value=ast.Name(id=name), attr=attribute):
                yield f"{name}.{attribute}"


def shape_of(source: bytes) -> str:
    """The code of a file in one form, however it is laid out.

    >>> shape_of(b"x = 1  # one") == shape_of(b"'''Docs.'''; x=1")
    True
    """
    return _shape(_parsed(source))


def _parsed(source: bytes) -> ast.Module:
    with _PARSING:
        return ast.parse(source)


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
