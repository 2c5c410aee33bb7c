"""Centred inputs in grids, stores, tables, recommendations and evaluations."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from typer.testing import CliRunner

import bakeoff
from bakeoff import DataNotice, Experiment, Log, Problem, Run, SpecError, evaluate, grid, simulate
from bakeoff.cli import app
from bakeoff.evaluation.agents import agent_of
from bakeoff.evaluation.training import train
from bakeoff.judging import Criteria, read_losses, recommend
from bakeoff.judging.recommended_settings import use_of
from bakeoff.store import Store

N_PROBLEMS = 10


def shifted(seed: int, n: int = 300) -> Problem:
    """A problem that is easy once its features are centred."""
    rng = np.random.default_rng(seed)
    Z = rng.normal(size=(n, 3))
    return Problem.from_classes(Z + 50, (Z[:, 0] > 0).astype(int), name=f"shifted{seed}")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with raw and centred runs."""
    path = tmp_path_factory.mktemp("store")
    runs = grid(["greedy", "regcb:optimistic", "supervised"], inputs=["raw", "centred"])
    Experiment([shifted(seed) for seed in range(N_PROBLEMS)], runs).run(path)
    return path


def test_a_grid_has_every_form_once() -> None:
    both = grid("greedy", learning_rates=1, inputs=["raw", "centred"])
    assert [run.inputs for run in both] == ["raw", "centred"]
    assert grid("greedy", learning_rates=1) == both[:1]
    assert grid("greedy inputs=[raw,centred]", learning_rates=1) == both
    assert grid("greedy inputs=centred", learning_rates=1, inputs=["raw"]) == both[1:]
    with pytest.raises(SpecError, match="inputs"):
        grid("greedy", inputs=["scaled"])


def test_own_learners_see_raw_inputs() -> None:
    [run] = grid("python:tests.learners.Uniform", learning_rates=1, inputs=["centred"])

    assert run.inputs == "raw"


def test_both_forms_have_rows_and_names_of_their_own(folder: Path) -> None:
    store = bakeoff.open(folder)
    rows = store.rows()

    assert store.algorithms == ["G", "G centred", "RO", "RO centred"]
    assert set(rows["inputs"]) == {"raw", "centred"}
    assert rows.unique(["digest", "run"]).height == rows.height
    best = store.standings()["algorithm"].to_list()
    assert set(best[:2]) == {"G centred", "RO centred"}


def test_the_skyline_is_the_best_of_both(folder: Path) -> None:
    losses = read_losses(Store(folder))
    rows = bakeoff.open(folder).rows()
    skylines = rows.filter(pl.col("algorithm") == "OAA")
    best = skylines.group_by("digest").agg(pl.col("pv_loss").min()).sort("digest")

    assert losses.problems.sort("digest")["skyline"].to_list() == best["pv_loss"].to_list()


def test_centring_is_recommended_where_it_helps(folder: Path) -> None:
    losses = read_losses(Store(folder))

    [advice] = [one for one in recommend(losses, Criteria()) if one.topic == "inputs"]
    use = use_of(losses, Criteria())

    assert advice.facts is not None
    assert advice.facts["effect"] == "helps"
    assert advice.facts["algorithms"]["G"] == {"wins": N_PROBLEMS, "losses": 0}
    assert use is not None
    assert use.inputs == "centred"
    assert 'inputs="centred"' in use.python
    assert use.command([]).endswith("--inputs centred")


def test_the_command_line_plays_both_and_tells_of_them(tmp_path: Path) -> None:
    words = ["run", "embedded:iris", "-a", "greedy", "--learning-rate", "1"]
    plain = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "raw")])
    both = CliRunner().invoke(
        app, [*words, "--inputs", "raw", "--inputs", "centred", "--out", str(tmp_path / "both")]
    )
    bad = CliRunner().invoke(app, [*words, "--inputs", "scaled", "--out", str(tmp_path / "bad")])

    assert (plain.exit_code, both.exit_code) == (0, 0)
    assert "--inputs centred" in plain.output
    assert "--inputs centred" not in both.output
    assert bakeoff.open(tmp_path / "both").algorithms == ["G", "G centred"]
    assert isinstance(bad.exception, SpecError)


def test_the_page_and_the_tables_have_both(folder: Path) -> None:
    result = CliRunner().invoke(app, ["report", str(folder), "--figures", "none"])

    assert result.exit_code == 0, result.output
    assert "RO centred" in (folder / "report.html").read_text()


def test_what_is_left_alone_is_said() -> None:
    X = np.eye(40)
    problem = Problem.from_classes(X, np.arange(40) % 2, name="rare")

    with pytest.warns(DataNotice, match="rare"):
        simulate(problem, [Run("greedy", inputs="centred")])


def log_of(problem: Problem) -> Log:
    """A log of a run that explores uniformly."""
    return Log.from_run(problem, Run("epsilon-greedy:epsilon=1", seed=1))


def test_a_policy_is_trained_on_what_its_run_sees() -> None:
    log = log_of(shifted(1, 2_000))
    raw, centred = (
        evaluate(log, train(log, Run("greedy", learning_rate=1.0, inputs=inputs)))
        for inputs in ("raw", "centred")
    )

    assert centred.estimates["ips"].value > raw.estimates["ips"].value + 0.1


def test_an_agent_sees_the_events_of_a_log_in_order() -> None:
    problem = shifted(2, 50)
    log = log_of(problem)
    run = Run("regcb:optimistic", inputs="centred")
    agent: Any = agent_of(run, log)

    [result] = simulate(problem, [run], record=True)

    assert result.probabilities is not None
    assert_array_equal(agent.distribution(0).max(), result.probabilities[0])
    assert_array_equal(agent._log.X[1], (log.X[1] - log.X[0]).astype(np.float32))
