"""Seeds: each problem and order has draws of its own, the same for all algorithms."""

import json
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_iris

from bakeoff import Experiment, Problem, ResultsError, Run, grid, load, simulate
from bakeoff.core.random import job_seed
from bakeoff.learners.spec import OwnRun
from bakeoff.store.store import MANIFEST, Store
from tests.problems import sample

IRIS = Problem.from_classes(*load_iris(return_X_y=True), name="iris")
MIXED = IRIS.shuffled(1)
ALL = ["greedy", "bag:n_policies=4", "supervised", "python:tests.learners.Uniform"]


def rows_on(folder: Path, problems: list[Problem], shuffles: int) -> pl.DataFrame:
    runs = grid(ALL, learning_rates=[0.1, 1.0], seeds=2)
    Experiment(problems, runs, shuffles=shuffles).run(folder)
    return Store(folder).read()


@pytest.mark.parametrize("shuffles", [0, 2])
def test_a_row_of_a_store_is_played_again_bit_for_bit(tmp_path: Path, shuffles: int) -> None:
    rows = rows_on(tmp_path, [IRIS], shuffles)

    for row in rows.iter_rows(named=True):
        is_own = row["explorer"].startswith("python:")
        run = (OwnRun if is_own else Run).from_text(row["run"])
        played = run.for_job(IRIS.digest, row["shuffle"])
        [again] = simulate(IRIS, [run], shuffle=row["shuffle"])
        assert again.run == run
        assert again.pv_loss == row["pv_loss"]
        assert again.curve.pv_loss.tolist() == row["curve_loss"]
        assert row["job_seed"] == (None if row["algorithm"] == "OAA" else played.seed)
        assert row["seed"] == run.seed


def test_algorithms_share_the_draws_of_a_problem_and_order_and_nothing_else_does(
    tmp_path: Path,
) -> None:
    other = sample("multiclass", 40).problem

    rows = rows_on(tmp_path, [IRIS, other], 3).drop_nulls("job_seed")

    key = ["digest", "shuffle", "seed"]
    seeds = rows.group_by(key).agg(pl.col("job_seed").unique())
    assert (seeds["job_seed"].list.len() == 1).all()
    assert seeds["job_seed"].list.first().n_unique() == seeds.height == 2 * 3 * 2


def test_simulate_takes_the_seed_as_it_is_given() -> None:
    run = Run("bag:n_policies=4", seed=job_seed(1, 7, IRIS.digest))

    one, other = simulate(MIXED, [run, Run("bag:n_policies=4", seed=1)])

    [again] = simulate(MIXED, [Run("bag:n_policies=4", seed=1).for_job(IRIS.digest, 7)])
    assert one.pv_loss == again.pv_loss != other.pv_loss


@pytest.mark.parametrize(
    ("problem", "is_told"),
    [
        (IRIS, True),
        (MIXED, False),
        (Problem.from_classes(np.eye(6), [0, 0, 0, 1, 1, 1]), False),  # chance
        (Problem.from_classes(np.eye(9), np.zeros(9), 2), False),
        (Problem.from_labels(np.eye(20), np.eye(20)), False),
    ],
)
def test_rows_in_the_order_of_their_classes_are_noticed(problem: Problem, is_told: bool) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        simulate(problem, [Run("greedy")])
        simulate(problem, [Run("greedy")], shuffle=0)
        simulate(problem, [Run("greedy")], shuffle=1)

    said = [str(one.message) for one in caught]
    assert len(said) == is_told
    assert all("its rows are sorted by class, so a learner" in text for text in said)
    assert all(one.filename == __file__ for one in caught)


def test_seeds_of_jobs_fit_other_generators_and_are_spread_evenly() -> None:
    seeds = np.array([job_seed(s, k, d) for s in range(20) for k in range(20) for d in "abcde"])

    assert np.unique(seeds).size == seeds.size
    assert 0 <= seeds.min() < 2**32 / 100
    assert 2**32 * 0.99 < seeds.max() < 2**32


@pytest.mark.parametrize("shuffles", [2, 10])
def test_errors_over_shuffles_contain_the_luck_of_exploration(
    tmp_path: Path, shuffles: int
) -> None:
    """Greedy's fate is its first draw where that decides what it ever tries."""
    triage = load("embedded:breast_cancer-triage")
    runs = grid(["greedy"], learning_rates=[0.001])

    Experiment(triage, runs, shuffles=shuffles).run(tmp_path)

    assert Store(tmp_path).read()["pv_loss"].n_unique() > 1


# ---- results of earlier versions, whose draws were those of the seed as given


def earlier_store(folder: Path) -> Store:
    """A store as the version before had it."""
    Experiment(IRIS, grid(["greedy"], learning_rates=[0.1])).run(folder)
    for path in (folder / "jobs").iterdir():
        pl.read_parquet(path).drop("job_seed").write_parquet(path)
    manifest = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(manifest | {"format": 1}))
    return Store(folder)


def test_results_of_an_earlier_version_are_refused_and_left_alone(tmp_path: Path) -> None:
    store = earlier_store(tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.*")}

    for use in (
        store.read,
        store.manifest,
        lambda: Experiment(IRIS, grid(["greedy"])).run(tmp_path),
    ):
        with pytest.raises(ResultsError) as caught:
            use()
        assert str(caught.value).startswith(f"{tmp_path}: ")
        assert "earlier version" in str(caught.value)
        assert "--out" in str(caught.value)
    assert {path: path.read_bytes() for path in before} == before


def test_a_file_of_an_earlier_version_is_not_mixed_with_new_ones(tmp_path: Path) -> None:
    earlier_store(tmp_path / "old")
    [old] = (tmp_path / "old" / "jobs").iterdir()
    Experiment(IRIS, grid(["greedy"], learning_rates=[0.3])).run(tmp_path / "new")
    (tmp_path / "new" / "jobs" / old.name).write_bytes(old.read_bytes())

    for columns in (None, ["pv_loss"]):
        store = Store(tmp_path / "new")
        assert store.read(columns).height == 1
        [fault] = store.faults
        assert fault.path.name == old.name
        assert fault.reason.startswith("its results are from an earlier version")
