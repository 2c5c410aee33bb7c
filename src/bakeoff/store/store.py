"""Results: the store of an experiment, a folder that Parquet's readers understand.

    DIR/manifest.json      what was asked for, and the problems it was asked for
    DIR/jobs/*.parquet     a file of result rows per finished job
    DIR/lock               held by the process that writes
    DIR/compacting         there while files are removed by `compaction`

A file is written under a temporary name and renamed, so it is there as a whole or not
at all. Its name tells the job, how many rows there are, and how many of them are
errors: what is done is known from names alone. A job that failed as a whole leaves rows
with the error in a file of its own, which is tried again and then removed.
"""

import hashlib
import io
import json
import time
from collections import defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

import polars as pl

from bakeoff.errors import ResultsError
from bakeoff.experiment.jobs import FORMAT, Group, Job, key_of, stream_key
from bakeoff.files import whole
from bakeoff.store.files import (
    File,
    explained,
    files_in,
    held,
    name_of,
    remove_unfinished,
)

EARLIER = (
    "its results are from an earlier version, which used the same random draws on "
    "every dataset and shuffle, and cannot be mixed with new ones; choose another "
    "folder"
)
MANIFEST, COMPACTING = "manifest.json", "compacting"
PATIENCE = 100  # times that files are listed because they are being compacted
VERSION = metadata.version("bakeoff")
SCHEMA: dict[str, pl.DataType] = {
    "problem": pl.String(),
    "digest": pl.String(),
    "task": pl.String(),
    "n": pl.Int64(),
    "n_features": pl.Int64(),
    "n_actions": pl.Int64(),
    "openml_id": pl.Int64(),
    "constant_action_cost": pl.Float64(),
    "uniform_cost": pl.Float64(),
    "shuffle": pl.Int64(),  # the seed of the order of rows; 0 is the file's
    "algorithm": pl.String(),  # the paper's short name
    "explorer": pl.String(),
    "reduction": pl.String(),
    "learning_rate": pl.Float64(),
    "encoding": pl.String(),
    "offset": pl.Float64(),
    "baseline": pl.Boolean(),
    "seed": pl.Int64(),  # as it was asked for
    "job_seed": pl.Int64(),  # of the draws on this problem in this order (Run.for_job)
    "run": pl.String(),  # all settings in one text
    "pv_loss": pl.Float64(),
    "ips_reward": pl.Float64(),
    "ips_loss": pl.Float64(),
    "curve_rounds": pl.List(pl.Int64()),
    "curve_loss": pl.List(pl.Float64()),
    "error": pl.String(),
    "version": pl.String(),
    "run_seconds": pl.Float64(),
    "host": pl.String(),
    "worker": pl.String(),
}
KEY = ["digest", "shuffle", "run"]  # what no two rows share
MARK = "job_seed"  # the column that tells rows from those of earlier versions
Found = TypeVar("Found")

_NO_RUNS = "0" * 16  # in place of a job's runs, where a problem could not be read


class Store:
    """A folder of results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jobs = folder / "jobs"
        self._failed: dict[str, list[File]] = defaultdict(list)  # by stream

    # ---- writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the store for this process, and make it if need be."""
        with explained(self.folder):
            self.jobs.mkdir(parents=True, exist_ok=True)
        with held(self.folder):
            with explained(self.folder):
                self._sweep()
            yield

    def _sweep(self) -> None:
        """Remove what a killed process left unfinished; note which jobs failed."""
        remove_unfinished(self.folder / MANIFEST, self.jobs)
        self._failed.clear()
        files = self.files()
        done = {file.key for file in files if not file.failed}
        for file in files:
            if file.failed and file.key in done:
                file.path.unlink()
            elif file.failed:
                self._failed[file.stream].append(file)

    def write(self, job: Job, rows: pl.DataFrame, *, failed: bool = False) -> None:
        """Keep the rows of a job, and forget that they could not be computed before."""
        n_errors = None if failed else rows["error"].count()
        path = self.jobs / name_of(job.key, rows.height, n_errors)
        self.write_rows(path, rows)
        old = self._failed.get(stream_key(job.facts, job.shuffle), [])
        for file in list(old):
            if file.path != path and self._runs_in([file]) <= set(rows["run"]):
                with explained(self.folder):
                    file.path.unlink(missing_ok=True)
                old.remove(file)

    def write_rows(self, path: Path, rows: pl.DataFrame) -> None:
        """Write a file of results, as a whole."""
        buffer = io.BytesIO()  # polars would hide why a disk cannot be written
        with explained(self.folder):
            rows.write_parquet(buffer)
            with whole(path) as file:
                file.write(buffer.getbuffer())

    def write_unreadable(self, problems: Iterable[tuple[str, str, str]]) -> None:
        """Keep why problems (name, origin, reason) could not be read this time.

        What could not be read before is forgotten: by now it can be, or it is gone, or
        nobody asks for it.
        """
        kept = set()
        for name, origin, error in problems:
            key = hashlib.sha256(origin.encode()).hexdigest()[:16]
            path = self.jobs / name_of(f"{key}-0-{_NO_RUNS}", 1, None)
            row = {"problem": name, "error": error, "version": VERSION}
            self.write_rows(path, rows_of([row]))
            kept.add(path)
        for file in self.files():
            if file.group == _NO_RUNS and file.path not in kept:
                with explained(self.folder):
                    file.path.unlink(missing_ok=True)

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Keep what was asked for."""
        text = json.dumps({"format": FORMAT, **manifest}, indent=1)
        with explained(self.folder), whole(self.folder / MANIFEST) as file:
            file.write(text.encode())

    # ---- reading

    def manifest(self) -> dict[str, Any]:
        """What was asked for; empty if nothing was."""
        path = self.folder / MANIFEST
        try:
            with explained(self.folder):
                text = path.read_text() if path.exists() else "{}"
            manifest: dict[str, Any] = json.loads(text)
            known = manifest["format"] if manifest else FORMAT
        except (ValueError, TypeError, KeyError):
            raise ResultsError(f"{path}: is not a manifest of results") from None
        if known == 1:
            raise ResultsError(f"{self.folder}: {EARLIER}")
        if known != FORMAT:
            raise ResultsError(
                f"{path}: has format {known}, but this version reads format {FORMAT}"
            )
        return manifest

    def files(self) -> list[File]:
        """The files of results, by their names.

        They are listed again if some were removed by a compaction meanwhile: a listing
        may miss what is new, and then what is old as well.
        """
        compacting = self.folder / COMPACTING
        with explained(self.folder):
            for _ in range(PATIENCE):
                before = compacting.exists(), _changed(self.jobs)
                files = list(files_in(self.jobs))
                after = compacting.exists(), _changed(self.jobs)
                if before == after or not (before[0] or after[0]):
                    break
        return files

    def _with_files(self, use: Callable[[list[File]], Found]) -> Found:
        """Do something with the files; once more if some were compacted meanwhile."""
        for _ in range(PATIENCE):
            files = self.files()
            try:
                return use(files)
            except ResultsError:
                if all(file.path.exists() for file in files):
                    raise
                time.sleep(0.1)
        return use(self.files())

    def missing(self, jobs: Iterable[Job]) -> list[Job]:
        """What is still to be done of some jobs.

        Contents are looked at only where a job is not there by name, but other runs
        of its problem are.
        """
        wanted = list(jobs)
        return self._with_files(lambda files: self._missing(wanted, files))

    def _missing(self, jobs: Sequence[Job], files: Sequence[File]) -> list[Job]:
        done = [file for file in files if not file.failed]
        by_stream = by_stream_of(done)
        open_jobs = _open(jobs, {(file.key, file.n_rows) for file in done})
        known: dict[str, set[str]] = {}
        left = []
        for job in open_jobs:
            stream = stream_key(job.facts, job.shuffle)
            if stream not in known:
                known[stream] = self._runs_in(by_stream[stream])
            runs = tuple(run for run in job.group.runs if str(run) not in known[stream])
            if runs:
                left.append(replace(job, runs=runs))
        return left

    def _runs_in(self, files: Sequence[File]) -> set[str]:
        return set(read_files(files, ["run"])["run"]) if files else set()

    def errors(self, jobs: Iterable[Job]) -> pl.DataFrame:
        """The rows of jobs' runs that ended in an error; jobs that failed aside."""
        wanted = list(jobs)
        return self._with_files(lambda files: self._errors(wanted, files))

    def _errors(self, jobs: Sequence[Job], files: Sequence[File]) -> pl.DataFrame:
        by_stream = by_stream_of(
            file for file in files if file.n_errors and not file.failed
        )
        found = [rows_of([])]
        for stream, runs in _runs_by_stream(jobs, by_stream).items():
            rows = read_files(by_stream[stream]).drop_nulls("error")
            found.append(rows.filter(pl.col("run").is_in(runs)))
        return pl.concat(found).unique(KEY).sort(KEY)

    def read(
        self, columns: Sequence[str] | None = None, only: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """All rows, each run on each problem and shuffle once; some columns if named.

        Where a run has failed and was computed after all, it is the result that counts.
        With `only`, rows are read that equal one of its rows in its columns.
        """
        self.manifest()  # refuses what this version cannot read
        wanted = None if columns is None else list(dict.fromkeys([*KEY, *columns]))
        rows = self._with_files(lambda files: self._read(files, wanted, only))
        is_run = pl.col("digest").is_not_null()  # else a problem that cannot be read
        found = pl.concat([once(rows.filter(is_run)), rows.filter(~is_run)])
        return found if columns is None else found.select(columns)

    def _read(
        self,
        files: Sequence[File],
        columns: list[str] | None,
        only: pl.DataFrame | None,
    ) -> pl.DataFrame:
        if not files:
            raise ResultsError(
                f"{self.folder}: holds no results; `bakeoff run` makes them"
            )
        results_first = sorted(files, key=lambda file: (file.failed, file.path.name))
        return read_files(results_first, columns, only)


def by_stream_of(files: Iterable[File]) -> dict[str, list[File]]:
    """Files by problem and shuffle."""
    found: dict[str, list[File]] = defaultdict(list)
    for file in files:
        found[file.stream].append(file)
    return found


def _open(jobs: Sequence[Job], done: Container[tuple[str, int]]) -> list[Job]:
    """Jobs that are not there by name, neither alone nor all of a stream together.

    What is done has keys and numbers of rows: a job whose first runs were there when it
    was planned has a file with fewer.
    """
    streams: dict[str, list[Group]] = defaultdict(list)
    for job in jobs:
        streams[stream_key(job.facts, job.shuffle)].append(job.group)
    together: dict[tuple[str, ...], tuple[str, int]] = {}  # key and rows, found once
    whole = set()
    for stream, groups in streams.items():
        several = tuple(group.key for group in groups)
        if several not in together:
            runs = [str(run) for group in groups for run in group.runs]
            together[several] = key_of(runs), len(runs)
        key, n_rows = together[several]
        if (f"{stream}-{key}", n_rows) in done:
            whole.add(stream)
    return [
        job
        for job in jobs
        if (job.key, len(job.group.runs)) not in done
        and stream_key(job.facts, job.shuffle) not in whole
    ]


def once(rows: pl.DataFrame) -> pl.DataFrame:
    """Each run on each problem and shuffle once; the first that is found counts."""
    return rows.unique(KEY, keep="first", maintain_order=True)


def _runs_by_stream(
    jobs: Iterable[Job], streams: Container[str]
) -> dict[str, list[str]]:
    """The runs that jobs have on some streams."""
    found: dict[str, list[str]] = defaultdict(list)
    for job in jobs:
        stream = stream_key(job.facts, job.shuffle)
        if stream in streams:
            found[stream] += map(str, job.group.runs)
    return found


def _changed(folder: Path) -> int:
    """When files last came to a folder or left it."""
    return folder.stat().st_mtime_ns if folder.exists() else 0


def rows_of(records: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Result rows as a table."""
    return pl.DataFrame(records, schema=SCHEMA)


def read_files(
    files: Sequence[File],
    columns: list[str] | None = None,
    only: pl.DataFrame | None = None,
) -> pl.DataFrame:
    """The rows of some files; an error names the file that is to blame."""
    paths = [file.path for file in files]
    names = columns or list(SCHEMA)
    kinds = {name: SCHEMA[name] for name in {*names, MARK}}
    with explained(paths[0].parent), suppress(pl.exceptions.PolarsError):
        scanned = pl.scan_parquet(paths, glob=False).select(list(kinds))
        found = _among(scanned, only).collect().select(names)
        return found.rechunk()  # a chunk a file is slow
    tables = []
    for path in paths:
        with explained(path):
            if set(SCHEMA) - set(pl.read_parquet_schema(path)) == {MARK}:
                raise ResultsError(f"{path}: {EARLIER}")
            rows = pl.read_parquet(path, columns=list(kinds), glob=False)
            tables.append(rows.cast(pl.Schema(kinds)))
    return _among(pl.concat(tables).lazy(), only).collect().select(names).rechunk()


def _among(rows: pl.LazyFrame, only: pl.DataFrame | None) -> pl.LazyFrame:
    """Rows that equal one of `only` in its columns; all of them without any."""
    if only is None:
        return rows
    return rows.join(only.lazy(), on=only.columns, how="semi", nulls_equal=True,
                     maintain_order="left")  # fmt: skip
