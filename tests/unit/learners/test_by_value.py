"""Learners by value: classes of a notebook or a script, played like any other."""

import functools
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bakeoff import Experiment, Problem, Run, Simulated, SpecError, grid, simulate
from bakeoff.learners.process import own_source
from bakeoff.store.store import Store
from tests.learners import Uniform
from tests.problems import sample

ANY: Any = Uniform
STEP = 2  # what `Local` refers to


def local_class(step: int = 1) -> Any:
    """A class that no import path reaches."""

    class Local:
        """Takes the actions in turn."""

        def __init__(self, n_actions: int, start: int = 0) -> None:
            self.n_actions, self.action = n_actions, start

        def choose(self, x: Any) -> tuple[int, float]:
            self.action = (self.action + step * STEP) % self.n_actions
            return self.action, 1.0

        def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
            pass

    return Local


@pytest.fixture
def problem() -> Problem:
    return sample("multiclass", 40).problem


def test_a_class_may_stand_for_its_spec(problem: Problem) -> None:
    Mine = local_class()

    runs = grid(["greedy", Mine], learning_rates=[1])
    results = simulate(problem, runs)

    assert [run.label for run in runs] == ["G", "Local"]
    assert all(0 <= result.pv_loss <= 1 for result in results)


def test_a_class_of_a_module_has_the_spec_of_its_import_path() -> None:
    [run] = grid(Uniform)

    assert run.explorer == "python:tests.learners.Uniform"


def test_a_partial_gives_parameters(problem: Problem) -> None:
    runs = grid(functools.partial(local_class(), start=1))

    assert runs[0].explorer.endswith(".Local,start=1")
    assert simulate(problem, runs)[0].error is None


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (lambda n_actions: None, "name"),
        (functools.partial(Uniform, 3), "by name"),
        (functools.partial(ANY, seed=[1]), "seed"),
        (functools.partial(ANY, seed="a,b"), "seed"),
    ],
)
def test_what_cannot_be_written_as_a_spec_is_refused(make: Any, named: str) -> None:
    with pytest.raises(SpecError, match=named):
        grid([make])


def test_experiments_play_a_class_by_value_in_a_process(problem: Problem, tmp_path: Path) -> None:
    Mine = local_class()

    done = Experiment(problem, ["greedy", Mine]).run(tmp_path)

    [played] = simulate(problem, grid(Mine), shuffle=1)
    assert done.is_complete
    rows = Store(tmp_path).read().filter(pl.col("algorithm") == "Local")
    assert rows["pv_loss"].to_list() == [played.pv_loss]


def test_a_run_takes_its_class_along_when_it_is_pickled(problem: Problem) -> None:
    [run] = grid(local_class())
    program = (
        "import pickle, sys; from bakeoff import simulate;"
        "run, problem = pickle.load(sys.stdin.buffer);"
        "print(simulate(problem, [run])[0].pv_loss)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps((run, problem)), capture_output=True, check=True,
    )  # fmt: skip

    assert float(done.stdout) == simulate(problem, [run])[0].pv_loss


def test_other_code_is_another_source() -> None:
    digests = []
    for step in (1, 2, 1):
        [run] = grid(local_class(step))
        digests.append(own_source(run.explorer).digest)

    assert digests[0] == digests[2] != digests[1]


def test_another_constant_is_another_source(monkeypatch: pytest.MonkeyPatch) -> None:
    [run] = grid(local_class())
    before = own_source(run.explorer).digest

    monkeypatch.setattr(f"{__name__}.STEP", 3)

    assert own_source(run.explorer).digest != before


SCRIPT = """
import numpy as np
import bakeoff

class Mine:
    def __init__(self, n_actions, seed):
        self.n_actions, self.rng = n_actions, np.random.default_rng(seed)
    def choose(self, x):
        return helper(self), 1 / self.n_actions
    def learn(self, x, action, loss, probability):
        pass

def helper(mine):
    return mine.rng.integers(mine.n_actions)

if __name__ == "__main__":
    problem = bakeoff.Problem.from_classes(np.eye(3)[[0, 1, 2] * 9], [0, 1, 2] * 9)
    done = bakeoff.Experiment(problem, ["python:__main__.Mine", Mine]).run("results")
    print(done.is_complete, done.n_computed, bakeoff.check_learner(Mine, raises=False).passed)
"""


def test_a_class_of_a_script_is_played(tmp_path: Path) -> None:
    (tmp_path / "study.py").write_text(textwrap.dedent(SCRIPT))

    done = subprocess.run(
        [sys.executable, "study.py"], cwd=tmp_path, capture_output=True, text=True, check=True
    )

    assert done.stdout.split() == ["True", "1", "False"]  # it learns nothing


# ---- names and specs in place of runs


def test_simulate_and_experiments_take_what_grids_take(problem: Problem) -> None:
    assert [result.run for result in simulate(problem, "greedy")] == grid("greedy")
    assert Experiment(problem, "fixed").runs == grid("fixed")
    assert Experiment(problem, [Run("greedy"), "greedy"]).runs == [Run("greedy"), *grid("greedy")]


def test_what_is_no_run_is_refused(problem: Problem) -> None:
    for runs in ([3], ["nonsense"]):
        with pytest.raises(SpecError):
            simulate(problem, runs)  # type: ignore[arg-type]


# ---- what simulate returns


def test_results_have_a_frame_and_a_plot(problem: Problem) -> None:
    results = simulate(problem, ["greedy", "epsilon-greedy"])

    frame, best = results.frame(), results.best()

    assert frame["pv_loss"].to_list() == [result.pv_loss for result in results]
    assert [*frame["algorithm"].unique(maintain_order=True)] == ["G", "eG"]
    lowest = frame.group_by("algorithm").agg(pl.col("pv_loss").min())["pv_loss"]
    assert [one.pv_loss for one in best] == lowest.sort().to_list()
    ax = results.plot()
    assert sorted(str(line.get_label()) for line in ax.get_lines()) == ["G", "eG"]
    shown = results._repr_html_()
    assert "greedy" in shown
    assert all(f"{result.pv_loss:.4f}" in shown for result in results)
    assert "G and eG are level, with 0.5000" in shown
    alone = Simulated([*best[:1]])
    assert f"G has the lowest loss, {best[0].pv_loss:.4f}" in alone._repr_html_()
    assert "Float64" not in shown  # of a table for programs


def test_no_results_have_an_empty_frame() -> None:
    assert Simulated().frame().is_empty()
