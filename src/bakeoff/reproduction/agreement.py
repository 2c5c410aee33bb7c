"""Agreement: whether two tables of wins and losses tell the same story."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy import stats

from bakeoff.report import Grid, Table

Nets = dict[tuple[str, str], int]  # significant wins minus losses of row against column
ENOUGH = 4  # pairs for a rank correlation
SOME = 6  # datasets: even if all others are draws, a lesser lead can be chance
_DR = "DR's loss estimator is not that of the paper's program (docs/ablations.md)"
KNOWN = {  # why a whole table may differ
    "reductions": _DR,
    "reductions-wins": _DR,
    "baseline-optimised": "the baseline of the paper's program has a bug that ours has "
    "not (deviation 12)",
}


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


def compared(ours: Sequence[Table], program: Sequence[Table] | None = None) -> Iterator[Compared]:
    """All panels of wins and losses that both the paper and we have."""
    theirs = {
        (table.name, panel.title): panel.ours for table in program or () for panel in table.panels
    }
    for table in ours:
        for panel in table.panels:
            if panel.ours is not None and panel.paper is not None and panel.live:
                other = theirs.get((table.name, panel.title))
                yield Compared(table.name, panel.title, panel.paper, panel.ours, other)


class Parting(NamedTuple):
    """A pair of algorithms whose order differs from the paper's."""

    table: str
    pair: tuple[str, str]
    paper: int
    ours: int
    program: int | None

    @property
    def title(self) -> str:
        """The two algorithms, or the algorithm whose encodings are compared."""
        first, second = self.pair
        is_one = "against" in first
        return f"{second}, {first}" if is_one else f"{first} vs {second}"

    @property
    def why(self) -> str:
        """What the paper's program shows on our datasets, unless it may be chance."""
        if abs(self.ours) < SOME:
            return f"chance can do it: a lead of fewer than {SOME} is never clear"
        if self.table in KNOWN:
            return f"perhaps: {KNOWN[self.table]}"
        if self.program is None:
            return "open: no losses of the paper's program to compare with"
        if np.sign(self.program) == np.sign(self.ours):
            return "the data: the paper's program agrees with us on our datasets"
        if np.sign(self.program) == 0:
            return "open: the paper's program sees no difference on our datasets"
        return "ours: the paper's program agrees with the paper on our datasets"


def partings(one: Compared) -> list[Parting]:
    """The pairs whose sign differs from the paper's."""
    paper, ours = nets_of(one.paper), nets_of(one.ours)
    program = nets_of(one.program) if one.program else {}
    return [
        Parting(one.table, pair, paper[pair], ours[pair], program.get(pair))
        for pair in paper
        if pair in ours and paper[pair] * ours[pair] < 0
    ]
