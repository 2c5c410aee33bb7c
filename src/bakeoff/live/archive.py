"""Parquet: a decision log as a table with one row per decision, joined with its outcome."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from bakeoff.basics.errors import DataError, ResultsError
from bakeoff.reading.logs import (
    DECISION,
    HEADER,
    OUTCOME,
    PARQUET_COLUMNS,
    blaming,
    placed_records_of,
)

_TYPES: dict[str, Any] = {
    "id": pl.String, "time": pl.Float64, "version": pl.Int64, "seed": pl.Int64,
    "round": pl.Int64, "context": pl.String, "available": pl.List(pl.Int64),
    "action": pl.Int64, "name": pl.String, "probability": pl.Float64,
    "probabilities": pl.List(pl.Float64), "reward": pl.Float64,
    "reward_time": pl.Float64,
}  # fmt: skip
_UNFIT = (pl.exceptions.PolarsError, TypeError, ValueError, OverflowError)


def to_parquet(log: str | Path, path: str | Path) -> int:
    """Write all parts of a log to one Parquet file; returns the number of decisions.

    The file's metadata holds the header under `bakeoff-log`. If the parts of the log
    have different actions, it is the last header, which lists the most actions.
    """
    header: dict[str, Any] = {}
    rows: dict[str, dict[str, Any]] = {}
    places: list[tuple[str, dict[str, Any]]] = []
    for where, record in placed_records_of(log):
        if record["kind"] == HEADER:
            header = record
            continue
        with blaming(where):
            if record["kind"] == DECISION:
                decision = {name: record.get(name) for name in PARQUET_COLUMNS}
                decision["context"] = json.dumps(record.get("context"))
                rows[record["id"]] = {**decision}
                places.append((where, decision))
            elif record["kind"] == OUTCOME and rows.get(record["id"], {}).get("reward", 0) is None:
                outcome = {"reward": record["reward"], "reward_time": record["time"]}
                rows[record["id"]] |= outcome
                places.append((where, outcome))
    frame = _frame(rows, places)
    try:
        frame.write_parquet(path, metadata={HEADER: json.dumps(header)})
    except OSError as error:
        raise ResultsError(f"{path} cannot be written: {error}") from None
    return frame.height


def _frame(
    rows: dict[str, dict[str, Any]], places: list[tuple[str, dict[str, Any]]]
) -> pl.DataFrame:
    """Decisions as a table; if a value has the wrong type, an error that names its line."""
    try:
        return pl.DataFrame([_column(name, list(rows.values())) for name in _TYPES])
    except _UNFIT:
        for where, fields in places:
            with blaming(where):
                _check(fields)
        raise


def _column(name: str, rows: list[dict[str, Any]]) -> pl.Series:
    values = [row[name] for row in rows]
    if _TYPES[name] == pl.List(pl.Float64):
        values = [value and [float(x) for x in value] for value in values]
    return pl.Series(name, values, _TYPES[name])


def _check(fields: dict[str, Any]) -> None:
    """Refuse the first field of a wrong type."""
    for name, value in fields.items():
        try:
            _column(name, [fields])
        except _UNFIT:
            raise DataError(f"{name} is {value!r:.60}, not {_TYPES[name]}") from None
