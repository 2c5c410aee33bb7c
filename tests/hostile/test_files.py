"""Files that are made to hang, to panic, or to fill the memory: one sentence each."""

import bz2
import gzip
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from bakeoff import DataError, Experiment, Run, load
from bakeoff.reading import files
from bakeoff.reading.catalog.listing import listed
from bakeoff.reading.catalog.sources import find_all
from bakeoff.reading.options import Options
from bakeoff.store.store import Store

GOOD = "a,b,y\n1,2,no\n2,3,yes\n3,1,no\n"


def error_of(path: Path) -> str:
    """The sentence that a file is refused with."""
    with pytest.raises(DataError) as caught:
        load(str(path))
    said = str(caught.value)
    assert "\n" not in said
    return said


def test_a_panic_of_polars_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def panic(*_: object) -> pl.DataFrame:
        raise pl.exceptions.PanicException("index out of bounds")

    (tmp_path / "bad.parquet").write_bytes(b"PAR1")
    (tmp_path / "good.csv").write_text(GOOD)
    monkeypatch.setattr(pl, "read_parquet", panic)

    assert "polars gave up (index out of bounds)" in error_of(tmp_path / "bad.parquet")
    rows = list(listed(find_all([str(tmp_path)]), Options()))
    assert [row.error is None for row in rows] == [False, True]


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """A file with a few bytes that are others."""
    changed = np.frombuffer(data, np.uint8).copy()
    places = rng.integers(0, len(changed), rng.integers(1, 8))
    changed[places] = rng.integers(0, 256, len(places))
    return changed.tobytes()


def test_mutated_parquet_files_are_read_or_refused(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / "x.parquet"
    table = pl.DataFrame({"a": range(40), "b": ["x", "y"] * 20, "y": [0, 1] * 20})
    table.write_parquet(path)
    data = path.read_bytes()

    for _ in range(40):
        path.write_bytes(mutated(data, rng))
        with suppress(DataError):
            load(str(path))


BOMB = b"1 1:1 2:0.5 3:0.25\n0 1:0.5 2:1\n"


@pytest.mark.parametrize(
    ("name", "pack"),
    [
        ("x.svm.bz2", bz2.compress),
        ("x.svm.gz", gzip.compress),
        ("x.letor.gz", gzip.compress),
        ("x.csv.gz", gzip.compress),
    ],
)
def test_what_unpacks_to_much_of_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, pack: Callable[..., bytes]
) -> None:
    (tmp_path / name).write_bytes(pack(BOMB * 100_000))
    monkeypatch.setattr(files, "available_memory", lambda: 8 * 2**20)

    assert "a quarter of the memory there is" in error_of(tmp_path / name)


def test_a_file_larger_than_the_memory_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.csv").write_text(GOOD)
    monkeypatch.setattr(files, "available_memory", lambda: 5)

    assert "of memory" in error_of(tmp_path / "x.csv")


@pytest.mark.parametrize("name", ["x.parquet", "x.csv", "x.npz", "x.arff", "x.svm.gz"])
def test_a_pipe_is_not_waited_for(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)

    assert "is neither a file nor a folder" in error_of(tmp_path / name)


def test_a_folder_may_be_as_deep_as_the_system_allows(tmp_path: Path) -> None:
    deepest = tmp_path
    for _ in range(1200):
        deepest = deepest / "d"
        deepest.mkdir()
    (tmp_path / "x.csv").write_text(GOOD)

    try:
        [problem] = load(str(tmp_path))
    finally:
        while deepest != tmp_path:  # what cleans up after pytest recurses, too
            deepest.rmdir()
            deepest = deepest.parent

    assert problem.n == 3


def test_a_name_that_is_not_utf8_is_run(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.csv")).write_text(GOOD)

    summary = Experiment(str(tmp_path), [Run("greedy")]).run(tmp_path / "store")

    assert summary.is_complete
    assert Store(tmp_path / "store").read()["problem"].to_list() == [r"caf\xe9"]


def test_a_million_columns_are_refused(tmp_path: Path) -> None:
    names = ",".join(f"c{i}" for i in range(1_000_000))
    (tmp_path / "x.csv").write_text(f"{names}\n{'1,' * 999_999}0\n{'2,' * 999_999}1\n")

    assert "has 1,000,000 columns" in error_of(tmp_path / "x.csv")


def test_two_billion_labels_are_refused(tmp_path: Path) -> None:
    np.savez(
        tmp_path / "x.npz",
        X=np.eye(2),
        Y_data=np.ones(2), Y_indices=np.array([0, 1]), Y_indptr=np.array([0, 1, 2]),
        Y_shape=np.array([2, 2**31]),
    )  # fmt: skip

    assert error_of(tmp_path / "x.npz")


def test_stray_files_do_not_keep_a_folder_from_being_read(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(GOOD)
    (tmp_path / "notes.txt").symlink_to(tmp_path / "gone.txt")
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "packed.txt.gz").write_bytes(b"not packed")

    [problem] = load(str(tmp_path))

    assert problem.n == 3
