"""One bad input, and what the one sentence about it must say."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Bad(NamedTuple):
    """A file that must be refused.

    `says` is part of the message; where the fault has a line, it begins with the
    file's name and the line, as in `rows.csv:3: `.
    """

    title: str
    file: str
    content: bytes | Callable[[Path], None]  # its bytes, or what makes it at a path
    says: str
    options: Mapping[str, Any] = {}

    def write(self, folder: Path) -> Path:
        """Make the input in a folder and return its path."""
        path = folder / self.file
        if isinstance(self.content, bytes):
            path.write_bytes(self.content)
        else:
            self.content(path)
        return path
