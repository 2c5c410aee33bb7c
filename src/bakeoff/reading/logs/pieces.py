"""Pieces: a log larger than memory, some events at a time.

    pieces = bakeoff.read_pieces("decisions.jsonl", events=100_000)
    found = bakeoff.evaluate(pieces, "uniform", ["ips", "snips"])

Tables come without their features, which would have to be coded over all of the file;
our own logs keep their contexts as they were logged. Compressed files and Vowpal
Wabbit's text are read whole, by `read_log`.
"""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import polars as pl

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.basics.panics import PanicError, hushed
from bakeoff.data import MOST_ACTIONS, Log, Place, refuse, unbelievable
from bakeoff.reading.files import explained, opened, plain_stem
from bakeoff.reading.formats.csv import SNIFFED, separator_of
from bakeoff.reading.logs import dsjson, json_lines, parquet, table
from bakeoff.reading.logs.lines import objects_of
from bakeoff.reading.logs.options import LogOptions, options_of

EVENTS = 100_000


class LogPieces:
    """A log that is read in pieces, from its beginning each time one asks."""

    def __init__(self, path: Path, events: int, options: LogOptions) -> None:
        self.path, self.events, self.options = path, events, options
        self._read = _reader_of(path)

    @property
    def has_contexts(self) -> bool:
        """Whether policies can look at what was known when decisions were made."""
        return self._read is not _tables or _is_ours(_scanned(self.path))

    def __iter__(self) -> Iterator[Log]:
        """Logs of at most `events` events each, in order."""
        return self._read(self.path, self.events, self.options)


def read_pieces(source: Any, *, events: int = EVENTS, **options: Any) -> LogPieces:
    r"""A log larger than memory, to be evaluated `events` events at a time.

    The options are those of `read_log`.

    Parameters
    ----------
    source
        The path of a log.
    events
        How many events are in memory at a time.
    **options
        Those of `read_log`.

    Returns
    -------
    LogPieces
        A log in pieces, for `evaluate`.

    Raises
    ------
    DataError
        If this kind of log cannot be read in pieces.

    Examples
    --------
    >>> _ = Path("log.csv").write_text("action,probability,reward\n0,0.5,1\n1,0.5,0\n")
    >>> pieces = bakeoff.read_pieces("log.csv", adaptive=False)
    >>> bakeoff.evaluate(pieces, "logged", "ips")["ips"].value
    0.5
    """
    if not isinstance(source, str | os.PathLike):
        raise DataError(f"read_pieces needs the name of a file, got {type(source).__name__}")
    if events < 1:
        raise SpecError(f"events must be at least 1, got {events}")
    return LogPieces(Path(source).expanduser(), events, options_of(**options))


_T = TypeVar("_T")
_Reader = Callable[[Path, int, LogOptions], Iterator[Log]]


def _reader_of(path: Path) -> _Reader:
    name = path.name.lower()
    fitting = [ending for ending in READERS if name.endswith(ending)]
    if not fitting:
        known = ", ".join(READERS)
        raise DataError(f"{path}: cannot be read in pieces; that works for {known}")
    return READERS[fitting[0]]


def _batched(items: Iterator[_T], size: int) -> Iterator[list[_T]]:
    """Lists of at most `size` items."""
    while some := list(islice(items, size)):
        yield some


# ---- our own log


def _our_own(path: Path, events: int, options: LogOptions) -> Iterator[Log]:
    """Outcomes first, since they may come late; then the decisions that have one."""
    known = json_lines.outcomes_of(path)
    if options.n_actions is None and known.n_actions is not None:
        options = replace(options, n_actions=known.n_actions)
    notes = known.notes
    for some in _batched(json_lines.decided(path, known), events):
        decisions, places, rewards, reward_places = (
            list(column) for column in zip(*some, strict=True)
        )
        joined = json_lines.Joined(known.header, decisions, places, rewards, reward_places, notes)
        yield json_lines.log_of(joined, str(path), plain_stem(path), options)
        notes = []


# ---- dsjson


def _dsjson(path: Path, events: int, options: LogOptions) -> Iterator[Log]:
    seen: dict[str, int] = {}
    has_decisions = False
    for some in _batched(objects_of(path), events):
        if any(dsjson.is_decision(line) for _, line in some):
            has_decisions = True
            yield dsjson.log_of(some, path, options, seen)
    if not has_decisions:
        raise DataError(f"{path}: no line has a cost, a probability and an action")


# ---- tables


def _tables(path: Path, events: int, options: LogOptions) -> Iterator[Log]:
    """Rows of a table; which actions there are is looked up first."""
    try:
        with explained(path):
            yield from _batches(path, events, options)
    except (pl.exceptions.PolarsError, PanicError) as error:
        reason = (str(error).splitlines() or ["it is damaged"])[0]
        raise DataError(f"{path}: is not a readable table ({reason})") from None


def _batches(path: Path, events: int, options: LogOptions) -> Iterator[Log]:
    scan, at = _scanned(path), Place(str(path))
    schema = scan.collect_schema()
    roles = table.roles_of(pl.DataFrame(schema=schema), options, at)
    if roles.probability is None:
        raise DataError(f"{path}: has no probabilities; to estimate them it must be read whole")
    with hushed():
        options = _with_actions(scan, roles.action, options, at)
        if roles.id is not None:
            table.check_ids(scan.select(roles.id).collect()[roles.id], at)
    if _is_ours(scan):
        metadata = pl.read_parquet_metadata(path)
        for frame in _frames(scan.with_row_index(parquet.ROW, offset=1), events, path):
            decided = frame.filter(pl.col(roles.outcome).is_not_null())
            for top in range(0, decided.height, events):
                yield parquet.log_in(decided[top : top + events], metadata, path, options)
        return
    features = tuple(name for name in schema if name not in roles.others)
    options = replace(options, ignore=features)
    rows = 0
    for frame in _frames(scan, events, path):
        for top in range(0, frame.height, events):
            part = frame[top : top + events]
            yield table.of_frame(part, options, at._replace(first=rows), plain_stem(path))
            rows += part.height


def _frames(scan: pl.LazyFrame, events: int, path: Path) -> Iterator[pl.DataFrame]:
    """All rows of a table. If polars gives up on a damaged file, its batches just end."""
    rows, batches = 0, iter(scan.collect_batches(chunk_size=events))
    while True:
        with hushed():
            frame = next(batches, None)
        if frame is None:
            break
        rows += frame.height
        yield frame
    there = scan.select(pl.len()).collect().item()
    if rows != there:
        raise DataError(f"{path}: is damaged: {rows} of its {there} rows can be read")


def _is_ours(scan: pl.LazyFrame) -> bool:
    """Whether a table is a decision log of ours."""
    return "context" in scan.collect_schema()


def _scanned(path: Path) -> pl.LazyFrame:
    if path.name.lower().endswith(".parquet"):
        return pl.scan_parquet(path)
    with opened(path) as file:
        separator = separator_of(path, file.read(SNIFFED))
    return pl.scan_csv(path, separator=separator, infer_schema_length=10_000)


def _with_actions(scan: pl.LazyFrame, column: str, options: LogOptions, at: Place) -> LogOptions:
    """Options that say which actions there are in all of the file."""
    if options.n_actions is not None or options.action_names is not None:
        return options
    values = scan.select(pl.col(column).unique()).collect()[column].drop_nulls()
    if not len(values):
        raise DataError(f"{at.whole()}a log needs at least one event, got none")
    names, actions = table.actions_of(values, options, at)
    if names is not None:
        return replace(options, action_names=names)
    if not actions.max() < MOST_ACTIONS:
        _refuse_action(scan, column, at)
    return replace(options, n_actions=int(max(actions.max(initial=0.0), 1.0)) + 1)


def _refuse_action(scan: pl.LazyFrame, column: str, at: Place) -> NoReturn:
    """Name the first row with more actions than anybody has."""
    values = scan.select(pl.col(column)).collect()[column].cast(pl.Float64)
    row = int((~(values < MOST_ACTIONS)).arg_max() or 0)
    refuse(at(row), unbelievable(values[row]))


READERS: dict[str, _Reader] = {
    ".jsonl": _our_own,
    ".dsjson": _dsjson,
    ".csv": _tables,
    ".tsv": _tables,
    ".parquet": _tables,
}
