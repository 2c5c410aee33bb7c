"""The main table and the verdict in the terminal, after a run and with a report."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bakeoff.commands.console import out, plain, say, table

if TYPE_CHECKING:
    from bakeoff.report.standings import Standing
    from bakeoff.report.views import Asked
    from bakeoff.statistics.losses import Losses

LONGEST = 16  # letters of a label in a table


def print_verdict(losses: "Losses", asked: "Asked", notice: str = "") -> None:
    """Significant wins minus losses of each algorithm against each, and in words.

    Where the terminal is too narrow for that, against all others together.
    """
    if notice:
        say(f"note: {notice}", "yellow")
    from bakeoff.report.standings import standings
    from bakeoff.report.verdict import datasets, main_contest, verdict
    from bakeoff.statistics.significance import differences

    held = main_contest(losses, asked)
    outcomes = asked.wins(held)
    if len(held.labels) > 1 and held.n:
        shown = differences(outcomes)
        places = standings(held, outcomes)
        order = [held.labels.index(one.label) for one in places]
        pairs = [["-" if a == b else f"{shown[a, b]:+d}" for b in order] for a in order]
        title = (
            f"significant wins minus losses, encoding {asked.encoding_of(losses)}, "
            f"{datasets(held.n)}"
        )
        wide = _table(title, places, pairs)
        room = out.options.update(max_width=10 * out.width)
        fits = out.measure(wide, options=room).maximum <= out.width
        out.print(wide if fits else _table(title, places, None))
    for sentence in verdict(held, asked):
        out.print(plain(sentence), highlight=False)


def _table(
    title: str, places: "Sequence[Standing]", pairs: Sequence[Sequence[str]] | None
) -> Table:
    """A row for each algorithm, the best first; with a column against each, or none."""
    labels = [_short(one.label) for one in places]
    made = table(
        ("row vs column" if pairs else "algorithm",),
        (*(labels if pairs else ["score"]), "wins", "losses", "first in", "mean loss",
         "median vs skyline"),
    )  # fmt: skip
    made.title, made.title_justify = title, "left"
    for i, one in enumerate(places):
        above = one.median_normalised
        made.add_row(
            labels[i],
            *(pairs[i] if pairs else [f"{one.score:+d}"]),
            str(one.wins),
            str(one.losses),
            f"{one.first:.0%}",
            f"{one.mean_loss:.4f}",
            "" if math.isnan(above) else f"{above:+.1%}",
        )
    return made


def _short(label: str) -> str:
    return plain(label if len(label) <= LONGEST else label[: LONGEST - 1] + "…")
