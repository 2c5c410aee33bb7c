"""The table of standings: all algorithms in order, per encoding and view."""

import math

from bakeoff.report.standings import Standing, standings
from bakeoff.report.tables.table import Grid, Panel, Table, figure
from bakeoff.report.views import RULES, Asked, views_of
from bakeoff.statistics.contest import contest
from bakeoff.statistics.losses import Losses

COLUMNS = (
    "score", "wins", "losses", "first in", "score in 95 %", "mean loss",
    "median over skyline",
)  # fmt: skip


def standings_table(losses: Losses, asked: Asked) -> Table:
    """The verdict's numbers."""
    panels = []
    for view in views_of(losses, asked):
        held = contest(losses, view.competitors, asked.condition).of_those_who_play()
        places = standings(held, asked.wins(held))
        rows = tuple((one.label, _cells(one)) for one in places)
        ours = Grid(COLUMNS, rows, held.n) if len(rows) > 1 else None
        title = f"{view.encoding} encoding, {view.kind} hyperparameters"
        needs = "needs runs of two algorithms (-a fixed)"
        panels.append(Panel(title, ours, needs, corner="algorithm"))
    caption = (
        "Significant wins and losses against all others, added up; in which share of "
        "1,000 resamples of the datasets an algorithm has the best score, and between "
        "which bounds its score lies in 95 % of them; mean loss over datasets that all "
        "have one; and the median of (loss - skyline) / skyline where the skyline is "
        f"above 0. Significant by {asked.rule}; where costs are real-valued and no "
        f"paired test is done, by {RULES['hoeffding']}."
    )
    return Table("standings", "Standings", caption, tuple(panels))


def _cells(one: Standing) -> tuple[str, ...]:
    low, high = one.interval
    above = one.median_normalised
    return (
        f"{one.score}",
        f"{one.wins}",
        f"{one.losses}",
        f"{one.first:.0%}",
        f"{low} to {high}",
        figure(one.mean_loss, 4),
        "" if math.isnan(above) else f"{above:.1%}",
    )
