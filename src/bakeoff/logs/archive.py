"""Parquet: a decision log with its outcomes joined, one row a decision."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from bakeoff.errors import DataError, ResultsError
from bakeoff.logs.lines import records_of
from bakeoff.logs.schema import DECISION, HEADER, OUTCOME, PARQUET_COLUMNS

_TYPES: dict[str, Any] = {
    "id": pl.String, "time": pl.Float64, "version": pl.Int64, "seed": pl.Int64,
    "round": pl.Int64, "context": pl.String, "available": pl.List(pl.Int64),
    "action": pl.Int64, "name": pl.String, "probability": pl.Float64,
    "probabilities": pl.List(pl.Float64), "reward": pl.Float64,
    "reward_time": pl.Float64,
}  # fmt: skip


def to_parquet(log: str | Path, path: str | Path) -> int:
    """Write a log, all its parts, to one Parquet file; how many decisions it has.

    The header is in the file's metadata, under `bakeoff-log`. Where parts of the log
    have other actions, it is the last header, whose list of actions is the longest.
    """
    header: dict[str, Any] = {}
    rows: dict[str, dict[str, Any]] = {}
    for record in records_of(log):
        kind = record["kind"]
        if kind == HEADER:
            header = record
        elif kind == DECISION:
            row = {name: record.get(name) for name in PARQUET_COLUMNS}
            rows[record["id"]] = row | {"context": json.dumps(record.get("context"))}
        elif kind == OUTCOME and rows.get(record["id"], {}).get("reward", 0) is None:
            rows[record["id"]]["reward"] = record["reward"]
            rows[record["id"]]["reward_time"] = record["time"]
    try:
        frame = pl.DataFrame(list(rows.values()), schema=_TYPES)
    except (pl.exceptions.PolarsError, TypeError) as error:
        raise DataError(f"{log} does not fit the schema: {error!s:.200}") from None
    try:
        frame.write_parquet(path, metadata={HEADER: json.dumps(header)})
    except OSError as error:
        raise ResultsError(f"{path} cannot be written: {error}") from None
    return frame.height
