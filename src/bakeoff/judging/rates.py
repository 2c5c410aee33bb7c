"""Learning rates without peeking: elected on the other datasets, or one for all.

The paper chooses the rate on each dataset by the loss that it then reports. Nobody can
do that in an application. Here a dataset takes the rate with the least mean loss on
all *other* datasets of the store.
"""

import numpy as np
import polars as pl

from bakeoff.judging.contest import candidates_of, in_same_orders
from bakeoff.judging.losses import Losses


def full_grid(settings: pl.DataFrame) -> pl.DataFrame:
    """The rates that count, on the datasets that have them all.

    Rates count that were played on half as many datasets as the one played most.
    """
    times = pl.len().over("learning_rate")
    played = settings.filter(2 * times >= times.max())
    n_rates = played["learning_rate"].n_unique()
    return played.filter(pl.len().over("digest") == n_rates)


def rates_elsewhere(losses: Losses, where: pl.Expr) -> dict[str, float]:
    """By digest, the rate with the least mean loss on the other datasets.

    `where` leaves nothing open but the rate. A dataset that has not been played with
    all rates has no say. One that is alone gets no rate: there are no others.
    """
    settings = in_same_orders(candidates_of(losses, where).settings)
    full = full_grid(settings).sort("digest", "learning_rate")
    if full.is_empty():
        return {}
    rates = full["learning_rate"].unique().sort().to_list()
    table = full["loss"].to_numpy().reshape(-1, len(rates))
    total = table.sum(axis=0)
    voters = full["digest"].to_list()[:: len(rates)]
    found = {}
    for digest in settings["digest"].unique(maintain_order=True):
        found[digest] = rates[int(np.argmin(total.round(12)))]
    for digest, own in zip(voters, table, strict=True):
        found[digest] = rates[int(np.argmin((total - own).round(12)))]
    if len(voters) == 1:
        del found[voters[0]]
    return found


def rate_for_all(losses: Losses, where: pl.Expr) -> float | None:
    """The rate with the least mean loss over all datasets; the lowest of equals.

    Datasets that were not played with all rates have no say. None if nothing was.
    """
    full = full_grid(in_same_orders(candidates_of(losses, where).settings))
    if full.is_empty():
        return None
    means = full.sort("digest").group_by("learning_rate").agg(pl.col("loss").mean())
    rounded = means.with_columns(pl.col("loss").round(12))
    return float(rounded.sort("loss", "learning_rate")["learning_rate"][0])


def at_rates(rates: dict[str, float]) -> pl.Expr:
    """A condition on settings: each dataset's own rate."""
    where = pl.lit(False)
    for rate in sorted(set(rates.values())):
        digests = sorted(digest for digest, own in rates.items() if own == rate)
        where |= (pl.col("learning_rate") == rate) & pl.col("digest").is_in(digests)
    return where
