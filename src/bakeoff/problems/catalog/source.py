"""Source: one problem that can be had, and what is known of it before it is read."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bakeoff.problems.problem import Problem
from bakeoff.problems.readers.options import Options, Task

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
