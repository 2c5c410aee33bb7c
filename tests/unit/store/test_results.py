"""The store of results: what its files say, what is missing, what has failed."""

import shutil
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import polars as pl
import pytest

from bakeoff.store.jobs import Job
from bakeoff.store.manifest import Manifest, Unreadable
from bakeoff.store.rows import ROW_KEY, SCHEMA
from bakeoff.store.store import MANIFEST, Store
from tests.stores import FACTS, job_of, rows_by_hand, runs_at, written

OTHER = replace(FACTS, name="wine", digest="cd" * 32)


def names_in(store: Store) -> list[str]:
    return sorted(path.name for path in store.jobs.iterdir())


# ---- files and their names


def test_rows_come_back_as_they_were_written(tmp_path: Path) -> None:
    job = job_of(runs_at(0.1, 0.2))

    store = written(tmp_path, job)

    assert store.read().equals(rows_by_hand(job))


def test_a_file_name_tells_the_job_its_rows_and_its_errors(tmp_path: Path) -> None:
    store, job = Store(tmp_path), job_of(runs_at(0.1, 0.2, 0.3), shuffle=7)

    with store.writing():
        store.write(job, rows_by_hand(job, errors=1))

    (file,) = store.files()
    assert file.path.name == f"{'ab' * 8}-7-{job.group.key_with_code}-3-1.parquet"
    assert (file.key, file.n_rows, file.n_errors) == (job.key, 3, 1)
    assert not file.failed


def test_a_store_is_read_by_plain_polars(tmp_path: Path) -> None:
    jobs = [job_of(runs_at(0.1)), job_of(runs_at(0.2), facts=OTHER)]

    written(tmp_path, *jobs)

    rows = pl.read_parquet(tmp_path / "jobs" / "*.parquet")
    assert dict(rows.schema) == SCHEMA
    assert sorted(rows["problem"]) == ["iris", "wine"]


def test_only_rows_of_results_are_parquet(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1)))
    store.write_manifest(Manifest())

    assert {p.parent for p in tmp_path.rglob("*.parquet")} == {tmp_path / "jobs"}
    assert sorted(p.name for p in tmp_path.iterdir()) == ["checked", "jobs", "lock", MANIFEST]


@pytest.mark.parametrize("name", ["a b", "results[1]", "a*b?", "run=1", "ü"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    job, more = job_of(runs_at(0.1)), job_of(runs_at(0.1, 0.2))

    store = written(tmp_path / name, job)

    assert store.read().columns == list(SCHEMA)
    assert [left.runs for left in store.missing([more])] == [tuple(runs_at(0.2))]


def test_no_two_rows_share_a_key(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1, 0.2)), job_of(runs_at(0.2, 0.3)))

    rows = store.read()

    assert rows.height == rows.select(ROW_KEY).unique().height == 3


# ---- what is missing


def test_what_is_done_is_known_by_names_alone(tmp_path: Path) -> None:
    job = job_of(runs_at(0.1, 0.2))
    store = written(tmp_path, job)
    for file in store.files():
        file.path.write_text("nobody looks here")

    left = store.missing([job, job_of(runs_at(0.1), facts=OTHER)])

    assert [job.facts.name for job in left] == ["wine"]


def test_the_order_of_runs_is_not_part_of_a_name(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1, 0.2)))
    for file in store.files():
        file.path.write_text("nobody looks here")

    assert store.missing([job_of(runs_at(0.2, 0.1))]) == []


def test_of_an_extended_grid_only_new_runs_are_missing(tmp_path: Path) -> None:
    extended = job_of(runs_at(0.3, 0.1, 0.2))
    store = written(tmp_path, job_of(runs_at(0.1, 0.2)))

    (left,) = store.missing([extended])

    assert left.runs == tuple(runs_at(0.3))
    assert left.key == extended.key


def test_runs_in_a_file_that_is_gone_are_missing(tmp_path: Path) -> None:
    extended = job_of(runs_at(0.1, 0.2, 0.3))
    store = written(tmp_path, job_of(runs_at(0.1, 0.2)))
    (old,) = store.files()
    with store.writing():
        for left in store.missing([extended]):
            store.write(left, rows_by_hand(left))

    old.path.unlink()

    (missing,) = store.missing([extended])
    assert missing.runs == tuple(runs_at(0.1, 0.2))


def test_an_extended_grid_is_done_when_its_new_runs_are(tmp_path: Path) -> None:
    extended = job_of(runs_at(0.1, 0.2, 0.3))
    store = written(tmp_path, job_of(runs_at(0.1, 0.2)))
    with store.writing():
        for left in store.missing([extended]):
            store.write(left, rows_by_hand(left))

    rows = store.read()

    assert store.missing([extended]) == []
    assert sorted(rows["run"]) == sorted(map(str, extended.runs))


def test_of_a_shrunk_grid_nothing_is_missing(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1, 0.2, 0.3)))

    left = store.missing([job_of(runs_at(0.2)), job_of(runs_at(0.3, 0.1))])

    assert left == []


def test_two_halves_are_a_whole(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1, 0.2)), job_of(runs_at(0.3)))

    assert store.missing([job_of(runs_at(0.1, 0.2, 0.3))]) == []


def test_results_of_other_data_and_orders_do_not_count(tmp_path: Path) -> None:
    runs = runs_at(0.1)
    store = written(tmp_path, job_of(runs))
    asked = [job_of(runs, facts=OTHER), job_of(runs, shuffle=2), job_of(runs)]

    left = store.missing(asked)

    assert left == asked[:2]


def test_a_problem_is_known_by_its_content_not_by_its_name(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1)))
    renamed = replace(FACTS, name="flowers", origin="flowers.csv")

    left = store.missing([job_of(runs_at(0.1), facts=renamed)])

    assert left == []


def test_an_empty_store_misses_everything(tmp_path: Path) -> None:
    jobs = [job_of(runs_at(0.1)), job_of(runs_at(0.1), shuffle=2)]

    assert Store(tmp_path / "none").missing(jobs) == jobs


# ---- failures


def test_a_failed_job_is_kept_and_still_missing(tmp_path: Path) -> None:
    store, job = Store(tmp_path), job_of(runs_at(0.1, 0.2))

    with store.writing():
        store.write(job, rows_by_hand(job, error="no memory"), failed=True)

    assert store.missing([job]) == [job]
    assert list(store.read()["error"]) == ["no memory"] * 2


def test_success_removes_the_failure(tmp_path: Path) -> None:
    store, job = Store(tmp_path), job_of(runs_at(0.1, 0.2))
    with store.writing():
        store.write(job, rows_by_hand(job, error="no memory"), failed=True)

    with store.writing():
        store.write(job, rows_by_hand(job))

    assert names_in(store) == [f"{job.key}-2-0.parquet"]


def test_success_of_a_larger_grid_removes_the_failure(tmp_path: Path) -> None:
    store, job = Store(tmp_path), job_of(runs_at(0.1, 0.2))
    larger = job_of(runs_at(0.1, 0.2, 0.3))
    with store.writing():
        store.write(job, rows_by_hand(job, error="no memory"), failed=True)

    with store.writing():
        store.write(larger, rows_by_hand(larger))

    assert names_in(store) == [f"{larger.key}-3-0.parquet"]


def test_success_elsewhere_leaves_a_failure_alone(tmp_path: Path) -> None:
    store, job = Store(tmp_path), job_of(runs_at(0.1))
    elsewhere = job_of(runs_at(0.1), facts=OTHER)
    with store.writing():
        store.write(job, rows_by_hand(job, error="no memory"), failed=True)

    with store.writing():
        store.write(elsewhere, rows_by_hand(elsewhere))

    assert sorted(store.read()["error"].drop_nulls()) == ["no memory"]


def test_a_result_counts_more_than_a_failure(tmp_path: Path) -> None:
    rates = [0.1, 0.2, 0.3, 0.4]  # several pairs: names of files come in any order
    for pair in combinations(rates, 2):
        store = Store(tmp_path / str(pair))
        both, one = job_of(runs_at(*pair)), job_of(runs_at(pair[0]))
        with store.writing():
            store.write(both, rows_by_hand(both, error="no memory"), failed=True)
            store.write(one, rows_by_hand(one))

        rows = store.read().sort("run")

        assert list(rows["error"]) == [None, "no memory"]


def test_a_kill_between_result_and_removal_leaves_no_failure(tmp_path: Path) -> None:
    store, job = Store(tmp_path), job_of(runs_at(0.1))
    with store.writing():
        store.write(job, rows_by_hand(job, error="no memory"), failed=True)
        (failed,) = store.jobs.iterdir()
        shutil.copy(failed, tmp_path / "kept")
        store.write(job, rows_by_hand(job))
        shutil.copy(tmp_path / "kept", failed)

    with store.writing():
        pass

    assert names_in(store) == [f"{job.key}-1-0.parquet"]


def test_each_problem_that_cannot_be_read_has_a_row(tmp_path: Path) -> None:
    store = Store(tmp_path)

    with store.writing():
        store.write_unreadable(
            [Unreadable("a", "data/a.csv", "is empty"), Unreadable("b", "data/b.csv", "is odd")]
        )

    rows = store.read().sort("problem")
    assert list(rows["problem"]) == ["a", "b"]
    assert list(rows["error"]) == ["is empty", "is odd"]


def test_what_could_not_be_read_before_is_forgotten(tmp_path: Path) -> None:
    store, failed = Store(tmp_path), job_of(runs_at(0.1))
    with store.writing():
        store.write(failed, rows_by_hand(failed, error="no memory"), failed=True)
        a, b = Unreadable("a", "a.csv", "is empty"), Unreadable("b", "b.csv", "is odd")
        store.write_unreadable([a, b])

        c = Unreadable("c", "c.csv", "is new")
        store.write_unreadable([b._replace(error="is odder"), c])

    rows = store.read().sort("problem")
    assert list(rows["problem"]) == ["b", "c", "iris"]
    assert list(rows["error"]) == ["is odder", "is new", "no memory"]


def test_runs_that_ended_in_an_error_are_told_where_asked(tmp_path: Path) -> None:
    store = Store(tmp_path)

    def errors(*jobs: Job) -> list[tuple[str, str]]:
        return store.errors(jobs).sort(ROW_KEY).select("problem", "run").rows()

    first, second, third = map(str, runs_at(0.1, 0.2, 0.3))
    job, other = job_of(runs_at(0.1, 0.2, 0.3)), job_of(runs_at(0.1), facts=OTHER)
    with store.writing():
        store.write(job, rows_by_hand(job, errors=2))
        store.write(other, rows_by_hand(other, errors=1))

    ours = [("iris", second), ("iris", third)]
    assert errors(job, other) == [*ours, ("wine", first)]
    assert errors(job) == ours
    assert errors(job_of(runs_at(0.2, 0.4))) == ours[:1]
    assert errors(job_of(runs_at(0.1)), job_of(runs_at(0.1), shuffle=2)) == []
    assert store.missing([job, other]) == []  # an error is a result
