"""Manifests: a `manifest.csv` that says which problems a folder holds.

Its columns are file, task and name, and optionally openml_id and any other option of
`reading/options.py`. Further columns are the owner's and are not looked at.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import nearest
from bakeoff.data import Problem, at
from bakeoff.reading.catalog.source import Source
from bakeoff.reading.files import decoded, read_bytes
from bakeoff.reading.options import KINDS, Options
from bakeoff.reading.read_file import read_file

NAME = "manifest.csv"
NEEDED = ("file", "task", "name")
OPTIONAL = ("openml_id", *(name for name in KINDS if name not in NEEDED))
ALIKE = {  # what others call our options
    "class": "target",
    "label": "target",
    "labels": "target",
    "drop": "ignore",
    "exclude": "ignore",
    "skip": "ignore",
    "nominal": "categorical",
    "coding": "features",
    "max_docs": "max_documents",
}


def sources_in(folder: Path) -> list[Source]:
    """The problems that a folder's manifest lists, in its order.

    A name that several rows have is made unique by the OpenML id or the file.
    """
    path = folder / NAME
    text = decoded(read_bytes(path), path)
    reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    rows: list[tuple[int, Source]] = []
    try:
        _check_columns(path, reader.fieldnames or ())
        for row in reader:
            rows.append((reader.line_num, _source(path, reader.line_num, row)))
    except csv.Error as error:
        raise DataError(f"{at(path, reader.line_num)}: {error}") from None
    if not rows:
        raise DataError(f"{path}: lists no files")
    times = Counter(source.name for _, source in rows)
    lines: dict[str, int] = {}
    sources = []
    for line, source in rows:
        name = source.name if times[source.name] == 1 else _long_name(source)
        if name in lines:
            raise DataError(f"{at(path, line)}: lists {name} again, after line {lines[name]}")
        lines[name] = line
        sources.append(replace(source, name=name))
    return sources


def _long_name(source: Source) -> str:
    if source.openml_id is not None:
        return f"{source.name} (openml:{source.openml_id})"
    return f"{source.name} ({Path(source.origin).name})"


def _check_columns(path: Path, columns: object) -> None:
    names = [str(c) for c in columns] if isinstance(columns, list) else []
    missing = [column for column in NEEDED if column not in names]
    if missing:
        raise DataError(
            f"{at(path, 1)}: a manifest needs the columns {', '.join(NEEDED)}, "
            f"but has no {missing[0]!r}"
        )
    for column in names:
        near = _meant(column)
        if near is not None:
            raise DataError(f"{at(path, 1)}: column {column!r} is unknown; did you mean {near!r}?")


def _meant(column: str) -> str | None:
    """The option that an unknown column was probably meant to be."""
    plain = re.sub(r"[-\s]+", "_", column.strip().lower())
    if column in (*NEEDED, *OPTIONAL) or plain.startswith("n_"):  # n_features: a count
        return None
    return ALIKE.get(plain) or nearest(plain, OPTIONAL, cutoff=0.8)


def _source(path: Path, line: int, row: Mapping[str, str | None]) -> Source:
    """The source of one row of the manifest."""
    if None in row or None in row.values():
        raise DataError(f"{at(path, line)}: has more or fewer values than columns")
    cells = {key: (value or "").strip() for key, value in row.items()}
    for column in NEEDED:
        if not cells[column]:
            raise DataError(f"{at(path, line)}: the column {column!r} is empty")
    file = _file(path, line, cells["file"])
    try:
        own = _options(cells)
        openml_id = _openml_id(cells)
    except DataError as error:
        raise DataError(f"{at(path, line)}: {error}") from None

    def read(options: Options) -> Problem:
        chosen = replace(options, **own | {"name": options.name or own["name"]})
        return replace(read_file(file, chosen), openml_id=openml_id)

    return Source(
        cells["name"],
        read,
        str(file),
        own["task"],
        openml_id,
        is_here=file.is_file,
        path=file,
        options=own,
    )


def _file(path: Path, line: int, name: str) -> Path:
    file = path.parent / name
    if not file.resolve().is_relative_to(path.parent.resolve()):
        raise DataError(f"{at(path, line)}: {name!r} lies outside the folder of the manifest")
    return file


def _options(cells: Mapping[str, str]) -> dict[str, Any]:
    """The options of a row, which take precedence over those of the whole folder."""
    return {name: kind.parsed(name, cells[name]) for name, kind in KINDS.items() if cells.get(name)}


def _openml_id(cells: Mapping[str, str]) -> int | None:
    text = cells.get("openml_id")
    if text and not text.isdecimal():
        raise DataError(f"openml_id must be a number, got {text!r}")
    return int(text) if text else None
