"""A store of each version before is read, reported and resumed."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import bakeoff
from bakeoff import Run
from bakeoff.store.store import Store
from tests.golden.files import VERSIONS, differences, read_json
from tests.golden.stores import (
    CHANGED,
    COMMAND,
    FIRST_ARITHMETIC,
    INPUTS,
    REPORT,
    REPORT_COMMAND,
    RESULTS,
    STORE,
    figures_of,
    page_data,
    spelled_as_today,
    with_named_columns,
)
from tests.terminal import Terminal

FAULTS = ("damaged", "changed after", "faulty", "recomputed", "cannot be used")


@pytest.fixture(params=VERSIONS, ids=lambda version: version.name)
def version(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder of golden files; its store is at work in the current folder."""
    found: Path = request.param
    shutil.copytree(INPUTS, tmp_path, dirs_exist_ok=True)
    shutil.copytree(found / STORE, tmp_path / RESULTS)
    return found


def files_in(store: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (store / "jobs").iterdir()}


def test_all_rows_are_read(version: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / RESULTS)

    assert store.check() == []
    rows = store.read()

    names = list(files_in(tmp_path / RESULTS))
    n_rows = sum(int(name.split("-")[3]) for name in names)
    assert sum(name.endswith("-failed.parquet") for name in names) == 13
    assert (rows.height, n_rows) == (241, 241)
    assert rows["error"].count() == 13 + 36  # failed as a whole, and scores that burst
    assert rows["pv_loss"].count() == 241 - 13 - 36
    assert store.faults == []


def test_status_counts_what_is_there(version: Path, bakeoff: Terminal) -> None:
    done = bakeoff("status", RESULTS, "--json")

    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert said["faults"] == []
    assert (said["runs_done"], said["runs"], said["errors"], said["failed"]) == (228, 240, 36, 13)


def test_the_same_command_computes_only_what_other_arithmetic_did(
    version: Path, bakeoff: Terminal, tmp_path: Path
) -> None:
    before = files_in(tmp_path / RESULTS)
    of_first = Store(tmp_path / RESULTS).read().filter(reduction="dr-unweighted")

    done = bakeoff(*COMMAND)

    assert done.code == 1, done.err  # the learner fails again, and so does the file
    assert of_first.height == (24 if version.name in FIRST_ARITHMETIC else 0)
    assert f"240 runs, {of_first.height} of them computed now" in done.out
    assert not [word for word in FAULTS if word in done.out + done.err], done.err
    after = files_in(tmp_path / RESULTS)
    assert before.keys() <= after.keys()
    computed = [name for name in before if not name.endswith("-failed.parquet")]
    assert len(computed) == 6  # compacted: one of each dataset and shuffle
    assert all(after[name] == before[name] for name in computed)
    assert "240 runs, 0 of them computed now" in bakeoff(*COMMAND).out
    rows = Store(tmp_path / RESULTS).read()
    assert rows.height == 241 + of_first.height
    assert rows.filter(reduction="dr-unweighted").equals(of_first)
    assert rows.filter(reduction="dr").height == 24


def test_what_other_arithmetic_did_is_played_again(version: Path, tmp_path: Path) -> None:
    of_first = Store(tmp_path / RESULTS).read().filter(reduction="dr-unweighted", problem="iris")
    iris = bakeoff.load("embedded:iris")

    for row in of_first.iter_rows(named=True):
        (again,) = bakeoff.simulate(iris, [Run.from_text(row["run"])], shuffle=row["shuffle"])
        assert (again.error, again.pv_loss) == (row["error"], row["pv_loss"])


def test_the_report_says_the_same(version: Path, bakeoff: Terminal, tmp_path: Path) -> None:
    done = bakeoff(*REPORT_COMMAND)

    assert done.code == 0, done.err
    assert_same(version / REPORT / "said.json", json.loads(done.out))
    today = with_named_columns(page_data(Path(RESULTS, "report.html")))
    assert_same(version / REPORT / "page.json", today, with_named_columns)
    golden = sorted((version / REPORT).glob("*.csv"))
    assert golden
    for path in golden:
        figures = figures_of(tmp_path / RESULTS / "report" / path.name)
        found = differences(as_today(figures_of(path), version), figures, path.name)
        assert not found, "\n".join(found[:20])


def as_today(golden: Any, version: Path) -> Any:
    return spelled_as_today(golden) if version.name in FIRST_ARITHMETIC else golden


def assert_same(golden: Path, today: Any, form: Callable[[Any], Any] = lambda x: x) -> None:
    known = form(as_today(read_json(golden), golden.parents[1]))
    every = differences(known, today, golden.name)
    found = [line for line in every if line.partition(": ")[0] not in CHANGED]
    assert not found, "\n".join(found[:20])
