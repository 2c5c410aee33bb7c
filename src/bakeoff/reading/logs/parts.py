"""Parts: a log that grew large is several files, of which all but the last have numbers."""

import re
from pathlib import Path


def parts_of(path: str | Path) -> list[Path]:
    """The files of a log in order: those set aside, and the newest."""
    path = Path(path)
    older = [part for _, part in _older_parts(path)]
    return [*older, path] if path.exists() else older


def _older_parts(path: Path) -> list[tuple[int, Path]]:
    """Files that were set aside, by their numbers."""
    name = re.compile(rf"{re.escape(path.stem)}\.(\d{{6,}}){re.escape(path.suffix)}")
    parts = []
    if path.parent.is_dir():
        for entry in path.parent.iterdir():
            if match := name.fullmatch(entry.name):
                parts.append((int(match[1]), entry))
    return sorted(parts)


def next_part(path: Path) -> Path:
    """The name for a file that is set aside."""
    older = _older_parts(path)
    number = older[-1][0] + 1 if older else 1
    return path.with_name(f"{path.stem}.{number:06}{path.suffix}")
