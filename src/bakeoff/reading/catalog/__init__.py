"""Catalog: sources of problems, from files to suites and downloads."""

from bakeoff.reading.catalog.download import UnreachableError
from bakeoff.reading.catalog.listing import Row, fetch, listed, missing
from bakeoff.reading.catalog.manifest import NAME
from bakeoff.reading.catalog.paper import tuning_ids, uci_ids
from bakeoff.reading.catalog.source import Source, with_options
from bakeoff.reading.catalog.sources import each_once, find, find_all, load, read
from bakeoff.reading.catalog.suites import SUITES

__all__ = [
    "NAME",
    "SUITES",
    "Row",
    "Source",
    "UnreachableError",
    "each_once",
    "fetch",
    "find",
    "find_all",
    "listed",
    "load",
    "missing",
    "read",
    "tuning_ids",
    "uci_ids",
    "with_options",
]
