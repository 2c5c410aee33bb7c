"""Compaction: one file per problem and shuffle, where there are very many."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bakeoff.store import store as results
from bakeoff.store.compaction import compact, is_scattered
from bakeoff.store.job_files import File, files_in
from bakeoff.store.jobs import Job, key_of
from bakeoff.store.read_job_files import Found, read_files
from bakeoff.store.rows import ROW_KEY, marked
from bakeoff.store.store import COMPACTING, Store
from tests.stores import FACTS, job_of, rows_by_hand, runs_at, written

OTHER = replace(FACTS, name="wine", digest="cd" * 32)
JOBS = [
    job_of(runs_at(0.1, 0.2)),
    job_of(runs_at(0.3)),
    job_of(runs_at(0.4, 0.5)),
    job_of(runs_at(0.1, 0.2), shuffle=2),
    job_of(runs_at(0.1, 0.2), facts=OTHER),
    job_of(runs_at(0.3), facts=OTHER),
]


class Killed(BaseException):
    pass


def compacted(store: Store) -> Store:
    with store.writing():
        if is_scattered(store, many=3):
            compact(store)
    return store


def rows_in(store: Store) -> pl.DataFrame:
    """As any reader of Parquet finds them."""
    return pl.read_parquet(store.jobs / "*.parquet").sort(ROW_KEY)


def key_of_all(*jobs: Job) -> str:
    return key_of(marked(str(run), run.code) for job in jobs for run in job.runs)


def test_each_problem_and_shuffle_has_one_file_with_the_same_rows(tmp_path: Path) -> None:
    store = written(tmp_path, *JOBS)
    before = rows_in(store)

    compacted(store)

    assert rows_in(store).equals(before)
    assert store.read().sort(ROW_KEY).equals(before)
    assert sorted(file.path.name for file in store.files()) == [
        f"{'ab' * 8}-1-{key_of_all(*JOBS[:3])}-5-0.parquet",
        f"{'ab' * 8}-2-{JOBS[3].group.key_with_code}-2-0.parquet",
        f"{'cd' * 8}-1-{key_of_all(*JOBS[4:])}-3-0.parquet",
    ]


def test_a_few_files_stay_as_they_are(tmp_path: Path) -> None:
    store = written(tmp_path, *JOBS[:3])

    compacted(store)

    assert {file.key for file in store.files()} == {job.key for job in JOBS[:3]}


def test_what_is_done_is_still_known_by_names_alone(tmp_path: Path) -> None:
    store = compacted(written(tmp_path, *JOBS))
    for file in store.files():
        file.path.write_text("nobody looks here")
    new = job_of(runs_at(0.1), facts=replace(FACTS, digest="ef" * 32))

    assert store.missing([*reversed(JOBS), new]) == [new]


def test_of_an_extended_or_shrunk_grid_only_new_runs_are_missing(tmp_path: Path) -> None:
    store = compacted(written(tmp_path, *JOBS))
    extended, shrunk = job_of(runs_at(0.9, 0.3)), job_of(runs_at(0.5))

    (left,) = store.missing([extended, shrunk])

    assert left.runs == tuple(runs_at(0.9))


def test_what_is_missing_keeps_its_order(tmp_path: Path) -> None:
    store = compacted(written(tmp_path, *JOBS[:3], JOBS[5]))
    jobs = [JOBS[4], JOBS[0], JOBS[3], JOBS[5], JOBS[1]]

    assert store.missing(jobs) == [JOBS[4], JOBS[3]]


def test_new_runs_join_the_file_of_the_old_ones(tmp_path: Path) -> None:
    store, new = compacted(written(tmp_path, *JOBS)), job_of(runs_at(0.9))
    with store.writing():
        store.write(new, rows_by_hand(new))

    compacted(store)

    names = [file.path.name for file in store.files()]
    assert f"{'ab' * 8}-1-{key_of_all(*JOBS[:3], new)}-6-0.parquet" in names
    assert len(names) == 3
    assert store.missing([*JOBS, new]) == []


def test_errors_are_counted_and_failures_left_alone(tmp_path: Path) -> None:
    store = written(tmp_path, *JOBS[1:])
    failed = job_of(runs_at(0.9), facts=OTHER)
    with store.writing():
        store.write(JOBS[0], rows_by_hand(JOBS[0], errors=1))
        store.write(failed, rows_by_hand(failed, error="no memory"), failed=True)

    compacted(store)

    assert sorted(file.n_errors for file in store.files()) == [0, 0, 1, 1]
    assert [file.key for file in store.files() if file.failed] == [failed.key]
    assert store.missing([*JOBS, failed]) == [failed]
    assert store.errors(JOBS)["run"].to_list() == [str(JOBS[0].runs[1])]


@pytest.mark.parametrize("removals", range(5))
def test_a_kill_at_any_moment_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, removals: int
) -> None:
    store = written(tmp_path, *JOBS)
    before = store.read().sort(ROW_KEY)
    left, unlink = [removals], Path.unlink

    def dying(path: Path, missing_ok: bool = False) -> None:
        if path.suffix == ".parquet":
            if not left[0]:
                raise Killed
            left[0] -= 1
        unlink(path, missing_ok=missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", dying)
        with pytest.raises(Killed):
            compacted(store)
    assert store.read().sort(ROW_KEY).equals(before)
    assert store.missing(JOBS) == []

    assert is_scattered(store, many=99)  # what was begun is to be done
    compacted(store)

    assert rows_in(store).equals(before)
    assert len(store.files()) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checked", "jobs", "lock"]


def test_a_kill_before_anything_is_removed_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = written(tmp_path, *JOBS)
    before = store.read().sort(ROW_KEY)
    n_left = [1]

    def dying(store: Store, path: Path, rows: pl.DataFrame) -> None:
        if not n_left[0]:
            raise Killed
        n_left[0] -= 1
        write_rows(store, path, rows)

    write_rows = Store.write_rows
    with monkeypatch.context() as patch:
        patch.setattr(Store, "write_rows", dying)
        with pytest.raises(Killed):
            compacted(store)
    assert store.read().sort(ROW_KEY).equals(before)

    compacted(store)

    assert rows_in(store).equals(before)


@pytest.mark.parametrize("what", ["read", "missing", "errors"])
def test_who_reads_while_files_are_put_together_finds_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    extended = job_of([*JOBS[0].runs, *runs_at(0.9)])
    store = written(tmp_path, *JOBS[1:])
    with store.writing():
        store.write(JOBS[0], rows_by_hand(JOBS[0], errors=1))
    asks: dict[str, Callable[[], Any]] = {
        "read": lambda: store.read().sort(ROW_KEY),
        "missing": lambda: store.missing([extended]),
        "errors": lambda: store.errors(JOBS),
    }
    before = asks[what]()
    is_first = [True]

    def late(files: list[File], *others: Any) -> Found:
        """Files are compacted after they were listed."""
        if is_first[0]:
            is_first[0] = False
            compacted(Store(tmp_path))
        return read_files(files, *others)

    monkeypatch.setattr(results, "read_files", late)

    after = asks[what]()

    assert len(store.files()) == 3
    assert after == before if what == "missing" else after.equals(before)


def test_a_listing_amid_removals_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = written(tmp_path, *JOBS)
    n_calls = [0]

    def blind(folder: Path) -> list[File]:
        """The first time it misses the new file and the old ones, as a listing may."""
        n_calls[0] += 1
        if n_calls[0] == 1:
            (tmp_path / COMPACTING).touch()
            return []
        (tmp_path / COMPACTING).unlink(missing_ok=True)
        return list(files_in(folder))

    monkeypatch.setattr(results, "files_in", blind)

    assert len(store.files()) == len(JOBS)
