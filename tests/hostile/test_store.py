"""Stores that somebody has touched: a sentence, and a run that mends them."""

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bakeoff import Experiment, Problem, ResultsError, Run
from bakeoff.experiment.progress import progress_of
from bakeoff.judging.reading import missing_of, read_losses
from bakeoff.store.store import MANIFEST, Store
from benchmarks.hostile.store import EDITS
from benchmarks.kills import comparable
from tests.stores import job_of

PROBLEM = Problem.from_classes([[1.0], [2.0], [3.0]] * 10, [0, 1, 1] * 10, name="small")
ASKED = Experiment(PROBLEM, [Run("greedy"), Run("supervised")], shuffles=2)


@pytest.fixture(scope="module")
def clean(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clean") / "store"
    ASKED.run(folder)
    return folder


@pytest.fixture
def store(clean: Path, tmp_path: Path) -> Store:
    shutil.copytree(clean, tmp_path / "store")
    return Store(tmp_path / "store")


def used(store: Store) -> None:
    """All that people do with a store; it may be refused, in one sentence."""
    for use in (progress_of, missing_of, read_losses):
        try:
            use(Store(store.folder))
        except ResultsError as error:
            assert "\n" not in str(error)  # noqa: PT017


def change(path: Path, where: list[Any], value: Any) -> None:
    """Another value in the manifest, as an editor would write it."""
    manifest = json.loads(path.read_text())
    place = manifest
    for key in where[:-1]:
        place = place[key]
    place[where[-1]] = value
    path.write_text(json.dumps(manifest))


@pytest.mark.filterwarnings("ignore::bakeoff.basics.errors.DataNotice")
@pytest.mark.parametrize(
    ("where", "value"),
    [
        (["runs"], None), (["runs"], []), (["runs"], {"a": ["no-such-spec"]}),
        (["problems"], {}), (["problems", 0, "n"], 0), (["problems", 0, "n"], "many"),
        (["problems", 0, "shuffles"], 10**12), (["problems", 0, "digest"], None),
        (["problems", 0, "uniform_cost"], 7), (["unreadable"], 3), (["twins"], [1]),
        (["openml_ids"], {"a": "b"}), (["files"], {"a": {}}), (["asked"], [[[]]]),
        (["asked", "sources"], 3), (["version"], {}), (["format"], True),
    ],
    ids=str,
)  # fmt: skip
def test_a_manifest_that_was_edited_is_told_and_mended(
    store: Store, clean: Path, where: list[Any], value: Any
) -> None:
    change(store.folder / MANIFEST, where, value)

    used(store)
    ASKED.run(store.folder)

    assert comparable(store.folder).equals(comparable(clean))
    assert progress_of(Store(store.folder)).faults == []


@pytest.mark.filterwarnings("ignore::bakeoff.basics.errors.DataNotice")
@pytest.mark.parametrize("text", ["", "null", "[" * 100_000, "{}", "\0", "3"])
def test_a_manifest_that_is_none_is_told_and_mended(store: Store, text: str) -> None:
    (store.folder / MANIFEST).write_text(text)

    used(store)
    summary = ASKED.run(store.folder)

    assert summary.n_computed == 0


def fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def nowhere(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


@pytest.mark.filterwarnings("ignore::bakeoff.basics.errors.DataNotice")
@pytest.mark.parametrize("make", [fifo, folder, nowhere])
@pytest.mark.parametrize("what", [MANIFEST, "jobs", "checked"])
def test_something_else_in_place_of_a_file_is_told_and_mended(
    store: Store, clean: Path, what: str, make: Callable[[Path], None]
) -> None:
    path = store.folder / what
    make(sorted(path.iterdir())[0] if path.is_dir() else path)

    used(store)
    ASKED.run(store.folder)

    assert comparable(store.folder).equals(comparable(clean))


@pytest.mark.parametrize("what", ["lock", "learners.log"])
def test_a_pipe_in_place_of_a_lock_or_a_log_is_not_waited_for(
    store: Store, clean: Path, what: str
) -> None:
    (store.folder / what).unlink(missing_ok=True)
    os.mkfifo(store.folder / what)

    store.log(job_of([Run("greedy")]), "printed")
    try:
        ASKED.run(store.folder)
    except ResultsError as error:
        assert "\n" not in str(error)  # noqa: PT017

    assert comparable(store.folder).equals(comparable(clean))


@pytest.mark.filterwarnings("ignore::bakeoff.basics.errors.DataNotice")
@pytest.mark.parametrize("seed", range(20))
def test_random_edits_are_told_and_mended(store: Store, clean: Path, seed: int) -> None:
    rng = random.Random(seed)
    rng.choice(EDITS)(rng, store.folder)

    used(store)
    try:
        ASKED.run(store.folder)
    except ResultsError as error:
        assert "format" in str(error)  # noqa: PT017
    else:
        assert comparable(store.folder).equals(comparable(clean))


def test_a_plausible_loss_is_found_and_left_out_of_the_report(store: Store) -> None:
    path = sorted(store.jobs.iterdir())[0]
    rows = pl.read_parquet(path)
    rows.with_columns(pv_loss=pl.col("pv_loss") / 2).write_parquet(path)

    losses = read_losses(store)

    assert [fault.path for fault in store.faults] == [path]
    assert losses.settings.height < 4
    assert "cannot be used" in missing_of(store)
