"""Endings: which files can only be decision logs."""

from pathlib import Path

from bakeoff.reading.files import plain_name

ENDINGS = (".jsonl", ".dsjson", ".ds.json")


def is_log(path: Path) -> bool:
    """Whether a file's name ends as only logs' names do."""
    return plain_name(path).lower().endswith(ENDINGS)
