"""Compaction: one file of results per problem and shuffle, where there are very many.

Thousands of small files take long to read. At the end of an experiment those of one
problem and shuffle become one, which is named as the file of a job with all their runs,
so that what is done is still known from names. First all new files are written, then
all old ones are removed. A kill leaves rows twice, which `Store.read` counts once,
until the next experiment ends.
"""

import os

from bakeoff.basics.errors import ResultsError
from bakeoff.store.done import by_stream_of
from bakeoff.store.job_files import explained, name_of
from bakeoff.store.jobs import key_of
from bakeoff.store.read_job_files import read_files
from bakeoff.store.rows import ROW_KEY, marks_of
from bakeoff.store.store import COMPACTING, Store

MANY = 1000  # files that are still read quickly


def is_scattered(store: Store, many: int = MANY) -> bool:
    """Whether a store has so many files that they should be merged."""
    files = [file for file in store.files() if not file.failed]
    has_more = len(files) > many and len(by_stream_of(files)) < len(files)
    return has_more or (store.folder / COMPACTING).exists()


def compact(store: Store) -> None:
    """Put the files of each problem and shuffle together; the rows stay the same."""
    old = []
    with explained(store.folder):
        files = by_stream_of(file for file in store.files() if not file.failed)
        for stream, several in files.items():
            if len(several) > 1:
                rows, faults = read_files(sorted(several))
                if faults:
                    raise ResultsError(str(faults[0]))
                rows = rows.unique([*ROW_KEY, "code"], keep="first", maintain_order=True)
                key = f"{stream}-{key_of(marks_of(rows))}"
                name = name_of(key, rows.height, rows["error"].count())
                store.write_rows(store.jobs / name, rows)
                old += [file.path for file in several if file.path.name != name]
        _sync(store.jobs)
        mark = store.folder / COMPACTING
        mark.touch()
        for path in old:
            path.unlink()
        mark.unlink()


def _sync(folder: os.PathLike[str]) -> None:
    """Have the names of new files on the disk."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
