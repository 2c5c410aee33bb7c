"""TOML files: the settings of `bakeoff run`, written down.

sources = ["data/", "embedded:iris"]  # paths are relative to the file
algorithms = "fixed"                  # one value will do for a list
learning-rate = [0.1, 1]              # or learning_rate

[[source]]                            # a source with options of its own
source = "rows.csv"
target = "outcome"
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import did_you_mean
from bakeoff.reading.catalog import SUITES
from bakeoff.reading.options import KINDS

Kinds = Mapping[str, Any]  # the type of each setting

PATHS = ("sources", "source", "data", "out")
WORDS = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}


def read_toml(file: Path, kinds: Kinds) -> dict[str, Any]:
    """The settings in a file, checked against their types."""
    try:
        values = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise SpecError(f"{file}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SpecError(f"{file}: is not a TOML file: {error}") from None
    tables = values.pop("source", [])
    settings = _checked(values, kinds, file, str(file))
    if tables:
        settings["source"] = _tables(tables, file)
    return settings


def _tables(tables: Any, file: Path) -> list[dict[str, Any]]:
    """What `[[source]]` says: a source, and options about it."""
    if not (isinstance(tables, list) and all(isinstance(one, dict) for one in tables)):
        raise SpecError(f"{file}: source cannot be {tables!r}; write [[source]] tables, or sources")
    kinds = {"source": str} | {name: kind.type for name, kind in KINDS.items()}
    checked = []
    for number, table in enumerate(tables, 1):
        where = f"{file}: [[source]] {number}"
        checked.append(_checked(table, kinds, file, where))
        if "source" not in checked[-1]:
            raise SpecError(f'{where} needs a source, such as source = "rows.csv"')
    return checked


def _checked(values: Mapping[str, Any], kinds: Kinds, file: Path, where: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for written, value in values.items():
        key = written.replace("-", "_")
        if key not in kinds:
            hint = did_you_mean(key, kinds)
            raise SpecError(f"{where}: unknown setting {written!r}{hint}")
        if key in settings:
            raise SpecError(f"{where}: {key} is set twice")
        fitting = _fitting(value, kinds[key])
        if fitting is None:
            raise SpecError(f"{where}: {key} cannot be {value!r}; {_right(kinds[key])}")
        settings[key] = _beside(file, fitting) if key in PATHS else fitting
    return settings


def _fitting(value: Any, kind: Any) -> Any:
    """A value as one of a setting's type; None if it is not."""
    if _is_list(kind) and not isinstance(value, list):
        value = [value]
    return value if _fits(value, kind) else None


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _fits(value: Any, kind: Any) -> bool:
    """Whether a value of a TOML file is of a field's type."""
    origin = get_origin(kind)
    if origin in (Union, UnionType):  # Literal[...] | None is a Union
        return any(_fits(value, part) for part in get_args(kind))
    if origin is tuple:
        one = get_args(kind)[0]
        return isinstance(value, list) and all(_fits(item, one) for item in value)
    if origin is Literal:
        return value in get_args(kind)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind


def _right(kind: Any) -> str:
    """What would be right, for messages."""
    if _is_list(kind):
        return f"it is a list of {'numbers' if get_args(kind)[0] is float else 'texts'}"
    parts = [kind]
    if get_origin(kind) in (Union, UnionType):
        parts = [part for part in get_args(kind) if part is not type(None)]
    if get_origin(parts[0]) is Literal:
        return f"it is one of {', '.join(get_args(parts[0]))}"
    return f"it is {WORDS.get(parts[0], 'something else')}"


def _beside(file: Path, value: Any) -> Any:
    """Paths as seen from the folder of the file; names of suites stay as they are."""
    if isinstance(value, list):
        return [_beside(file, one) for one in value]
    if value in SUITES or value.partition(":")[0] in (*SUITES, "openml"):
        return value
    return str(file.parent / Path(value).expanduser())
