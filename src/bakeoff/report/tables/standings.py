"""The table of standings: all algorithms in order, per encoding and view."""

import math
from collections.abc import Mapping, Sequence

from bakeoff.report.competitors import (
    election_notes,
    left_out_note,
    not_optimised,
)
from bakeoff.report.standings import Standing, standings
from bakeoff.report.tables.table import Grid, Panel, Table, figure
from bakeoff.report.verdict import chance_figure
from bakeoff.report.views import RULES, Asked, View, views_of
from bakeoff.statistics.contest import Contest, contest_of
from bakeoff.statistics.losses import Losses

UNPEEKED = "score, rate elected elsewhere"
COLUMNS = (
    "score", UNPEEKED, "wins", "losses", "first in", "score in 95 %", "p of lead",
    "mean loss", "median over skyline",
)  # fmt: skip


def standings_table(losses: Losses, asked: Asked) -> Table:
    """The verdict's numbers."""
    views = views_of(losses, asked)
    found = {
        (view.encoding, view.kind): _standings(losses, view, asked) for view in views
    }
    panels = []
    for view in views:
        contest, places = found[view.encoding, view.kind]
        _, others = found.get((view.encoding, "unpeeked"), (contest, []))
        elsewhere = {one.label: one.score for one in others if view.kind == "fixed"}
        shown = [name for name in COLUMNS if elsewhere or name != UNPEEKED]
        rows = tuple((one.label, _cells(one, shown, elsewhere)) for one in places)
        ours = Grid(tuple(shown), rows, contest.n) if len(rows) > 1 else None
        needs = view.needs
        panels.append(Panel(view.title, ours, needs, corner="algorithm"))
    notes: dict[str, None] = {}
    for encoding in asked.encodings(losses):
        notes |= dict.fromkeys(election_notes(losses, encoding, asked.test))
        left_out = not_optimised(losses, encoding, losses.algorithms)
        if left_out and (encoding, "optimised") in found:
            notes[left_out_note(encoding, left_out)] = None
    caption = (
        "Significant wins and losses against all others, added up; in which share of "
        "1,000 resamples of the datasets an algorithm has the best score, and between "
        "which bounds its score lies in 95 % of them; the chance that an equally good "
        "algorithm would be so far behind the first (of the first: the greatest of "
        "these); mean loss over datasets that all "
        "have one; and the median of (loss - skyline) / skyline where the skyline is "
        f"above 0. Significant by {asked.rule}; where costs are real-valued and no "
        f"paired test is done, by {RULES['hoeffding']}. The learning rate is the best "
        f"on each dataset, as in the paper, unless a title or heading says that it was "
        f"elected on the other datasets."
    )
    return Table("standings", "Standings", " ".join([caption, *notes]), tuple(panels))


def _standings(
    losses: Losses, view: View, asked: Asked
) -> tuple[Contest, list[Standing]]:
    contest = contest_of(losses, view.competitors, asked.condition).compared()
    return contest, standings(contest, asked.wins(contest))


def _cells(
    one: Standing, shown: Sequence[str], elsewhere: Mapping[str, int]
) -> tuple[str, ...]:
    low, high = one.interval
    above = one.median_normalised
    cells = (
        f"{one.score}",
        f"{elsewhere.get(one.label, '')}",
        f"{one.wins}",
        f"{one.losses}",
        f"{one.first:.0%}",
        f"{low} to {high}",
        "" if math.isnan(one.chance) else chance_figure(one.chance),
        figure(one.mean_loss, 4),
        "" if math.isnan(above) else f"{above:.1%}",
    )
    known = dict(zip(COLUMNS, cells, strict=True))
    return tuple(known[name] for name in shown)
