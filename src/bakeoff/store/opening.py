"""Opening a store that is to be read."""

import os
from pathlib import Path

from bakeoff.errors import ResultsError
from bakeoff.store.store import Store


def opened(folder: str | os.PathLike[str]) -> Store:
    """The store in a folder, which must be there."""
    path = Path(folder)
    if not path.exists():
        raise ResultsError(f"{path}: there is no such folder; `bakeoff run --out {path}` makes one")
    if not path.is_dir():
        raise ResultsError(f"{path}: is a file; a store of results is a folder")
    return Store(path)
