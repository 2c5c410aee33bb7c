"""Results: the store of an experiment, a folder that Parquet's readers understand.

    DIR/manifest.json      what was asked for, and the problems it was asked for
    DIR/jobs/*.parquet     a file of result rows per finished job
    DIR/lock               held by the process that writes
    DIR/compacting         there while files are removed by `compaction`
    DIR/checked            tells when all files were last known to be good
    DIR/learners.log       what own learners have printed
    DIR/sources/*.py       the code of own learners

A file is written under a temporary name and renamed, so it is there as a whole or not
at all. Its name tells the job, how many rows there are, and how many of them are
errors: what is done is known from names alone. A job that failed as a whole leaves rows
with the error in a file of its own, which is tried again and then removed.
"""

import hashlib
import io
import os
import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from stat import S_ISREG
from typing import TypeVar

import polars as pl

from bakeoff.basics.errors import ResultsError
from bakeoff.basics.files import whole
from bakeoff.basics.notices import notify
from bakeoff.store import manifest as manifests
from bakeoff.store.done import by_stream_of, left_by_name, runs_by_stream
from bakeoff.store.job_files import (
    Fault,
    File,
    explained,
    files_in,
    held,
    name_of,
    remove_unfinished,
)
from bakeoff.store.jobs import Job, codes_of, key_of, stream_key
from bakeoff.store.manifest import Manifest, ManifestError, Unreadable
from bakeoff.store.read_job_files import check, read_files
from bakeoff.store.row_checks import IS_RUN
from bakeoff.store.rows import (
    ROW_KEY,
    VERSION,
    by_explorer,
    marks_of,
    of_codes,
    once,
    rows_of,
    stamps_of,
)

MANIFEST, COMPACTING, CHECKED = manifests.NAME, "compacting", "checked"
LOG = "learners.log"
PATIENCE = 100  # times that files are listed because they are being compacted

Used = TypeVar("Used")
_NO_RUNS = "0" * 16  # in place of a job's runs, where a problem could not be read


class _VanishedError(ResultsError):
    """A file vanished after files were listed: another process compacts the store."""


class Store:
    """A folder of results."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.jobs = folder / "jobs"
        self._failed: dict[str, list[File]] = defaultdict(list)  # by stream
        self._faults: dict[Path, Fault] = {}

    @property
    def faults(self) -> list[Fault]:
        """Files that could not be used so far, and were left out."""
        return sorted(self._faults.values())

    # ---- writing

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the store for this process, and make it if need be.

        Files that are at fault are renamed, so that they are recomputed.
        """
        with explained(self.folder):
            is_new = not self.jobs.is_dir()
            self.jobs.mkdir(parents=True, exist_ok=True)
        with held(self.folder):
            with explained(self.folder):
                self._set_aside(is_new)
                self._sweep()
            try:
                yield
            finally:
                self._note_check()

    def _note_check(self) -> None:
        """Note that all is good now; if that fails, all is checked again next time."""
        with suppress(OSError), whole(self._checked) as file:
            file.write(self._identity().encode())

    def _set_aside(self, is_new: bool) -> None:
        """Rename what cannot be used, and say so."""
        if is_new:
            self.manifest()  # raises if a file that is not ours has its name
        for fault in self.check():
            aside = fault.path.with_name(f"{fault.path.name}.faulty")
            fault.path.replace(aside)
            self._faults.pop(fault.path, None)
            notice = f"{fault}; it is now {aside.name}, and is recomputed"
            notify(notice)

    def _sweep(self) -> None:
        """Remove what a killed process left unfinished; note which jobs failed."""
        remove_unfinished(self.folder / MANIFEST, self.jobs)
        self._failed.clear()
        files = self.files()
        done = by_stream_of(file for file in files if not file.failed)
        for file in files:
            if not file.failed:
                continue
            others = done.get(file.stream)
            if others and self._runs_in([file]) <= self._runs_in(others):
                file.path.unlink()
            else:
                self._failed[file.stream].append(file)

    def write(self, job: Job, rows: pl.DataFrame, *, failed: bool = False) -> None:
        """Keep the rows of a job, and forget that they could not be computed before.

        The file has the name of a job with just these runs: others of the same group
        may be there already.
        """
        n_errors = None if failed else rows["error"].count()
        stream = stream_key(job.facts, job.shuffle)
        key = f"{stream}-{key_of(marks_of(rows))}"
        path = self.jobs / name_of(key, rows.height, n_errors)
        self.write_rows(path, rows)
        old = self._failed.get(stream, [])
        for file in list(old):
            if file.path != path and self._runs_in([file]) <= set(rows["run"]):
                with explained(self.folder):
                    file.path.unlink(missing_ok=True)
                old.remove(file)

    def write_rows(self, path: Path, rows: pl.DataFrame) -> None:
        """Write a file of results, as a whole."""
        buffer = io.BytesIO()  # polars would hide why a disk cannot be written
        with explained(self.folder):
            rows.write_parquet(buffer, metadata=stamps_of(rows))
            with whole(path) as file:
                file.write(buffer.getbuffer())

    def write_unreadable(self, problems: Iterable[Unreadable]) -> None:
        """Keep why problems could not be read this time.

        Earlier failures are removed: by now the problem can be read, or it is gone or no
        longer requested.
        """
        current = set()
        for name, origin, error in problems:
            key = hashlib.sha256(origin.encode()).hexdigest()[:16]
            path = self.jobs / name_of(f"{key}-0-{_NO_RUNS}", 1, None)
            row = {"problem": name, "error": error, "version": VERSION}
            self.write_rows(path, rows_of([row]))
            current.add(path)
        for file in self.files():
            if file.group == _NO_RUNS and file.path not in current:
                with explained(self.folder):
                    file.path.unlink(missing_ok=True)

    def log(self, job: Job, text: str) -> None:
        """Keep what the own learners of a job printed; that it fails ends nothing."""
        runs = "; ".join(map(str, job.runs))
        head = f"== {runs} on {job.facts.name}, shuffle {job.shuffle}"
        path = self.folder / LOG
        if path.exists() and not path.is_file():  # a pipe would wait for a reader
            return
        with suppress(OSError), path.open("ab") as file:
            file.write(f"{head}\n{text.rstrip()}\n".encode(errors="replace"))

    def write_manifest(self, manifest: Manifest) -> None:
        """Keep what was asked for."""
        with explained(self.folder):
            manifests.write_manifest(self.folder / MANIFEST, manifest)

    # ---- reading

    def manifest(self) -> Manifest | None:
        """What was asked for; None if nothing was."""
        with explained(self.folder):
            return manifests.read_manifest(self.folder / MANIFEST)

    def usable_manifest(self) -> Manifest | None:
        """The same, but None if it cannot be used, which is then one of the faults."""
        try:
            return self.manifest()
        except ManifestError as error:
            self._faults[error.fault.path] = error.fault
            return None

    def check(self) -> list[Fault]:
        """Look at all that may have changed since it was written; what is at fault.

        That is what came after the last experiment had ended, and all of a copy.
        """
        manifest = self.usable_manifest()
        hashed, since = manifest is not None and manifest.hashed, self._last_check()

        def look(files: list[File]) -> None:
            self._note(check([f for f in files if _is_newer(f, since)], hashed))

        self._with_files(look)
        return self.faults

    @property
    def _checked(self) -> Path:
        """A file whose time is when all files of results were known to be good."""
        return self.folder / CHECKED

    def _identity(self) -> str:
        """What a copy of the store does not share."""
        status = self.jobs.stat()
        return f"{status.st_dev} {status.st_ino}"

    def _last_check(self) -> int:
        """When all files were known to be good; 0 if that is not known of these."""
        with suppress(OSError, UnicodeDecodeError):
            status = self._checked.stat()
            is_ours = S_ISREG(status.st_mode) and status.st_size < 100
            if is_ours and self._checked.read_text() == self._identity():
                return status.st_mtime_ns
        return 0

    def files(self) -> list[File]:
        """The files of results by their names, but for those known to be at fault.

        They are listed again if some were removed by a compaction meanwhile: a listing
        may miss what is new, and then what is old as well.
        """
        compacting = self.folder / COMPACTING
        with explained(self.folder):
            for _ in range(PATIENCE):
                before = compacting.exists(), _changed(self.jobs)
                files = [f for f in files_in(self.jobs) if f.path not in self._faults]
                after = compacting.exists(), _changed(self.jobs)
                if before == after or not (before[0] or after[0]):
                    break
        return files

    def _with_files(self, use: Callable[[list[File]], Used]) -> Used:
        """Do something with the files; once more if some were compacted meanwhile."""
        for _ in range(PATIENCE):
            try:
                return use(self.files())
            except _VanishedError:
                time.sleep(0.1)
        return use(self.files())

    def _rows(
        self,
        files: Sequence[File],
        columns: Sequence[str] | None = None,
        only: pl.DataFrame | None = None,
    ) -> pl.DataFrame:
        """The rows of files that are not at fault; the others are noted."""
        result = read_files(files, columns, only)
        self._note(result.faults)
        return result.rows

    def _note(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            if not os.path.lexists(fault.path):
                raise _VanishedError(f"{fault.path}: has been removed in the meantime")
            self._faults[fault.path] = fault

    def missing(self, jobs: Iterable[Job], codes: Collection[str] | None = None) -> list[Job]:
        """What is still to be done of some jobs, by `codes` or those that the store shows.

        Contents are looked at only where a job is not there by name, but other runs
        of its problem are.
        """
        wanted = list(jobs)
        known = self._codes() if codes is None else codes
        return self._with_files(lambda files: self._missing(wanted, files, known))

    def _missing(
        self, jobs: Sequence[Job], files: Sequence[File], codes: Collection[str]
    ) -> list[Job]:
        done = [file for file in files if not file.failed]
        by_stream = by_stream_of(done)
        today, shown = by_explorer(codes_of(jobs)), by_explorer(codes)
        agrees = all(shown.get(name, code) == code for name, code in today.items())
        names = {(file.key, file.n_rows) for file in done}
        open_jobs = left_by_name(jobs, names, by_code=agrees)
        known: dict[str, set[str]] = {}
        left = []
        for job in open_jobs:
            stream = stream_key(job.facts, job.shuffle)
            if stream not in known:
                known[stream] = self._runs_in(by_stream[stream], codes)
            runs = tuple(run for run in job.group.runs if str(run) not in known[stream])
            if runs:
                left.append(replace(job, runs=runs))
        return left

    def _runs_in(self, files: Sequence[File], codes: Collection[str] = ()) -> set[str]:
        return set(self._rows(files, ["run", "code"]).filter(of_codes(codes))["run"])

    def _codes(self) -> tuple[str, ...]:
        """The code whose results are shown: that of the last experiment."""
        manifest = self.usable_manifest()
        return manifest.code if manifest else ()

    def errors(self, jobs: Iterable[Job]) -> pl.DataFrame:
        """The rows of runs that ended in an error, without jobs that failed as a whole."""
        wanted = list(jobs)
        return self._with_files(lambda files: self._errors(wanted, files))

    def _errors(self, jobs: Sequence[Job], files: Sequence[File]) -> pl.DataFrame:
        codes = self._codes()
        by_stream = by_stream_of(file for file in files if file.n_errors and not file.failed)
        tables = [rows_of([])]
        for stream, runs in runs_by_stream(jobs, by_stream).items():
            rows = self._rows(by_stream[stream]).drop_nulls("error")
            tables.append(rows.filter(pl.col("run").is_in(runs) & of_codes(codes)))
        return pl.concat(tables).unique(ROW_KEY).sort(ROW_KEY)

    def read(
        self, columns: Sequence[str] | None = None, only: pl.DataFrame | None = None
    ) -> pl.DataFrame:
        """All rows, each run on each problem and shuffle once; some columns if named.

        Where a run has failed and was computed after all, it is the result that counts.
        With `only`, rows are read that equal one of its rows in its columns. Files that
        cannot be used are left out (see `faults`), and so is what other code of an
        explorer computed than that of the last experiment.
        """
        codes = self._codes()  # refuses what this version cannot read
        wanted = None if columns is None else list(dict.fromkeys([*ROW_KEY, "code", *columns]))
        rows = self._with_files(lambda files: self._read(files, wanted, only))
        rows = rows.filter(of_codes(codes))
        result = pl.concat([once(rows.filter(IS_RUN)), rows.filter(~IS_RUN)])
        return result if columns is None else result.select(columns)

    def _read(
        self, files: Sequence[File], columns: list[str] | None, only: pl.DataFrame | None
    ) -> pl.DataFrame:
        if not files:
            raise ResultsError(f"{self.folder}: holds no results; `bakeoff run` makes them")
        results_first = sorted(files, key=lambda file: (file.failed, file.path.name))
        rows = self._rows(results_first, columns, only)
        if len(self._faults) >= len(files) and not rows.height:
            raise ResultsError(f"{self.faults[0]}; run again to recompute it")
        return rows


def _changed(folder: Path) -> int:
    """When files last came to a folder or left it."""
    return folder.stat().st_mtime_ns if folder.exists() else 0


def _is_newer(file: File, since: int) -> bool:
    """Whether a file has come or changed since then, as far as is known."""
    try:
        return file.path.lstat().st_ctime_ns >= since
    except OSError:
        return True


def opened(folder: str | os.PathLike[str]) -> Store:
    """The store in a folder, which must be there."""
    path = Path(folder)
    if not path.exists():
        raise ResultsError(f"{path}: there is no such folder; `bakeoff run --out {path}` makes one")
    if not path.is_dir():
        raise ResultsError(f"{path}: is a file; a store of results is a folder")
    return Store(path)
