"""Parquet files: typed columns; the target is the last one, or named."""

import io
from pathlib import Path

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.data import Problem
from bakeoff.reading.files import COMPRESSED, check_regular, explained, plain_stem, read_bytes
from bakeoff.reading.options import Options
from bakeoff.reading.tables.frames import without_index
from bakeoff.reading.tables.table import Table
from bakeoff.reading.tables.tables import problem_of


def read(path: Path, options: Options) -> Problem:
    """The problem in a Parquet file."""
    packed = path.suffix.lower() in COMPRESSED
    try:
        with explained(path):
            check_regular(path)
            source = io.BytesIO(read_bytes(path)) if packed else path.open("rb")
            with source:
                frame = pl.read_parquet(source)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{path}: is not a readable Parquet file ({reason})") from None
    table = without_index(Table(frame, str(path)))
    return problem_of(table, options, options.name or plain_stem(path))
