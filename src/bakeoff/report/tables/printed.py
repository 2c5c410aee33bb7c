"""The figures the paper prints, by the labels of its tables."""

import json
from functools import cache
from importlib import resources
from typing import Any

from bakeoff.report.tables.table import Grid


def printed(name: str, panel: str) -> Grid:
    """A grid of a table of the paper, such as ("win_loss_diff", "-1/0 fixed").

    Labels are ours: "eG" is the paper's epsilon-greedy, and where it has one row for
    R and RO there are two.
    """
    grid = _tables()[name][panel]
    return Grid(
        columns=tuple(grid["columns"]),
        rows=tuple((label, tuple(cells)) for label, cells in grid["rows"].items()),
        datasets=grid["datasets"],
        best=tuple(grid["best"]),
    )


def panels(name: str) -> tuple[str, ...]:
    """The panels of a table of the paper, in its order."""
    return tuple(_tables()[name])


@cache
def _tables() -> dict[str, Any]:
    file = resources.files("bakeoff.report.tables") / "paper_tables.json"
    tables: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return tables
