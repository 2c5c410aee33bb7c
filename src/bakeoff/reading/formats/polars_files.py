"""Files that polars reads as typed columns: Arrow (Feather), JSON lines, Excel."""

import importlib.util
import io
from collections.abc import Callable
from pathlib import Path
from typing import IO

import polars as pl

from bakeoff.basics.errors import DataError
from bakeoff.basics.panics import PanicError, hushed, reason_of
from bakeoff.data import Place, Problem
from bakeoff.reading.files import explained, plain_name, plain_stem, read_bytes
from bakeoff.reading.options import Options
from bakeoff.reading.tables.frames import without_index
from bakeoff.reading.tables.table import Table
from bakeoff.reading.tables.tables import problem_of


def read(path: Path, options: Options) -> Problem:
    """The problem in a file of columns; the target is the last one, or named."""
    table = without_index(Table(_frame_in(path), Place(str(path))))
    return problem_of(table, options, options.name or plain_stem(path))


def _frame_in(path: Path) -> pl.DataFrame:
    ending = Path(plain_name(path)).suffix.lower()
    try:
        with hushed(), explained(path):
            return _READERS[ending](io.BytesIO(read_bytes(path)))
    except PanicError as error:
        raise DataError(f"{path}: cannot be read: {reason_of(error)}") from None
    except (pl.exceptions.PolarsError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        reason = (str(error).splitlines() or ["it is damaged"])[0]
        raise DataError(f"{path}: is not a readable {ending} file ({reason})") from None


def _excel(file: IO[bytes]) -> pl.DataFrame:
    if importlib.util.find_spec("fastexcel") is None:
        raise DataError("Excel files need another package: pip install fastexcel")
    return pl.read_excel(file)


_READERS: dict[str, Callable[[IO[bytes]], pl.DataFrame]] = {
    ".arrow": pl.read_ipc,
    ".feather": pl.read_ipc,
    ".ipc": pl.read_ipc,
    ".jsonl": pl.read_ndjson,
    ".ndjson": pl.read_ndjson,
    ".ods": _excel,
    ".xls": _excel,
    ".xlsx": _excel,
}
