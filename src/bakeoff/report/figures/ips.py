"""Figures of IPS errors: how well logs estimate the uniform policy (Section 4)."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cbook import boxplot_stats

from bakeoff.judging import FIVE, Criteria, Losses, Numbers, contest_of, fixed
from bakeoff.report.figures.parts import datasets, panels, powers, shown
from bakeoff.report.figures.style import BLUE, GREY, WIDTH, Drawing

Source = Literal["ips_reward", "ips_loss"]

MANY = 10_000  # examples: the paper's second panel
WHISKERS = (5, 95)  # percentiles
LEAST = 1e-12  # smaller errors are rounding
CAPTION = (
    "Squared errors of IPS estimates of the uniform policy's cost from the logs of "
    "each algorithm: median (blue), quartiles, 5 % and 95 %. Fixed hyperparameters, "
    "the best learning rate on each dataset"
)


def ips_errors(losses: Losses, criteria: Criteria) -> Drawing:
    """Figure `cfe`: the five methods of the main text, from rewards."""
    return _figure(
        losses, criteria, "ips-errors", "Errors of counterfactual estimates", ("ips_reward",), FIVE
    )


def ips_errors_all(losses: Losses, criteria: Criteria) -> Drawing:
    """Figure `cfe_appx`: all methods, from rewards and from losses."""
    return _figure(
        losses, criteria, "ips-errors-all",
        "Errors of counterfactual estimates, all algorithms",
        ("ips_reward", "ips_loss"), None,
    )  # fmt: skip


def _figure(
    losses: Losses,
    criteria: Criteria,
    name: str,
    title: str,
    sources: Sequence[Source],
    labels: Sequence[str] | None,
) -> Drawing:
    encoding = criteria.encoding_of(losses)
    everywhere = criteria.condition._replace(tasks=("multiclass",))
    conditions = (everywhere, everywhere._replace(least_n=MANY))
    competitors = fixed(losses, encoding, labels, criteria.test)
    contests = [contest_of(losses, competitors, on) for on in conditions]
    result = [[contest.squared_errors(source) for contest in contests] for source in sources]
    counts = [_count(row) for row in zip(*result, strict=True)]
    if not counts[0]:
        needs = f"needs multiclass datasets (-a fixed --encoding={encoding})"
        return Drawing(name, title, needs=needs)
    n_columns = sum(count > 0 for count in counts)
    width = WIDTH if n_columns == 2 else WIDTH / 2 + 0.4
    canvas, axes = panels(len(sources), n_columns, 2.4 * len(sources), sharey="row", width=width)
    for source, row, places in zip(sources, result, axes, strict=True):
        bounds = _bounds([each for errors in row for each in errors.values()])
        for on, errors, place in zip(conditions, row, places, strict=False):
            _boxes(place, errors, bounds)
            most = max(each.size for each in errors.values())
            place.set_title(f"{on}: {datasets([most])}")
        kind = "rewards" if source == "ips_reward" else "losses"
        places[0].set_ylabel(f"squared error, from {kind}")
    caption = (
        f"{CAPTION}, encoding {encoding}. {datasets([counts[0]])}, {counts[1]:,} of "
        f"them with n >= {MANY:,}."
    )
    return Drawing(name, title, caption, canvas)


def _count(result: Sequence[dict[str, Numbers]]) -> int:
    return max((each.size for one in result for each in one.values()), default=0)


def _bounds(errors: Sequence[Numbers]) -> tuple[float, float]:
    """Of an axis with a little room around all whiskers."""
    low, high = np.transpose([np.percentile(each, WHISKERS) for each in errors])
    return max(float(low.min()), LEAST) / 2, max(float(high.max()), LEAST) * 2


def _boxes(axes: Axes, errors: dict[str, Numbers], bounds: tuple[float, float]) -> None:
    axes.set_yscale("log")
    axes.set_ylim(bounds)
    drawn = [np.maximum(each, LEAST) for each in errors.values()]
    line = {"color": "black", "linewidth": 0.7}
    axes.bxp(
        boxplot_stats(drawn, whis=WHISKERS), showfliers=False, widths=0.55,
        patch_artist=True, boxprops={"facecolor": "#EEF1F4", "linewidth": 0.7},
        medianprops={"color": BLUE, "linewidth": 1.6}, whiskerprops=line, capprops=line,
    )  # fmt: skip
    powers(axes.yaxis)
    axes.grid(axis="y", color=GREY, alpha=0.25, linewidth=0.4)
    axes.set_axisbelow(True)
    axes.set_xticks(range(1, len(errors) + 1), [shown(label, 14) for label in errors])
