"""Results: the store of an experiment, a folder that Parquet's readers understand.

    DIR/manifest.json      what was asked for, and the problems it was asked for
    DIR/jobs/*.parquet     a file of result rows per finished job
    DIR/lock               held by the process that writes

A file is written under a temporary name and renamed, so it is there as a whole or not
at all. Its name tells the job, how many rows there are, and how many of them are
errors: what is done is known from names alone. A job that failed as a whole leaves rows
with the error in a file of its own, which is tried again and then removed.
"""

import fcntl
import hashlib
import io
import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import IO, Any, NamedTuple

import polars as pl

from bakeoff.errors import ResultsError
from bakeoff.jobs import Job, stream_key

FORMAT = 1
MANIFEST = "manifest.json"
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
    "seed": pl.Int64(),
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

_NAME = re.compile(
    r"(?P<stream>[0-9a-f]+-\d+)-(?P<group>[0-9a-f]+)-(?P<rows>\d+)-(?P<end>\d+|failed)"
    r"\.parquet"
)
_UNFINISHED = re.compile(rf"\.{_NAME.pattern}\.tmp")


class File(NamedTuple):
    """What the name of a file of results says."""

    path: Path
    stream: str  # problem and shuffle
    group: str  # runs
    n_rows: int
    n_errors: int
    failed: bool  # as a whole, so that it is tried again

    @property
    def key(self) -> str:
        """The job."""
        return f"{self.stream}-{self.group}"


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
            lock = (self.folder / "lock").open("ab+", buffering=0)
        try:
            with explained(self.folder):
                _take(lock, self.folder)
                self._sweep()
            yield
        finally:
            lock.close()

    def _sweep(self) -> None:
        """Remove what a killed process left unfinished; note which jobs failed."""
        _unfinished(self.folder / MANIFEST).unlink(missing_ok=True)
        for entry in os.scandir(self.jobs):
            if _UNFINISHED.fullmatch(entry.name):
                Path(entry.path).unlink()
        self._failed.clear()
        files = list(self.files())
        done = {file.key for file in files if not file.failed}
        for file in files:
            if file.failed and file.key in done:
                file.path.unlink()
            elif file.failed:
                self._failed[file.stream].append(file)

    def write(self, job: Job, rows: pl.DataFrame, *, failed: bool = False) -> None:
        """Keep the rows of a job, and forget that they could not be computed before."""
        end = "failed" if failed else str(rows["error"].count())
        path = self.jobs / f"{job.key}-{rows.height}-{end}.parquet"
        self._write(path, rows)
        old = self._failed.get(stream_key(job.facts, job.shuffle), [])
        for file in list(old):
            if file.path != path and self._runs_in([file]) <= set(rows["run"]):
                with explained(self.folder):
                    file.path.unlink(missing_ok=True)
                old.remove(file)

    def _write(self, path: Path, rows: pl.DataFrame) -> None:
        buffer = io.BytesIO()  # polars would hide why a disk cannot be written
        with explained(self.folder):
            rows.write_parquet(buffer)
            with _whole(path) as file:
                file.write(buffer.getbuffer())

    def write_unreadable(self, name: str, origin: str, error: str) -> None:
        """Keep the reason why a problem could not be read."""
        row = {"problem": name, "error": error, "version": VERSION}
        self._write(self._unreadable(origin), rows_of([row]))

    def forget_unreadable(self, origin: str) -> None:
        """Remove the reason why a problem could not be read: now it could."""
        with explained(self.folder):
            self._unreadable(origin).unlink(missing_ok=True)

    def _unreadable(self, origin: str) -> Path:
        key = hashlib.sha256(origin.encode()).hexdigest()[:16]
        return self.jobs / f"{key}-0-{'0' * 16}-1-failed.parquet"

    def write_manifest(self, manifest: dict[str, Any]) -> None:
        """Keep what was asked for."""
        text = json.dumps({"format": FORMAT, **manifest}, indent=1)
        with explained(self.folder), _whole(self.folder / MANIFEST) as file:
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
        if known != FORMAT:
            raise ResultsError(
                f"{path}: has format {known}, but this version reads format {FORMAT}"
            )
        return manifest

    def files(self) -> Iterator[File]:
        """The files of results, by their names."""
        with explained(self.folder):
            if not self.jobs.is_dir():
                return
            for entry in os.scandir(self.jobs):
                found = _NAME.fullmatch(entry.name)
                if found:
                    failed = found["end"] == "failed"
                    rows = int(found["rows"])
                    errors = rows if failed else int(found["end"])
                    yield File(Path(entry.path), found["stream"], found["group"], rows,
                               errors, failed)  # fmt: skip

    def missing(self, jobs: Iterable[Job]) -> list[Job]:
        """What is still to be done of some jobs.

        Contents are looked at only where a job is not there by name, but other runs
        of its problem are.
        """
        by_stream: dict[str, list[File]] = defaultdict(list)
        done = set()
        for file in self.files():
            if not file.failed:
                done.add(file.key)
                by_stream[file.stream].append(file)
        open_jobs = [job for job in jobs if job.key not in done]
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
        return set(_read(files, ["run"])["run"]) if files else set()

    def n_errors(self, jobs: Iterable[Job]) -> int:
        """How many runs of some jobs ended in an error; jobs that failed aside."""
        files = [file for file in self.files() if file.n_errors and not file.failed]
        streams = {file.stream for file in files}
        runs: dict[str, set[str]] = defaultdict(set)
        for job in jobs:
            stream = stream_key(job.facts, job.shuffle)
            if stream in streams:
                runs[stream].update(map(str, job.group.runs))
        count = 0
        for file in files:
            rows = _read([file], ["run", "error"]).drop_nulls("error")
            count += len(runs[file.stream].intersection(rows["run"]))
        return count

    def read(self) -> pl.DataFrame:
        """All rows, each run on each problem and shuffle once.

        Where a run has failed and was computed after all, it is the result that counts.
        """
        files = sorted(self.files(), key=lambda file: (file.failed, file.path.name))
        if not files:
            raise ResultsError(
                f"{self.folder}: holds no results; `bakeoff run` makes them"
            )
        rows = _read(files)
        is_run = pl.col("digest").is_not_null()  # else a problem that cannot be read
        runs = rows.filter(is_run).unique(KEY, keep="first", maintain_order=True)
        return pl.concat([runs, rows.filter(~is_run)])


def rows_of(records: Sequence[dict[str, Any]]) -> pl.DataFrame:
    """Result rows as a table."""
    return pl.DataFrame(records, schema=SCHEMA)


def _read(files: Sequence[File], columns: list[str] | None = None) -> pl.DataFrame:
    """The rows of some files; an error names the file that is to blame."""
    paths = [file.path for file in files]
    with explained(paths[0].parent), suppress(pl.exceptions.PolarsError):
        return pl.read_parquet(paths, columns=columns, glob=False)
    kinds = {name: SCHEMA[name] for name in columns or SCHEMA}
    found = []
    for path in paths:
        with explained(path):
            rows = pl.read_parquet(path, columns=list(kinds), glob=False)
            found.append(rows.cast(pl.Schema(kinds)))
    return pl.concat(found)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn what the operating system and polars say into a `ResultsError`."""
    try:
        yield
    except ResultsError:
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise ResultsError(f"{path}: the store cannot be used: {reason}") from None
    except pl.exceptions.PolarsError as error:
        reason = str(error).splitlines()[0]
        raise ResultsError(
            f"{path}: is damaged ({reason}); remove it and run again"
        ) from None


@contextmanager
def _whole(path: Path) -> Iterator[IO[bytes]]:
    """A file that appears when all of it has been written."""
    unfinished = _unfinished(path)
    try:
        with unfinished.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _unfinished(path: Path) -> Path:
    """Where a file is written before it gets its name."""
    return path.with_name(f".{path.name}.tmp")


def _take(lock: IO[bytes], folder: Path) -> None:
    """Lock the store; the lock goes with the process, however that ends."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().decode(errors="replace") or "another process"
        raise ResultsError(
            f"{folder}: is being written by {holder}; wait for it, or give another "
            f"folder"
        ) from None
    lock.truncate(0)
    lock.write(f"process {os.getpid()} on {os.uname().nodename}".encode())
