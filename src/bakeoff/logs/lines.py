"""The lines of a decision log as they are, part by part, in order."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bakeoff.errors import DataError
from bakeoff.logs.schema import FORMAT, HEADER
from bakeoff.logs.writer import parts_of
from bakeoff.notices import notify


def records_of(path: str | Path) -> Iterator[dict[str, Any]]:
    """Every record of a log with all its parts; torn last lines are left out."""
    parts = parts_of(path)
    if not parts:
        raise DataError(f"{path} cannot be read: No such file or directory")
    for part in parts:
        yield from _records(part)


def _records(path: Path) -> Iterator[dict[str, Any]]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                record = _record(path, number, line)
                if record is not None:
                    yield record
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from None


def _record(path: Path, number: int, line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        notify(f"{path}: line {number}, the last one, is torn and left out")
        return None
    try:
        record = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        raise DataError(f"{path}: line {number} is no JSON: {error}") from None
    if not isinstance(record, dict) or "kind" not in record:
        raise DataError(f"{path}: line {number} is no record of a decision log")
    if number == 1 and record["kind"] != HEADER:
        raise DataError(f"{path}: a log begins with a line of kind {HEADER!r}")
    if record["kind"] == HEADER and record.get("format") != FORMAT:
        raise DataError(
            f"{path}: line {number} has format {record.get('format')!r}, but this "
            f"version of bakeoff reads format {FORMAT}"
        )
    return record
