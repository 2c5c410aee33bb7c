"""Page data: the contests of a store as the page reads them (assets/data.js).

Views, tables and pairs name columns by number. Who beats whom is computed by the page,
so that it can follow the filters.
"""

from collections.abc import Sequence
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
from bakeoff.report.page.origins import made
from bakeoff.report.pairs import all_pairs
from bakeoff.report.standings import RESAMPLES
from bakeoff.report.tables.choices import in_short, voters_of
from bakeoff.report.tables.corpus import BINS, BY
from bakeoff.report.tables.table import Grid, Panel, Table
from bakeoff.report.views import (
    ALL,
    BREAKDOWNS,
    KINDS,
    LARGE,
    NAMES,
    RULES,
    Asked,
    View,
    WinPanel,
    baseline_optimised,
    breakdown,
    encoding_duels,
    extended,
    main_results,
    reduction_panels,
    views_of,
)
from bakeoff.statistics import leads, signed_rank, significance
from bakeoff.statistics.contest import BINARY, Condition
from bakeoff.statistics.losses import Losses
from bakeoff.statistics.voting import choices_of

UPPER_BOUND = (
    "Hyperparameters are chosen on the dataset they are judged on, so this is an upper "
    "bound of what an algorithm can do."
)
SHOWN_OTHERWISE = ("all-losses", "learning-rates", "second-opinion", "standings")


def page_data(
    losses: Losses,
    manifest: dict[str, Any],
    asked: Asked,
    curves: pl.DataFrame,
    tables: Sequence[Table],
) -> dict[str, Any]:
    """Everything the page shows, as JSON takes it; `curves` as they were read."""
    columns = Columns(losses)
    views = _views(columns, asked)
    shown = sorted({a for view in views for a in view["columns"]})
    live = _win_panels(losses, asked)
    problems = losses.problems
    return {
        "title": "Contextual bandit bake-off",
        "subtitle": f"{len(losses.algorithms):,} algorithms on {problems.height:,} "
        f"datasets, {losses.settings.height:,} results",
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
            COMPUTED[table.name](columns, table, asked)
            if table.name in COMPUTED
            else _table(columns, table, live.get(table.name, []))
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
        "made": made(losses, manifest, asked),
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


def _win_panels(losses: Losses, asked: Asked) -> dict[str, list[WinPanel]]:
    """The panels that follow the filters, by table."""
    return {
        "main-results": main_results(losses, asked),
        "reductions": reduction_panels(losses, asked, "difference"),
        "reductions-wins": reduction_panels(losses, asked, "both"),
        "breakdown": breakdown(losses, asked),
        "multiclass": extended(losses, asked, "multiclass"),
        "multilabel": extended(losses, asked, "multilabel"),
        "uci": extended(losses, asked, "uci"),
        "baseline-optimised": [baseline_optimised(losses, asked)],
    }


def _table(columns: Columns, table: Table, live: Sequence[WinPanel]) -> dict[str, Any]:
    by_title = {view.title: view for view in live}
    return {
        "title": table.title,
        "caption": table.caption,
        "panels": [
            _panel(columns, panel, by_title.get(panel.title)) for panel in table.panels
        ],
    }


def _panel(columns: Columns, panel: Panel, view: WinPanel | None) -> dict[str, Any]:
    found = {
        "title": panel.title,
        "corner": panel.corner,
        "needs": panel.needs,
        "paper": _grid(panel.paper),
    }
    if panel.ours is not None and panel.title.startswith(BY):
        return {**found, **_bins(panel)}
    if view is None or panel.ours is None:
        places = columns.places(pl.Series(panel.problems, dtype=pl.String))
        return {**found, "ours": _grid(panel.ours), "problems": places}
    return {
        **found,
        "kind": view.kind,
        "columns": columns.of(view.competitors),
        "condition": view.condition._asdict(),
    }


def _bins(panel: Panel) -> dict[str, Any]:
    """What the page counts itself: problems by one of their facts."""
    fields = {"n_actions": "K", "n": "n", "n_features": "d", "skyline": "skyline"}
    assert panel.ours is not None
    column, ends = BINS[panel.title.removeprefix(BY)]
    return {
        "kind": "bins",
        "field": fields[column],
        "ends": ends,
        "labels": [label for label, _ in panel.ours.rows],
        "heading": panel.ours.columns,
        "condition": Condition(tasks=("multiclass",))._asdict(),
    }


def _duels(columns: Columns, table: Table, asked: Asked) -> dict[str, Any]:
    """The table of encodings, which the page computes itself."""
    made = _table(columns, table, [])
    on = asked.condition._replace(tasks=BINARY)
    places = [
        (kind, where)
        for kind in ("optimised", "fixed")
        for where in (on, on._replace(least_n=LARGE.least_n))
    ]
    for panel, (kind, where) in zip(made["panels"], places, strict=True):
        duels = [
            (label, both)
            for label, competitors in encoding_duels(
                columns.losses, asked, kind
            ).items()
            if len(both := columns.of(competitors)) == 2
        ]
        if panel["ours"] is not None:
            panel |= {"kind": "duels", "duels": duels, "condition": where._asdict()}
    return made


def _elections(columns: Columns, table: Table, asked: Asked) -> dict[str, Any]:
    """The table of elected hyperparameters, where the page holds the elections."""
    encodings = asked.encodings(columns.losses)
    voters = voters_of(columns.losses)
    made = _table(columns, table, [])
    elections = {
        label: [choices_of(columns.losses, label, encoding) for encoding in encodings]
        for label in columns.losses.algorithms
    }
    every = [one for row in elections.values() for choices in row for one in choices]
    if made["panels"][0]["ours"] is not None:
        made["panels"][0] |= {
            "kind": "elections",
            "heading": encodings,
            "elections": [
                (label, [columns.of(choices, voters) for choices in row])
                for label, row in elections.items()
            ],
            "names": {one.label: in_short(one.label) for one in every},
            "condition": voters._asdict(),
        }
    return made


COMPUTED = {"encodings": _duels, "hyperparameters": _elections}  # by the page


def _grid(grid: Grid | None) -> dict[str, Any] | None:
    if grid is None:
        return None
    return {
        "columns": grid.columns,
        "rows": grid.rows,
        "datasets": grid.datasets,
        "best": grid.best,
    }
