"""Parquet files: typed columns; the target is the last one, or named."""

import io
from pathlib import Path
from typing import IO

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.panics import PanicError, hushed, reason_of
from bakeoff.data import Place, Problem
from bakeoff.reading.files import COMPRESSED, check_regular, explained, plain_stem, read_bytes
from bakeoff.reading.options import Options
from bakeoff.reading.tables.frames import without_index
from bakeoff.reading.tables.table import Table
from bakeoff.reading.tables.tables import problem_of


def read(path: Path, options: Options) -> Problem:
    """The problem in a Parquet file."""
    table = without_index(Table(frame_in(path)[0], Place(str(path))))
    return problem_of(table, options, options.name or plain_stem(path))


def frame_in(path: Path) -> tuple[pl.DataFrame, dict[str, str]]:
    """The columns of a Parquet file, and its metadata."""
    try:
        with hushed(), explained(path):
            check_regular(path)
            with _opened(path) as file:
                frame = pl.read_parquet(file)
                file.seek(0)
                return frame, pl.read_parquet_metadata(file)
    except PanicError as error:
        raise DataError(f"{path}: cannot be read: {reason_of(error)}") from None
    except pl.exceptions.PolarsError as error:
        reason = (str(error).splitlines() or ["it is damaged"])[0]
        raise DataError(f"{path}: is not a readable Parquet file ({reason})") from None


def _opened(path: Path) -> IO[bytes]:
    is_packed = path.suffix.lower() in COMPRESSED
    return io.BytesIO(read_bytes(path)) if is_packed else path.open("rb")
