"""The verdict in the terminal, after a run and with a report: sentence, table, reasons."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from bakeoff.commands.console import out, plain, say, table

if TYPE_CHECKING:
    from bakeoff.judging import Contest, Criteria, Losses, Verdict

LONGEST, LONG = 16, 28  # letters of a label, and of a name, in a table
MATRIX = 120  # columns of a terminal that has room for each against each
MOST = 4  # lines below the table
LISTED = 40  # datasets that are listed for an algorithm alone


def print_verdict(
    losses: "Losses", asked: "Criteria", notice: str = "", *, matrix: bool | None = None
) -> None:
    """Who leads, the numbers behind it, and why it is not surer.

    Each algorithm against each other one follows if it is wanted, or there is room.
    """
    for note in filter(None, (notice, losses.others)):
        say(f"note: {note}", "yellow")
    from bakeoff.judging import everybody, main_contest, verdict

    found = verdict(losses, asked)
    out.print(plain(str(found)), style="bold", highlight=False)
    if found.datasets:
        out.print(plain(found.about), style="italic", highlight=False)
    if len(found.algorithms) == 1:
        out.print(_alone(everybody(losses, asked, found.view), found))
    elif found.algorithms:
        sizes = ((True, 6), (False, 6), (False, 2))
        out.print(_widest([_table(found, is_long, n) for is_long, n in sizes]))
    for sentence in [*found.reasons, *found.notes][:MOST]:
        out.print(plain(sentence), highlight=False)
    _print_streams(losses, asked)
    wanted = out.width >= MATRIX if matrix is None else matrix
    if wanted and len(found.algorithms) > 1:
        _print_matrix(main_contest(losses, asked), asked, found)


def _print_streams(losses: "Losses", asked: "Criteria") -> None:
    """The verdict under each condition, if there are several."""
    from bakeoff.judging import NO_CONDITION, by_stream, chance_figure, plain_names
    from bakeoff.judging import datasets as in_words

    rows = by_stream(losses, asked)
    if len(rows) < 2:
        return
    out.print(
        f"{in_words(len(plain_names(losses)))} under {len(rows)} conditions, each by itself "
        f"(--stream takes one)",
        style="italic",
        highlight=False,
    )
    before = next((one.plain_leader for one in rows if one.plain_leader), "")
    last = [f"{_short(before)} behind"] if before else []
    grid = table(("", "leads"), ("loss", "rise", "next", "behind", "p", *last))
    for one in rows:
        grid.add_row(
            plain(one.stream or NO_CONDITION),
            _short(one.leader),
            _loss(one.mean_loss),
            "" if math.isnan(one.rise) or not one.stream else f"{one.rise:+.4f}",
            _short(one.second),
            _loss(one.behind),
            chance_figure(one.p) if one.second else "",
            *[_loss(one.plain_behind) for _ in last],
        )
    out.print(grid)


def _widest(tables: Sequence[Table]) -> Table:
    """The first table that the terminal has room for, or the last."""
    room = out.options.update(max_width=1000)
    fits = [out.measure(one, options=room).maximum <= out.width for one in tables]
    return tables[fits.index(True)] if any(fits) else tables[-1]


def _table(found: "Verdict", is_long: bool, n_columns: int) -> Table:
    """A row for each algorithm, the best first; with its full name, or its label."""
    from bakeoff.judging import name_of

    rows = found.rows()
    longest = LONG if is_long else LONGEST
    names = [_short(name_of(row[0]) if is_long else row[0], longest) for row in rows]
    grid = table(("",), found.columns[:n_columns])
    grid.columns[0].no_wrap, grid.columns[0].min_width = True, max(map(len, names))
    for k, (name, row) in enumerate(zip(names, rows, strict=True)):
        style = "" if k < len(found.algorithms) else "dim"
        grid.add_row(name, *row[1 : 1 + n_columns], style=style)
    return grid


def _alone(contest: "Contest", found: "Verdict") -> Table:
    """The losses of one algorithm on each dataset, beside what they can be measured by."""
    from bakeoff.judging import name_of

    columns = {"skyline": "skyline", "constant": "constant_action_cost", "uniform": "uniform_cost"}
    loss = plain(_short(found.algorithms[0].label))
    grid = table(("dataset",), (loss, "skyline", "best constant", "uniform", "n"))
    grid.columns[1].header = name_of(found.algorithms[0].label)
    rows = contest.problems.select("problem", *columns.values(), "n").rows()
    if 1 < len(rows) <= LISTED or len(rows) == 1:
        for own, (name, *numbers, n) in zip(contest.losses[:, 0], rows, strict=True):
            grid.add_row(plain(name), *map(_loss, (own, *numbers)), f"{n:,}")
    if len(rows) > 1:
        beside = [found.beside.get(name) for name in columns]
        grid.add_row("mean", *map(_loss, (found.algorithms[0].mean_loss, *beside)), style="bold")
    return grid


def _loss(value: float | None) -> str:
    return "" if value is None or math.isnan(value) else f"{value:.4f}"


def _print_matrix(contest: "Contest", asked: "Criteria", found: "Verdict") -> None:
    """Significant wins minus losses of each row against each column."""
    from bakeoff.judging import differences

    shown = differences(asked.wins(contest))
    order = [contest.labels.index(one.label) for one in found.algorithms]
    names = [_short(contest.labels[a]) for a in order]
    grid = table(("row vs column",), names)
    grid.columns[0].no_wrap = True
    for name, a in zip(names, order, strict=True):
        grid.add_row(name, *("-" if a == b else f"{shown[a, b]:+d}" for b in order))
    out.print("significant wins minus losses", style="italic", highlight=False)
    out.print(grid)


def _short(label: str, longest: int = LONGEST) -> str:
    return plain(label if len(label) <= longest else label[: longest - 1] + "…")
