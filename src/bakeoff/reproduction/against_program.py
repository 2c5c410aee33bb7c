"""Ours against the paper's program, algorithm by algorithm."""

from typing import NamedTuple

import numpy as np
import polars as pl

from bakeoff.judging import LEVEL, SKYLINE, Competitor, Losses, contest_of, fixed, paper_test

MEAN_AT_MOST = {"C-u": 0.018, "B": 0.018, "B-g": 0.018}  # why: docs/quality.md


class Cell(NamedTuple):
    """An algorithm with one encoding, ours and the program's."""

    encoding: str
    label: str
    n: int  # datasets that both have
    won: int
    lost: int
    ours: float  # mean loss
    theirs: float

    @property
    def goal(self) -> str:
        """Whether ours is as good as the program, and by which rule."""
        if self.label in MEAN_AT_MOST:
            limit = MEAN_AT_MOST[self.label]
            value, rule = self.ours - self.theirs, f"mean at most {limit:+}"
        else:
            value, limit = self.lost - self.won, 2 * (self.lost + self.won) ** 0.5
            rule = f"{value:+} at most {limit:+.1f}"
        return f"{'met' if value <= limit else '**missed**'}: {rule}"


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
    """digest, n, loss: of one competitor."""
    contest = contest_of(losses, [one])
    return contest.problems.select("digest", "n", loss=contest.losses[:, 0])


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
    )  # fmt: skip
