"""Source: where a problem comes from, and what is known of it before it is read."""

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
    """Where a problem comes from: a file, this package, or the network.

    `read` raises `DataError` if it cannot be read. `fetch` downloads it, and is None
    where there is nothing to download.
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
    options: Mapping[str, Any] = field(default_factory=dict)  # of its own


def with_options(source: Source, options: Mapping[str, Any]) -> Source:
    """A source with options of its own, which take precedence over those of all sources."""
    texts = {
        key: ",".join(value) if isinstance(value, (tuple, list)) else value
        for key, value in options.items()
    }
    text = ", ".join(f"{key}={value}" for key, value in texts.items())
    return replace(
        source,
        name=options.get("name", source.name),
        read=partial(_read_with, source, dict(options)),
        origin=f"{source.origin} ({text})" if options else source.origin,
        options={**options, **source.options},
    )


def _read_with(source: Source, own: dict[str, Any], options: Options) -> Problem:
    return source.read(replace(options, **own))
