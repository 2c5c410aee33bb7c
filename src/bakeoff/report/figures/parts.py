"""Figure parts: panels, text, legends and counts that figures share."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import polars as pl
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure as Canvas
from matplotlib.font_manager import findfont, get_font
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from bakeoff.basics.text import counted
from bakeoff.judging import KINDS, TWINS, Criteria, Losses
from bakeoff.report.figures.style import FONT, WIDTH, ReportFigure

LONGEST = 32  # characters of a name
UNKNOWN = "\ufffd"  # what is shown for characters that the font has not
RAISED = str.maketrans(
    "-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
)


def panels(
    rows: int, columns: int, height: float, *, width: float = WIDTH, **shared: Any
) -> tuple[Canvas, list[list[Axes]]]:
    """A figure of panels so many inches high, and its axes row by row."""
    layout = ConstrainedLayoutEngine(w_pad=0.06, h_pad=0.06)
    canvas = ReportFigure(figsize=(width, height), layout=layout)
    axes = canvas.subplots(rows, columns, squeeze=False, **shared)
    return canvas, axes.tolist()


def legend(canvas: Canvas, handles: Sequence[Artist], labels: Sequence[str], **style: Any) -> None:
    """A legend below the panels, in as few rows as fit."""
    texts = [shown(label, 44) for label in labels]
    room = 15 * canvas.get_figwidth() - 4  # characters
    sizes = [len(text) + 6 for text in texts]
    columns = len(texts) if sum(sizes) < room else max(1, int(room / max(sizes)))
    # set afterwards: a label that starts with _ would be left out
    made = canvas.legend(
        handles, ["-"] * len(texts), loc="outside lower center", ncols=columns, **style
    )
    for place, text in zip(made.get_texts(), texts, strict=True):
        place.set_text(text)


# ---- text


def view_in_words(losses: Losses, criteria: Criteria) -> str:
    """How the settings that a figure shows were chosen, at the start of a sentence."""
    view = (KINDS | TWINS)[criteria.view_of(losses)]
    return f"{view[0].upper()}{view[1:]}, encoding {criteria.encoding_of(losses)}"


def shown(text: str, longest: int = LONGEST) -> str:
    """A name as a figure can show it: one line, known characters, not too long."""
    line = " ".join(text.split())
    if len(line) > longest:
        line = f"{line[: longest - 3]}..."
    return "".join(c if c.isprintable() and _has(c) else UNKNOWN for c in line)


@cache
def _has(character: str) -> bool:
    return get_font(findfont(FONT)).get_char_index(ord(character)) != 0


def plain_numbers(*axes: Axis) -> None:
    """1,000 and 0.5 at the ticks."""
    for axis in axes:
        axis.set_major_formatter(FuncFormatter(_plain))
        axis.set_minor_locator(NullLocator())  # it takes long to draw


def powers(axis: Axis) -> None:
    """Powers of ten at the ticks, without matplotlib's markup."""
    axis.set_major_locator(LogLocator(numticks=8))
    axis.set_major_formatter(FuncFormatter(_power))
    axis.set_minor_locator(NullLocator())


def _plain(value: float, _: int | None = None) -> str:
    return f"{value:,.6g}"


def _power(value: float, _: int | None = None) -> str:
    exponent = f"{value:.0e}".split("e")[1]
    return f"10{str(int(exponent)).translate(RAISED)}"


# ---- counts


def datasets(counts: Iterable[int]) -> str:
    """How many datasets panels are based on.

    >>> datasets([12, 1200, 12])
    '12 to 1,200 datasets'
    """
    fewest, most = min(distinct := set(counts)), max(distinct)
    if fewest == most:
        return counted(most, "dataset")
    return f"{fewest:,} to {most:,} datasets"


def comparable(rows: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Rows of the problems that all of those compared have, so that means compare.

    `rows` have a digest and the columns `by`, which say what is compared. What was
    played on less than half as many problems as others is left out before.
    """
    times = rows.group_by(by).agg(pl.col("digest").n_unique().alias("times"))
    often = times.filter(pl.col("times") * 2 >= pl.col("times").max())
    kept = rows.join(often.select(by), on=by, how="semi", maintain_order="left")
    has_all = pl.struct(by).n_unique().over("digest") == often.height
    return kept.filter(has_all)


def left_out(known: pl.DataFrame, kept: pl.DataFrame) -> str:
    """What `comparable` left out, in words for a caption."""
    seldom = sorted(set(known["label"]) - set(kept["label"]))
    lost = known["digest"].n_unique() - kept["digest"].n_unique()
    note = f"; {lost:,} left out, as not all have a result there" if lost else ""
    if seldom:
        note += f"; played too seldom to be compared: {', '.join(seldom)}"
    return note
