"""Formats: which reader reads a file, and what the file is called."""

import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.basics.notices import notify
from bakeoff.basics.panics import PanicError, hushed, reason_of
from bakeoff.data import Problem
from bakeoff.reading.files import COMPRESSED, opened, plain_name
from bakeoff.reading.logs.endings import is_table
from bakeoff.reading.options import Options

MOST_SKIPPED = 5  # files that a notice names

READERS = {  # endings of file names -> a module of `formats`
    ".arff": "arff",
    ".arrow": "polars_files",
    ".csv": "csv",
    ".feather": "polars_files",
    ".ipc": "polars_files",
    ".jsonl": "polars_files",
    ".letor": "letor",
    ".letor.txt": "letor",
    ".libsvm": "libsvm",
    ".ndjson": "polars_files",
    ".npz": "npz",
    ".ods": "polars_files",
    ".parquet": "parquet",
    ".svm": "libsvm",
    ".svmlight": "libsvm",
    ".tab": "csv",
    ".tsv": "csv",
    ".vw": "vw_text",
    ".vw.txt": "vw_text",
    ".xls": "polars_files",
    ".xlsx": "polars_files",
}
# Files beside data that nobody takes for data.
DOCUMENTS = {"", ".htm", ".html", ".ipynb", ".lock", ".log", ".md", ".names", ".pdf", ".png",
             ".py", ".rst", ".sh", ".svg", ".toml", ".txt", ".yaml", ".yml"}  # fmt: skip


def ending_of(path: Path) -> str | None:
    """The known ending of a file's name, without compression; the longest that fits."""
    name = plain_name(path).lower()
    fitting = [ending for ending in READERS if name.endswith(ending)]
    return max(fitting, key=len, default=None)


def name_of(path: Path) -> str:
    """What a file's problem is called: `scene` for `scene.multilabel.svm.gz`."""
    name = plain_name(path)
    name = name[: len(name) - len(ending_of(path) or Path(name).suffix)]
    return name.removesuffix(".multilabel") or path.name


def read_file(path: Path, options: Options) -> Problem:
    """The problem in a file of any known format."""
    ending = ending_of(path)
    if ending is not None:
        module = READERS[ending]
    elif _is_ranking_text(path):
        module = "letor"
    else:
        raise DataError(
            f"{path}: no reader for this kind of file; known are "
            f"{', '.join(READERS)}, also with {', '.join(COMPRESSED)} after them; "
            f"bakeoff.load also takes a frame that pandas or polars has read"
        )
    reader: Any = importlib.import_module(f"bakeoff.reading.formats.{module}")
    try:
        with hushed():
            return reader.read(path, options)
    except PanicError as error:
        raise DataError(f"{path}: cannot be read: {reason_of(error)}") from None
    except MemoryError as error:
        if isinstance(error, BakeoffError):
            raise
        raise DataError(f"{path}: there is not enough memory to read it") from None


def files_in(folder: Path) -> list[Path]:
    """Every file of a known format in a folder and the folders in it, sorted.

    A notice names files that look like data, but cannot be read.
    """
    known: list[Path] = []
    skipped: list[str] = []
    for path in _walk(folder):
        if _is_known(path):
            known.append(path)
        elif Path(plain_name(path)).suffix.lower() not in DOCUMENTS:
            skipped.append(str(path.relative_to(folder)))
    if skipped:
        names = ", ".join(sorted(skipped)[:MOST_SKIPPED])
        more = f" and {len(skipped) - MOST_SKIPPED:,} more" if len(skipped) > MOST_SKIPPED else ""
        notify(f"{folder}: no reader for {names}{more}; skipped")
    return sorted(known)


def _is_known(path: Path) -> bool:
    ending = ending_of(path)
    if ending == ".jsonl":
        return is_table(path)
    return ending is not None or _is_ranking_text(path)


def _walk(folder: Path) -> Iterator[Path]:
    """Files below a folder, hidden ones left out; a link back up ends there."""
    seen: set[tuple[int, int]] = set()
    left = [folder]
    while left:
        status = (here := left.pop()).stat()
        if (status.st_dev, status.st_ino) in seen:
            continue
        seen.add((status.st_dev, status.st_ino))
        for entry in os.scandir(here):
            path = Path(entry.path)
            if entry.name.startswith("."):
                continue
            if path.is_dir():
                left.append(path)
            else:
                yield path


def _is_ranking_text(path: Path) -> bool:
    """Whether a `.txt` file begins as ranking data do (`2 qid:10 1:0.3`)."""
    if not plain_name(path).lower().endswith(".txt"):
        return False
    try:
        with opened(path) as file:
            words = file.read(200).split(None, 2)
    except DataError:  # it need not be a data file
        return False
    return len(words) > 1 and words[1].startswith(b"qid:")
