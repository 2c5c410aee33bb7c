"""Stores that other versions wrote: more columns, other code, unknown explorers."""

import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from typer.testing import CliRunner

import bakeoff
from bakeoff import DataNotice, Experiment, Problem, Run
from bakeoff.cli import app
from bakeoff.core import sources
from bakeoff.experiment import older_code
from bakeoff.store import rows as store_rows
from bakeoff.store.job_files import name_of
from bakeoff.store.jobs import key_of
from bakeoff.store.manifest import NAME, Manifest
from bakeoff.store.rows import SCHEMA, stamps_of
from bakeoff.store.store import Store
from tests.stores import job_of, runs_at, written

NEWER = "oracle-of-delphi:gamma=100"


def rewritten(store: Store, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Let another version have written the files of a store."""
    for file in store.files():
        rows = change(pl.read_parquet(file.path))
        file.path.unlink()
        key = f"{file.stream}-{key_of(rows['run'])}"
        path = store.jobs / name_of(key, rows.height, rows["error"].count())
        rows.write_parquet(path, metadata=stamps_of(rows))
    (store.folder / "checked").unlink(missing_ok=True)


# Columns


def test_files_of_a_version_with_fewer_columns_are_fine(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1, 0.5)))

    rewritten(store, lambda rows: rows.drop("code"))

    assert store.check() == []
    assert store.read()["code"].to_list() == [None, None]


def test_files_of_a_version_with_more_columns_are_fine(tmp_path: Path) -> None:
    store = written(tmp_path, job_of(runs_at(0.1, 0.5)))

    rewritten(store, lambda rows: rows.with_columns(pl.lit("raw").alias("machine")))

    assert store.check() == []
    assert store.read().height == 2


def test_a_new_column_of_this_version_condemns_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = written(tmp_path, job_of(runs_at(0.1, 0.5)))

    monkeypatch.setitem(SCHEMA, "machine", pl.String())
    (tmp_path / "checked").unlink(missing_ok=True)

    assert store.check() == []
    assert store.read()["machine"].to_list() == [None, None]


@pytest.mark.parametrize("name", ["pv_loss", "code", "machine"])
def test_an_edited_column_is_noticed_whoever_added_it(tmp_path: Path, name: str) -> None:
    store = written(tmp_path, job_of(runs_at(0.1, 0.5)))
    rewritten(store, lambda rows: rows.with_columns(pl.lit("raw").alias("machine")))
    [file] = store.files()
    stamps: Any = pl.read_parquet_metadata(file.path)
    rows = pl.read_parquet(file.path)
    edited = pl.lit(0.125 if name == "pv_loss" else "other").alias(name)

    rows.with_columns(edited).write_parquet(
        file.path, metadata={key: stamps[key] for key in stamps_of(rows)}
    )

    [fault] = store.check()
    assert "changed after it had been written" in str(fault)


# Code


def problem() -> Problem:
    return Problem.from_classes([[0.0, 1.0], [1.0, 0.0]] * 10, [0, 1] * 10)


def test_results_of_other_code_are_named_with_what_computes_them_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [Run("greedy"), Run("bag")]
    experiment = Experiment(problem(), runs)
    experiment.run(tmp_path)
    today = sources.code_hash()
    edited(monkeypatch)

    with pytest.warns(DataNotice, match=r"since 2 results .* `--again G --again B`"):
        again = experiment.run(tmp_path)
    with pytest.warns(DataNotice, match=r"since 1 result .* `--again B`"):
        Experiment(problem(), runs).run(tmp_path, again=["G"])
    Experiment(problem(), [Run("greedy")]).run(tmp_path)  # says nothing

    assert again.n_computed == 0
    code = dict(Store(tmp_path).read(["algorithm", "code"]).iter_rows())
    assert code == {"B": today, "G": "edited"}


def edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the code of the algorithms be another from now on."""
    for module in (older_code, store_rows):
        monkeypatch.setattr(module, "code_hash", lambda: "edited")


@pytest.mark.parametrize("manifest", [None, Manifest(hashed=True)])
def test_a_lost_or_old_manifest_does_not_hide_results_of_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, manifest: Manifest | None
) -> None:
    experiment = Experiment(problem(), [Run("greedy")])
    experiment.run(tmp_path)
    (tmp_path / NAME).unlink()
    if manifest is not None:
        Store(tmp_path).write_manifest(manifest)
    edited(monkeypatch)

    with pytest.warns(DataNotice, match="since 1 result "):
        experiment.run(tmp_path)


def test_the_manifest_forgets_code_whose_results_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(problem(), [Run("greedy")])
    experiment.run(tmp_path)
    edited(monkeypatch)
    experiment.run(tmp_path, again=["G"])
    experiment.run(tmp_path)
    monkeypatch.setattr(Store, "read", None)  # it need not be called any more

    experiment.run(tmp_path)

    manifest = Store(tmp_path).manifest()
    assert manifest is not None
    assert manifest.code == ("edited",)


def test_damaged_results_of_other_code_stop_no_plan(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(problem(), [Run("greedy")])
    experiment.run(tmp_path)
    edited(monkeypatch)
    [file] = Store(tmp_path).files()
    file.path.write_bytes(b"PAR1")

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNotice)
        assert experiment.run(tmp_path).n_computed == 1


def test_runs_that_ended_in_an_error_are_no_results_of_other_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(problem(), [Run("greedy")])
    experiment.run(tmp_path)
    failed = pl.lit("scores stopped being finite").alias("error")
    rewritten(Store(tmp_path), lambda rows: rows.with_columns(failed))
    edited(monkeypatch)

    with warnings.catch_warnings():
        warnings.filterwarnings("error", "the code", DataNotice)
        warnings.filterwarnings("ignore", "failed", DataNotice)
        experiment.run(tmp_path)


def test_an_edit_of_a_kernel_changes_the_hash_and_a_comment_does_not() -> None:
    text = (sources.FOLDER / "explorers" / "bag.py").read_bytes()

    assert sources.shape_of(text + b"\n# more") == sources.shape_of(text)
    assert sources.shape_of(text.replace(b"+", b"-", 1)) != sources.shape_of(text)


def test_threads_may_look_at_sources_at_once() -> None:
    text = b"".join(path.read_bytes() for path in sorted(sources.FOLDER.rglob("*.py")))
    text = text.replace(b"from __future__ import annotations\n", b"")

    with ThreadPoolExecutor(8) as pool:
        shapes = set(pool.map(sources.shape_of, [text] * 24))

    assert len(shapes) == 1


# Explorers


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """A store with results of an explorer that this version does not know."""
    runs = [Run("greedy"), Run("epsilon-greedy")]
    Experiment(problem(), runs).run(tmp_path)
    store = Store(tmp_path)
    old = runs[1].explorer
    text = pl.col("run", "explorer").str.replace_all(old, NEWER, literal=True)
    label = pl.col("algorithm").replace("eG", "SquareCB")
    rewritten(store, lambda rows: rows.with_columns(text, label))
    manifest = store.manifest()
    assert manifest is not None
    texts = [tuple(t.replace(old, NEWER) for t in some) for some in manifest.runs.values()]
    with store.writing():
        store.write_manifest(replace(manifest, runs={key_of(t): t for t in texts}))
    return tmp_path


def test_results_of_an_unknown_explorer_are_shown(newer: Path) -> None:
    words = [["status", str(newer)], ["report", str(newer), "--figures", "none"]]
    with pytest.warns(DataNotice, match="of another version of bakeoff, such as"):
        status, report = (CliRunner().invoke(app, some) for some in words)

    assert (status.exit_code, report.exit_code) == (0, 0), status.output + report.output
    assert "SquareCB" in status.output
    assert "SquareCB" in report.output
    assert set(bakeoff.open(newer).rows()["algorithm"]) == {"G", "SquareCB"}


def test_a_run_beside_an_unknown_explorer_keeps_it(newer: Path) -> None:
    summary = Experiment(problem(), [Run("greedy"), Run("bag")]).run(newer)

    assert summary.n_computed == 1
    labels = Store(newer).read(["algorithm"])["algorithm"].to_list()
    assert sorted(labels) == ["B", "G", "SquareCB"]
