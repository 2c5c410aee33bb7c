"""Parquet files: typed columns; the target is the last one, or named."""

import io
import re
import warnings
from pathlib import Path

import polars as pl

from bakeoff.errors import DataError, DataNotice
from bakeoff.problems.problem import Problem
from bakeoff.problems.readers.files import COMPRESSED, explained, plain_stem, read_bytes
from bakeoff.problems.readers.options import Options
from bakeoff.problems.tables.table import Table
from bakeoff.problems.tables.tables import problem_of


def read(path: Path, options: Options) -> Problem:
    """The problem in a Parquet file."""
    packed = path.suffix.lower() in COMPRESSED
    try:
        with explained(path):
            source = io.BytesIO(read_bytes(path)) if packed else path.open("rb")
            with source:
                frame = pl.read_parquet(source)
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise DataError(f"{path}: is not a readable Parquet file ({reason})") from None
    index = [c for c in frame.columns if re.fullmatch(r"__index_level_\d+__", c)]
    if index:
        warnings.warn(
            f"{path}: {index[0]!r} is an index of pandas and no column; left out",
            DataNotice,
            stacklevel=2,
        )
    table = Table(frame.drop(index), str(path))
    return problem_of(table, options, options.name or plain_stem(path))
