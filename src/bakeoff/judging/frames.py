"""Frames: what a report shows as polars tables, and these as text and HTML."""

import html
from collections.abc import Sequence

import numpy as np
import polars as pl

from bakeoff.judging.contest import Contest
from bakeoff.judging.standings import Standing
from bakeoff.judging.statistics.significance import Outcomes, differences, tally

FACTS = ["task", "n", "n_features", "n_actions"]
SHOWN = ["algorithm", "wins", "losses", "first_in", "p_of_lead", "mean_loss", "median_vs_skyline"]
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


def as_html(folder: str, places: pl.DataFrame, words: str) -> str:
    """The standings and the verdict, for a notebook."""
    lines = "<br>".join(html.escape(line) for line in words.splitlines())
    table = places.select(SHOWN)._repr_html_() if places.height else ""
    return f"<div><b>{html.escape(folder)}</b>{table}<p>{lines}</p></div>"


def as_text(folder: str, places: pl.DataFrame, words: str) -> str:
    """The same as text."""
    with pl.Config(
        tbl_hide_dataframe_shape=True, tbl_hide_column_data_types=True, tbl_rows=-1, tbl_cols=-1
    ):
        table = [str(places.select(SHOWN))] if places.height else []
    return "\n".join([f"Results in {folder}", *table, words])
