"""The heat map: who beats whom more often than the other way round."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.ticker import MaxNLocator

from bakeoff.judging import Contest, Criteria, Losses, contest_of, differences, fixed
from bakeoff.report.figures.parts import datasets, panels, shown
from bakeoff.report.figures.style import WIDTH, Drawing, arrange

SCALE = LinearSegmentedColormap.from_list(
    "losses-wins",
    ["#DD7E33", "white", "#4095C5"],  # black text is readable on all
).with_extremes(bad="#DDDDDD")  # the diagonal


def heat_map(losses: Losses, criteria: Criteria) -> Drawing:
    """Significant wins minus losses of rows against columns, by encoding."""
    name, title = "heat-map", "Significant wins minus losses"
    every = {
        encoding: contest_of(
            losses, fixed(losses, encoding, test=criteria.test), criteria.condition
        )
        for encoding in criteria.encodings(losses)
    }
    contests = {
        encoding: each for encoding, each in every.items() if each.n and len(each.labels) > 1
    }
    if not contests:
        return Drawing(name, title, needs="needs two algorithms on a dataset (-a fixed)")
    grids = {encoding: differences(criteria.wins(each)) for encoding, each in contests.items()}
    most = max(1, *(int(np.abs(grid).max()) for grid in grids.values()))
    columns = min(2, len(contests))
    rows = -(-len(contests) // columns)
    canvas, axes = panels(rows, columns, 3.1 * rows, width=WIDTH if columns == 2 else 3.9)
    places = [place for row in axes for place in row]
    for place in places[len(contests) :]:
        place.set_axis_off()
    for place, (encoding, each) in zip(places, contests.items(), strict=False):
        _heat(place, each, grids[encoding], most)
        place.set_title(f"{encoding} encoding, {datasets([each.n])}")
    spare = len(places) > len(contests)
    where: dict[str, Any] = {"ax": places, "shrink": 0.6, "aspect": 25}
    if spare:
        where = {"cax": places[-1].inset_axes((0.15, 0.55, 0.7, 0.05))}
    canvas.colorbar(
        places[0].images[0], label="wins minus losses of the row", **where,
        orientation="horizontal" if spare else "vertical",
        ticks=MaxNLocator(6, integer=True), format="{x:,.0f}",
    )  # fmt: skip
    arrange(canvas)
    for place in places:
        place.set_aspect("equal")
    caption = (
        f"Rows against columns, fixed hyperparameters, {criteria.condition} datasets: "
        f"{datasets(each.n for each in contests.values())}."
    )
    return Drawing(name, title, caption, canvas)


def _heat(axes: Axes, contest: Contest, grid: np.ndarray, most: int) -> None:
    n = len(contest.labels)
    size = min(6.0, 60 / n)
    blank = np.where(np.eye(n, dtype=bool), np.nan, grid.astype(float))
    axes.imshow(blank, cmap=SCALE, vmin=-most, vmax=most, aspect="auto")
    for (i, j), value in np.ndenumerate(grid):
        if i != j:
            text = f"{value:+,}" if value else "0"
            axes.text(j, i, text, ha="center", va="center", fontsize=size)
    labels = [shown(label, 12) for label in contest.labels]
    axes.set_xticks(range(n), labels, rotation=90 if max(map(len, labels)) > 5 else 0)
    axes.set_yticks(range(n), labels)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
