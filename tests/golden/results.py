"""The rows of the paper's grid on the embedded suite, as one hash per cell.

A cell is a dataset, a shuffle and an algorithm. Its hash covers every bit of its rows:
a column after the other, with rows in the order of their runs. The mean loss beside it
tells how large a change is.
"""

import hashlib
import platform
from pathlib import Path
from typing import Any

import polars as pl

from bakeoff.runs import ARITHMETIC, paper_choices
from bakeoff.store.store import Store
from tests.golden.files import write_json

UNWEIGHTED = [
    text.replace("reduction=dr", "reduction=dr-unweighted")
    for text in paper_choices()
    if text.endswith("reduction=dr")
]
COMMAND = ("run", "embedded", "-a", "paper", "--shuffles", "2")
IN_BOTH = (*COMMAND, *(word for text in UNWEIGHTED for word in ("-a", text)))
"""With DR as in the first arithmetic, too."""
PLATFORM = f"{platform.system()} {platform.machine()}"
COLUMNS = [
    "problem", "digest", "task", "n", "n_features", "n_actions", "openml_id",
    "constant_action_cost", "uniform_cost", "shuffle", "algorithm", "explorer",
    "reduction", "learning_rate", "encoding", "offset", "baseline", "seed", "job_seed",
    "run", "pv_loss", "ips_reward", "ips_loss", "curve_rounds", "curve_loss", "error",
]  # fmt: skip
"""All but what depends on the machine and the version."""


def cells_of(store: Path, columns: list[str], arithmetic: int) -> dict[str, list[Any]]:
    """The hash and the mean loss of each cell of a store, by one arithmetic."""
    rows = Store(store).read(columns)
    other = "dr" if arithmetic == 1 else "dr-unweighted"
    rows = rows.filter(pl.col("reduction").ne_missing(other))
    if arithmetic == 1:
        rows = rows.with_columns(pl.col("reduction", "run").str.replace("dr-unweighted", "dr"))
    rows = rows.sort("problem", "shuffle", "algorithm", "run")
    cells = rows.partition_by("problem", "shuffle", "algorithm", as_dict=True)
    return {
        f"{problem}, shuffle {shuffle}, {algorithm}": [
            hash_of(cell.select(columns)),
            cell["pv_loss"].mean(),
        ]
        for (problem, shuffle, algorithm), cell in cells.items()
    }


def hash_of(rows: pl.DataFrame) -> str:
    """A hash of rows that every version of polars gives."""
    content = hashlib.sha256()
    for name in rows.columns:
        column = rows[name]
        content.update(f"\n{name}\n".encode())
        content.update(column.is_null().to_numpy().tobytes())
        if column.dtype == pl.String:
            content.update("\0".join(text or "" for text in column).encode())
            continue
        if isinstance(column.dtype, pl.List):
            content.update(column.list.len().cast(pl.Int64).to_numpy().tobytes())
            column = column.explode()
        column = column.drop_nulls()
        kind = pl.Float64 if column.dtype == pl.Float64 else pl.Int64
        content.update(column.cast(kind).to_numpy().tobytes())
    return content.hexdigest()[:16]


def make_results(folder: Path, store: Path) -> None:
    """Write the golden file of a store that `COMMAND` has made."""
    content = {
        "command": ["bakeoff", *COMMAND],
        "platform": PLATFORM,
        "columns": COLUMNS,
        "arithmetic": ARITHMETIC,
        "cells": cells_of(store, COLUMNS, ARITHMETIC),
    }
    write_json(folder / "results.json", content)


def changes(golden: dict[str, Any], store: Path) -> list[str]:
    """The cells of a store that are other than in a golden file."""
    today = cells_of(store, golden["columns"], golden.get("arithmetic", 1))
    found = []
    for cell, (known, loss) in golden["cells"].items():
        now, loss_now = today.get(cell, (None, None))
        if now != known:
            found.append(f"{cell}: mean loss {loss}, now {loss_now}")
    return found
