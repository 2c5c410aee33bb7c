"""Source: one problem that can be had, and what is known of it before it is read."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from bakeoff.data import Problem, Task
from bakeoff.reading.options import Options

Progress = Callable[[int, int | None], None]  # bytes done, bytes in all if known


class Published(NamedTuple):
    """Figures that a publication gives for a dataset."""

    n: int
    n_features: int
    n_actions: int | None = None
    constant_action_cost: float | None = None
    supervised_loss: float | None = None  # progressive validation, best of nine rates


def always() -> bool:
    """Whether a problem made by this package is on this machine."""
    return True


@dataclass(frozen=True)
class Source:
    """A problem that can be had: from a file, from the package, or from the network.

    `read` raises `DataError` if the problem cannot be had; `fetch` brings it to this
    machine and is None where there is nothing to bring.
    """

    name: str
    read: Callable[[Options], Problem]
    origin: str = ""  # where it comes from, in the words of the source syntax
    task: Task | None = None  # None: only reading tells
    openml_id: int | None = None
    published: Published | None = None
    is_here: Callable[[], bool] = always
    fetch: Callable[[Progress], None] | None = None
    path: Path | None = None  # the file it is read from, if one
    cached: Callable[[], Path] | None = None  # its file or folder in the cache, if any
    in_file_order: bool = False  # whether the paper left its rows unshuffled
    said: Mapping[str, Any] = field(default_factory=dict)  # options of its own


def told(source: Source, said: Mapping[str, Any]) -> Source:
    """A source with options of its own, which come before those of all sources."""
    text = ", ".join(f"{key}={value}" for key, value in said.items())
    return replace(
        source,
        name=said.get("name", source.name),
        read=partial(_read_as_told, source, dict(said)),
        origin=f"{source.origin} ({text})" if said else source.origin,
        said={**said, **source.said},
    )


def _read_as_told(source: Source, said: dict[str, Any], options: Options) -> Problem:
    return source.read(replace(options, **said))
