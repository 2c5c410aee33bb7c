"""Agreement: whether two tables of wins and losses tell the same story."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import stats

from bakeoff.judging import Losses
from bakeoff.report import Grid, Live, Table

Nets = dict[tuple[str, str], int]  # significant wins minus losses of row against column
ENOUGH = 4  # pairs for a rank correlation


class Agreement(NamedTuple):
    """How alike the differences between the algorithms are in two tables."""

    pairs: int  # that differ from 0 in both
    same_sign: int
    correlation: float | None  # Spearman's, over all pairs

    def __str__(self) -> str:
        if not self.pairs and self.correlation is None:
            return "-"
        rank = "" if self.correlation is None else f", rho {self.correlation:.2f}"
        return f"{self.same_sign} of {self.pairs}{rank}"


class Compared(NamedTuple):
    """A panel of the paper beside ours and that of its program."""

    table: str
    panel: str
    paper: Grid
    ours: Grid
    program: Grid | None
    live: Live  # who is compared, and where
    losses: Losses  # ours


def nets_of(grid: Grid) -> Nets:
    """Wins minus losses of each pair of algorithms, each pair once.

    Where rows and columns are not the same, of each row against each column.
    """
    cells = {
        (row, column): cell
        for row, values in grid.rows
        for column, cell in zip(grid.columns, values, strict=True)
    }
    labels = [row for row, _ in grid.rows if row in grid.columns]
    pairs = combinations(labels, 2) if labels else cells
    return {pair: net_of(cells[pair]) for pair in pairs if cells[pair].strip("- ")}


def net_of(cell: str) -> int:
    """Wins minus losses, from "12 / 3" or from "9".

    >>> net_of("12 / 3"), net_of("-9")
    (9, -9)
    """
    won, _, lost = cell.partition("/")
    return int(won) - int(lost or 0)


def agreement(first: Nets, second: Nets) -> Agreement:
    """Signs that agree, and how alike the order of the pairs is."""
    both = [pair for pair in first if pair in second]
    a, b = (np.array([nets[pair] for pair in both], float) for nets in (first, second))
    decided = (a != 0) & (b != 0)
    same = int((np.sign(a[decided]) == np.sign(b[decided])).sum())
    varies = len(both) >= ENOUGH and a.std() > 0 and b.std() > 0
    rank = float(stats.spearmanr(a, b).statistic) if varies else None
    return Agreement(int(decided.sum()), same, rank)


def compared(
    losses: Losses, ours: Sequence[Table], program: Sequence[Table] | None = None
) -> Iterator[Compared]:
    """All panels of wins and losses that both the paper and we have."""
    theirs = {
        (table.name, panel.title): panel.ours for table in program or () for panel in table.panels
    }
    for table in ours:
        for panel in table.panels:
            if panel.ours is not None and panel.paper is not None and panel.live:
                other = theirs.get((table.name, panel.title))
                yield Compared(
                    table.name, panel.title, panel.paper, panel.ours, other, panel.live, losses
                )
