"""Stores of two machines: merged, or opened together; and what a store knows of its making."""

import json
import subprocess
from pathlib import Path

import polars as pl
import pytest

import bakeoff as package
from bakeoff import ResultsError, SpecError, grid
from bakeoff.experiment import progress_of
from bakeoff.store import Store
from bakeoff.store.rows import stamps_of
from tests.learners import Uniform
from tests.problems import sample
from tests.terminal import Terminal

RUNS = grid(["greedy", "epsilon-greedy"], learning_rates=[0.1, 1])
LEFT, RIGHT = sample("multiclass", 40).problem, sample("multilabel", 40).problem
SAME = ["digest", "shuffle", "run", "pv_loss"]


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Stores of two machines, each with a problem of its own and one that both have."""
    one, other = tmp_path / "one", tmp_path / "other"
    package.Experiment(LEFT, RUNS, shuffles=2).run(one)
    package.Experiment([LEFT, RIGHT], RUNS).run(other)
    return one, other


@pytest.fixture
def whole(tmp_path: Path) -> pl.DataFrame:
    """What one machine would have computed."""
    package.Experiment(LEFT, RUNS, shuffles=2).run(tmp_path / "whole")
    package.Experiment(RIGHT, RUNS).run(tmp_path / "whole")
    return Store(tmp_path / "whole").read(SAME).sort(SAME)


def test_a_merged_store_has_what_one_machine_would_have(
    bakeoff: Terminal, two: tuple[Path, Path], whole: pl.DataFrame
) -> None:
    one, other = two

    said = bakeoff("merge", str(one), str(other))

    assert said.code == 0
    assert Store(one).read(SAME).sort(SAME).equals(whole)
    assert Store(one).check() == []
    done = progress_of(Store(one))
    assert (done.problems, done.runs_done) == (2, whole.height)
    assert bakeoff("status", str(one)).code == 0
    assert package.Experiment([LEFT, RIGHT], RUNS).run(one).n_computed == 0


def test_a_new_store_can_be_made_of_others(
    bakeoff: Terminal, two: tuple[Path, Path], whole: pl.DataFrame
) -> None:
    assert bakeoff("merge", "both", *map(str, two)).code == 0

    assert Store(Path("both")).read(SAME).sort(SAME).equals(whole)
    assert bakeoff("merge", "both", str(two[0])).out.startswith("0 files copied")


def test_other_losses_of_the_same_runs_are_told(bakeoff: Terminal, two: tuple[Path, Path]) -> None:
    one, other = two
    before = Store(one).read(SAME).sort(SAME)
    assert "other losses" not in bakeoff("merge", str(one), str(one)).err
    for file in Store(other).files():
        rows = pl.read_parquet(file.path).with_columns(pl.col("pv_loss") / 2)
        rows.write_parquet(file.path, metadata=stamps_of(rows))  # as another machine would

    said = bakeoff("merge", str(one), str(other))

    assert said.code == 0
    assert "1 file of" in said.err
    assert "has other losses than those of" in said.err.replace("\n", " ")
    after = Store(one).read(SAME)
    assert before.join(after, on=SAME).height == before.height


def test_what_is_not_a_store_is_refused(bakeoff: Terminal, two: tuple[Path, Path]) -> None:
    Path("empty").mkdir()

    for wrong in ("empty", "nowhere"):
        said = bakeoff("merge", str(two[0]), wrong)
        assert said.code == 4
        assert wrong in said.err


def test_several_stores_are_opened_together(two: tuple[Path, Path], whole: pl.DataFrame) -> None:
    before = [sorted(folder.rglob("*")) for folder in two]

    store = package.open(two)

    assert len(store.datasets) == 2
    assert store.rows().height == whole.height
    assert store.standings().height == 2
    assert [sorted(folder.rglob("*")) for folder in two] == before
    with pytest.raises(SpecError, match="at least one"):
        package.open([])
    with pytest.raises(ResultsError, match="nowhere"):
        package.open([two[0], "nowhere"])


# ---- provenance


def test_a_store_knows_when_where_and_with_what_it_was_computed(
    bakeoff: Terminal, tmp_path: Path
) -> None:
    for command in ("init -q", "-c user.name=a -c user.email=b commit -q --allow-empty -m c"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    experiment = package.Experiment(LEFT, [*RUNS, Uniform])

    experiment.run("results")
    experiment.run("results")

    [session] = json.loads(bakeoff("status", "--json").out)["history"]
    assert session["first"] <= session["last"]
    assert len(session["commit"].partition("-")[0]) == 40
    assert {"bakeoff", "numpy", "numba"} <= session["versions"].keys()
    assert session["python"]
    assert session["machine"]
    [source] = Path("results/sources").iterdir()
    assert source.name.startswith("Uniform-")
    assert "class Uniform" in source.read_text()
