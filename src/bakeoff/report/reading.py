"""Reading a store for a report: first all losses, then the curves that are shown."""

import polars as pl

from bakeoff.results import SCHEMA, Store
from bakeoff.statistics.contest import Contest
from bakeoff.statistics.losses import SETTING, Losses, losses_of, with_choice

CURVE = ["curve_rounds", "curve_loss"]


def read_losses(store: Store) -> Losses:
    """The losses of a store; curves are left on the disk."""
    return losses_of(store.read([name for name in SCHEMA if name not in CURVE]))


def curves_of(store: Store, held: Contest) -> pl.DataFrame:
    """digest, label, curve_rounds, curve_loss: the mean over orders and seeds."""
    chosen = pl.concat(
        [
            table.select("digest", *SETTING, label=pl.lit(label))
            for label, table in zip(held.labels, held.chosen, strict=True)
        ]
    ).drop_nulls("algorithm")
    wanted = ["digest", "algorithm", "encoding", "baseline", "explorer", "reduction",
              "learning_rate", *CURVE]  # fmt: skip
    rows = with_choice(store.read(wanted)).drop_nulls(CURVE)
    return (
        rows.join(chosen, on=["digest", *SETTING], how="inner")
        .explode(CURVE)
        .group_by("digest", "label", "curve_rounds")
        .agg(pl.col("curve_loss").mean())
        .sort("digest", "label", "curve_rounds")
        .group_by("digest", "label", maintain_order=True)
        .agg(CURVE)
    )
