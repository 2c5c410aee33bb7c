"""Reading files of results: all of them at once, or one by one to find what is wrong.

A file that cannot be used is a fault: its rows are left out, and the reader of the store
gets its path and the reason.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, TypeVar

import polars as pl

from bakeoff.basics.errors import ResultsError
from bakeoff.basics.panics import PanicError, hushed
from bakeoff.runs import DR_BEFORE, DR_NOW, UNWEIGHTED
from bakeoff.store.job_files import Fault, File, explained
from bakeoff.store.manifest import EARLIER
from bakeoff.store.row_checks import broken
from bakeoff.store.rows import FIRST, HASH, MARK, REQUIRED, SCHEMA, hash_of, later_in, rows_of

AT_ONCE = 500  # files that are looked at together
AGE = "arithmetic"  # tells rows of the first arithmetic from later ones
Frame = TypeVar("Frame", pl.DataFrame, pl.LazyFrame)


class Found(NamedTuple):
    """The rows of files, and the files that are at fault."""

    rows: pl.DataFrame
    faults: list[Fault]


def read_files(
    files: Sequence[File], columns: Sequence[str] | None = None, only: pl.DataFrame | None = None
) -> Found:
    """The rows of some files; some columns, if named.

    With `only`, the rows that equal one of its rows in its columns.
    """
    names = list(columns or SCHEMA)
    if not files:
        return Found(rows_of([]).select(names), [])
    try:
        with hushed():
            return Found(_all_at_once(files, names, only), [])
    except (ResultsError, OSError, pl.exceptions.PolarsError, PanicError):
        return _one_by_one(files, names, only)


def _all_at_once(
    files: Sequence[File], names: list[str], only: pl.DataFrame | None
) -> pl.DataFrame:
    rows = _spelled_today(_scanned(files, {*names, MARK, AGE}))
    return _collected(_among(rows, only), names)


def _collected(rows: pl.LazyFrame, names: list[str]) -> pl.DataFrame:
    found = rows.collect().select(names)
    if broken(found):
        raise ResultsError("a row is broken")
    return found.rechunk()  # a chunk a file is slow


def _spelled_today(rows: Frame) -> Frame:
    """Rows with the names that runs of earlier arithmetics have today."""
    is_first, names = pl.col(AGE).is_null(), rows.lazy().collect_schema().names()
    today = {
        "reduction": pl.col("reduction").replace("dr", UNWEIGHTED),
        "run": pl.col("run").str.replace(DR_BEFORE, DR_NOW, literal=True),
    }
    return rows.with_columns(
        pl.when(is_first).then(spelled).otherwise(name).alias(name)
        for name, spelled in today.items()
        if name in names
    )


def _scanned(files: Sequence[File], names: Collection[str]) -> pl.LazyFrame:
    """Columns of files, which must have those of `FIRST`; others may be missing."""
    if not all(file.is_regular for file in files):
        raise ResultsError("not a regular file")
    paths = [file.path for file in files]
    first = {name: SCHEMA[name] for name in names if name in FIRST}
    later = {name: SCHEMA[name] for name in names if name not in FIRST}
    rows = pl.scan_parquet(paths, glob=False, schema=first, extra_columns="ignore")
    if not later:
        return rows
    others = pl.scan_parquet(
        paths, glob=False, schema=later, extra_columns="ignore", missing_columns="insert"
    )
    return pl.concat([rows, others], how="horizontal")


def _one_by_one(files: Sequence[File], names: list[str], only: pl.DataFrame | None) -> Found:
    """The same, but for files that are at fault; missing columns are filled."""
    tables, faults = [rows_of([]).select(names)], []
    for file in files:
        try:
            tables.append(_spelled_today(_read(file)).select(names))
        except ResultsError as error:
            faults.append(Fault(file.path, str(error)))
    rows = _among(pl.concat(tables).lazy(), only).collect()
    return Found(rows.rechunk(), faults)


def _read(file: File) -> pl.DataFrame:
    """One file's rows as written; a `ResultsError` says what is wrong, without its name."""
    if not file.is_regular:
        raise ResultsError("is not a file")
    with explained():
        known = pl.read_parquet_schema(file.path)
        lost = sorted(REQUIRED - known.keys())
        if lost == [MARK]:
            raise ResultsError(EARLIER)
        if lost:
            raise ResultsError(f"has no column {lost[0]}")
        rows = pl.read_parquet(
            file.path, columns=[name for name in SCHEMA if name in known], glob=False
        )
        whole = rows.cast({n: SCHEMA[n] for n in rows.columns}).select(
            pl.col(name) if name in known else pl.lit(None, SCHEMA[name]).alias(name)
            for name in SCHEMA
        )
    if why := broken(whole):
        raise ResultsError(why)
    return whole


def check(files: Sequence[File], hashed: bool = False) -> list[Fault]:
    """Which files cannot be used, or do not hold what they were written with.

    With `hashed`, each must have a hash of its rows.
    """
    faults = []
    for first in range(0, len(files), AT_ONCE):
        some = files[first : first + AT_ONCE]
        if not _are_good(some, hashed):
            faults += [fault for file in some if (fault := _fault(file, hashed))]
    return faults


def _are_good(files: Sequence[File], hashed: bool) -> bool:
    """Whether one quick read finds all files good; if not, some may still be good."""
    try:
        with hushed():
            return all(
                _as_named(rows, file) and _as_written(rows, file, hashed)
                for rows, file in zip(_parts(files), files, strict=True)
            )
    except (ResultsError, OSError, pl.exceptions.PolarsError, PanicError, ValueError):
        return False


def _parts(files: Sequence[File]) -> Iterator[pl.DataFrame]:
    """The rows of each file as they were written, read together."""
    rows, first = _collected(_scanned(files, SCHEMA), list(SCHEMA)), 0
    for file in files:
        yield rows[first : first + file.n_rows]
        first += file.n_rows
    if first != rows.height:
        raise ResultsError("there are more rows or fewer")


def _as_named(rows: pl.DataFrame, file: File) -> bool:
    """Whether rows are as many, and of the problem, as the name of their file says."""
    if (rows.height, rows["error"].count()) != (file.n_rows, file.n_errors):
        return False
    if rows["digest"].null_count() == rows.height:  # a problem that cannot be read
        return True
    stream = rows["digest"].str.head(16) + "-" + rows["shuffle"].cast(pl.String())
    return bool((stream == file.stream).all())


def _as_written(rows: pl.DataFrame, file: File, hashed: bool) -> bool:
    """Whether rows have the hashes that their file says; old files say none."""
    stamps = pl.read_parquet_metadata(file.path)
    if HASH not in stamps:
        return not hashed
    digest, later = later_in(stamps)
    unknown = [name for name in later if name not in rows.columns]
    if unknown:  # of a later version
        rows = rows.hstack(pl.read_parquet(file.path, columns=unknown, glob=False))
    as_later = digest is None or digest == hash_of(rows, later)
    return as_later and stamps[HASH] == hash_of(rows)


def _fault(file: File, hashed: bool) -> Fault | None:
    try:
        rows = _read(file)
        with explained():
            as_written = _as_written(rows, file, hashed)
    except ResultsError as error:
        return Fault(file.path, str(error))
    if not _as_named(rows, file):
        return Fault(file.path, "does not hold what its name says")
    if not as_written:
        return Fault(file.path, "was changed after it had been written")
    return None


def _among(rows: pl.LazyFrame, only: pl.DataFrame | None) -> pl.LazyFrame:
    """Rows that equal one of `only` in its columns; all of them without any."""
    if only is None:
        return rows
    return rows.join(
        only.lazy(), on=only.columns, how="semi", nulls_equal=True, maintain_order="left"
    )
