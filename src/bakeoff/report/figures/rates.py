"""The figure of learning rates: mean loss against the rate, by algorithm."""

import polars as pl
from matplotlib.lines import Line2D

from bakeoff.judging import Criteria, Losses, fixed, name_of
from bakeoff.report.figures.parts import (
    comparable,
    datasets,
    left_out,
    legend,
    panels,
    plain_numbers,
)
from bakeoff.report.figures.style import Drawing
from bakeoff.report.line_styles import line_styles


def scaled_losses(losses: Losses, encoding: str, criteria: Criteria) -> tuple[pl.DataFrame, str]:
    """label, learning_rate, loss, datasets: means over comparable ones; what is not.

    On each of them losses are measured from the best (0) to the worst (1) of all
    algorithms and rates, so that datasets count alike.
    """
    wanted = losses.problems.filter(criteria.condition.holds(losses.problems))
    played = losses.settings.join(wanted.select("digest"), on="digest", how="semi")
    rows = [
        played.filter(competitor.where).select(
            "digest", "learning_rate", "loss", label=pl.lit(competitor.label)
        )
        for competitor in fixed(losses, encoding, test=criteria.test)
    ]
    if not rows:
        return pl.DataFrame(), ""
    known = pl.concat(rows).drop_nulls()
    kept = comparable(known, ["label", "learning_rate"])
    loss = pl.col("loss")
    least, most = loss.min().over("digest"), loss.max().over("digest")
    scaled = pl.when(most > least).then((loss - least) / (most - least)).otherwise(0.0)
    means = (
        kept.with_columns(scaled.alias("loss"))
        .group_by("label", "learning_rate", maintain_order=True)  # the same sums
        .agg(loss.mean(), datasets=pl.len())
        .sort("label", "learning_rate")
    )
    return means, left_out(known, kept)


def learning_rates(losses: Losses, criteria: Criteria) -> Drawing:
    """Mean loss against the learning rate, a panel for each encoding."""
    name, title = "learning-rates", "Loss against the learning rate"
    result = {
        encoding: scaled_losses(losses, encoding, criteria)
        for encoding in criteria.encodings(losses)
    }
    drawn = {encoding: means for encoding, (means, _) in result.items() if means.height}
    if not any(means["learning_rate"].n_unique() > 1 for means in drawn.values()):
        needs = "needs runs at several learning rates (-a fixed)"
        return Drawing(name, title, needs=needs)
    canvas, [axes] = panels(1, len(drawn), 3.1, sharey=True, width=1.5 + 1.8 * len(drawn))
    rates = [rate for means in drawn.values() for rate in means["learning_rate"]]
    used = {label for means in drawn.values() for label in means["label"]}
    labels = [label for label in losses.algorithms if label in used]
    for place, (encoding, means) in zip(axes, drawn.items(), strict=True):
        place.set_xscale("log")
        place.set_xlim(min(rates) / 1.6, max(rates) * 1.6)
        for label, style in line_styles(labels).items():
            of = means.filter(pl.col("label") == label)
            place.plot(of["learning_rate"], of["loss"], **style.points)
        plain_numbers(place.xaxis)
        place.set(xlabel="learning rate")
        place.set_title(f"{encoding} encoding, {datasets([means['datasets'][0]])}")
    axes[0].set_ylabel("mean loss, from best (0) to worst (1)")
    plain_numbers(axes[0].yaxis)
    handles = [Line2D([], [], **style.points) for style in line_styles(labels).values()]
    legend(canvas, handles, [name_of(label) for label in labels])
    counts = "; ".join(
        f"{encoding}: {datasets([means['datasets'][0]])}{result[encoding][1]}"
        for encoding, means in drawn.items()
    )
    caption = (
        "Fixed hyperparameters. On each dataset losses are measured from the best (0) "
        "to the worst (1) of all algorithms and rates of an encoding, so that datasets "
        f"count alike. {counts}."
    )
    return Drawing(name, title, caption, canvas)
