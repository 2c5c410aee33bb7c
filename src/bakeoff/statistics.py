"""Statistics of results: progressive validation losses (Section 4)."""

import polars as pl

CHOSEN = ["digest", "shuffle", "encoding", "algorithm"]
SETTINGS = ["explorer", "reduction", "learning_rate", "baseline"]


def best_losses(results: pl.DataFrame) -> pl.DataFrame:
    """The least loss of each algorithm on each problem and shuffle, over its settings.

    Seeds are draws, not settings: losses are averaged over them first. The skyline sees
    all costs and has no encoding. A problem is its content: of several names, the first
    is kept.
    """
    skyline = pl.col("explorer").str.starts_with("supervised")
    encoding = pl.when(skyline).then(pl.lit("-")).otherwise(pl.col("encoding"))
    return (
        results.filter(pl.col("pv_loss").is_not_null())
        .with_columns(pl.col("problem").first().over("digest"), encoding=encoding)
        .group_by("problem", *CHOSEN, *SETTINGS, maintain_order=True)
        .agg(pl.col("pv_loss").mean())
        .group_by("problem", *CHOSEN, maintain_order=True)
        .agg(pl.col("pv_loss").min())
    )


def loss_table(results: pl.DataFrame) -> pl.DataFrame:
    """Per encoding and algorithm: mean loss over problems, and where it is the best.

    Losses of a problem's shuffles are averaged first. Ties count for everybody.
    """
    losses = (
        best_losses(results)
        .group_by("problem", "digest", "encoding", "algorithm", maintain_order=True)
        .agg(pl.col("pv_loss").mean())
    )
    least = pl.col("pv_loss").min().over("digest", "encoding")
    return (
        losses.with_columns(is_best=(pl.col("pv_loss") == least))
        .group_by("encoding", "algorithm", maintain_order=True)
        .agg(
            pl.col("pv_loss").mean().alias("mean_loss"),
            pl.col("is_best").sum().alias("best_on"),
            pl.len().alias("problems"),
        )
        .sort("encoding", "mean_loss")
    )
