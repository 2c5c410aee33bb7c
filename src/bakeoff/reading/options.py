"""Options: what you can say about a dataset that its file does not say itself.

They are declared here and nowhere else. `bakeoff.load`, the command line, TOML files,
manifests, the checks and the table in `docs/guide/data.md` all follow from `Options`.
"""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from types import UnionType
from typing import Any, Literal, TypedDict, Union, Unpack, get_args, get_origin, get_type_hints

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import did_you_mean
from bakeoff.data import Task

Coding = Literal["codes", "one-hot"]


def option(default: Any, text: str, *, least: float | None = None) -> Any:
    """An option: its default, what it says, and its least value if it is a number."""
    return field(default=default, metadata={"help": text, "least": least})


@dataclass(frozen=True, slots=True)
class Options:
    """How to read a dataset. The defaults suit a file that speaks for itself."""

    name: str | None = option(None, "The dataset's name (default: the name of the file).")
    task: Task | None = option(
        None, "What the data hold (default: what the format shows, else multiclass)."
    )
    target: str | int | tuple[str, ...] | None = option(
        None,
        "The target column, by name or index (default: the last one); for multilabel "
        "and cost-sensitive tables, the names of several, separated by commas.",
    )
    features: Coding = option(
        "codes", "How nominal and missing values become features (default: codes)."
    )
    categorical: tuple[str, ...] = option(
        (), "A column whose values are names, even if they look like numbers."
    )
    numeric: tuple[str, ...] = option(
        (),
        "A column of words to read as numbers: ISO dates (days), times (hours), money, "
        "percentages.",
    )
    ignore: tuple[str, ...] = option((), "A column to leave out, such as row numbers.")
    header: bool | None = option(
        None, "Whether a CSV file begins with a header (default: its first lines show it)."
    )
    max_documents: int | None = option(
        None, "How many documents of a query are kept (default: 10).", least=2
    )
    max_relevance: float | None = option(
        None, "The best grade of a document (default: the largest in the file).", least=0
    )

    def __post_init__(self) -> None:
        for name, kind in KINDS.items():
            kind.check(name, getattr(self, name))
        for name in set(self.categorical) & set(self.numeric):
            raise DataError(f"the column {name!r} cannot be categorical and numeric")


class Keywords(TypedDict, total=False):
    """The fields of `Options` as keywords of a function, for type checkers."""

    name: str | None
    task: Task | None
    target: str | int | Sequence[str] | None
    features: Coding
    categorical: str | Iterable[str]
    numeric: str | Iterable[str]
    ignore: str | Iterable[str]
    header: bool | None
    max_documents: int | None
    max_relevance: float | None


def options_of(**keywords: Unpack[Keywords]) -> Options:
    """Options from keywords; a single name may stand for a list of names."""
    for name in keywords:
        if name not in KINDS:
            raise DataError(f"there is no option {name!r}{did_you_mean(name, KINDS)}")
    values: dict[str, Any] = dict(keywords)
    for name, value in keywords.items():
        if KINDS[name].is_list and isinstance(value, Iterable):
            values[name] = (value,) if isinstance(value, str) else tuple(value)
    target = values.get("target")
    if isinstance(target, Sequence) and not isinstance(target, str):
        values["target"] = tuple(target)
    return Options(**values)


def columns_named(options: Options) -> tuple[str, ...]:
    """The columns that options name, besides the target."""
    return (*options.categorical, *options.numeric, *options.ignore)


# ---- the kinds of values


@dataclass(frozen=True)
class Kind:
    """What values an option takes."""

    type: Any  # without None
    help: str
    default: Any
    least: float | None

    @property
    def choices(self) -> tuple[str, ...]:
        """The words it takes, if there are only a few."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()

    @property
    def is_list(self) -> bool:
        """Whether it takes a list of names."""
        return get_origin(self.type) is tuple

    def check(self, name: str, value: Any) -> None:
        """Refuse a value of another kind."""
        if value is None and self.default is None:
            return
        if not (_fits(value, self.type) and self._is_large_enough(value)):
            raise DataError(f"{name} must be {self.right}, got {value!r}")

    def _is_large_enough(self, value: Any) -> bool:
        if self.least is None:
            return True
        return value > self.least if self.type is float else value >= self.least

    @property
    def right(self) -> str:
        """What would be right, for messages."""
        if self.choices:
            return f"one of {', '.join(self.choices)}"
        if self.is_list:
            return "a list of names of columns"
        words = {bool: "true or false", str: "a string", float: "a positive number"}
        if self.type is int:
            return f"an integer from {self.least:g}"
        return words.get(self.type, "a column's name or index, or a list of names")

    def parsed(self, name: str, text: str) -> Any:
        """The value that a text stands for, as in a cell of a manifest."""
        if self.is_list:
            [names] = csv.reader([text], skipinitialspace=True)
            return tuple(names)
        try:
            value = _READ.get(self.type, str)(text)
        except (ValueError, KeyError):
            raise DataError(f"{name} must be {self.right}, got {text!r}") from None
        self.check(name, value)
        return value


_READ: dict[Any, Any] = {
    int: int,
    float: float,
    bool: lambda text: {"true": True, "false": False}[text.lower()],
}


def _fits(value: Any, kind: Any) -> bool:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in get_args(kind))
    if origin is Literal:
        return value in get_args(kind)
    if origin is tuple:
        return isinstance(value, tuple) and all(isinstance(name, str) for name in value)
    if kind in (int, float):
        number = Integral if kind is int else Real
        return isinstance(value, number) and not isinstance(value, bool)
    return isinstance(value, kind)


def _kinds() -> dict[str, Kind]:
    hints = get_type_hints(Options)
    return {
        declared.name: Kind(
            _without_none(hints[declared.name]),
            declared.metadata["help"],
            declared.default,
            declared.metadata["least"],
        )
        for declared in fields(Options)
    }


def _without_none(hint: Any) -> Any:
    """The type without None: `int` of `int | None`."""
    parts = [part for part in get_args(hint) if part is not type(None)]
    if get_origin(hint) not in (Union, UnionType):
        return hint
    return parts[0] if len(parts) == 1 else Union[tuple(parts)]  # noqa: UP007


KINDS = _kinds()
