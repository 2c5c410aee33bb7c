"""Learners for events like those of a problem."""

from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from bakeoff import DataError, Learner, Run, load, simulate
from bakeoff.live.verify import verify

ROWS = [
    ("31", "red", "1.5", "yes"), ("40", "blue", "0.5", "no"), ("25", "red", "2", "yes"),
    ("60", "green", "1", "no"), ("33", "blue", "3", "yes"), ("52", "red", "0", "no"),
]  # fmt: skip


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A small table with numbers and names."""
    path = tmp_path / "table.csv"
    lines = ["age,color,score,bought"] + [",".join(row) for row in ROWS * 20]
    path.write_text("\n".join(lines) + "\n")
    return path


def row(i: int) -> dict[str, object]:
    age, color, score, _ = ROWS[i % len(ROWS)]
    return {"age": int(age), "color": color, "score": float(score)}


def test_live_rows_are_coded_as_the_table_was(table: Path) -> None:
    problem = load(str(table), target="bought")
    run = Run("bag:n_policies=3", seed=4)
    [result] = simulate(problem, [run], record=True)
    learner = Learner.for_problem(problem, run)

    actions = []
    for i in range(problem.n):
        decision = learner.choose(row(i))
        learner.learn(decision, cost=float(decision.name != ROWS[i % 6][3]))
        actions.append(decision.action)

    assert learner.actions == list(problem.class_names or ())
    assert_array_equal(actions, result.actions)


def test_columns_survive_files_and_logs(table: Path, tmp_path: Path) -> None:
    problem = load(str(table), target="bought")
    log, model = tmp_path / "log.jsonl", tmp_path / "m"
    learner = Learner.for_problem(problem, "bag", seed=1, log=log)
    for i in range(30):
        learner.learn(learner.choose(row(i)), reward=0.5)
    learner.save(model)

    loaded = Learner.load(model)

    assert_array_equal(loaded.probabilities(row(3)), learner.probabilities(row(3)))
    verdict = verify(log)
    assert verdict.replay is not None
    assert (verdict.replay.decisions, verdict.replay.different) == (30, 0)


def test_a_row_without_a_column_is_refused(table: Path) -> None:
    learner = Learner.for_problem(load(str(table), target="bought"), "bag")

    with pytest.raises(DataError, match="no column 'color'"):
        learner.choose({"age": 3, "colour": "red", "score": 1})


def test_problems_without_columns_have_arrays() -> None:
    problem = load("embedded:iris")
    learner = Learner.for_problem(problem, "greedy")

    assert learner.actions == ["setosa", "versicolor", "virginica"]
    with pytest.raises(DataError):
        learner.choose(np.ones(3))


def test_ranking_problems_have_a_row_per_action() -> None:
    problem = load("embedded:digits-largest")
    learner = Learner.for_problem(problem, "greedy")

    assert len(learner.choose(np.ones((7, 64))).probabilities) == 7
