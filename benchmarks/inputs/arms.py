"""Arms: forms of inputs or feedback that were tried, their losses in a file, and a table."""

import csv
from collections.abc import Iterable
from pathlib import Path

import polars as pl

COLUMNS = ("problem", "form", "encoding", "algorithm", "learning_rate", "loss")
MUCH = 0.01  # a difference of losses that is counted
Row = tuple[str, str, str, str, float, float]


def known_in(path: Path) -> set[str]:
    """The problems that were played."""
    return set(pl.read_csv(path)["problem"].unique()) if path.exists() else set()


def keep(path: Path, head: tuple[str, ...], rows: Iterable[tuple[object, ...]]) -> None:
    """Add rows to a file."""
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.writer(file)
        if is_new:
            writer.writerow(head)
        writer.writerows(rows)


def with_chosen_rates(table: pl.DataFrame) -> pl.DataFrame:
    """The loss of each cell at its best rate, and at the rate that is best elsewhere."""
    cell = ["form", "encoding", "algorithm"]
    total = pl.col("loss").sum().over([*cell, "learning_rate"])
    others = table.with_columns(others=total - pl.col("loss"))
    return others.group_by("problem", *cell, maintain_order=True).agg(
        best=pl.col("loss").min(),
        elsewhere=pl.col("loss").sort_by("others", "learning_rate").first(),
    )


def arm_lines(
    path: Path, usual: str, counted: tuple[str, ...], shown: tuple[str, ...] = ("best", "elsewhere")
) -> list[str]:
    """A table of mean losses by form for each encoding, at the rates that are shown.

    The last columns count the datasets on which the best is much below or above `usual`.
    """
    losses = with_chosen_rates(pl.read_csv(path))
    lines: list[str] = []
    for encoding in losses["encoding"].unique(maintain_order=True):
        some = losses.filter(pl.col("encoding") == encoding)
        labels = some["algorithm"].unique(maintain_order=True).to_list()
        head = [*labels, *(f"{label} better / worse by .01" for label in counted)]
        n = some["problem"].n_unique()
        lines += [f"**{encoding}**, {n} datasets\n"]
        lines += [f"| form | {' | '.join(head)} |", "|---|" + "---|" * len(head)]
        reference = some.filter(pl.col("form") == usual)
        reference = reference.select("problem", "algorithm", usual="best")
        change = pl.col("best") - pl.col("usual")
        for form in some["form"].unique(maintain_order=True):
            own = some.filter(pl.col("form") == form).join(reference, on=["problem", "algorithm"])
            cells = []
            for label in labels:
                rows = own.filter(pl.col("algorithm") == label)
                cells.append(", ".join(f"{rows[rate].to_numpy().mean():.4f}" for rate in shown))
            for label in counted:
                rows = own.filter(pl.col("algorithm") == label)
                better, worse = rows.select(a=change < -MUCH, b=change > MUCH).sum().row(0)
                cells.append(f"{better} / {worse}")
            lines.append(f"| {form} | {' | '.join(cells)} |")
        lines.append("")
    return lines[:-1]
