"""Files that appear as a whole: written under another name, then renamed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def whole(path: Path, unfinished: Path | None = None) -> Iterator[IO[bytes]]:
    """A file to write that appears at `path` once all of it is on the disk.

    Until then it is `unfinished`, which is gone if anything goes wrong. Name that file
    yourself if several processes may write the same path at the same time.
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
    """The name of a file while it is being written."""
    return path.with_name(f".{path.name}.tmp")
