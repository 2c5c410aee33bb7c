"""Tables as text: CSV for programs, Markdown and LaTeX for people."""

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from bakeoff.basics.text import counted
from bakeoff.report.tables.live import Live

LONGEST = 50  # rows of a LaTeX tabular, which does not break across pages
WIDEST, SMALL = 105, 60  # characters of a line in the smallest font, and in a small one


@dataclass(frozen=True)
class Grid:
    """Figures as they are printed."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # label, cells
    datasets: int | None = None  # it is based on; None if that is not known
    best: tuple[str, ...] = ()  # rows in bold, or columns if there is one row


@dataclass(frozen=True)
class Panel:
    """Our figures, or what they need, and beside them the paper's."""

    title: str
    ours: Grid | None
    needs: str = ""
    paper: Grid | None = None
    corner: str = ""  # the heading of the labels
    problems: tuple[str, ...] = ()  # digests, if each of our rows is of one problem
    live: Live | None = field(default=None, compare=False)  # how the page computes it

    @property
    def grids(self) -> Iterator[tuple[str, Grid]]:
        """Whose figures there are, and the figures."""
        if self.ours is not None:
            yield "ours", self.ours
        if self.paper is not None:
            yield "paper", self.paper


@dataclass(frozen=True)
class Table:
    """One table of the report; its name is also the stem of its files."""

    name: str
    title: str
    caption: str
    panels: tuple[Panel, ...]

    @property
    def latex(self) -> str:
        """As plain tabulars, for a paper."""
        return to_latex(self)

    @property
    def markdown(self) -> str:
        """As Markdown, for people."""
        return to_markdown(self)

    @property
    def csv(self) -> str:
        """As CSV, for programs."""
        return to_csv(self)

    def __str__(self) -> str:
        return self.markdown

    def _repr_markdown_(self) -> str:
        return self.markdown


def without_paper(table: Table) -> Table:
    """Our figures only; panels without any are left out, too."""
    kept = [replace(panel, paper=None) for panel in table.panels if panel.ours is not None]
    return replace(table, panels=tuple(kept))


# ---- figures


def figure(value: float | None, digits: int = 3) -> str:
    """A number as text; empty if it is missing."""
    if value is None or math.isnan(value):
        return ""
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text  # never -0.000


def percent(share: float) -> str:
    """A share in whole percents, halves up, as on the page; empty if unknown.

    >>> percent(0.125)
    '13%'
    """
    return "" if math.isnan(share) else f"{math.floor(100 * share + 0.5)}%"


def best_rows(labels: Sequence[str], tally: NDArray[np.int64]) -> tuple[str, ...]:
    """The rows with more wins than losses against every other; `tally` counts wins.

    >>> best_rows(["G", "RO"], np.array([[0, 2], [5, 0]]))
    ('RO',)
    """
    if len(labels) < 2:
        return ()
    ahead = tally > tally.T
    others = ~np.eye(len(labels), dtype=bool)
    return tuple(label for a, label in enumerate(labels) if ahead[a, others[a]].all())


def least(labels: Sequence[str], cells: Sequence[str]) -> tuple[str, ...]:
    """The columns with the lowest figure as printed, without what follows "+-"."""
    means = [cell.partition(" ")[0] for cell in cells]
    numbers = [float(mean) for mean in means if mean]
    return tuple(
        label
        for label, mean in zip(labels, means, strict=True)
        if mean and float(mean) == min(numbers)
    )


# ---- CSV


def to_csv(table: Table) -> str:
    """One figure a row; of a panel without data, what it needs."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["panel", "source", "datasets", "row", "column", "value"])
    for panel in table.panels:
        if panel.ours is None:
            writer.writerow([panel.title, "needs", "", "", "", panel.needs])
        for source, grid in panel.grids:
            for row, cells in grid.rows:
                for column, cell in zip(grid.columns, cells, strict=True):
                    about = (panel.title, source, grid.datasets)
                    names = map(harmless, (row, column, cell))
                    writer.writerow([*about, *names])
    return text.getvalue()


def harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: text gets an apostrophe.

    Encodings such as -1/0 and numbers stay as they are.
    """
    if not text.startswith(("=", "+", "-", "@", "\t", "\r")) or _PLAIN.match(text):
        return text
    return f"'{text}"


_PLAIN = re.compile(r"[+-]?[\d.,]+(e[+-]?\d+)?%?(/[\d.]+)?\Z|-\Z", re.IGNORECASE)


# ---- Markdown


def to_markdown(table: Table) -> str:
    """Headings, and pipe tables as GitHub has them."""
    parts = [f"# {marked_down(table.title)}", marked_down(table.caption)]
    for panel in table.panels:
        parts.append(f"## {marked_down(panel.title)}")
        if panel.ours is None:
            parts.append(f"No data: {marked_down(panel.needs)}.")
        for source, grid in panel.grids:
            parts.append(f"{_based_on(source, grid)}:")
            parts.append(pipe_table(panel.corner, grid))
    return "\n\n".join(part for part in parts if part) + "\n"


def pipe_table(corner: str, grid: Grid) -> str:
    """A grid as GitHub's Markdown has it; `corner` is the heading of the labels."""
    lines = [
        [marked_down(text) for text in (corner, *grid.columns)],
        ["---", *("---:" for _ in grid.columns)],
    ]
    for label, cells in grid.rows:
        bold = _bold(grid, label)
        lines.append(
            [
                f"**{marked_down(text)}**" if text.strip() and is_bold else marked_down(text)
                for text, is_bold in zip((label, *cells), bold, strict=True)
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def marked_down(text: str) -> str:
    """Text on one line with Markdown's special characters escaped."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&$])", r"\\\1", " ".join(text.split()))


# ---- LaTeX


def to_latex(table: Table) -> str:
    r"""Plain tabulars, to be read with \input; no package is needed."""
    parts = [rf"\noindent\textbf{{{tex(table.title)}.}} {tex(table.caption)}"]
    for panel in table.panels:
        lines = [r"\begin{center}", rf"{tex(panel.title)}\par\nopagebreak\smallskip"]
        if panel.ours is None:
            lines.append(rf"\emph{{No data: {tex(panel.needs)}.}}\par\nopagebreak\smallskip")
        widest = max((sum(_widths(grid)) for _, grid in panel.grids), default=0)
        lines.append(r"\tiny" if widest > SMALL else r"\footnotesize")
        lines.append(r"\setlength{\tabcolsep}{3pt}")
        for source, grid in panel.grids:
            lines += _tabulars(panel.corner, source, grid)
        lines.append(r"\end{center}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _tabulars(corner: str, source: str, grid: Grid) -> Iterator[str]:
    """The grid in pieces that fit on a page."""
    lines = [[tex(text) for text in (corner, *grid.columns)]]
    for label, cells in grid.rows:
        texts = zip((label, *cells), _bold(grid, label), strict=True)
        lines.append([rf"\textbf{{{tex(text)}}}" if bold else tex(text) for text, bold in texts])
    for columns in _side_by_side(grid):
        for start in range(1, max(len(lines), 2), LONGEST):
            yield rf"\begin{{tabular}}[t]{{|l|{'c|' * len(columns)}}}"
            heading = tex(_based_on(source, grid))
            yield rf"\multicolumn{{{len(columns) + 1}}}{{c}}{{{heading}}} \\ \hline"
            for line in (lines[0], *lines[start : start + LONGEST]):
                yield _tex_row([line[0], *(line[1 + j] for j in columns)])
            yield r"\end{tabular}"


def _side_by_side(grid: Grid) -> list[list[int]]:
    """Columns in groups that fit on a line."""
    labels = max((len(label) for label, _ in grid.rows), default=0)
    groups: list[list[int]] = [[]]
    used = labels
    for j, width in enumerate(_widths(grid)):
        if groups[-1] and used + width > WIDEST:
            groups.append([])
            used = labels
        groups[-1].append(j)
        used += width
    return groups


def _widths(grid: Grid) -> list[int]:
    """How many characters wide columns are, and what lies between them."""
    return [
        2 + max(len(column), *(len(cells[j]) for _, cells in grid.rows), 0)
        for j, column in enumerate(grid.columns)
    ]


def _tex_row(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\ \hline"


TEX = {
    ">=": r"$\geq$",
    "<=": r"$\leq$",
    "+-": r"$\pm$",
    "\\": r"$\backslash$",
    "^": r"\^{}",
    "~": r"\~{}",
    "<": "$<$",
    ">": "$>$",
    "|": "$|$",
    "-": "-{}",  # two of them would be a dash
    **{character: rf"\{character}" for character in "{}$&#_%"},
    **{character: f"{{{character}}}" for character in "[]*`'\""},
}
_SPECIAL = re.compile("|".join(map(re.escape, TEX)))
_ACCENTED = set(map(chr, range(0xC0, 0x100))) - set("\xd0\xd7\xde\xf0\xf7\xfe")


def tex(text: str) -> str:
    """Text with TeX's special characters escaped; characters it cannot print get numbers."""
    words = " ".join(text.split())
    if not (words.isascii() and words.isprintable()):
        words = "".join(map(_tex_character, words))
    return _SPECIAL.sub(lambda match: TEX[match[0]], words)


def _tex_character(c: str) -> str:
    is_known = (c.isascii() and c.isprintable()) or c in _ACCENTED
    return c if is_known else f"U+{ord(c):04X}"


# ---- both


def _bold(grid: Grid, label: str) -> list[bool]:
    """Which of a row's label and cells are bold."""
    if len(grid.rows) == 1:
        return [False, *(column in grid.best for column in grid.columns)]
    return [label in grid.best] * (1 + len(grid.columns))


def _based_on(source: str, grid: Grid) -> str:
    name = {"ours": "Ours", "paper": "Paper"}[source]
    if grid.datasets is None:
        return name
    return f"{name}, {counted(grid.datasets, 'dataset')}"
