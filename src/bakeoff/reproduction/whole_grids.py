"""Datasets on which the paper's whole grid of hyperparameters was played."""

from collections import Counter
from dataclasses import replace
from functools import cache

import polars as pl

from bakeoff.judging import Losses
from bakeoff.runs import Run, paper_choices

ENCODINGS = ("-1/0", "0/1")


@cache
def n_choices() -> dict[str, int]:
    """How many choices of hyperparameters and reduction the paper has, by label."""
    return dict(Counter(Run.from_text(text).label for text in paper_choices()))


def on_whole_grids(losses: Losses) -> Losses:
    """The losses on datasets that have all choices of all algorithms."""
    played = losses.settings.filter(
        ~pl.col("baseline")
        & pl.col("encoding").is_in(ENCODINGS)
        & pl.col("algorithm").is_in(list(n_choices()))
    )
    wanted = pl.col("algorithm").replace_strict(n_choices(), return_dtype=pl.Int64)
    cells = played.group_by("digest", "algorithm", "encoding").agg(pl.col("choice").n_unique())
    n_cells = len(n_choices()) * len(ENCODINGS)
    whole = (
        cells.filter(pl.col("choice") >= wanted)
        .group_by("digest")
        .len()
        .filter(pl.col("len") == n_cells)
    )
    keep = pl.col("digest").is_in(whole["digest"].to_list())
    return replace(
        losses, problems=losses.problems.filter(keep), settings=losses.settings.filter(keep)
    )
