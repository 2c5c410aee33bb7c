"""Figures of standings: mean ranks with their critical difference, regret profiles."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from bakeoff.judging import (
    CLOSE,
    NAMES,
    Contest,
    Criteria,
    Losses,
    Numbers,
    critical_difference,
    friedman_test,
    groups_of,
    main_contest,
    name_of,
    ranks_of,
    regrets_of,
    shares_within,
    standings,
)
from bakeoff.report.figures.parts import (
    datasets,
    legend,
    panels,
    plain_numbers,
    shown,
    view_in_words,
)
from bakeoff.report.figures.style import GREY, Drawing
from bakeoff.report.line_styles import LineStyle, line_styles

NEEDS = "needs two algorithms on a dataset (-a fixed)"
ROW, GAP = 0.55, 0.28  # heights of a name and of a bar, in units of the axis


# ---- mean ranks


def critical_differences(losses: Losses, criteria: Criteria) -> Drawing:
    """Mean ranks of all algorithms; bars join those that do not differ."""
    name, title = "critical-difference", "Mean ranks and their critical difference"
    contest = main_contest(losses, criteria)
    table = _common_losses(contest)
    if len(table) < 2 or table.shape[1] < 2:
        return Drawing(name, title, needs=NEEDS)
    ranks = ranks_of(table)
    means = ranks.mean(axis=0)
    difference = critical_difference(len(means), len(table))
    canvas, [[axes]] = panels(1, 1, 1.0 + 0.2 * len(means))
    _diagram(axes, contest.labels, means, difference)
    caption = (
        f"Mean rank on {datasets([len(table)])} (1 is best). Two algorithms differ "
        f"significantly if they are further apart than the critical difference, "
        f"{difference:.2f} (Nemenyi's test at 5 %; Friedman's test of any difference: "
        f"p = {friedman_test(ranks):.2g}); bars join those that do not. "
        f"{view_in_words(losses, criteria)}."
    )
    return Drawing(name, title, caption, canvas)


def _common_losses(contest: Contest) -> Numbers:
    """Losses on the datasets that all algorithms have."""
    common: Numbers = contest.losses[contest.is_common]
    return common


def _diagram(axes: Axes, labels: tuple[str, ...], means: Numbers, difference: float) -> None:
    n, order = len(means), np.argsort(means, kind="stable")
    groups = groups_of(means[order].tolist(), difference)
    half, top = -(-n // 2), 0.5 + GAP * len(groups)
    axes.set(xlim=(1 - 0.42 * n, n + 0.42 * n), ylim=(top + ROW * half, -1.7))
    axes.set_axis_off()
    axes.plot([1, n], [0, 0], color="black", linewidth=0.8)
    for rank in range(1, n + 1):
        axes.plot([rank, rank], [-0.15, 0], color="black", linewidth=0.8)
        axes.text(rank, -0.25, str(rank), ha="center", va="bottom", fontsize=6)
    axes.plot([1, 1 + difference], [-1.05, -1.05], color="black", linewidth=1.2)
    axes.text(1, -1.15, f"critical difference {difference:.2f}", va="bottom")
    for k, (first, last) in enumerate(groups):
        ends = means[order[first]] - 0.04, means[order[last]] + 0.04
        axes.plot(ends, [GAP * (k + 1)] * 2, color="black", linewidth=2.4)
    drawn = line_styles(labels)
    for place, a in enumerate(order.tolist()):
        is_left = place < half
        y = top + ROW * (place if is_left else n - 1 - place)
        edge = 0.7 if is_left else n + 0.3
        _name(axes, labels[a], drawn[labels[a]], float(means[a]), edge, y, is_left)


def _name(
    axes: Axes, label: str, style: LineStyle, mean: float, edge: float, y: float, left: bool
) -> None:
    axes.plot([mean, mean, edge], [0, y, y], **style.line, linewidth=0.9)
    axes.plot([mean], [0], **style.points, clip_on=False)
    name = shown(NAMES.get(label, label), 24)
    text = f"{name}  {mean:.2f} " if left else f" {mean:.2f}  {name}"
    axes.text(edge, y, text, ha="right" if left else "left", va="center")


# ---- regret


def regret_profiles(losses: Losses, criteria: Criteria) -> Drawing:
    """On which share of the datasets a loss is within so much of the best."""
    name, title = "regret-profile", "Regret profiles"
    contest = main_contest(losses, criteria)
    table = _common_losses(contest)
    if len(table) < 2 or table.shape[1] < 2:
        return Drawing(name, title, needs=NEEDS)
    regrets = regrets_of(table)
    limit = max(2 * CLOSE, float(np.quantile(regrets, 0.95)))
    steps = np.unique(np.append(regrets[regrets <= limit], [0.0, limit]))
    shares = shares_within(regrets, steps)
    canvas, [[axes]] = panels(1, 1, 3.2, width=4.6)
    places = [standing.label for standing in standings(contest, criteria.wins(contest))]
    drawn = line_styles(places)
    for label in places:
        share = shares[:, contest.labels.index(label)]
        axes.step(steps, share, where="post", **drawn[label].line)
    axes.axvline(CLOSE, color=GREY, linewidth=0.5, linestyle=":")
    axes.set(xlim=(0, limit), ylim=(0, 1.01), xlabel="loss above the best on a dataset",
             ylabel="share of datasets")  # fmt: skip
    plain_numbers(axes.xaxis, axes.yaxis)
    handles = [Line2D([], [], **style.line) for style in drawn.values()]
    legend(canvas, handles, [name_of(label) for label in places])
    caption = (
        f"On which share of {datasets([len(table)])} an algorithm's loss is at most so "
        f"much above the best algorithm's there; higher is better. "
        f"{view_in_words(losses, criteria)}; dotted: {CLOSE:g}."
    )
    return Drawing(name, title, caption, canvas)
