"""Figures: those of the paper, and a few more, drawn from a store's losses."""

from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl
import polars as pl
from matplotlib.figure import Figure as Canvas

from bakeoff.judging import Criteria, Losses, Pairs, all_pairs
from bakeoff.report.figures.curves import learning_curves, learning_curves_largest
from bakeoff.report.figures.heat import heat_map
from bakeoff.report.figures.ips import ips_errors, ips_errors_all
from bakeoff.report.figures.pairs import pairs_figure
from bakeoff.report.figures.rates import learning_rates
from bakeoff.report.figures.standings import critical_differences, regret_profiles
from bakeoff.report.figures.style import STYLE, WRITERS, Drawing, save
from bakeoff.report.tables.table import marked_down

FORMATS = tuple(WRITERS)
Save = Callable[[Canvas, Path, str, Sequence[str]], list[Path]]
FIGURES = (
    "introduction", "pairs", "regcb-widths", "active", "baseline", "ips-errors",
    "ips-errors-all", "heat-map", "critical-difference", "regret-profile",
    "learning-curves", "learning-curves-largest", "learning-rates",
)  # fmt: skip


class Figure(NamedTuple):
    """A figure that was written; without files, what it needs."""

    name: str
    title: str
    caption: str
    files: list[Path]
    needs: str = ""


def write_figures(
    losses: Losses,
    curves: Callable[[], pl.DataFrame],
    criteria: Criteria,
    folder: Path,
    names: Collection[str] = FIGURES,
    formats: Sequence[str] = FORMATS,
    save: Save = save,
) -> list[Figure]:
    """Draw figures into files of a folder, which `save` writes.

    `curves` gives those of the fixed view (`curves_of`), and is called only if they are
    drawn. With the same results, the files are the same.
    """
    makers = _makers(losses, curves, criteria)
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    with mpl.rc_context(STYLE):
        for name in names:
            drawing = makers[name]()
            files = []
            if drawing.canvas is not None:
                files = save(drawing.canvas, folder, name, formats)
            written.append(Figure(name, drawing.title, drawing.caption, files, drawing.needs))
    return written


def draw(
    name: str, losses: Losses, curves: Callable[[], pl.DataFrame], criteria: Criteria
) -> Drawing:
    """One figure, not written anywhere."""
    with mpl.rc_context(STYLE):
        return _makers(losses, curves, criteria)[name]()


def draw_pairs(pairs: Pairs, losses: Losses, criteria: Criteria) -> Drawing:
    """A figure of some pairs, not written anywhere."""
    with mpl.rc_context(STYLE):
        return pairs_figure(losses, criteria, pairs)


def captions(figures: Sequence[Figure]) -> str:
    """What figures show, and what those that were not drawn need, as Markdown."""
    parts = ["# Figures"]
    for figure in figures:
        shown = figure.caption if figure.files else f"Not drawn: {figure.needs}."
        parts += [f"## {figure.title} (`{figure.name}`)", marked_down(shown)]
    return "\n\n".join(parts) + "\n"


def _makers(
    losses: Losses, curves: Callable[[], pl.DataFrame], criteria: Criteria
) -> dict[str, Callable[[], Drawing]]:
    """By name, in the order of the report."""
    pairs = {
        pairs.name: partial(pairs_figure, losses, criteria, pairs)
        for pairs in all_pairs(losses, criteria)
    }
    return {
        **pairs,
        "ips-errors": partial(ips_errors, losses, criteria),
        "ips-errors-all": partial(ips_errors_all, losses, criteria),
        "heat-map": partial(heat_map, losses, criteria),
        "critical-difference": partial(critical_differences, losses, criteria),
        "regret-profile": partial(regret_profiles, losses, criteria),
        "learning-curves": lambda: learning_curves(losses, curves(), criteria),
        "learning-curves-largest": lambda: learning_curves_largest(losses, curves(), criteria),
        "learning-rates": partial(learning_rates, losses, criteria),
    }
