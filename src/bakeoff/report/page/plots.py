"""What the page's plots show beyond losses: curves, learning rates, IPS estimates."""

from collections.abc import Iterable, Mapping

import numpy as np
import polars as pl

from bakeoff.judging import Contest, candidates_of, curves_of
from bakeoff.report.page import schema
from bakeoff.report.page.columns import Columns, encoded

POINTS = 32  # of a learning curve, at most
FINEST = 65534  # losses in curves are whole numbers of 1 / FINEST
MISSING = 65535


def curves(columns: Columns, shown: Iterable[int], read: pl.DataFrame) -> schema.Curves:
    """Learning curves of columns: losses at each problem's rounds."""
    ids = list(shown)
    n_problems = len(columns.place)
    rounds = np.zeros((n_problems, POINTS), np.int32)
    losses, errors = (
        {a: np.full((n_problems, POINTS), empty, np.uint16) for a in ids} for empty in (MISSING, 0)
    )
    chosen = [columns.chosen[a] for a in ids]
    nothing = np.empty((0, len(ids), 1))
    contest = Contest(tuple(map(str, ids)), columns.losses.problems, nothing, chosen)
    for digest, label, where, loss, error in curves_of(read, contest).iter_rows():
        i = columns.place[digest]
        kept = np.unique(np.linspace(0, len(where) - 1, POINTS).round().astype(int))
        rounds[i, : kept.size] = np.array(where)[kept]
        values = np.clip(np.array(loss)[kept], 0, 1)
        losses[int(label)][i, : kept.size] = np.rint(values * FINEST)
        spread = np.clip(np.array(error)[kept], 0, 1)
        errors[int(label)][i, : kept.size] = np.rint(spread * FINEST)
    return {
        "points": POINTS,
        "rounds": encoded(rounds),
        "columns": {a: encoded(values) for a, values in losses.items()},
        "errors": {a: encoded(values[columns.shuffled]) for a, values in errors.items()},
    }


def rates(columns: Columns, shown: Iterable[int], same: Mapping[int, int]) -> schema.Rates:
    """The loss of columns at each learning rate, other settings being the best.

    `same` are columns that differ from another one in the choice of the rate only.
    """
    tables = {
        a: candidates_of(columns.losses, columns.competitors[a].where).settings
        for a in shown
        if a not in same
    }
    rates_in = [one["learning_rate"].unique() for one in tables.values()]
    grid = sorted({rate for some in rates_in for rate in some})
    place = {rate: r for r, rate in enumerate(grid)}
    result = {}
    for a, table in tables.items():
        best = table.group_by("digest", "learning_rate").agg(pl.col("loss").min())
        losses = np.full((len(columns.place), len(grid)), np.nan)
        where = [place[rate] for rate in best["learning_rate"]]
        losses[columns.places(best["digest"]), where] = best["loss"].to_numpy()
        result[a] = encoded(losses)
    return {"grid": grid, "columns": result, "same": same}


def ips(columns: Columns, shown: Iterable[int]) -> dict[int, schema.Ips]:
    """Squared errors of estimates of the uniform policy's loss, by column."""
    return {
        a: {
            "rewards": _on_problems(columns, a, "ips_reward_error"),
            "losses": _on_problems(columns, a, "ips_loss_error"),
        }
        for a in shown
    }


def _on_problems(columns: Columns, a: int, name: str) -> str:
    """A number of a column's chosen settings on each problem."""
    chosen = columns.chosen[a].drop_nulls("choice")
    values = np.full(len(columns.place), np.nan)
    known = chosen[name].cast(pl.Float64).fill_null(np.nan)
    values[columns.places(chosen["digest"])] = known.to_numpy()
    return encoded(values)
