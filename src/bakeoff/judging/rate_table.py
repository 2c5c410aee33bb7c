"""Learning rates: chosen for each dataset, as the paper does, beside one for all."""

from typing import NamedTuple

import polars as pl

from bakeoff.judging.competitors import fixed
from bakeoff.judging.contest import Condition, candidates_of
from bakeoff.judging.losses import Losses
from bakeoff.judging.rates import full_grid
from bakeoff.judging.statistics.significance import Test


class Rates(NamedTuple):
    """What an algorithm with fixed hyperparameters owes to its learning rate."""

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
    losses: Losses, encoding: str, condition: Condition, test: Test = "paper"
) -> list[Rates]:
    """All algorithms with fixed hyperparameters."""
    made = []
    problems = losses.problems.filter(condition.holds(losses.problems))
    for one in fixed(losses, encoding, test=test):
        played = candidates_of(losses, one.where).settings.join(
            problems, on="digest", how="semi", maintain_order="left"
        )
        full = full_grid(played)
        if not full.is_empty():
            made.append(_of(one.label, full, full["learning_rate"].n_unique()))
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
