"""Logs: decision logs in every format, whole or in pieces."""

from bakeoff.reading.logs.contexts import feature_names
from bakeoff.reading.logs.endings import is_log, is_table
from bakeoff.reading.logs.lines import blaming, placed_records_of, records_of
from bakeoff.reading.logs.parts import next_part, parts_of
from bakeoff.reading.logs.pieces import LogPieces, read_pieces
from bakeoff.reading.logs.read_log import read_log
from bakeoff.reading.logs.schema import (
    ACTIONS,
    ACTIVATION,
    DECISION,
    FORGOTTEN,
    FORMAT,
    HEADER,
    LEFT_OUT,
    OUTCOME,
    PARQUET_COLUMNS,
)

__all__ = [
    "ACTIONS",
    "ACTIVATION",
    "DECISION",
    "FORGOTTEN",
    "FORMAT",
    "HEADER",
    "LEFT_OUT",
    "OUTCOME",
    "PARQUET_COLUMNS",
    "LogPieces",
    "blaming",
    "feature_names",
    "is_log",
    "is_table",
    "next_part",
    "parts_of",
    "placed_records_of",
    "read_log",
    "read_pieces",
    "records_of",
]
