"""Panels: the paper's tables of wins and losses that we have, too."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from bakeoff.judging import FEW, KINDS, Criteria, Losses
from bakeoff.report import all_tables
from bakeoff.reproduction.agreement import Compared, compared
from bakeoff.reproduction.whole_grids import on_whole_grids

OPTIMISED = KINDS["optimised"]  # in the titles of panels
TABLES = (
    "main-results", "reductions", "encodings", "breakdown", "multiclass",
    "multilabel", "uci", "reductions-wins", "baseline-optimised",
)  # fmt: skip


def panels_of(losses: Losses, program: Losses | None, criteria: Criteria) -> Iterator[Compared]:
    """Tables of wins and losses that the paper has, too.

    Those of optimised hyperparameters are about datasets with the whole grid.
    """
    theirs = all_tables(program, criteria, TABLES) if program else None
    for panel in compared(losses, all_tables(losses, criteria, TABLES), theirs):
        if OPTIMISED not in panel.panel:
            yield panel
    whole = on_whole_grids(losses)
    if whole.problems.height >= FEW:
        for one in compared(whole, all_tables(whole, criteria, TABLES)):
            if OPTIMISED in one.panel:
                yield one


def of_few_held_out(
    losses: Losses, program: Losses | None, criteria: Criteria, panels: Sequence[Compared]
) -> list[Compared]:
    """Where all datasets judge, the same for the few held-out ones by themselves."""
    if not criteria.everywhere:
        return []
    seen = {(panel.table, panel.panel) for panel in panels}
    every = panels_of(losses, program, replace(criteria, everywhere=False))
    return [
        one
        for one in every
        if (one.table, one.panel) not in seen and (one.ours.datasets or 0) >= FEW
    ]
