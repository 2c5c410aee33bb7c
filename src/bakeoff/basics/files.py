"""Files that appear as a whole: written under another name, then renamed."""

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_MIDDLE = re.compile(r"(\.[0-9a-f]{16})?")


@contextmanager
def whole(path: Path, unfinished: Path | None = None) -> Iterator[IO[bytes]]:
    """A file to write that appears at `path` once all of it is on the disk.

    Until then it is `unfinished`, which is gone if anything goes wrong. Several may
    write the same path at the same time; the last to finish wins.
    """
    unfinished = unfinished or unfinished_of(path)
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def unfinished_of(path: Path) -> Path:
    """A name for a file while it is being written, which no other writer has."""
    return path.with_name(f".{path.name}.{secrets.token_hex(8)}.tmp")


def is_unfinished(name: str, of: str) -> bool:
    """Whether a file's name is one that `unfinished_of` gives, or gave in 0.2.0."""
    middle = name.removeprefix(f".{of}").removesuffix(".tmp")
    return name == f".{of}{middle}.tmp" and _MIDDLE.fullmatch(middle) is not None
