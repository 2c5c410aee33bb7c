"""One bad input, and what the one sentence about it must say."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Bad(NamedTuple):
    """A file that must be refused.

    `says` is the place of the fault and words that the message has after it, such as
    `rows.csv:3: column 'age'`. The place may be absent; how the words are put is free.
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

    def fits(self, message: str) -> bool:
        """Whether a message names the place and has the words after it."""
        place, colon, words = self.says.rpartition(": ")
        if place:
            _, found, message = message.partition(f"{place}{colon}")
            if not found:
                return False
        return all(word in message for word in words.split())
