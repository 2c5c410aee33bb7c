"""Figures of pairs: the losses of two competitors against each other (Section 4)."""

import math
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.ticker import MaxNLocator

from bakeoff.basics.text import counted
from bakeoff.judging import Condition, Criteria, Losses, Numbers, Outcomes, Pair, Pairs, contest_of
from bakeoff.report.figures.parts import datasets, legend, panels, plain_numbers, shown
from bakeoff.report.figures.style import GREY, OTHERS, SIGNIFICANT, Drawing, arrange

AXES = "Axes: normalised loss, (loss - skyline) / skyline"
REACH = 5  # points further from the quartiles, in units of their distance, are far
SIZE = 11  # of a point, in square points


class Points(NamedTuple):
    """What a panel shows."""

    pair: Pair
    x: Numbers  # (D,) normalised losses of one competitor
    y: Numbers  # and of the other
    x_wins: Outcomes  # (D,)
    y_wins: Outcomes
    left_out: int  # problems with both losses, but without a skyline above 0


def points_of(losses: Losses, criteria: Criteria, pair: Pair, on: Condition) -> Points:
    """A pair on the problems that both have a loss on."""
    contest = contest_of(losses, [pair.x, pair.y], on)
    outcomes = criteria.wins(contest)
    played = ~np.isnan(contest.losses).any(axis=1)
    drawn = ~np.isnan(contest.normalised).any(axis=1)
    x, y = contest.normalised[drawn].T
    return Points(
        pair, x, y, outcomes[0, 1, drawn], outcomes[1, 0, drawn], int((played & ~drawn).sum())
    )


def pairs_figure(losses: Losses, criteria: Criteria, pairs: Pairs) -> Drawing:
    """The panels of a figure of pairs; the axes of a row are the same."""
    rows = [
        [points_of(losses, criteria, pair, pairs.condition) for pair in row] for row in pairs.rows
    ]
    shown_rows = [[points for points in row if points.x.size] for row in rows]
    shown_rows = [row for row in shown_rows if row]
    drawn = [points for row in shown_rows for points in row]
    if not drawn:
        hidden = max(points.left_out for row in rows for points in row)
        needs = f"needs a skyline above 0 (-a supervised): {hidden:,} without one"
        return Drawing(pairs.name, pairs.title, needs=needs if hidden else pairs.needs)
    n_rows, n_columns = len(shown_rows), max(map(len, shown_rows))
    canvas, axes = panels(n_rows, n_columns, 0.4 + 2.5 * n_rows)
    beyond = 0
    for row, places in zip(shown_rows, axes, strict=True):
        bounds = limits(row)
        for points, place in zip(row, places, strict=False):
            beyond += _scatter(place, points, bounds)
        for place in places[len(row) :]:
            place.set_axis_off()
    _legend_of_points(canvas, criteria.rule, beyond)
    arrange(canvas)
    for place in canvas.axes:
        place.set_aspect("equal")
    caption = _caption(pairs, drawn)
    n_empty = sum(map(len, rows)) - len(drawn)
    if n_empty:
        caption += f" Left out for want of data: {counted(n_empty, 'panel')} ({pairs.needs})."
    return Drawing(pairs.name, pairs.title, caption, canvas)


def _caption(pairs: Pairs, drawn: list[Points]) -> str:
    count = datasets(points.x.size for points in drawn)
    left_out = max(points.left_out for points in drawn)
    caption = f"{pairs.caption} Orange: significant. {count} ({pairs.condition})"
    if left_out:
        was = "was" if left_out == 1 else "were"
        caption += f"; {left_out:,} {was} left out, as the skyline is 0 or missing"
    return f"{caption}."


def limits(row: list[Points]) -> tuple[float, float]:
    """Bounds of the axes, such that a few far points do not squeeze the others."""
    if not row:
        return 0.0, 1.0
    values = np.concatenate([each for points in row for each in (points.x, points.y)])
    low, high = np.quantile(values, [0.25, 0.75])
    reach = REACH * (high - low)
    near = values[(values >= low - reach) & (values <= high + reach)]
    low, high = near.min(), near.max()
    pad = 0.05 * (high - low) or 0.05
    return float(low - pad), float(high + pad)


def _scatter(axes: Axes, points: Points, bounds: tuple[float, float]) -> int:
    """Draw a panel; how many points are beyond its axes."""
    low, high = bounds
    axes.plot(bounds, bounds, color=GREY, linewidth=0.6, zorder=1)
    at = np.stack([points.x, points.y])
    greatest = at.max(axis=0)
    nearer = np.where(greatest > high, high / np.maximum(greatest, 1e-9), 1.0)
    beyond = (at > high).astype(int) - (at < low)
    margin = 0.02 * (high - low)
    inside = np.clip(at * nearer, low + margin, high - margin)  # in the same direction
    inside = np.where((beyond == 0).all(axis=0), at, inside)
    is_red = points.x_wins | points.y_wins
    for across, up in sorted(set(map(tuple, beyond.T.tolist()))):
        is_far, marker = bool(across or up), MarkerStyle("o")
        if is_far:  # a triangle that points to where the point is
            marker = MarkerStyle("^").rotated(rad=math.atan2(-across, up))
        there = (beyond[0] == across) & (beyond[1] == up)
        for red, colour in ((False, OTHERS), (True, SIGNIFICANT)):
            x, y = inside[:, there & (is_red == red)]
            if x.size:
                axes.scatter(
                    x, y, s=SIZE * (2.2 if is_far else 1), color=colour,
                    marker=marker, linewidths=0.3, edgecolors="white", clip_on=False,
                    zorder=3 if red else 2,
                )  # fmt: skip
    n_beyond = int(beyond.any(axis=0).sum())
    _label(axes, points, n_beyond)
    axes.set(xlim=bounds, ylim=bounds)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    plain_numbers(axes.xaxis, axes.yaxis)
    return n_beyond


def _label(axes: Axes, points: Points, beyond: int) -> None:
    note = datasets([points.x.size]) + (f", {beyond:,} beyond" if beyond else "")
    axes.set_title(f"{shown(points.pair.title, 48)}\n{note}")
    for put, competitor, won in (
        (axes.set_xlabel, points.pair.x, points.x_wins),
        (axes.set_ylabel, points.pair.y, points.y_wins),
    ):
        count = int(won.sum())
        put(f"{shown(competitor.label)} ({counted(count, 'win')})")


def _legend_of_points(canvas: Canvas, rule: str, beyond: int) -> None:
    kinds = [
        (f"significant difference ({rule})", "o", SIGNIFICANT),
        ("no significant difference", "o", OTHERS),
        ("beyond the axes", "^", GREY),
    ][: 3 if beyond else 2]
    handles = [
        Line2D([], [], linestyle="", marker=marker, color=colour, markersize=3.5)
        for _, marker, colour in kinds
    ]
    legend(canvas, handles, [text for text, _, _ in kinds], title=AXES, handlelength=1)
