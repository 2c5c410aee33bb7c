"""Panels that the page computes itself, as data (assets/paper_tables.js reads it)."""

from functools import singledispatch
from typing import Any

from bakeoff.judging import WinPanel, choices_of
from bakeoff.report.page.columns import Columns
from bakeoff.report.tables.choices import in_short
from bakeoff.report.tables.live import Bins, Duels, Elections
from bakeoff.report.tables.table import Grid

FIELDS = {"n_actions": "K", "n": "n", "n_features": "d", "skyline": "skyline"}


@singledispatch
def live_data(live: object, columns: Columns, ours: Grid) -> dict[str, Any]:
    """What the page computes a panel from; `ours` is the panel on all datasets."""
    raise TypeError(f"the page cannot compute {type(live).__name__}")


@live_data.register
def _(live: WinPanel, columns: Columns, ours: Grid) -> dict[str, Any]:
    return {
        "kind": "wins",
        "shown": live.kind,
        "columns": columns.of(live.competitors),
        "condition": live.condition._asdict(),
    }


@live_data.register
def _(live: Duels, columns: Columns, ours: Grid) -> dict[str, Any]:
    duels = [(label, columns.of(both)) for label, both in live.pairs.items()]
    return {
        "kind": "duels",
        "row": ours.rows[0][0],
        "duels": [(label, both) for label, both in duels if len(both) == 2],
        "condition": live.condition._asdict(),
    }


@live_data.register
def _(live: Bins, columns: Columns, ours: Grid) -> dict[str, Any]:
    return {
        "kind": "bins",
        "field": FIELDS[live.column],
        "ends": live.ends,
        "labels": [label for label, _ in ours.rows],
        "heading": ours.columns,
        "condition": live.condition._asdict(),
    }


@live_data.register
def _(live: Elections, columns: Columns, ours: Grid) -> dict[str, Any]:
    losses = columns.losses
    elections = {
        label: [choices_of(losses, label, encoding) for encoding in live.encodings]
        for label in losses.algorithms
    }
    every = [choice for row in elections.values() for choices in row for choice in choices]
    return {
        "kind": "elections",
        "heading": live.encodings,
        "elections": [
            (label, [columns.of([*choices.values()], live.condition) for choices in row])
            for label, row in elections.items()
        ],
        "names": {str(choice): in_short(choice) for choice in every},
        "condition": live.condition._asdict(),
    }
