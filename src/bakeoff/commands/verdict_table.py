"""The main table and the verdict in the terminal, after a run and with a report."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bakeoff.commands.console import out, plain, say, table

if TYPE_CHECKING:
    from bakeoff.judging import Criteria, Losses, Standing

LONGEST = 16  # letters of a label in a table


def print_verdict(losses: "Losses", asked: "Criteria", notice: str = "") -> None:
    """Significant wins minus losses of each algorithm against each, and in words.

    Where the terminal is too narrow for that, against all others together.
    """
    for note in filter(None, (notice, losses.others)):
        say(f"note: {note}", "yellow")
    from bakeoff.judging import datasets, differences, main_contest, standings, verdict

    contest = main_contest(losses, asked)
    outcomes = asked.wins(contest)
    if len(contest.labels) > 1 and contest.n:
        shown = differences(outcomes)
        places = standings(contest, outcomes)
        order = [contest.labels.index(one.label) for one in places]
        pairs = [["-" if a == b else f"{shown[a, b]:+d}" for b in order] for a in order]
        title = (
            f"significant wins minus losses, encoding {asked.encoding_of(losses)}, "
            f"{datasets(contest.n)}"
        )
        out.print(title, style="italic", highlight=False)
        out.print(_widest([
            _table(places, *what) for what in (
                (pairs, FACTS), (pairs, FACTS[:2]), (None, FACTS), (None, FACTS[:3]),
                (None, ()),
            )
        ]))  # fmt: skip
    for sentence in verdict(losses, asked):
        out.print(plain(sentence), highlight=False)


FACTS = ("wins", "losses", "first in", "p of lead", "mean loss", "median vs skyline")


def _widest(tables: Sequence[Table]) -> Table:
    """The first table that the terminal has room for, or the last."""
    room = out.options.update(max_width=1000)
    fits = [out.measure(one, options=room).maximum <= out.width for one in tables]
    return tables[fits.index(True)] if any(fits) else tables[-1]


def _table(
    places: "Sequence[Standing]", pairs: Sequence[Sequence[str]] | None, facts: Sequence[str]
) -> Table:
    """A row for each algorithm, the best first; with a column against each, or none."""
    labels = [_short(one.label) for one in places]
    grid = table(
        ("row vs column" if pairs else "algorithm",), (*(labels if pairs else ["score"]), *facts)
    )
    grid.columns[0].no_wrap, grid.columns[0].min_width = True, max(map(len, labels))
    from bakeoff.judging import chance_figure

    for i, one in enumerate(places):
        above = one.median_normalised
        known = (
            str(one.wins),
            str(one.losses),
            f"{one.first:.0%}",
            "" if i == 0 else chance_figure(one.chance),
            "" if math.isnan(one.mean_loss) else f"{one.mean_loss:.4f}",
            "" if math.isnan(above) else f"{above:+.1%}",
        )
        grid.add_row(labels[i], *(pairs[i] if pairs else [f"{one.score:+d}"]), *known[: len(facts)])
    return grid


def _short(label: str) -> str:
    return plain(label if len(label) <= LONGEST else label[: LONGEST - 1] + "…")
