"""Figures of learning curves: the loss so far while examples come in."""

import numpy as np
import polars as pl
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D

from bakeoff.judging import SKYLINE, Criteria, Losses, Numbers, name_of
from bakeoff.report.figures.parts import (
    comparable,
    datasets,
    left_out,
    legend,
    panels,
    plain_numbers,
    powers,
    shown,
    view_in_words,
)
from bakeoff.report.figures.style import Drawing
from bakeoff.report.line_styles import LINE_STYLES, LineStyle, line_styles

SHARES = np.geomspace(0.01, 1, 30)  # of a dataset's examples
SEVERAL = 9  # small multiples
CURVE = ["curve_rounds", "curve_loss", "curve_error"]
FIRST = 10  # the loss after fewer rounds is noise
NEEDS = "needs runs with learning curves (-a fixed)"
SKYLINE_STYLE = LINE_STYLES[SKYLINE]


def at_shares(rounds: Numbers, loss: Numbers) -> Numbers:
    """A curve after shares of its examples, by the logarithm of rounds."""
    return np.interp(np.log(SHARES * rounds[-1]), np.log(rounds), loss)


def learning_curves(losses: Losses, curves: pl.DataFrame, criteria: Criteria) -> Drawing:
    """Mean progressive loss over datasets against the share of their examples."""
    name, title = "learning-curves", "Learning curves, mean over datasets"
    known = _selected(losses, curves, criteria)
    kept = comparable(known, ["label"])
    if kept.is_empty():
        return Drawing(name, title, needs=NEEDS)
    canvas, [[axes]] = panels(1, 1, 3.2, width=4.6)
    labels = _in_order(losses, kept)
    for label, style in line_styles(labels).items():
        means, errors = np.array([
            [at_shares(np.array(rounds, float), np.array(values)) for values in (loss, error)]
            for rounds, loss, error in kept.filter(pl.col("label") == label)
            .select(CURVE).iter_rows()
        ]).transpose(1, 0, 2)  # fmt: skip
        mean, error = means.mean(axis=0), np.sqrt((errors**2).sum(axis=0)) / len(errors)
        axes.plot(SHARES, mean, **style.line)
        _band(axes, SHARES, mean, error, style)
    skyline = kept.unique("digest", maintain_order=True)["skyline"]
    has_line = ""
    if skyline.null_count() == 0:
        axes.axhline(float(np.mean(skyline.to_numpy())), **SKYLINE_STYLE.line)
        has_line = "; dotted: the skyline at the end"
    axes.set_xscale("log")
    axes.set(xlim=(SHARES[0], 1), xlabel="share of the examples", ylabel="mean progressive loss")
    plain_numbers(axes.xaxis, axes.yaxis)
    _legend_of_lines(canvas, labels, bool(has_line))
    caption = (
        f"{view_in_words(losses, criteria)}{has_line}; bands: a standard error over orders and "
        f"seeds, where there are several. "
        f"{datasets([kept['digest'].n_unique()])}{left_out(known, kept)}."
    )
    return Drawing(name, title, caption, canvas)


def learning_curves_largest(losses: Losses, curves: pl.DataFrame, criteria: Criteria) -> Drawing:
    """Small multiples: progressive loss on the largest datasets."""
    name, title = "learning-curves-largest", "Learning curves on the largest datasets"
    known = _selected(losses, curves, criteria)
    if known.is_empty():
        return Drawing(name, title, needs=NEEDS)
    largest = known.unique("digest").sort(
        ["n", "problem", "digest"], descending=[True, False, False]
    )
    largest = largest.head(SEVERAL)
    columns = min(3, largest.height)
    rows = -(-largest.height // columns)
    canvas, axes = panels(rows, columns, 0.5 + 1.75 * rows)
    labels = _in_order(losses, known)
    places = [place for row in axes for place in row]
    for place in places[largest.height :]:
        place.set_axis_off()
    for place, row in zip(places, largest.iter_rows(named=True), strict=False):
        place.set_xscale("log")
        place.set_xlim(min(FIRST, row["n"]) / 1.1, row["n"] * 1.1)
        for label, style in line_styles(labels).items():
            of = known.filter((pl.col("digest") == row["digest"]) & (pl.col("label") == label))
            for curve in of.select(CURVE).iter_rows():
                start = int(np.searchsorted(curve[0], min(FIRST, row["n"])))
                rounds, loss, error = (np.array(values)[start:] for values in curve)
                place.plot(rounds, loss, **style.line)
                _band(place, rounds, loss, error, style)
        if row["skyline"] is not None:
            place.axhline(row["skyline"], **SKYLINE_STYLE.line)
        place.set_title(f"{shown(row['problem'])}\nn = {row['n']:,}")
        powers(place.xaxis)
        plain_numbers(place.yaxis)
    for place in places[max(0, largest.height - columns) : largest.height]:
        place.set_xlabel("examples")
    for first, *_ in axes:
        first.set_ylabel("progressive loss")
    _legend_of_lines(canvas, labels, largest["skyline"].count() > 0)
    caption = (
        f"{view_in_words(losses, criteria)}. The largest of "
        f"{datasets([known['digest'].n_unique()])}; dotted: the skyline at the end, "
        "where there is one."
    )
    return Drawing(name, title, caption, canvas)


def _band(axes: Axes, x: Numbers, y: Numbers, error: Numbers, style: LineStyle) -> None:
    """A standard error on both sides of a curve, over orders and seeds; none if there is one."""
    if (error > 0).any():
        axes.fill_between(x, y - error, y + error, color=style.colour, alpha=0.15, linewidth=0)


def _selected(losses: Losses, curves: pl.DataFrame, criteria: Criteria) -> pl.DataFrame:
    """Curves of the selected datasets, with the datasets' facts."""
    problems = losses.problems.filter(criteria.condition.holds(losses.problems))
    facts = problems.select("digest", "problem", "n", "skyline")
    return curves.join(facts, on="digest", how="inner", maintain_order="left")


def _in_order(losses: Losses, curves: pl.DataFrame) -> list[str]:
    result = set(curves["label"])
    return [label for label in losses.algorithms if label in result]


def _legend_of_lines(canvas: Canvas, labels: list[str], skyline: bool) -> None:
    drawn = list(line_styles(labels).values()) + [SKYLINE_STYLE] * skyline
    handles = [Line2D([], [], **style.line) for style in drawn]
    names = [name_of(label) for label in labels] + [name_of(SKYLINE)] * skyline
    legend(canvas, handles, names)
