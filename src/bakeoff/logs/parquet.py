"""Our decision log as Parquet: the fields of decisions as columns, with `reward`."""

import json
from pathlib import Path
from typing import Any

import polars as pl

from bakeoff.errors import DataError
from bakeoff.logs import table
from bakeoff.logs.json_lines import Joined, log_of
from bakeoff.logs.log import Log
from bakeoff.logs.options import LogOptions
from bakeoff.logs.schema import HEADER
from bakeoff.problems.readers.files import explained, plain_stem
from bakeoff.text import counted


def read(path: Path, options: LogOptions) -> Log:
    """A log of ours, or a table with named columns."""
    try:
        with explained(path), path.open("rb") as file:
            frame = pl.read_parquet(file)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{path}: is not a readable Parquet file ({reason})") from None
    if "context" not in frame.columns:
        return table.of_frame(frame, options, str(path))
    return log_of(_joined(frame, path), str(path), plain_stem(path), options)


def _joined(frame: pl.DataFrame, path: Path) -> Joined:
    """Rows as decisions; those without a reward are left out and counted."""
    for column in ("action", "reward"):
        if column not in frame.columns:
            raise DataError(f"{path}: has no column {column!r}, which a log needs")
    header = _header(path)
    if "id" in frame.columns and frame["id"].is_duplicated().any():
        twice = frame["id"].filter(frame["id"].is_duplicated())[0]
        raise DataError(f"{path}: the id {twice!r} occurs twice")
    kept = frame.filter(frame["reward"].is_not_null())
    if not kept.height:
        raise DataError(f"{path}: a log needs decisions with outcomes, but has none")
    left_out = frame.height - kept.height
    notes = [f"left out: {counted(left_out, 'decision')} without an outcome"]
    rows: list[dict[str, Any]] = kept.to_dicts()
    for row in rows:
        if isinstance(row["context"], str):
            row["context"] = json.loads(row["context"])
    if header.get("actions") is None and all(row.get("name") for row in rows):
        header = {**header, **_names(rows)}
    rewards = [float(row["reward"]) for row in rows]
    places = [f"{path}: row {i}" for i in range(1, len(rows) + 1)]
    said = notes if left_out else []
    return Joined(header, rows, places, rewards, places, said)


def _header(path: Path) -> dict[str, Any]:
    """What the file's metadata say of the learner; the key is whatever holds it."""
    for value in pl.read_parquet_metadata(path).values():
        try:
            found = json.loads(value)
        except ValueError:
            continue
        if isinstance(found, dict) and found.get("kind") == HEADER:
            return found
    return {"adaptive": True}


def _names(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Names of actions, if all of them occur."""
    names = {row["action"]: row["name"] for row in rows}
    if sorted(names) != list(range(len(names))):
        return {}
    return {"actions": [names[a] for a in range(len(names))]}
