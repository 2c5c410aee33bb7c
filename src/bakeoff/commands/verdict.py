"""The main table and the verdict in the terminal, after a run and with a report."""

import math
from typing import TYPE_CHECKING

from bakeoff.commands.console import out, plain, table

if TYPE_CHECKING:
    from bakeoff.report.views import Asked
    from bakeoff.statistics.losses import Losses


def print_verdict(losses: "Losses", asked: "Asked") -> None:
    """Significant wins minus losses of each algorithm against each, and in words."""
    from bakeoff.report.standings import standings
    from bakeoff.report.verdict import main_contest, verdict
    from bakeoff.statistics.significance import differences, wins

    held = main_contest(losses, asked)
    outcomes = wins(held, asked.test, asked.correction)
    shown = differences(outcomes)
    places = standings(held, outcomes)
    order = [held.labels.index(one.label) for one in places]
    names = [plain(held.labels[b]) for b in order]
    made = table(
        ("row vs column",),
        (*names, "wins", "losses", "first in", "mean loss", "vs skyline"),
    )
    made.title = (
        f"significant wins minus losses, encoding {asked.encoding_of(losses)}, "
        f"{held.n:,} datasets"
    )
    made.title_justify = "left"
    for one, a in zip(places, order, strict=True):
        cells = ["-" if a == b else f"{shown[a, b]:+d}" for b in order]
        made.add_row(
            plain(one.label),
            *cells,
            str(one.wins),
            str(one.losses),
            f"{one.first:.0%}",
            f"{one.mean_loss:.4f}",
            "" if math.isnan(one.median_normalised)
            else f"{one.median_normalised:+.1%}",
        )  # fmt: skip
    if len(held.labels) > 1 and held.n:
        out.print(made)
    for sentence in verdict(held, asked):
        out.print(plain(sentence), highlight=False)
