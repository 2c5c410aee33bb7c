"""Frames: what a report shows as polars tables, and these as text and HTML."""

import html
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

from bakeoff.basics import pages
from bakeoff.judging.contest import Contest
from bakeoff.judging.standings import Standing
from bakeoff.judging.statistics.leads import SAME
from bakeoff.judging.statistics.significance import Outcomes, differences, tally
from bakeoff.judging.verdict import Verdict
from bakeoff.judging.wording import name_of

FACTS = ["task", "n", "n_features", "n_actions"]
SETTINGS = ["encoding", "explorer", "reduction", "inputs", "baseline", "learning_rate"]


def losses_frame(contest: Contest) -> pl.DataFrame:
    """A row for each dataset and algorithm that has a loss there."""
    errors = contest.standard_errors
    parts = [_losses_of(contest, a, errors[:, a]) for a in range(len(contest.labels))]
    if not parts:
        return pl.DataFrame(schema={"dataset": pl.String, "algorithm": pl.String})
    return pl.concat(parts).drop_nulls("loss").sort("dataset", maintain_order=True)


def _losses_of(contest: Contest, a: int, errors: np.ndarray) -> pl.DataFrame:
    shuffles = (~np.isnan(contest.by_shuffle[:, a])).sum(axis=1)
    return contest.problems.select(
        pl.col("problem").alias("dataset"),
        pl.lit(contest.labels[a]).alias("algorithm"),
        _numbers("loss", contest.losses[:, a]),
        _numbers("standard_error", errors),
        _numbers("normalised_loss", contest.normalised[:, a]),
        contest.problems["skyline"].cast(pl.Float64),
        pl.Series("shuffles", shuffles, pl.Int64),
        *contest.chosen[a].select(SETTINGS),
        *FACTS,
    )


def _numbers(name: str, values: np.ndarray) -> pl.Series:
    return pl.Series(name, values, pl.Float64).fill_nan(None)


def wins_frame(
    contest: Contest, outcomes: Outcomes, order: Sequence[str], *, difference: bool
) -> pl.DataFrame:
    """A row and a column for each algorithm: significant wins of row against column.

    With `difference`, wins minus losses. The diagonal is empty.
    """
    counts = differences(outcomes) if difference else tally(outcomes)
    at = [contest.labels.index(label) for label in order]
    columns = {
        label: [None if a == b else int(counts[a, b]) for a in at]
        for label, b in zip(order, at, strict=True)
    }
    first = pl.Series("algorithm", order, pl.String)
    return pl.DataFrame(columns, dict.fromkeys(order, pl.Int64)).insert_column(0, first)


def standings_frame(places: Sequence[Standing]) -> pl.DataFrame:
    """A row for each algorithm, the best first."""
    rows = [
        {
            "algorithm": standing.label,
            "score": standing.score,
            "wins": standing.wins,
            "losses": standing.losses,
            "first_in": standing.first,
            "low": standing.interval[0],
            "high": standing.interval[1],
            "p_of_lead": standing.chance,
            "mean_loss": standing.mean_loss,
            "median_vs_skyline": standing.median_normalised,
        }
        for standing in places
    ]
    made = pl.DataFrame(rows, _STANDINGS)
    return made.with_columns(pl.selectors.float().fill_nan(None))


_STANDINGS = {
    "algorithm": pl.String, "score": pl.Int64, "wins": pl.Int64, "losses": pl.Int64,
    "first_in": pl.Float64, "low": pl.Int64, "high": pl.Int64, "p_of_lead": pl.Float64,
    "mean_loss": pl.Float64, "median_vs_skyline": pl.Float64,
}  # fmt: skip


# ---- in a notebook and at a prompt


def as_html(folder: Path, found: Verdict, others: str) -> str:
    """A store in a notebook: its verdict and a link to its page."""
    page = folder / "report.html"
    link = f' <a href="{html.escape(str(page))}">report</a>' if page.is_file() else ""
    return verdict_as_html(found, f"{html.escape(f'{folder}: {found.about}')}{link}", others)


def verdict_as_html(found: Verdict, about: str = "", others: str = "") -> str:
    """The sentence, the distances to the leader, and reasons; `about` is HTML."""
    said = pages.status("healthy" if found.grade == "clear" else "new", str(found))
    below = f"<p class=faint>{about or html.escape(found.about)}</p>"
    note = pages.lines([*found.reasons, *found.notes, *filter(None, [others])])
    return pages.fragment(f"{said}{below}{_distances(found)}{note}")


def _distances(found: Verdict) -> str:
    """The algorithms at their distances from the leader, and what to measure by."""
    known = {one.label: one for one in found.algorithms}
    dots = []
    for label, *cells in found.rows():
        dot = pages.Dot(name_of(label), _number(cells[1]), cells=cells)
        if one := known.get(label):
            dot = dot._replace(value=one.difference, low=one.low, high=one.high)
        dots.append(dot)
    head = ["", "distance to the leader", *found.columns]
    return pages.forest(head, dots, mark=0.0, same=SAME, decimals=3) if dots else ""


def _number(cell: str) -> float | None:
    return float(cell) if cell else None


def as_text(folder: Path, found: Verdict, others: str) -> str:
    """The same as text."""
    rows = [(name_of(label), *cells) for label, *cells in found.rows()]
    head = ("", *found.columns)
    widths = [max(len(row[k]) for row in [head, *rows]) for k in range(len(head))]
    table = [
        "  ".join(
            cell.rjust(width) if k else cell.ljust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in ([head, *rows] if rows else [])
    ]
    about = f"{folder}: {found.about}"
    lines = [str(found), about, *table, *found.reasons, *found.notes, others]
    return "\n".join(filter(None, lines))
