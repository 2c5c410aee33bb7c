"""Stores that other versions wrote: more columns, other code, unknown explorers."""

import json
import os
import shutil
import subprocess
import sys
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
from bakeoff.core import code_hash
from bakeoff.core.explorers import EXPLORERS
from bakeoff.core.rounds import code_of
from bakeoff.experiment import progress_of
from bakeoff.runs import run as runs
from bakeoff.store import compact, forget, merge
from bakeoff.store.job_files import name_of
from bakeoff.store.jobs import key_of
from bakeoff.store.manifest import NAME, Manifest
from bakeoff.store.rows import SCHEMA, marks_of, stamps_of
from bakeoff.store.store import Store
from tests.stores import job_of, runs_at, written

NEWER = "oracle-of-delphi:gamma=100"


def rewritten(store: Store, change: Callable[[pl.DataFrame], pl.DataFrame]) -> None:
    """Let another version have written the files of a store."""
    for file in store.files():
        rows = change(pl.read_parquet(file.path))
        file.path.unlink()
        marks = marks_of(rows) if "code" in rows.columns else rows["run"]
        key = f"{file.stream}-{key_of(marks)}"
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


def edited(monkeypatch: pytest.MonkeyPatch, name: str = "greedy", code: str = "edited") -> None:
    """Let the code of an explorer be another from now on."""

    def changed(explorer: Any, centred: bool = False) -> str:
        return f"{name}:{code}" if explorer.name == name else code_of(explorer, centred)

    monkeypatch.setattr(runs, "code_of", changed)


def test_results_of_an_edited_explorer_are_computed_anew_and_others_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(problem(), [Run("greedy"), Run("bag")])
    before = experiment.run(tmp_path).rows().select("run", "pv_loss").sort("run")
    edited(monkeypatch)

    with pytest.warns(DataNotice, match=r"the code of G has changed since 1 result .* anew"):
        again = experiment.run(tmp_path)

    assert again.n_computed == 1
    code = dict(Store(tmp_path).read(["algorithm", "code"]).iter_rows())
    assert code == {"B": Run("bag").code, "G": "greedy:edited"}
    assert again.rows().select("run", "pv_loss").sort("run").equals(before)
    assert experiment.run(tmp_path).n_computed == 0


def test_code_that_comes_back_finds_its_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(problem(), [Run("greedy")])
    experiment.run(tmp_path)
    with monkeypatch.context() as edit, warnings.catch_warnings():
        warnings.simplefilter("ignore", DataNotice)
        edited(edit)
        experiment.run(tmp_path)

    assert experiment.run(tmp_path).n_computed == 0
    assert Store(tmp_path).read(["code"])["code"].to_list() == [Run("greedy").code]


def test_an_interrupted_run_of_edited_code_shows_nothing_of_the_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Experiment(problem(), [Run("greedy"), Run("bag")]).run(tmp_path)
    edited(monkeypatch)
    store, manifest = Store(tmp_path), Store(tmp_path).manifest()
    assert manifest is not None
    codes = ("greedy:edited", str(Run("bag").code))
    store.write_manifest(replace(manifest, code=codes))

    assert store.read(["algorithm"])["algorithm"].to_list() == ["B"]
    assert progress_of(store).runs_done == 1
    assert Experiment(problem(), [Run("greedy")]).run(tmp_path).n_computed == 1


def test_a_store_of_other_code_can_be_shown_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Experiment(problem(), [Run("greedy"), Run("bag")]).run(tmp_path)
    edited(monkeypatch)

    assert bakeoff.open(tmp_path).rows().height == 2
    assert progress_of(Store(tmp_path)).runs_done == 2


def test_compaction_and_forgetting_keep_codes_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(problem(), [Run("greedy"), Run("bag")])
    experiment.run(tmp_path)
    edited(monkeypatch)
    with pytest.warns(DataNotice, match="the code of G"):
        experiment.run(tmp_path)
    store = Store(tmp_path)

    with store.writing():
        compact(store)

    assert len(store.files()) == 1
    assert experiment.run(tmp_path).n_computed == 0
    assert sorted(store.read(["code"])["code"]) == [Run("bag").code, "greedy:edited"]
    forget(store, store.read().filter(pl.col("algorithm") == "G"))
    assert store.read(["algorithm"])["algorithm"].to_list() == ["B"]


def test_stores_of_different_code_are_merged_with_a_notice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Experiment(problem(), [Run("greedy")]).run(tmp_path / "one")
    edited(monkeypatch)
    Experiment(problem(), [Run("greedy")]).run(tmp_path / "other")

    with pytest.warns(DataNotice, match="results of 'greedy' by different code"):
        merge(Store(tmp_path / "both"), [Store(tmp_path / "one"), Store(tmp_path / "other")])

    assert "edited" not in Store(tmp_path / "both").read(["code"])["code"][0]


def with_one_hash(store: Store) -> None:
    """Let the version have written a store that kept one hash of all algorithms."""
    rewritten(store, lambda rows: rows.with_columns(pl.lit("0123456789abcdef").alias("code")))
    manifest = store.manifest()
    assert manifest is not None
    store.write_manifest(replace(manifest, code=("0123456789abcdef",)))


def test_results_with_a_hash_of_all_algorithms_are_shown_and_named(tmp_path: Path) -> None:
    some = [Run("greedy"), Run("bag")]
    experiment = Experiment(problem(), some)
    experiment.run(tmp_path)
    with_one_hash(Store(tmp_path))

    with pytest.warns(DataNotice, match=r"since 2 results .* `--again G --again B`"):
        again = experiment.run(tmp_path)
    with pytest.warns(DataNotice, match=r"since 1 result .* `--again B`"):
        Experiment(problem(), some).run(tmp_path, again=["G"])
    Experiment(problem(), [Run("greedy")]).run(tmp_path)  # says nothing

    assert again.n_computed == 0
    code = dict(Store(tmp_path).read(["algorithm", "code"]).iter_rows())
    assert code == {"B": "0123456789abcdef", "G": Run("greedy").code}


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
        assert experiment.run(tmp_path).n_computed == 1


def test_the_manifest_forgets_code_whose_results_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(problem(), [Run("greedy")])
    experiment.run(tmp_path)
    with_one_hash(Store(tmp_path))
    experiment.run(tmp_path, again=["G"])
    experiment.run(tmp_path)
    monkeypatch.setattr(Store, "read", None)  # it need not be called any more

    experiment.run(tmp_path)

    manifest = Store(tmp_path).manifest()
    assert manifest is not None
    assert manifest.code == (Run("greedy").code,)


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
    text = (code_hash.FOLDER / "explorers" / "bag.py").read_bytes()

    assert code_hash.shape_of(text + b"\n# more") == code_hash.shape_of(text)
    assert code_hash.shape_of(text.replace(b"+", b"-", 1)) != code_hash.shape_of(text)


EDITS = [  # a file, what is replaced in it, by what, and whose code that changes
    ("explorers/bag.py", "bandit.p[k, lane] / N", "bandit.p[k, lane] / (N + 0)", {"bag"}),
    ("explorers/bag.py", "# bootstrap samples", "# samples of a bootstrap", set()),
    ("explorers/bag.py", "#BE8000", "#BE8001", set()),
    ("explorers/regcb.py", "if D <= 0.0", "if D < 0.0",
     {"regcb", "squarecb", "randregcb"}),
    ("oracles/logistic.py", "FARTHEST = 50.0", "FARTHEST = 60.0", None),
    ("random.py", "POLICY = 1", "POLICY = 2", {"bag"}),
    ("live.py", "LARGEST = 1e18", "LARGEST = 1e19", set()),
    ("inputs.py", "means.rows[0] += 1", "means.rows[0] += 2", set()),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "changed"), EDITS)
def test_an_edit_changes_the_code_of_the_explorers_that_use_it(
    tmp_path: Path, name: str, old: str, new: str, changed: set[str] | None
) -> None:
    copy = tmp_path / "bakeoff" / "core"
    shutil.copytree(code_hash.FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    before = {explorer: code_of(record) for explorer, record in EXPLORERS.items()}
    text = (copy / name).read_text()
    assert old in text
    (copy / name).write_text(text.replace(old, new))

    after = codes_in(tmp_path)

    differ = {explorer for explorer in before if before[explorer] != after[explorer]}
    others = {"linucb", "lints", "linmed", "supervised"}  # never regress on the log loss
    assert differ == (set(before) - others if changed is None else changed)


def codes_in(folder: Path) -> dict[str, str]:
    """The codes of all explorers of another copy of the package."""
    program = (
        "import json; from bakeoff.core.explorers import EXPLORERS; "
        "from bakeoff.core.rounds import code_of; "
        "print(json.dumps({name: code_of(one) for name, one in EXPLORERS.items()}))"
    )
    (folder / "bakeoff" / "__init__.py").touch()
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True, text=True, check=True, cwd=folder,
    )  # fmt: skip
    codes: dict[str, str] = json.loads(done.stdout)
    return codes


def test_threads_may_look_at_sources_at_once() -> None:
    text = b"".join(path.read_bytes() for path in sorted(code_hash.FOLDER.rglob("*.py")))
    text = text.replace(b"from __future__ import annotations\n", b"")

    with ThreadPoolExecutor(8) as pool:
        shapes = set(pool.map(code_hash.shape_of, [text] * 24))

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
