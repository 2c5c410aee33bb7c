"""Page data: the contests of a store as the page reads them (assets/data.js).

Views, tables and pairs name columns by number. Who beats whom is computed by the page,
so that it can follow the filters.
"""

from collections.abc import Mapping, Sequence
from typing import cast

import polars as pl
from scipy import special

from bakeoff.basics.text import counted
from bakeoff.judging import (
    ALL,
    BINARY,
    BREAKDOWNS,
    CONSTANTS,
    CORRECTIONS,
    KINDS,
    LARGE,
    LEVEL,
    MANY_ROUNDS,
    NAMES,
    RATES,
    RESAMPLES,
    RULES,
    SIGNIFICANT,
    WITHOUT_PEEKING,
    Criteria,
    Losses,
    View,
    all_pairs,
    choices_of,
    contest_of,
    costs_of,
    elect,
    election_notes,
    families_of,
    fixed_choices,
    left_out_note,
    main_contest,
    not_optimised,
    predicted_winners,
    verdict,
    views_of,
)
from bakeoff.report.figures.curves import FIRST, SHARES
from bakeoff.report.figures.ips import LEAST, WHISKERS
from bakeoff.report.line_styles import line_styles
from bakeoff.report.page import plots, schema
from bakeoff.report.page.columns import Columns
from bakeoff.report.page.live import live_data
from bakeoff.report.page.origins import ABOUT_NOTHING, About, made
from bakeoff.report.tables.choices import in_short, voters_of
from bakeoff.report.tables.table import Grid, Panel, Table
from bakeoff.runs import OF_USERS, PREFIX

UPPER_BOUND = (
    "Hyperparameters are chosen on the dataset they are judged on, so this is an upper "
    "bound of what an algorithm can do."
)
LEAST_PASSES = 3  # whose times tell what a round costs
SHOWN_OTHERWISE = ("all-losses", "learning-rates", "second-opinion", "standings")


def page_data(
    losses: Losses,
    twins: Mapping[str, str],
    criteria: Criteria,
    curves: pl.DataFrame,
    tables: Sequence[Table],
    about: About = ABOUT_NOTHING,
) -> schema.PageData:
    """Everything the page shows, as JSON takes it; `curves` as they were read."""
    columns = Columns(losses)
    views = _views(columns, criteria)
    shown = sorted({a for view in views for a in view["columns"]})
    return {
        "title": ": ".join(filter(None, ["Contextual bandit bake-off", about.store])),
        "store": about.store,
        "files": list(about.files),
        "costs": _costs(losses, criteria, about.times),
        "choices": _choices(losses, criteria),
        "hyperparameters": _hyperparameters(columns, criteria),
        "winners": _winners(losses, criteria),
        "subtitle": _subtitle(losses),
        "defaults": {
            "kind": criteria.view_of(losses),
            "test": criteria.test,
            "correction": criteria.correction,
            "held_out": criteria.held_out,
        },
        "rules": _rules(),
        "ways": _ways(losses, criteria),
        "labels": losses.algorithms,
        "own": _own(losses),
        "rateless": sorted(losses.rateless),
        "looks": {
            label: {"colour": style.colour, "dash": style.dash, "marker": style.marker}
            for label, style in line_styles(losses.algorithms).items()
        },
        "algorithms": {a: NAMES[a] for a in losses.algorithms if a in NAMES},
        "problems": _problems(losses, about.sources),
        "views": views,
        "pairs": _pairs(columns, criteria),
        "tables": [
            table_data(columns, table)
            for table in tables
            if table.panels and table.name not in SHOWN_OTHERWISE
        ],
        "breakdown": [
            {"title": str(condition), "condition": condition._asdict()}
            for condition in (ALL, *BREAKDOWNS)
        ],
        "curves": plots.curves(columns, shown, curves),
        "rates": plots.rates(columns, shown, _same_but_for_rates(columns, views)),
        "ips": plots.ips(columns, shown),
        "made": made(losses, twins, criteria, about),
        "columns": columns.columns,  # complete by now
        "settings": list(columns.settings),
        "shuffled": {"problems": columns.shuffled.tolist(), "most": columns.most},
        "notice": about.notice,
    }


def _ways(losses: Losses, criteria: Criteria) -> list[schema.Way]:
    """Who leads in each way of counting; the page counts again where filters are on."""
    robustness = verdict(losses, criteria).robustness
    return [
        {
            "kind": way.view,
            "encoding": way.encoding,
            "test": way.test,
            "leader": way.leader,
            "chance": way.p,
            "grade": way.grade,
            "isShown": way.is_shown,
        }
        for way in (robustness.ways if robustness else ())
    ]


def _rules() -> schema.Rules:
    """What Python and the page must agree on."""
    return {
        **CONSTANTS,
        "binary": BINARY,
        "tests": RULES,
        "rates": RATES,
        "corrections": CORRECTIONS,
        "resamples": RESAMPLES,
        "kinds": KINDS,
        "shares": SHARES.tolist(),
        "large": LARGE.least_n,
        "least_error": LEAST,
        "whiskers": WHISKERS,
        "first_round": FIRST,
        "missing_curve": plots.MISSING,
        "finest_curve": plots.FINEST,
        "options": OPTIONS,
    }


OPTIONS = {  # of the page's controls, in their words
    "hyperparameters": {"fixed": "fixed", "optimised": "best on each dataset"},
    "rate": {
        "fixed": "best on each dataset (in hindsight)",
        "unpeeked": "chosen on the other datasets",
        "one_rate": "one for all",
    },
    "test": {
        "paper": f"the paper's rule (z > {SIGNIFICANT:.3f})",
        "z": f"z-test (z > {special.ndtri(1 - LEVEL / 2):.3f})",
        "paired": "paired over shuffles",
    },
    "correction": {"none": "none", "holm": "Holm", "bh": "Benjamini-Hochberg"},
    "shown": {"differences": "wins minus losses", "wins": "wins", "losses": "losses"},
    "loss": {"normalised": "normalised loss", "plain": "loss"},
    "estimate": {"rewards": "of rewards (as in the paper)", "losses": "of losses"},
}


def _costs(
    losses: Losses, criteria: Criteria, times: pl.DataFrame | None
) -> dict[str, dict[str, dict[str, float]]]:
    """What a round costs with the settings of each view, by runs of many rounds only.

    The first pass of a process also loads the kernels; a median over few does not hide that.
    """
    result: dict[str, dict[str, dict[str, float]]] = {}
    if times is None:
        return result
    passes = pl.struct("digest", "run_seconds").n_unique().over("algorithm")
    long = times.filter(pl.col("n") >= MANY_ROUNDS).filter(passes >= LEAST_PASSES)
    for view in views_of(losses, criteria):
        costs = costs_of(long, contest_of(losses, view.competitors))
        result.setdefault(view.encoding, {})[view.kind] = costs
    return result


def _choices(losses: Losses, criteria: Criteria) -> dict[str, dict[str, str]]:
    """The hyperparameters of the fixed view, by encoding and algorithm."""
    return {
        encoding: {
            label: str(chosen.choice)
            for label, chosen in fixed_choices(losses, encoding, criteria.test).items()
        }
        for encoding in criteria.encodings(losses)
    }


def _hyperparameters(columns: Columns, criteria: Criteria) -> dict[str, list[schema.Choices]]:
    """Each algorithm's choices as columns, where there were several."""
    losses, voters = columns.losses, voters_of(columns.losses)
    result: dict[str, list[schema.Choices]] = {}
    for encoding in criteria.encodings(losses):
        result[encoding] = []
        for label in losses.algorithms:
            choices = choices_of(losses, label, encoding)
            if len(choices) < 2:
                continue
            elected = elect(losses, label, encoding, voters, criteria.test)
            result[encoding].append({
                "label": label,
                "columns": columns.of([*choices.values()], is_light=True),
                "names": {str(choice): in_short(choice) for choice in choices},
                "elected": str(elected.winner) if elected else None,
            })  # fmt: skip
    return result


def _winners(losses: Losses, criteria: Criteria) -> str:
    """Whether facts of a dataset predict its winner, in words."""
    prediction = predicted_winners(main_contest(losses, criteria))
    return prediction.says if prediction else ""


def _own(losses: Losses) -> list[str]:
    """The labels of users' learners, rules and explorers."""
    starts = [pl.col("explorer").str.starts_with(start) for start in (PREFIX, *OF_USERS)]
    labels = set(losses.settings.filter(pl.any_horizontal(starts))["algorithm"])
    return [label for label in losses.algorithms if label in labels]


def _subtitle(losses: Losses) -> str:
    """How much was played, in words."""
    most = max([1, *losses.problems["shuffles"]])
    shuffles = f", {counted(most, 'shuffle')} each" if most > 1 else ""
    return (
        f"{counted(len(losses.algorithms), 'algorithm')}, "
        f"{counted(losses.problems.height, 'dataset')}{shuffles}: {counted(losses.n_runs, 'run')}"
    )


def _problems(losses: Losses, sources: Mapping[str, str]) -> schema.Problems:
    names = {
        "name": "problem", "digest": "digest", "task": "task", "n": "n",
        "d": "n_features", "K": "n_actions", "skyline": "skyline", "tuning": "tuning",
        "uci": "uci", "constant": "constant_action_cost", "uniform": "uniform_cost",
        "openml_id": "openml_id", "shuffles": "shuffles",
    }  # fmt: skip
    lists = {name: losses.problems[column].to_list() for name, column in names.items()}
    digests = losses.problems["digest"]
    orders = losses.settings.group_by("digest").agg(pl.col("shuffles").explode().unique().sort())
    by_digest = dict(orders.iter_rows())
    own = {
        "source": [sources.get(digest, "") for digest in digests],
        "orders": [by_digest.get(digest, []) for digest in digests],
        "family": families_of(losses.problems).tolist(),
    }
    return cast(schema.Problems, lists | own)


def _views(columns: Columns, criteria: Criteria) -> list[schema.View]:
    known = views_of(columns.losses, criteria)
    # A column that several views share is the one that all rates compete for, so it comes first.
    ids = {
        (view.encoding, view.kind): columns.of(view.competitors)
        for view in sorted(known, key=lambda view: view.kind in WITHOUT_PEEKING)
    }
    views: list[schema.View] = [
        {
            "encoding": view.encoding,
            "kind": view.kind,
            "columns": ids[view.encoding, view.kind],
            "notes": _notes(columns.losses, view, criteria),
        }
        for view in known
    ]
    return [view for view in views if view["columns"]]


def _notes(losses: Losses, view: View, criteria: Criteria) -> list[str]:
    """What must be known of the settings that a view shows."""
    if view.kind != "optimised":
        return election_notes(losses, view.encoding, criteria.test)
    left_out = not_optimised(losses, view.encoding, losses.algorithms)
    notes = [left_out_note(view.encoding, left_out)] if left_out else []
    return [UPPER_BOUND, *notes]


def _same_but_for_rates(columns: Columns, views: Sequence[schema.View]) -> dict[int, int]:
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
        if view["kind"] in WITHOUT_PEEKING
        for a in view["columns"]
    }
    return {a: b for a, b in pairs.items() if a != b}


def _pairs(columns: Columns, criteria: Criteria) -> list[schema.Pair]:
    result: list[schema.Pair] = []
    for figure in all_pairs(columns.losses, criteria):
        for pair in (pair for row in figure.rows for pair in row):
            both = columns.of([pair.x, pair.y])
            if len(both) == 2:
                result.append(
                    {
                        "title": f"{figure.title}: {pair.title}",
                        "about": f"{figure.condition} datasets",
                        "x": both[0],
                        "y": both[1],
                        "condition": figure.condition._asdict(),
                    }
                )
    return result


def table_data(columns: Columns, table: Table) -> schema.Table:
    """A table as the page shows it; panels with `live` follow its filters."""
    return {
        "name": table.name,
        "title": table.title,
        "caption": table.caption,
        "panels": [_panel(columns, panel) for panel in table.panels],
    }


def _panel(columns: Columns, panel: Panel) -> schema.Panel:
    shared = {
        "title": panel.title,
        "corner": panel.corner,
        "needs": panel.needs,
        "paper": _grid(panel.paper),
    }
    if panel.ours is not None and panel.live is not None:
        return cast(schema.Panel, shared | live_data(panel.live, columns, panel.ours))
    places = columns.places(pl.Series(panel.problems, dtype=pl.String))
    kind = "rows" if places else "fixed"
    own = {"kind": kind, "ours": _grid(panel.ours), "problems": places}
    return cast(schema.Panel, shared | own)


def _grid(grid: Grid | None) -> schema.Grid | None:
    if grid is None:
        return None
    return {
        "columns": grid.columns,
        "rows": grid.rows,
        "datasets": grid.datasets,
        "best": grid.best,
    }
