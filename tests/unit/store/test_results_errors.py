"""The store of results when things go wrong: full disks, kills, damage, two writers."""

import errno
import json
import os
import shutil
import time
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bakeoff import DataNotice, ResultsError
from bakeoff.basics.files import unfinished_of
from bakeoff.store.job_files import Fault, File
from bakeoff.store.manifest import Manifest
from bakeoff.store.rows import SCHEMA, hash_of, rows_of
from bakeoff.store.store import MANIFEST, Store
from benchmarks.kills import unfinished
from tests.stores import job_of, rows_by_hand, runs_at, written

CANNOT = r": the store cannot be used: [A-Z][a-z ]+$"


def fill_the_disk(*_: Any, **__: Any) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def names_in(store: Store) -> list[str]:
    return sorted(path.name for path in store.jobs.iterdir())


# ---- files are there as a whole or not at all


def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, job = Store(tmp_path), job_of(runs_at(0.1))
    with store.writing():
        full = store.jobs / "half"
        full.symlink_to("/dev/full")  # a disk that is full
        monkeypatch.setattr("bakeoff.basics.files.unfinished_of", lambda path: full)

        with pytest.raises(ResultsError) as caught:
            store.write(job, rows_by_hand(job))

    assert str(caught.value).startswith(f"{tmp_path}: ")
    assert "No space left on device" in str(caught.value)
    assert names_in(store) == []


@pytest.mark.parametrize("broken", ["os.fsync", "pathlib.Path.replace"])
def test_a_disk_that_fills_up_keeps_what_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    first, second = job_of(runs_at(0.1)), job_of(runs_at(0.2))
    store = written(tmp_path, first)
    monkeypatch.setattr(broken, fill_the_disk)

    with store.writing(), pytest.raises(ResultsError, match="No space left on device"):
        store.write(second, rows_by_hand(second))

    assert store.read().equals(rows_by_hand(first))
    assert store.missing([first, second]) == [second]
    assert unfinished(tmp_path) == []


def test_polars_may_fail_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, job = Store(tmp_path), job_of(runs_at(0.1))
    monkeypatch.setattr(pl.DataFrame, "write_parquet", fill_the_disk)

    with store.writing(), pytest.raises(ResultsError, match="No space left on device"):
        store.write(job, rows_by_hand(job))

    assert names_in(store) == []


def test_a_manifest_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = written(tmp_path)
    store.write_manifest(Manifest("old"))
    monkeypatch.setattr("os.fsync", fill_the_disk)

    with pytest.raises(ResultsError):
        store.write_manifest(Manifest("new"))

    assert store.manifest() == Manifest("old")
    assert unfinished(tmp_path) == []


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    job = job_of(runs_at(0.1))
    store = written(tmp_path, job)
    (store.jobs / f".{job.key}-1-0.parquet.tmp").write_text("half a fi")
    (store.jobs / f".{job.key}-1-failed.parquet.tmp").write_text("")
    (tmp_path / ".manifest.json.tmp").write_text("{")
    for path in (store.jobs / f"{job.key}-1-0.parquet", tmp_path / "manifest.json"):
        unfinished_of(path).write_text("half a fi")

    with store.writing():
        pass

    assert unfinished(tmp_path) == []
    assert names_in(store) == [f"{job.key}-1-0.parquet"]


def test_foreign_files_are_neither_read_nor_removed(tmp_path: Path) -> None:
    job = job_of(runs_at(0.1))
    foreign = ["notes.tmp", ".hidden.tmp", "jobs/rows.parquet", "jobs/draft.tmp",
               "jobs/.cache.parquet.tmp", "jobs/README"]  # fmt: skip
    (tmp_path / "jobs" / "folder.parquet").mkdir(parents=True)
    for name in foreign:
        (tmp_path / name).write_text("not ours")

    store = written(tmp_path, job)

    assert len(list(store.files())) == 1
    assert store.read().equals(rows_by_hand(job))
    assert store.missing([job]) == []
    assert all((tmp_path / name).exists() for name in foreign)


# ---- one writer


def test_a_second_writer_is_refused_and_the_first_goes_on(tmp_path: Path) -> None:
    first, second, job = Store(tmp_path), Store(tmp_path), job_of(runs_at(0.1))
    with first.writing():
        half = first.jobs / f".{job.key}-1-0.parquet.tmp"
        half.write_text("being written")

        with pytest.raises(ResultsError) as caught, second.writing():
            pass

        assert half.exists()
        first.write(job, rows_by_hand(job))

    assert str(caught.value).startswith(f"{tmp_path}: ")
    assert f"process {os.getpid()} on {os.uname().nodename}" in str(caught.value)
    assert first.missing([job]) == []


def test_a_writer_that_ends_lets_the_next_one_in(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), Store(tmp_path).writing():
        _ = 1 / 0

    with Store(tmp_path).writing():
        pass

    assert (tmp_path / "lock").read_text().startswith(f"process {os.getpid()} on ")


def test_reading_needs_no_lock(tmp_path: Path) -> None:
    job = job_of(runs_at(0.1))
    store = written(tmp_path, job)

    with store.writing():
        rows = Store(tmp_path).read()

    assert rows.equals(rows_by_hand(job))


# ---- stores that cannot be used


@pytest.mark.parametrize("inner", ["", "deeper", "deeper/still"])
def test_a_store_cannot_be_where_a_file_is(tmp_path: Path, inner: str) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    store = Store(file / inner)

    with pytest.raises(ResultsError, match=CANNOT), store.writing():
        pass

    assert file.read_text() == "not a folder"


def test_a_lock_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "lock").symlink_to("/dev/full")

    with pytest.raises(ResultsError, match=CANNOT), Store(tmp_path).writing():
        pass


def test_a_store_without_results_says_what_makes_them(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="holds no results; `bakeoff run` makes the"):
        Store(tmp_path).read()


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"rubbish" * 99, "half", "no columns"])
def test_a_damaged_file_is_left_out_and_named(tmp_path: Path, damage: bytes | str) -> None:
    jobs = [job_of(runs_at(0.1)), job_of(runs_at(0.2))]
    store = written(tmp_path, *jobs)
    path = sorted(store.jobs.iterdir())[1]
    if damage == "no columns":
        pl.DataFrame({"a": [1]}).write_parquet(path)
    else:
        whole = path.read_bytes()
        path.write_bytes(damage if isinstance(damage, bytes) else whole[:3000])

    assert store.read().height == 1
    [fault] = store.faults
    assert fault.path == path
    assert fault.reason.startswith(("is damaged (", "has no column "))
    assert "\n" not in fault.reason
    assert Store(tmp_path).check() == [fault]
    assert len(store.missing(jobs)) == 1


def test_a_store_with_nothing_but_damage_says_so(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1)))
    [path] = store.jobs.iterdir()
    path.write_bytes(b"PAR1")

    with pytest.raises(ResultsError) as caught:
        store.read()

    assert str(caught.value).startswith(f"{path}: is damaged (")
    assert str(caught.value).endswith("; run again to recompute it")


def test_the_next_writer_sets_damaged_files_aside(tmp_path: Path) -> None:
    jobs = [job_of(runs_at(0.1)), job_of(runs_at(0.2))]
    store = written(tmp_path, *jobs)
    (store.jobs / f"{jobs[1].key}-1-0.parquet").write_text("edited by hand")

    said = r"parquet\.faulty, and is recomputed"
    with pytest.warns(DataNotice, match=said), store.writing():
        left = store.missing(jobs)

    assert left == jobs[1:]
    assert names_in(store) == sorted(
        [f"{jobs[0].key}-1-0.parquet", f"{jobs[1].key}-1-0.parquet.faulty"]
    )


def test_only_what_has_changed_since_the_last_writer_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = written(tmp_path / "store", job_of(runs_at(0.1)), job_of(runs_at(0.2)))
    shutil.copytree(tmp_path / "store", tmp_path / "copy")
    looked_at: list[int] = []

    def look(files: list[File], hashed: bool) -> list[Fault]:
        looked_at.append(len(files))
        return []

    monkeypatch.setattr("bakeoff.store.store.check", look)
    time.sleep(0.01)  # the clock of a file system is coarse

    store.check()
    for file in store.files()[:1]:
        file.path.write_bytes(file.path.read_bytes())
    store.check()
    Store(tmp_path / "copy").check()

    assert looked_at == [0, 1, 2]


def test_a_store_of_an_older_version_has_nulls_where_it_had_no_column(tmp_path: Path) -> None:
    job = job_of(runs_at(0.1, 0.2))
    store = written(tmp_path, job)
    [path] = store.jobs.iterdir()
    pl.read_parquet(path).drop("run_seconds", "host").write_parquet(path)

    rows = store.read()

    assert rows["host"].null_count() == 2
    assert rows.drop("host").equals(rows_by_hand(job).drop("host"))
    assert store.faults == []
    assert store.check() == []


EDITS: dict[str, Any] = {
    "problem": None,
    "digest": "",
    "task": "guesswork",
    "n": 0,
    "n_features": -1,
    "n_actions": 1,
    "constant_action_cost": 7.0,
    "uniform_cost": float("nan"),
    "shuffle": None,
    "algorithm": "x" * 50_000,
    "explorer": "bag of tricks",
    "reduction": "ipz",
    "learning_rate": float("inf"),
    "encoding": "one/two",
    "baseline": None,
    "run": None,
    "pv_loss": None,
    "ips_reward": float("nan"),
    "ips_loss": float("-inf"),
    "curve_rounds": [1, 2, 3],
    "curve_loss": [0.5, None],
}


@pytest.mark.parametrize("column", EDITS)
def test_a_row_that_cannot_be_is_found(tmp_path: Path, column: str) -> None:
    store = written(tmp_path, job_of(runs_at(0.1)), job_of(runs_at(0.2)))
    path = sorted(store.jobs.iterdir())[0]
    value = pl.Series([EDITS[column]], dtype=SCHEMA[column])
    pl.read_parquet(path).with_columns(value.alias(column)).write_parquet(path)

    assert [fault.path for fault in store.check()] == [path]
    assert Store(tmp_path).read().height == 1


@pytest.mark.parametrize(("end", "what"), [("2-0", "rows"), ("1-1", "errors")])
def test_a_file_that_is_not_what_its_name_says_is_found(
    tmp_path: Path, end: str, what: str
) -> None:
    job = job_of(runs_at(0.1))
    store = written(tmp_path, job)
    (store.jobs / f"{job.key}-1-0.parquet").rename(store.jobs / f"{job.key}-{end}.parquet")

    [fault] = store.check()

    assert fault.reason == "does not hold what its name says", what


def test_a_damaged_file_that_was_removed_is_missing(tmp_path: Path) -> None:
    jobs = [job_of(runs_at(0.1)), job_of(runs_at(0.2))]
    store = written(tmp_path, *jobs)
    (store.jobs / f"{jobs[1].key}-1-0.parquet").unlink()

    assert store.missing(jobs) == jobs[1:]
    assert store.read().equals(rows_by_hand(jobs[0]))


@pytest.mark.parametrize(
    "text", ["", "{", "[]x", "[1]", "3", '"text"', '{"name": "a web site"}', "\0"]
)
def test_a_manifest_that_is_not_ours_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / MANIFEST).write_text(text)

    with pytest.raises(ResultsError) as caught:
        Store(tmp_path).manifest()

    said = str(caught.value)
    assert said.startswith(f"{tmp_path}/{MANIFEST}: is not ")
    assert said.endswith("; remove it, and `bakeoff run` writes a new one")
    assert "\n" not in said


def test_a_manifest_of_another_format_is_refused(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(json.dumps({"format": 4, "runs": {}}))

    with pytest.raises(ResultsError, match="has format 4, but this version reads form"):
        Store(tmp_path).manifest()


def test_there_is_no_manifest_before_there_is_an_experiment(tmp_path: Path) -> None:
    assert Store(tmp_path).manifest() is None


def test_the_hash_of_rows_stays_what_stores_have_written() -> None:
    rows = rows_of([
        {
            "problem": "a", "digest": "0" * 64, "n": 3, "baseline": True,
            "pv_loss": 0.25, "curve_rounds": [1, 3], "curve_loss": [1.0, 0.25],
        },
        {"problem": None, "error": "\u00e9"},
    ])  # fmt: skip

    assert hash_of(rows) == ("58c1b9188fa1e0211c332496fca8177727ca52f2c4cec69ec64ff5aa76593751")
