"""Figures of an evaluation's page, as SVG."""

import html
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from bakeoff.data import Log
from bakeoff.evaluation.intervals.base import Streams, two_sided
from bakeoff.evaluation.intervals.sequences import robust_lower
from bakeoff.evaluation.results import Evaluation

_POINTS = 15  # in time at which the sequence is drawn
_MOST = 25  # actions and features that are shown
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")


def _axes(height: float = 3.2) -> tuple[Figure, Any]:
    figure = Figure(figsize=(8, height), layout="constrained")
    return figure, figure.subplots()


def _svg(figure: Figure) -> str:
    """A figure as an SVG element, the same bytes for the same figure."""
    text = io.StringIO()
    with rc_context({"svg.hashsalt": "bakeoff", "svg.fonttype": "none"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    drawn = text.getvalue()
    return drawn[drawn.index("<svg") :]


def _name_rows(axes: Any, places: Sequence[int], names: list[str]) -> None:
    """Write names beside rows; a $ in a name is not a formula."""
    axes.set_yticks(places, names, parse_math=False)


def estimates_figure(log: Log, evaluations: Sequence[Evaluation]) -> str:
    """All estimates with their intervals, side by side."""
    rows = [(each, estimate) for each in evaluations for estimate in each.values()]
    figure, axes = _axes(1.0 + 0.3 * len(rows))
    for place, (evaluation, estimate) in enumerate(rows):
        colour = _COLOURS[list(evaluations).index(evaluation) % len(_COLOURS)]
        axes.plot([estimate.low, estimate.high], [place, place], color=colour, lw=3)
        axes.plot(estimate.value, place, "o", color=colour)
        if evaluation.truth is not None:
            axes.plot(evaluation.truth, place, "x", color="black")
    axes.axvline(log.mean_reward, color="grey", lw=1)
    _name_rows(axes, range(len(rows)), [f"{o.policy}, {e.name}" for o, e in rows])
    axes.invert_yaxis()
    axes.set_xlabel("mean reward")
    return _svg(figure)


def weights_figure(evaluation: Evaluation) -> str:
    """How weights are distributed, and how much of all weight lies there."""
    w = evaluation.weight
    assert w is not None
    positive = w[w > 0]
    figure, axes = _axes()
    if len(positive):
        top, least = float(positive.max()), float(positive.min())
        bins = np.geomspace(max(least, top / 1e6), max(top, least * 1.01) * 1.001, 40)
        axes.hist(positive, bins=bins, color=_COLOURS[0])
        axes.set_xscale("log")
    axes.set_yscale("symlog")
    axes.set_xlabel(f"weight ({np.count_nonzero(w == 0):,} of {len(w):,} are zero)")
    axes.set_ylabel("events")
    return _svg(figure)


def time_figure(log: Log, evaluation: Evaluation) -> str:
    """The estimate after so many events, with a confidence sequence."""
    w, r = evaluation.weight, log.reward
    assert w is not None
    ends = np.unique(np.geomspace(min(20, log.n), log.n, _POINTS).astype(int))
    so_far = np.cumsum(w * r)
    bounds = []
    for n in ends:
        streams = Streams((w * r)[:n], (w * (1 - r))[:n])
        bounds.append(two_sided(streams, evaluation.alpha, robust_lower))
    figure, axes = _axes()
    low, high = ([log.in_units(b[i]) for b in bounds] for i in (0, 1))
    axes.fill_between(ends, low, high, color=_COLOURS[0], alpha=0.2)
    axes.plot(ends, [log.in_units(so_far[n - 1] / n) for n in ends], color=_COLOURS[0])
    axes.set_xscale("log")
    axes.set_xlabel("events")
    axes.set_ylabel("mean reward")
    return _svg(figure)


def actions_figure(log: Log, evaluation: Evaluation) -> str:
    """Shares of actions in the log and by the policy."""
    logged = np.bincount(log.action, minlength=log.n_actions) / log.n
    liked = np.bincount(evaluation.favourites, minlength=log.n_actions) / log.n
    shown = np.argsort(-np.maximum(logged, liked))[:_MOST]
    figure, axes = _axes(1.0 + 0.25 * len(shown))
    places = np.arange(len(shown))
    axes.barh(places - 0.2, logged[shown], 0.4, label="logged", color="#999999")
    axes.barh(places + 0.2, liked[shown], 0.4, label=evaluation.policy, color=_COLOURS[0])
    _name_rows(axes, places.tolist(), [log.action_name(int(a)) for a in shown])
    axes.invert_yaxis()
    for text in axes.legend().get_texts():
        text.set_parse_math(False)
    axes.set_xlabel("share of events")
    return _svg(figure)


def features_table(log: Log, evaluations: Sequence[Evaluation]) -> str:
    """Features that tell events where two policies differ from others."""
    first, second = evaluations[0], evaluations[1]
    log = judged_by(log, min(first.n, second.n))
    differs = first.favourites[-log.n :] != second.favourites[-log.n :]
    share = float(differs.mean())
    summary = f"<p>{html.escape(first.policy)} and {html.escape(second.policy)} prefer "
    summary += f"different actions in {share:.1%} of events.</p>"
    if log.first_row is not None or not 0 < share < 1 or log.n_features == 0:
        return summary
    inside, outside = (_means(log.X[np.flatnonzero(d)]) for d in (differs, ~differs))
    squares = _means(log.X * log.X) - _means(log.X) ** 2
    gap = (inside - outside) / np.sqrt(np.maximum(squares, 1e-12))
    order = np.argsort(-np.abs(gap))[:10]
    rows = "".join(
        f"<tr><td>{j}</td><td>{inside[j]:.3g}</td><td>{outside[j]:.3g}</td>"
        f"<td>{gap[j]:+.2f}</td></tr>"
        for j in order
    )
    head = "".join(
        f"<th scope=col>{name}</th>"
        for name in ("feature", "mean where they differ", "elsewhere", "gap (sd)")
    )
    return f"{summary}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


def judged_by(log: Log, n: int) -> Log:
    """The last n events: earlier ones may have taught the policy."""
    return log if n == log.n else log.part(slice(log.n - n, None))


def _means(X: Any) -> Any:
    """The mean of each feature."""
    return np.asarray(X.mean(axis=0)).ravel()
