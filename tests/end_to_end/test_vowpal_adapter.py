"""Vowpal Wabbit in the bake-off, through its Python package."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from sklearn import datasets

from bakeoff import Problem, Result, Run, SpecError, simulate
from bakeoff.experiment.experiment import Experiment
from bakeoff.learners.play import play
from bakeoff.learners.process import own_source
from bakeoff.learners.spec import OwnRun
from bakeoff.runs.grids import grid
from bakeoff.store.store import Store
from tests.problems import sample

pytestmark = pytest.mark.vw

VOWPAL = "python:bakeoff.learners.vowpal.Vowpal"
EPSILON = 0.05
SEEDS = range(1, 9)


@cache
def digits() -> Problem:
    X, y = datasets.load_digits(return_X_y=True)
    return Problem.from_classes(X, y, name="digits").shuffled(1)


def played(
    options: str, *, rate: float = 10.0, seed: int = 1, problem: Problem | None = None
) -> Result:
    """What VW does with losses of -1 and 0."""
    text = f"{VOWPAL},options={options}"
    run = OwnRun(text, learning_rate=rate, offset=-1, seed=seed)
    return play(problem or digits(), run)


@cache
def epsilon_greedy() -> list[Result]:
    return [played(f"--cb_explore --epsilon {EPSILON}", seed=seed) for seed in SEEDS]


# ---- what it does


def test_vw_beats_the_best_constant_action() -> None:
    problem = digits()
    constant = problem.constant_action_cost
    se = np.sqrt(constant * (1 - constant) / problem.n)

    losses = [result.pv_loss for result in epsilon_greedy()]

    assert max(losses) < constant - 3 * se


def test_vw_and_our_epsilon_greedy_have_the_same_mean_loss() -> None:
    rate = 10 / np.sqrt(10)  # VW weights by 1 / (p K), which acts like this rate
    spec = f"epsilon-greedy:epsilon={EPSILON}"
    runs = [Run(spec, learning_rate=rate, offset=-1, seed=seed) for seed in SEEDS]

    ours = np.array([result.pv_loss for result in simulate(digits(), runs)])

    theirs = np.array([result.pv_loss for result in epsilon_greedy()])
    se = np.sqrt((ours.var(ddof=1) + theirs.var(ddof=1)) / len(SEEDS))
    assert se < 0.02  # else the next line would say little
    assert abs(ours.mean() - theirs.mean()) < 3 * se


def test_both_forms_of_examples_give_the_same_actions() -> None:
    by_context = played("--cb_explore --epsilon 0.1", rate=1)
    by_action = played("--cb_explore_adf --epsilon 0.1", rate=1)

    assert_array_equal(by_action.actions, by_context.actions)
    assert_array_equal(by_action.probabilities, by_context.probabilities)


def test_actions_are_drawn_as_likely_as_vw_says() -> None:
    p = np.concatenate([result.probabilities for result in epsilon_greedy()])

    # the mean of 1/p(a) over draws of a is the number of actions, if p is honest
    se = (1 / p).std() / np.sqrt(len(p))
    assert p.min() < 2 * EPSILON / 10
    assert abs(np.mean(1 / p) - 10) < 4 * se


def test_the_seed_decides_what_vw_does() -> None:
    one, same, other = (played("--cb_explore --bag 3", seed=seed) for seed in (1, 1, 2))

    assert_array_equal(one.actions, same.actions)
    assert np.any(one.actions != other.actions)


def test_vw_ranks_documents_whose_number_differs() -> None:
    problem = sample("ranking", 400, n_actions=6).problem

    result = played("--cb_explore_adf --epsilon 0.05", rate=0.5, problem=problem)

    assert result.pv_loss < 0.9 * problem.uniform_cost


def test_features_may_be_missing_or_many() -> None:
    X = csr_array((np.ones(100), (np.arange(1, 200, 2), np.full(100, 29_999))))
    problem = Problem.from_classes(X, np.arange(200) % 2)

    result = played("--cb_explore_adf --epsilon 0.2", problem=problem)

    exploring = 0.2 / 2  # the loss of the best policy
    se = np.sqrt(exploring * (1 - exploring) / problem.n)
    assert result.pv_loss < exploring + 0.05 + 3 * se  # ten rounds to find it


# ---- in an experiment


def test_vw_runs_in_threads_beside_ours_and_is_not_run_again(tmp_path: Path) -> None:
    problem = sample("multiclass", 300).problem
    runs = grid(["greedy", VOWPAL], learning_rates=[0.5, 3], seeds=2)
    experiment = Experiment(problem, runs)

    one = experiment.run(tmp_path / "one", jobs=1)
    experiment.run(tmp_path / "two", jobs=2)
    again = experiment.run(tmp_path / "one", jobs=1)

    assert (one.n_computed, again.n_computed) == (8, 0)
    left, right = (
        Store(tmp_path / name).read().drop("run_seconds", "worker").sort("run")
        for name in ("one", "two")
    )
    assert left.equals(right)
    assert left["algorithm"].unique().sort().to_list() == ["G", "Vowpal"]


def test_the_path_of_version_0_2_still_names_it() -> None:
    old, new = (f"python:bakeoff.{room}.vowpal.Vowpal" for room in ("adapters", "learners"))

    assert own_source(old) == own_source(new)


# ---- what it refuses


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ("--epsilon 0.1", "VW needs --cb_explore_adf or --cb_explore, got options '--epsilon 0.1'"),
        ("--cb_explore_adf -l 3", "-l in options '--cb_explore_adf -l 3'"),
        ("--cb_explore_adf --cover", "cannot be made: RuntimeError"),
    ],
)
def test_bad_options_are_one_sentence(options: str, sentence: str) -> None:
    with pytest.raises(SpecError) as caught:
        played(options)

    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_documents_need_examples_for_actions() -> None:
    with pytest.raises(SpecError, match="documents only with --cb_explore_adf"):
        played("--cb_explore", problem=sample("ranking", 10).problem)


def test_without_the_package_there_is_a_hint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vowpalwabbit.py").write_text("raise ModuleNotFoundError")
    monkeypatch.syspath_prepend(tmp_path)  # learners are looked at in a process apart

    with pytest.raises(SpecError) as caught:
        grid([VOWPAL])

    hint = "Vowpal Wabbit is not installed: pip install 'bakeoff[vowpalwabbit]'"
    assert str(caught.value) == hint
