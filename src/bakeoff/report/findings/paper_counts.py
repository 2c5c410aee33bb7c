"""What the paper's tables print for the comparisons behind its claims."""

from typing import NamedTuple

from bakeoff.judging import BINARY, FIVE
from bakeoff.report.findings.claims import Comparison, Duel, Shift
from bakeoff.report.tables.printed import panels, printed
from bakeoff.report.tables.table import Grid

EVERY = 521  # datasets, where a table does not say how many it is about


class PaperCount(NamedTuple):
    """Significant wins minus losses in the paper, on how many datasets."""

    net: int
    n: int
    decided: int | None  # wins and losses together; None if only their difference is printed

    @property
    def effect(self) -> float:
        """Net wins per dataset."""
        return self.net / self.n


def paper_count(comparison: Comparison) -> PaperCount | None:
    """The paper's own number for a comparison; None if no table has it."""
    if isinstance(comparison, Shift):
        more, less = paper_count(comparison.more), paper_count(comparison.less)
        if more is None or less is None or more.n != less.n:
            return None
        return PaperCount(more.net - less.net, more.n, None)
    if not isinstance(comparison, Duel):
        return None
    if comparison.first.encoding != comparison.second.encoding:
        return _of_encodings(comparison)
    place = _place(comparison)
    if place is None or place[1] not in panels(place[0]):
        return None
    first, second = comparison.first, comparison.second
    rows = first.reduction or first.label, second.reduction or second.label
    return cell_of(printed(*place), *rows)


def cell_of(grid: Grid, row: str, column: str) -> PaperCount | None:
    """A cell of a table of wins and losses as numbers."""
    cells = dict(grid.rows).get(row)
    if cells is None or column not in grid.columns:
        return None
    won, slash, lost = cells[grid.columns.index(column)].partition("/")
    if not won.strip("- "):
        return None
    net = int(won) - int(lost or 0)
    return PaperCount(net, grid.datasets or EVERY, int(won) + int(lost) if slash else None)


def _place(duel: Duel) -> tuple[str, str] | None:
    """Table and panel that have a duel of two algorithms or reductions."""
    first, second, encoding = duel.first, duel.second, duel.first.encoding
    if first.choice or second.choice or "on" in (first.baseline, second.baseline):
        return None
    if first.baseline == "best":
        return "baseline_opt", encoding
    if first.reduction:
        return "reductions_win_loss", f"{encoding} {first.label}"
    are_five = {first.label, second.label} <= set(FIVE)
    if first.kind == "optimised":
        return ("win_loss_diff", f"{encoding} optimised") if are_five else None
    if duel.on.uci:
        return "win_loss_uci", encoding
    subset = duel.on._replace(tasks=())
    if subset != type(subset)():
        is_there = are_five and encoding == "-1/0" and duel.on.tasks == BINARY
        return ("breakdown", str(subset)) if is_there else None
    if are_five and duel.on.tasks == BINARY:
        return "win_loss_diff", f"{encoding} fixed"
    return "win_loss_multiclass", encoding


def _of_encodings(duel: Duel) -> PaperCount | None:
    """One algorithm with two encodings; the table has wins of -1/0."""
    panel = str(duel.on._replace(tasks=()))
    if duel.first.kind != "optimised" or panel not in panels("encoding"):
        return None
    found = cell_of(printed("encoding", panel), "-1/0 against 0/1", duel.first.label)
    if found is None or duel.first.encoding == "-1/0":
        return found
    return found._replace(net=-found.net)
