"""Ours against the paper's program, algorithm by algorithm: whether ours is as good.

Ours is not inferior if its mean loss is higher by at most MARGIN, with 97.5 % confidence.
The margin is what the report calls practically the same; docs/evidence/quality.md has the reason.
"""

from typing import NamedTuple

import numpy as np
import polars as pl

from bakeoff.judging import LEVEL, SAME, SKYLINE, Competitor, Losses, contest_of, fixed, paper_test
from bakeoff.reproduction.against_paper import each_order

MARGIN = SAME


class Cell(NamedTuple):
    """An algorithm with one encoding, ours and the program's."""

    encoding: str
    label: str
    n: int  # datasets that both have
    won: int
    lost: int
    ours: float  # mean loss
    theirs: float

    error: float  # standard error of the mean difference, over datasets

    @property
    def difference(self) -> float:
        """How much higher our mean loss is."""
        return self.ours - self.theirs

    @property
    def interval(self) -> tuple[float, float]:
        """95 % for the mean difference."""
        return self.difference - 1.96 * self.error, self.difference + 1.96 * self.error

    @property
    def verdict(self) -> str:
        """Whether ours is as good as the program, and what single datasets say."""
        low, high = self.interval
        verdict = "not inferior" if high <= MARGIN else "undecided"
        if low > MARGIN:
            verdict = "inferior"
        if self.lost - self.won > 2 * (self.lost + self.won) ** 0.5:
            verdict += "; loses clearly more datasets than it wins"
        return verdict


def against_program(losses: Losses, program: Losses) -> list[Cell]:
    """Each algorithm at its fixed hyperparameters and best learning rate."""
    pairs = [("-", _skyline(), _skyline())]
    for encoding in ("-1/0", "0/1"):
        theirs = {competitor.label: competitor for competitor in fixed(program, encoding)}
        pairs += [
            (encoding, one, theirs[one.label])
            for one in fixed(losses, encoding)
            if one.label in theirs
        ]
    tables = [
        (encoding, ours.label, _both(_best(losses, ours), _best(program, their)))
        for encoding, ours, their in pairs
    ]
    return [_cell(encoding, label, both) for encoding, label, both in tables if not both.is_empty()]


def _skyline() -> Competitor:
    return Competitor(SKYLINE, pl.col("algorithm") == SKYLINE)


def _best(losses: Losses, one: Competitor) -> pl.DataFrame:
    """digest, n, loss: of one competitor.

    The rate is chosen in each order by itself, as for the program, which has one order.
    """
    contests = [contest_of(order, [one]) for order in each_order(losses)]
    tables = [each.problems.select("digest", "n", loss=each.losses[:, 0]) for each in contests]
    every = pl.concat(tables).filter(pl.col("loss").is_not_nan())
    return every.group_by("digest", "n", maintain_order=True).agg(pl.col("loss").mean())


def _both(ours: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    return ours.join(theirs, on="digest", suffix="_theirs").drop_nans()


def _cell(encoding: str, label: str, both: pl.DataFrame) -> Cell:
    columns = ("loss", "loss_theirs", "n")
    a, b, n = (both[name].to_numpy().astype(float) for name in columns)
    differs = paper_test(a, b, n) < LEVEL
    return Cell(
        encoding, label, both.height,
        int((differs & (a < b)).sum()), int((differs & (a > b)).sum()),
        float(np.mean(a)), float(np.mean(b)),
        float(np.std(a - b, ddof=1) / np.sqrt(len(a))) if len(a) > 1 else float("inf"),
    )  # fmt: skip
