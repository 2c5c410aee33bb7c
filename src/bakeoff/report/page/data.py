"""Page data: the contests of a store as the page reads them (assets/data.js).

Views, tables and pairs name columns by number. Who beats whom is computed by the page,
so that it can follow the filters.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from bakeoff.report.competitors import (
    election_notes,
    left_out_note,
    not_optimised,
)
from bakeoff.report.looks import looks
from bakeoff.report.page import plots
from bakeoff.report.page.columns import Columns
from bakeoff.report.page.live import live_data
from bakeoff.report.page.origins import made
from bakeoff.report.pairs import all_pairs
from bakeoff.report.standings import RESAMPLES
from bakeoff.report.tables.table import Grid, Panel, Table
from bakeoff.report.views import (
    ALL,
    BREAKDOWNS,
    KINDS,
    NAMES,
    RULES,
    Asked,
    View,
    views_of,
)
from bakeoff.statistics import leads, signed_rank, significance
from bakeoff.statistics.contest import BINARY
from bakeoff.statistics.losses import Losses

UPPER_BOUND = (
    "Hyperparameters are chosen on the dataset they are judged on, so this is an upper "
    "bound of what an algorithm can do."
)
SHOWN_OTHERWISE = ("all-losses", "learning-rates", "second-opinion", "standings")


def page_data(
    losses: Losses,
    twins: Mapping[str, str],
    asked: Asked,
    curves: pl.DataFrame,
    tables: Sequence[Table],
) -> dict[str, Any]:
    """Everything the page shows, as JSON takes it; `curves` as they were read."""
    columns = Columns(losses)
    views = _views(columns, asked)
    shown = sorted({a for view in views for a in view["columns"]})
    problems = losses.problems
    return {
        "title": "Contextual bandit bake-off",
        "subtitle": f"{len(losses.algorithms):,} algorithms on {problems.height:,} "
        f"datasets, {losses.settings.height:,} losses, the means of "
        f"{losses.n_runs:,} runs in all orders of rows and with all seeds",
        "defaults": {
            "test": asked.test,
            "correction": asked.correction,
            "held_out": asked.held_out,
        },
        "rules": _rules(),
        "labels": losses.algorithms,
        "looks": {a: look._asdict() for a, look in looks(losses.algorithms).items()},
        "algorithms": {a: NAMES[a] for a in losses.algorithms if a in NAMES},
        "problems": _problems(losses),
        "views": views,
        "pairs": _pairs(columns, asked),
        "tables": [
            table_data(columns, table)
            for table in tables
            if table.name not in SHOWN_OTHERWISE
        ],
        "breakdown": [
            {"title": str(condition), "condition": condition._asdict()}
            for condition in (ALL, *BREAKDOWNS)
        ],
        "curves": plots.curves(columns, shown, curves),
        "rates": plots.rates(columns, shown, _same_but_for_rates(columns, views)),
        "ips": plots.ips(columns, shown),
        "made": made(losses, twins, asked),
        "columns": columns.columns,  # complete by now
        "settings": list(columns.settings),
        "shuffled": {"problems": columns.shuffled.tolist(), "most": columns.most},
    }


def _rules() -> dict[str, Any]:
    """What Python and the page must agree on, said once."""
    return {
        "level": significance.LEVEL,
        "several": significance.SEVERAL,
        "tiny": significance.TINY,
        "binary": BINARY,
        "tests": RULES,
        "resamples": RESAMPLES,
        "clear": leads.CLEAR,
        "likely": leads.LIKELY,
        "few": leads.FEW,
        "leads": leads.LEADS,
        "exact": leads.EXACT,
        "same": signed_rank.SAME,
        "samples": signed_rank.SAMPLES,
        "kinds": KINDS,
    }


def _problems(losses: Losses) -> dict[str, list[Any]]:
    names = {
        "name": "problem", "digest": "digest", "task": "task", "n": "n",
        "d": "n_features", "K": "n_actions", "skyline": "skyline", "tuning": "tuning",
        "uci": "uci", "constant": "constant_action_cost", "uniform": "uniform_cost",
        "openml_id": "openml_id", "shuffles": "shuffles",
    }  # fmt: skip
    return {name: losses.problems[column].to_list() for name, column in names.items()}


def _views(columns: Columns, asked: Asked) -> list[dict[str, Any]]:
    views = [
        {
            "encoding": view.encoding,
            "kind": view.kind,
            "columns": columns.of(view.competitors),
            "notes": _notes(columns.losses, view, asked),
        }
        for view in views_of(columns.losses, asked)
    ]
    return [view for view in views if view["columns"]]


def _notes(losses: Losses, view: View, asked: Asked) -> list[str]:
    """What must be known of the settings that a view shows."""
    if view.kind != "optimised":
        return election_notes(losses, view.encoding, asked.test)
    left_out = not_optimised(losses, view.encoding, losses.algorithms)
    notes = [left_out_note(view.encoding, left_out)] if left_out else []
    return [UPPER_BOUND, *notes]


def _same_but_for_rates(
    columns: Columns, views: Sequence[dict[str, Any]]
) -> dict[int, int]:
    """The columns whose rates were elected elsewhere, and those they stand beside."""
    fixed = {
        (view["encoding"], columns.columns[a]["label"]): a
        for view in views
        if view["kind"] == "fixed"
        for a in view["columns"]
    }
    pairs = {
        a: fixed[view["encoding"], columns.columns[a]["label"]]
        for view in views
        if view["kind"] == "unpeeked"
        for a in view["columns"]
    }
    return {a: b for a, b in pairs.items() if a != b}


def _pairs(columns: Columns, asked: Asked) -> list[dict[str, Any]]:
    found = []
    for figure in all_pairs(columns.losses, asked):
        for pair in (pair for row in figure.rows for pair in row):
            both = columns.of([pair.x, pair.y])
            if len(both) == 2:
                found.append(
                    {
                        "title": f"{figure.title}: {pair.title}",
                        "x": both[0],
                        "y": both[1],
                        "condition": figure.condition._asdict(),
                    }
                )
    return found


def table_data(columns: Columns, table: Table) -> dict[str, Any]:
    """A table as the page shows it; panels with `live` follow its filters."""
    return {
        "name": table.name,
        "title": table.title,
        "caption": table.caption,
        "panels": [_panel(columns, panel) for panel in table.panels],
    }


def _panel(columns: Columns, panel: Panel) -> dict[str, Any]:
    found = {
        "title": panel.title,
        "corner": panel.corner,
        "needs": panel.needs,
        "paper": _grid(panel.paper),
    }
    if panel.ours is not None and panel.live is not None:
        return found | live_data(panel.live, columns, panel.ours)
    places = columns.places(pl.Series(panel.problems, dtype=pl.String))
    kind = "rows" if places else "fixed"
    return found | {"kind": kind, "ours": _grid(panel.ours), "problems": places}


def _grid(grid: Grid | None) -> dict[str, Any] | None:
    if grid is None:
        return None
    return {
        "columns": grid.columns,
        "rows": grid.rows,
        "datasets": grid.datasets,
        "best": grid.best,
    }
