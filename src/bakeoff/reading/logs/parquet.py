"""Our decision log as Parquet: the fields of decisions as columns, with `reward`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import counted
from bakeoff.data import Log, Place
from bakeoff.reading.files import plain_stem
from bakeoff.reading.formats.parquet import frame_in
from bakeoff.reading.logs import table
from bakeoff.reading.logs.json_lines import Joined, log_of
from bakeoff.reading.logs.lines import spell_today
from bakeoff.reading.logs.options import LogOptions
from bakeoff.reading.logs.schema import HEADER

ROW = "row of the file"


def read(path: Path, options: LogOptions) -> Log:
    """A log of ours, or a table with named columns."""
    frame, metadata = frame_in(path)
    if "context" not in frame.columns:
        return table.of_frame(frame, options, Place(str(path)))
    return log_in(frame.with_row_index(ROW, offset=1), metadata, path, options)


def log_in(
    frame: pl.DataFrame, metadata: Mapping[str, str], path: Path, options: LogOptions
) -> Log:
    """The log in some numbered rows of a file of ours."""
    joined = _joined(frame, _header(metadata), path)
    return log_of(joined, str(path), plain_stem(path), options)


def _joined(frame: pl.DataFrame, header: dict[str, Any], path: Path) -> Joined:
    """Rows as decisions; those without a reward are left out and counted."""
    for column in ("action", "reward"):
        if column not in frame.columns:
            raise DataError(f"{path}: has no column {column!r}, which a log needs")
    if not frame["reward"].dtype.is_numeric():
        raise DataError(f"{path}: the column reward must hold numbers, not {frame['reward'].dtype}")
    if "id" in frame.columns:
        table.check_ids(frame["id"], Place(str(path)))
    kept = frame.filter(frame["reward"].is_not_null())
    if not kept.height:
        raise DataError(f"{path}: a log needs decisions with outcomes, but has none")
    left_out = frame.height - kept.height
    notes = [f"left out: {counted(left_out, 'decision')} without an outcome"]
    rows: list[dict[str, Any]] = kept.to_dicts()
    places = [f"{path}: row {row.pop(ROW)}" for row in rows]
    for place, row in zip(places, rows, strict=True):
        row["context"] = _context(row["context"], place)
    if header.get("actions") is None and all(row.get("name") for row in rows):
        header = {**header, **_names(rows)}
    rewards = [float(row["reward"]) for row in rows]
    return Joined(header, rows, places, rewards, places, notes if left_out else [], False)


def _context(value: Any, place: str) -> Any:
    """A context that may be JSON text."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: the context is not JSON ({error})") from None


def _header(metadata: Mapping[str, str]) -> dict[str, Any]:
    """The header of the log, under whichever key of the metadata holds it."""
    for value in metadata.values():
        try:
            header = json.loads(value)
        except ValueError:
            continue
        if isinstance(header, dict) and header.get("kind") == HEADER:
            spell_today(header)
            return header
    return {"adaptive": True}


def _names(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Names of actions, if all of them occur."""
    names = {row["action"]: row["name"] for row in rows}
    if sorted(names) != list(range(len(names))):
        return {}
    return {"actions": [names[a] for a in range(len(names))]}
