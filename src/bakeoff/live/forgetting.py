"""Forget: delete decisions from a log, such as those about one user.

What a learner has learned stays in its model: weights, no contexts.
"""

import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import msgspec

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.basics.files import whole
from bakeoff.live.log_writer import locked
from bakeoff.reading.logs import DECISION, FORGOTTEN, HEADER, blaming, parts_of, placed_records_of


def forget(
    log: str | Path,
    *,
    where: Mapping[str, Any] | None = None,
    ids: Collection[str] = (),
    dry_run: bool = False,
) -> int:
    """Delete decisions and their outcomes from all parts of a log; returns how many.

    `where` has features of the context and their values, all of which must be there:
    `{"user": 42}`. The log keeps count of what was deleted.
    """
    path = Path(log)
    if not where and not ids:
        raise SpecError("forget needs features of a context, such as user=42, or ids")
    if path.suffix != ".jsonl":
        raise SpecError(f"{path}: decisions can be deleted from logs in .jsonl only")
    parts = parts_of(path)
    if not parts:
        raise DataError(f"{path} does not exist")
    with _all_locked(parts):
        doomed = set(ids)
        found: set[str] = set()
        for at, record in placed_records_of(path):
            if record["kind"] != DECISION:
                continue
            with blaming(at):
                if record["id"] in doomed or (where and _matches(record, where)):
                    found.add(record["id"])
        if found and not dry_run:
            for part in reversed(parts):  # if this is cut short, outcomes go before decisions
                _rewrite(part, found)
    return len(found)


def _matches(record: dict[str, Any], where: Mapping[str, Any]) -> bool:
    """Whether a decision's context has these features."""
    context = record.get("context")
    if isinstance(context, dict) and set(context) == {"actions", "shared"}:
        context = context["shared"]
    if not isinstance(context, dict):
        raise DataError("the contexts of this log have no names: give ids")
    return all(name in context and _has(context[name], value) for name, value in where.items())


def _has(value: Any, wanted: Any) -> bool:
    """Whether a feature has a value; a list has each of its entries."""
    values = value if isinstance(value, list) else [value]
    return any(_is(one, str(wanted)) for one in values)


def _is(one: Any, wanted: str) -> bool:
    """Whether a logged value is the one that was written so: 42 may be written 42.0."""
    if isinstance(one, bool):
        return str(one).lower() == wanted.lower()
    if isinstance(one, int | float):
        with suppress(InvalidOperation):
            return Decimal(str(one)) == Decimal(wanted)
    return str(one) == wanted


@contextmanager
def _all_locked(parts: Sequence[Path]) -> Iterator[None]:
    """Let nobody write while files are replaced."""
    files: list[int] = []
    try:
        for part in parts:
            files.append(locked(part))
        yield
    finally:
        for file in files:
            os.close(file)


def _rewrite(part: Path, doomed: set[str]) -> None:
    """Write a file anew without some decisions; it appears completely or not at all."""
    lines = part.read_bytes().splitlines(keepends=True)
    kept: list[bytes] = []
    dropped = 0
    for line in lines:
        record = json.loads(line) if line.endswith(b"\n") else {"kind": HEADER}  # a torn line
        if record["kind"] != HEADER and record.get("id") in doomed:
            dropped += record["kind"] == DECISION
        else:
            kept.append(line)
    if len(kept) == len(lines):
        return
    header = json.loads(kept[0])
    header[FORGOTTEN] = header.get(FORGOTTEN, 0) + dropped
    kept[0] = msgspec.json.encode(header) + b"\n"
    with whole(part) as file:
        file.writelines(kept)
