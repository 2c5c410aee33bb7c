"""Endings: which files can only be decision logs."""

import json
from pathlib import Path

from bakeoff.basics.errors import DataError
from bakeoff.reading.files import opened, plain_name

LOG_KEYS = {"action", "probability", "outcome", "_label_cost", "_label_probability"}
LONGEST = 2**20  # bytes of a first line
ENDINGS = (".jsonl", ".dsjson", ".ds.json")


def is_log(path: Path) -> bool:
    """Whether a file's name ends as only logs' names do."""
    return plain_name(path).lower().endswith(ENDINGS)


def is_table(path: Path) -> bool:
    """Whether a file of JSON lines holds rows of a table, and not decisions of a log."""
    if not plain_name(path).lower().endswith(".jsonl"):
        return False
    try:
        with opened(path) as file:
            first = json.loads(file.readline(LONGEST))
    except (DataError, ValueError, RecursionError):
        return False
    if not isinstance(first, dict) or str(first.get("kind", "")).startswith("bakeoff"):
        return False
    return not LOG_KEYS & first.keys()
