"""The matrix: every algorithm against every other, as a terminal prints it.

CSV is wide with numbers as numbers; Markdown and LaTeX are one table each. The paper's
own figures are added on request.
"""

import csv
import io
from dataclasses import replace

import polars as pl

from bakeoff.judging import (
    KINDS,
    TWINS,
    Criteria,
    Losses,
    chance_figure,
    datasets,
    main_contest,
    standings,
    standings_frame,
    tally,
    wins_frame,
)
from bakeoff.report.tables.printed import panels, printed
from bakeoff.report.tables.table import Grid, best_rows, harmless, pipe_table, tex

NAME = "main"
FACTS = {  # of the standings, and their headings
    "wins": "wins",
    "losses": "losses",
    "first_in": "first in",
    "p_of_lead": "p of lead",
    "mean_loss": "mean loss",
    "median_vs_skyline": "median vs skyline",
}
CORNER = "row vs column"


def matrix_frame(losses: Losses, criteria: Criteria) -> pl.DataFrame:
    """Wins minus losses of each row against each column, and the standings.

    There is no row if there is nothing to compare.
    """
    contest = main_contest(losses, criteria)
    outcomes = criteria.wins(contest)
    places = standings(contest, outcomes)
    order = [standing.label for standing in places]
    wins = wins_frame(contest, outcomes, order, difference=True)
    facts = standings_frame(places).select(list(FACTS))
    taken = {name: f"{name} of all" for name in FACTS if name in order}
    return pl.concat([wins, facts.rename(taken)], how="horizontal")


def matrix_files(losses: Losses, criteria: Criteria, *, paper: bool) -> dict[str, str]:
    """The texts of the table's files by their endings; beside the paper's, in its view."""
    criteria = replace(criteria, view="fixed") if paper else criteria
    grid, title = _grid(losses, criteria), _title(losses, criteria)
    grids = {"": grid}
    if paper and (theirs := _paper(losses, criteria)) is not None:
        grids["The paper's: "] = theirs
    return {
        "csv": _csv(matrix_frame(losses, criteria)),
        "md": _markdown(title, grids),
        "tex": _latex(title, grids),
    }


def _csv(frame: pl.DataFrame) -> str:
    """The numbers with headings that no spreadsheet takes for formulas."""
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(map(harmless, frame.columns))
    names = pl.Series("algorithm", map(harmless, frame["algorithm"]), pl.String)
    return head.getvalue() + frame.with_columns(names).write_csv(include_header=False)


def _title(losses: Losses, criteria: Criteria) -> str:
    contest = main_contest(losses, criteria)
    return (
        f"Significant wins minus losses of the row against the column by {criteria.rule}, "
        f"encoding {criteria.encoding_of(losses)}, {(KINDS | TWINS)[criteria.view_of(losses)]}, "
        f"{datasets(contest.n)}"
    )


def _grid(losses: Losses, criteria: Criteria) -> Grid:
    """The numbers as they are printed."""
    frame = matrix_frame(losses, criteria)
    labels = frame["algorithm"].to_list()
    n = len(labels)
    rows = [
        (label, (*map(_signed, numbers[:n]), *_facts(numbers[n:], is_first=i == 0)))
        for i, (label, *numbers) in enumerate(frame.iter_rows())
    ]
    contest = main_contest(losses, criteria)
    best = best_rows(contest.labels, tally(criteria.wins(contest)))
    return Grid((*labels, *FACTS.values()), tuple(rows), contest.n, best)


def _signed(number: int | None) -> str:
    return "" if number is None else f"{number:+d}" if number else "0"


def _facts(values: list[float | None], *, is_first: bool) -> list[str]:
    wins, losses, first, chance, mean, above = values
    return [
        f"{wins}",
        f"{losses}",
        "" if first is None else f"{first:.0%}",
        "" if chance is None or is_first else chance_figure(chance),
        "" if mean is None else f"{mean:.4f}",
        "" if above is None else f"{above:+.1%}",
    ]


def _paper(losses: Losses, criteria: Criteria) -> Grid | None:
    """The paper's figures for this encoding, if it prints any."""
    panel = f"{criteria.encoding_of(losses)} fixed"
    known = panel in panels("win_loss_diff")
    return printed("win_loss_diff", panel) if known else None


def _markdown(title: str, grids: dict[str, Grid]) -> str:
    parts = []
    for whose, grid in grids.items():
        parts += [f"{whose}{title if not whose else 'the same table'}.", pipe_table(CORNER, grid)]
    return "\n\n".join(parts) + "\n"


def _latex(title: str, grids: dict[str, Grid]) -> str:
    parts = [rf"% {title}.", r"% needs \usepackage{booktabs}"]
    for whose, grid in grids.items():
        parts += [f"% {whose}"] if whose else []
        parts += _tabular(grid)
    return "\n".join(parts) + "\n"


def _tabular(grid: Grid) -> list[str]:
    """One tabular with the rules of booktabs."""
    lines = [
        rf"\begin{{tabular}}{{l{'r' * len(grid.columns)}}}",
        r"\toprule",
        _row(["", *map(tex, grid.columns)]),
        r"\midrule",
    ]
    for label, cells in grid.rows:
        name = rf"\textbf{{{tex(label)}}}" if label in grid.best else tex(label)
        lines.append(_row([name, *map(_number, cells)]))
    return [*lines, r"\bottomrule", r"\end{tabular}"]


def _number(text: str) -> str:
    """A signed number in mathematics, which has a minus sign."""
    number = text.removesuffix("%")
    if number[:1] not in ("+", "-") or number == "-":
        return tex(text)
    return rf"${number}$" + (r"\%" if text.endswith("%") else "")


def _row(cells: list[str]) -> str:
    return rf"{' & '.join(cells)} \\"
