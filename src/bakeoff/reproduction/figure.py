"""The figures of a reproduction: effects of claims, losses without peeking, and today's losses."""

import io
import math
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from bakeoff.report import Finding
from bakeoff.reproduction.twins import Twins
from bakeoff.runs import CENTRED, RAW

STYLE: dict[Any, Any] = {"svg.hashsalt": "bakeoff", "font.size": 8, "svg.fonttype": "path"}
COLOURS = {"supported": "#0a7f5a", "refuted": "#b3261e", "undecided": "#6b6b6b"}
INPUT_COLOURS = {RAW: "#0072B2", CENTRED: "#D55E00"}
VIEWS = {  # in short
    "fixed": "best in\nhindsight",
    "other_orders": "other\nshuffles",
    "unpeeked": "other\ndatasets",
    "optimised": "best in\nhindsight",
    "tuned_orders": "other\nshuffles",
    "elected": "other\ndatasets",
    "voted": "vote of\nothers",
}


def figure_of(findings: Sequence[Finding], twins: Sequence[Twins]) -> bytes:
    """Both panels as SVG."""
    with mpl.rc_context(STYLE):
        canvas = Figure(figsize=(9, 6.5), layout="constrained")
        left, right = canvas.subplots(1, 2, width_ratios=(3, 2))
        _claims(left, findings)
        _views(right, twins)
        return _svg(canvas)


def figure_of_company(losses: Mapping[str, Mapping[str, float]]) -> bytes:
    """Mean losses of algorithms with raw and with centred inputs, as SVG."""
    with mpl.rc_context(STYLE):
        canvas = Figure(figsize=(7.5, 1 + 0.17 * len(losses)), layout="constrained")
        draw_company(canvas.subplots(), losses)
        return _svg(canvas)


def draw_company(axes: Axes, losses: Mapping[str, Mapping[str, float]]) -> None:
    """A row for each algorithm, the lowest loss on top; a dot for each kind of inputs."""
    names = sorted(losses, key=lambda name: -min(losses[name].values()))
    for row, name in enumerate(names):
        found = losses[name]
        axes.plot(list(found.values()), [row] * len(found), color="#bbbbbb", lw=1, zorder=0)
        for inputs, loss in found.items():
            axes.plot(loss, row, "o", markersize=5, color=INPUT_COLOURS[inputs])
    for inputs, colour in INPUT_COLOURS.items():
        axes.plot([], [], "o", color=colour, label=inputs)
    axes.legend(frameon=False, ncols=2, loc="lower left", bbox_to_anchor=(0, 1))
    axes.set_yticks(range(len(names)), names)
    axes.set_xlabel("mean loss, learning rate chosen on the other datasets")
    axes.spines[["top", "right"]].set_visible(False)


def _svg(canvas: Figure) -> bytes:
    file = io.BytesIO()
    canvas.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _claims(axes: Axes, findings: Sequence[Finding]) -> None:
    shown = [one for one in findings if not math.isnan(one.effect)]
    axes.axvline(0, color="black", linewidth=0.8)
    for row, one in enumerate(reversed(shown)):
        colour = COLOURS[one.verdict]
        low, high = one.interval
        if not math.isnan(low):
            axes.plot([100 * low, 100 * high], [row, row], color=colour, linewidth=2)
        axes.plot(100 * one.effect, row, "o", color=colour, markersize=5)
        if not math.isnan(one.paper_effect):
            axes.plot(
                100 * one.paper_effect, row, "D", color="black", markersize=4, fillstyle="none"
            )
    for verdict, colour in COLOURS.items():
        axes.plot([], [], "o-", color=colour, label=verdict)
    axes.plot([], [], "D", color="black", fillstyle="none", label="the paper")
    axes.set_yticks(range(len(shown)), [one.claim.name for one in reversed(shown)])
    axes.set(xlabel="net wins per 100 datasets", title="The paper's claims")
    axes.legend(frameon=False, loc="lower right")
    axes.spines[["top", "right"]].set_visible(False)


def _views(axes: Axes, twins: Sequence[Twins]) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    if not twins:
        axes.set_axis_off()
        return
    one = twins[0]
    at = range(len(one.kinds))
    for k, (label, places) in enumerate(one.places.items()):
        means = [place.mean_loss for place in places]
        axes.plot(at, means, marker="os^vDPX*h"[k % 9], label=label, linewidth=1)
    axes.set_xticks(at, [VIEWS[kind] for kind in one.kinds])
    axes.set(ylabel="mean loss", title=f"Who chooses the rate ({one.encoding}, {one.n} datasets)")
    axes.legend(frameon=False, ncols=3)
