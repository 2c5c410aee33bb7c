"""Learning rates: the best for each dataset, elected on the others, or one for all.

The paper chooses the rate on each dataset by the loss that it then reports. Nobody can
do that in an application. Without peeking, a dataset takes the rate with the least mean
loss on all *other* datasets of the store.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from bakeoff.judging.contest import Competitor, Condition, candidates_of, in_same_orders
from bakeoff.judging.losses import Losses

RATE = ("learning_rate",)
CHOICE_AND_RATE = ("choice", "learning_rate")


def full_grid(settings: pl.DataFrame, key: Sequence[str] = RATE) -> pl.DataFrame:
    """The rates (or other values of `key`) that count, on the datasets that have them all.

    Rates count that were played on half as many datasets as the one played most.
    """
    times = pl.len().over(key)
    played = settings.filter(2 * times >= times.max())
    n_values = played.select(key).n_unique()
    return played.filter(pl.len().over("digest") == n_values)


def rates_elsewhere(losses: Losses, where: pl.Expr) -> dict[str, float]:
    """By digest, the rate with the lowest mean loss on the other datasets.

    `where` leaves nothing open but the rate. A dataset that has not been played with
    all rates has no say. One that is alone gets no rate: there are no others.
    """
    return {digest: rate for digest, (rate,) in _elsewhere(losses, where, RATE).items()}


def settings_elsewhere(losses: Losses, where: pl.Expr) -> dict[str, tuple[str, float]]:
    """The same for hyperparameters and rate together, which `where` leaves open."""
    result = _elsewhere(losses, where, CHOICE_AND_RATE)
    return {digest: (str(choice), rate) for digest, (choice, rate) in result.items()}


def _elsewhere(losses: Losses, where: pl.Expr, key: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    settings = in_same_orders(candidates_of(losses, where).settings)
    by_name = pl.col("choice").cast(pl.String)  # else in the order of appearance
    full = full_grid(settings, key).with_columns(by_name).sort("digest", *key)
    if full.is_empty():
        return {}
    values = full.select(key).unique().sort(key).rows()
    table = full["loss"].to_numpy().reshape(-1, len(values))
    total = table.sum(axis=0)
    voters = full["digest"].to_list()[:: len(values)]
    result = {}
    for digest in settings["digest"].unique(maintain_order=True):
        result[digest] = values[int(np.argmin(total.round(12)))]
    for digest, own in zip(voters, table, strict=True):
        result[digest] = values[int(np.argmin((total - own).round(12)))]
    if len(voters) == 1:
        del result[voters[0]]
    return result


def rate_for_all(losses: Losses, where: pl.Expr) -> float | None:
    """The rate with the lowest mean loss over all datasets; the lowest if several are equal.

    Datasets that were not played with all rates have no say. None if nothing was.
    """
    full = full_grid(in_same_orders(candidates_of(losses, where).settings))
    if full.is_empty():
        return None
    means = full.sort("digest").group_by("learning_rate").agg(pl.col("loss").mean())
    rounded = means.with_columns(pl.col("loss").round(12))
    return float(rounded.sort("loss", "learning_rate")["learning_rate"][0])


def at_settings(settings: dict[str, tuple[str, float]]) -> pl.Expr:
    """A condition on settings: each dataset's own hyperparameters and rate."""
    where = pl.lit(False)
    for choice, rate in sorted(set(settings.values())):
        digests = sorted(digest for digest, own in settings.items() if own == (choice, rate))
        is_it = (pl.col("choice") == choice) & (pl.col("learning_rate") == rate)
        where |= is_it & pl.col("digest").is_in(digests)
    return where


def at_rates(rates: dict[str, float]) -> pl.Expr:
    """A condition on settings: each dataset's own rate."""
    where = pl.lit(False)
    for rate in sorted(set(rates.values())):
        digests = sorted(digest for digest, own in rates.items() if own == rate)
        where |= (pl.col("learning_rate") == rate) & pl.col("digest").is_in(digests)
    return where


# ---- what algorithms owe to their rates


class Rates(NamedTuple):
    """How the loss of an algorithm with fixed hyperparameters depends on its learning rate."""

    label: str
    n: int  # datasets with a loss for every rate
    n_rates: int
    loss: float  # mean, with the best rate for each dataset
    rate: float  # the one with the least mean loss
    loss_at_rate: float  # mean, with this one everywhere
    n_lowest: int  # datasets whose best rate is the lowest of the grid
    n_highest: int
    quartiles: tuple[float, float]  # of the best rates


def rates_of(
    losses: Losses, competitors: Iterable[Competitor], condition: Condition
) -> list[Rates]:
    """How the losses of competitors depend on their learning rates."""
    made = []
    problems = losses.problems.filter(condition.holds(losses.problems))
    for competitor in competitors:
        played = candidates_of(losses, competitor.where).settings.join(
            problems, on="digest", how="semi", maintain_order="left"
        )
        full = full_grid(played)
        if not full.is_empty():
            made.append(_of(competitor.label, full, full["learning_rate"].n_unique()))
    return made


def _of(label: str, played: pl.DataFrame, n_rates: int) -> Rates:
    rates = played["learning_rate"]
    is_end = pl.col("learning_rate").is_in([rates.min(), rates.max()])
    best = (
        played.sort("loss", is_end, "learning_rate")  # an end only if it is better
        .group_by("digest", maintain_order=True)
        .first()
    )
    means = (
        played.group_by("learning_rate").agg(pl.col("loss").mean()).sort("loss", "learning_rate")
    )
    quartiles = [float(best["learning_rate"].quantile(q, "nearest") or 0) for q in (0.25, 0.75)]
    return Rates(
        label,
        best.height,
        n_rates,
        _mean(best["loss"]),
        means["learning_rate"][0],
        means["loss"][0],
        int((best["learning_rate"] == rates.min()).sum()),
        int((best["learning_rate"] == rates.max()).sum()),
        (quartiles[0], quartiles[1]),
    )


def _mean(values: pl.Series) -> float:
    return float(values.to_numpy().mean())
