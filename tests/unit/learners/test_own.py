"""Own learners: their specs, what they are given, and what may go wrong."""

import pickle
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array

from bakeoff import DataNotice, LearnerError, Problem, Run, SpecError, simulate
from bakeoff.data.problem import Task
from bakeoff.experiment import Experiment, ProgressListener
from bakeoff.experiment.engines.problems import Problems
from bakeoff.experiment.estimate import Means, estimate
from bakeoff.experiment.progress import progress_of
from bakeoff.learners.play import play
from bakeoff.learners.spec import OwnRun, parse_own
from bakeoff.runs.grids import grid
from bakeoff.runs.kinds import run_from_text
from bakeoff.store.store import Store
from tests.learners import Told, Turns
from tests.problems import sample

HERE = "python:tests.learners"


def four_events() -> Problem:
    X = [[1.0, 0.0], [0.0, 2.0], [0.0, 0.0], [3.0, -1.0]]
    C = [[0.0, 1.0], [0.5, 0.25], [1.0, 0.0], [0.0, 0.75]]
    return Problem.from_costs(X, C, name="four")


# ---- specs


def test_a_spec_has_a_path_a_label_and_parameters() -> None:
    spec = parse_own(" python:a.b.C, label=mine,n=3,x=1e-3,how=--bag 4,fast,no=false")

    assert (spec.path, spec.label) == ("a.b.C", "mine")
    assert spec.parameters == {"n": 3, "x": 1e-3, "how": "--bag 4", "fast": True, "no": False}


def test_a_learner_is_called_by_its_name_unless_it_has_a_label() -> None:
    assert OwnRun("python:a.b.C,n=3").label == "C"
    assert OwnRun("python:a.b.C,n=3,label=mine").label == "mine"


@pytest.mark.parametrize(
    "run",
    [
        OwnRun("python:nowhere.C"),
        OwnRun("python:nowhere.C,x=1,how=--bag 4 -q ab", learning_rate=3, offset=-1),
        OwnRun("python:nowhere.C", seed=2**62),
    ],
)
def test_a_run_is_told_by_its_text_where_its_learner_cannot_be_imported(run: OwnRun) -> None:
    assert OwnRun.from_text(str(run)) == run
    assert run_from_text(str(run)) == run
    assert pickle.loads(pickle.dumps(run)) == run
    assert hash(replace(run)) == hash(run)


def test_run_from_text_knows_the_runs_of_the_paper() -> None:
    run = Run("cover:nu", learning_rate=3, offset=-1)

    assert run_from_text(str(run)) == run


def test_texts_of_runs_tell_all_settings_apart() -> None:
    run = OwnRun("python:a.C")
    others = [
        OwnRun("python:a.C,x=1"),
        replace(run, learning_rate=1),
        replace(run, offset=0),
        replace(run, seed=1),
    ]

    assert len({str(one) for one in (run, *others)}) == 5
    assert len({run, *others}) == 5


@pytest.mark.parametrize(
    ("text", "keyword"),
    [
        ("greedy", "'python:module.Name'"),
        ("python:Name", "'python:module.Name'"),
        ("python:a.C,x=1,x=2", "'x' is given twice"),
        ("python:a.C,seed=1", "'seed'"),
    ],
)
def test_a_bad_spec_is_refused(text: str, keyword: str) -> None:
    with pytest.raises(SpecError) as caught:
        OwnRun(text)

    assert keyword in str(caught.value)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"reduction": "iwr"}, "learns in its own way"),
        ({"baseline": True}, "learns in its own way"),
        ({"learning_rate": -1}, "learning_rate must be positive"),
        ({"offset": 1e9}, "offset must lie between"),
        ({"seed": -1}, "seed must lie between"),
    ],
)
def test_a_bad_setting_is_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SpecError, match=sentence):
        OwnRun("python:a.C", **settings)


def test_an_own_learner_has_no_settings() -> None:
    with pytest.raises(SpecError, match=r"Turns.* has no settings"):
        _ = OwnRun(f"{HERE}.Turns").settings


@pytest.mark.parametrize("record", [False, True])
def test_simulate_plays_own_learners(record: bool) -> None:
    [result] = simulate(four_events(), [OwnRun(f"{HERE}.Turns")], record=record)

    assert result.pv_loss == 0.5
    assert (result.actions is not None) == record


# ---- where learners come from


@pytest.mark.parametrize(
    ("name", "keyword"),
    [
        ("nothing_here.C", "ModuleNotFoundError: No module named 'nothing_here'"),
        ("tests.learners.Turn", "did you mean 'Turns'?"),
        ("tests.learners.NOT_CALLABLE", "got int"),
        ("tests.learners.Turns,speed=3", "'speed'"),
        ("tests.learners.Breaks", "'how'"),
    ],
)
def test_what_cannot_be_imported_or_made_is_one_sentence(name: str, keyword: str) -> None:
    with pytest.raises(SpecError) as caught:
        grid([f"python:{name}"])

    assert str(caught.value).startswith(f"'python:{name}'")
    assert keyword in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "keyword"), [("Unborn", "OSError: no model file"), ("Mute", "without learn(...)")]
)
def test_a_learner_that_cannot_be_made_is_one_sentence(name: str, keyword: str) -> None:
    with pytest.raises(SpecError) as caught:
        play(four_events(), OwnRun(f"{HERE}.{name}"))

    assert str(caught.value).startswith(f"'{HERE}.{name}'")
    assert keyword in str(caught.value)


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, which Python does not know."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path


def test_modules_in_the_current_folder_are_found(own_folder: Path) -> None:
    text = "from tests.learners import Turns as Mine\n"
    (own_folder / "bakeoff_test_mine.py").write_text(text)

    result = play(four_events(), OwnRun("python:bakeoff_test_mine.Mine"))

    assert result.run.label == "Mine"
    assert result.n == 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [("1 +\n", "SyntaxError: invalid syntax"), ("raise SystemExit\n", "SystemExit")],
)
def test_a_module_that_cannot_be_imported_says_why(
    own_folder: Path, text: str, reason: str
) -> None:
    (own_folder / "bakeoff_test_broken.py").write_text(text)

    with pytest.raises(SpecError, match=f"import bakeoff_test_broken: {reason}"):
        grid(["python:bakeoff_test_broken.Mine"])


# ---- grids


def test_a_grid_has_a_run_for_each_rate_seed_and_encoding_that_is_taken() -> None:
    runs = grid(
        [f"{HERE}.Told,x=1", f"{HERE}.Uniform", f"{HERE}.Turns"],
        learning_rates=[1, 3],
        encodings=["-1/0", "0/1"],
        seeds=2,
    )

    settings = [(run.label, run.offset, run.learning_rate, run.seed) for run in runs]
    assert settings == [
        ("Told", -1, 1, 1), ("Told", -1, 1, 2), ("Told", -1, 3, 1), ("Told", -1, 3, 2),
        ("Told", 0, 1, 1), ("Told", 0, 1, 2), ("Told", 0, 3, 1), ("Told", 0, 3, 2),
        ("Uniform", -1, 0.5, 1), ("Uniform", -1, 0.5, 2),
        ("Uniform", 0, 0.5, 1), ("Uniform", 0, 0.5, 2),
        ("Turns", -1, 0.5, 0), ("Turns", 0, 0.5, 0),
    ]  # fmt: skip


def test_a_grid_mixes_own_learners_with_others() -> None:
    runs = grid(["greedy", f"{HERE}.Turns", "greedy"], learning_rates=[1])

    assert [run.label for run in runs] == ["G", "Turns"]


# ---- what a learner is given


def test_a_learner_is_told_what_it_takes_and_the_parameters_of_its_spec() -> None:
    run = OwnRun(f"{HERE}.Told,depth=3,fast", learning_rate=3, seed=8)

    play(four_events(), run)

    learner = Turns.latest
    assert isinstance(learner, Told)
    given = (2, 2, "cost-sensitive", 3.0, 8)
    assert learner.told == (given, {"depth": 3, "fast": True})


def test_a_learner_sees_contexts_as_vectors_without_a_bias() -> None:
    play(four_events(), OwnRun(f"{HERE}.Turns"))

    seen = Turns.latest.contexts
    assert_array_equal(seen, [[1, 0], [0, 2], [0, 0], [3, -1]])
    assert {x.dtype for x in seen} == {np.dtype(np.float32)}


def test_a_learner_sees_documents_as_the_rows_of_a_matrix() -> None:
    played = sample("ranking", 30)

    play(played.problem, OwnRun(f"{HERE}.First"))

    for x, expected in zip(Turns.latest.contexts, played.contexts, strict=True):
        assert_array_equal(x, expected.astype(np.float32))


@pytest.mark.parametrize(
    ("task", "name"), [("multiclass", "Turns"), ("cost-sensitive", "Turns"), ("ranking", "First")]
)
def test_sparse_contexts_are_the_dense_ones(task: Task, name: str) -> None:
    problem = sample(task, 30).problem

    dense = play(problem, OwnRun(f"{HERE}.{name}"))
    dense_seen = Turns.latest.contexts
    sparse = play(problem, OwnRun(f"{HERE}.Sparse{name}"))
    sparse_seen = Turns.latest.contexts

    assert sparse.pv_loss == dense.pv_loss
    for x, expected in zip(sparse_seen, dense_seen, strict=True):
        assert isinstance(x, csr_array)
        assert np.count_nonzero(expected) == x.nnz
        assert_array_equal(x.toarray(), np.atleast_2d(expected))


@pytest.mark.parametrize("name", ["Vandal", "SparseVandal"])
def test_a_learner_cannot_change_the_problem(name: str) -> None:
    problem = sample("multiclass", 30).problem
    digest = replace(problem).digest

    play(problem, OwnRun(f"{HERE}.{name}"))

    assert replace(problem).digest == digest


def test_a_learner_sees_the_cost_plus_the_offset_and_what_it_said_itself() -> None:
    play(four_events(), OwnRun(f"{HERE}.Turns", offset=-1))

    assert Turns.latest.feedback == [
        (0, -1.0, 0.5), (1, -0.75, 0.5), (0, 0.0, 0.5), (1, -0.25, 0.5),
    ]  # fmt: skip


def test_a_learner_never_sees_costs_of_other_actions() -> None:
    problem = four_events()
    taken = [0, 3, 4, 7]  # places of the costs of actions 0, 1, 0, 1
    value = np.full(8, np.nan)
    value[taken] = problem.true_costs.value[taken]
    poisoned = replace(problem, true_costs=problem.true_costs._replace(value=value))

    one = play(problem, OwnRun(f"{HERE}.Turns"))
    seen = Turns.latest.feedback
    other = play(poisoned, OwnRun(f"{HERE}.Turns"))

    assert Turns.latest.feedback == seen
    assert other.pv_loss == one.pv_loss


# ---- what comes out


def test_losses_are_those_of_the_actions_taken() -> None:
    result = play(four_events(), OwnRun(f"{HERE}.Turns", offset=9))

    assert_array_equal(result.actions, [0, 1, 0, 1])
    assert_array_equal(result.costs, [0, 0.25, 1, 0.75])
    assert result.pv_loss == 0.5
    assert_array_equal(result.curve.rounds, [1, 2, 3, 4])
    assert_array_equal(result.curve.pv_loss, [0, 0.125, 1.25 / 3, 0.5])
    assert result.ips_loss == 0.5  # K p = 1 in every round
    assert result.ips_reward == 0.5
    assert result.uniform_cost == 3.5 / 8
    assert result.error is None
    assert result.seconds > 0


def test_the_estimates_of_a_uniform_learner_are_its_own_loss() -> None:
    problem = sample("multiclass", 200, n_actions=4).problem

    result = play(problem, OwnRun(f"{HERE}.Uniform", seed=1))

    assert result.ips_loss == result.pv_loss
    assert result.ips_reward == result.pv_loss
    se = np.sqrt(0.75 * 0.25 / 200)
    assert abs(result.pv_loss - 0.75) < 4 * se


@pytest.mark.parametrize("task", ["multiclass", "cost-sensitive", "ranking"])
@pytest.mark.parametrize("offset", [0, -1])
def test_one_of_ours_as_an_own_learner_does_the_same_to_the_last_bit(
    task: Task, offset: float
) -> None:
    problem = sample(task, 300).problem
    own = OwnRun(f"{HERE}.Ours", learning_rate=3, offset=offset, seed=5)
    ours = Run("epsilon-greedy:epsilon=0.1", learning_rate=3, offset=offset, seed=5)

    one = play(problem, own)
    other = simulate(problem, [ours], record=True)[0]

    for field in ("pv_loss", "ips_loss", "ips_reward", "uniform_cost", "n",
                  "actions", "probabilities", "costs"):  # fmt: skip
        assert_array_equal(getattr(one, field), getattr(other, field), field)
    assert_array_equal(one.curve.rounds, other.curve.rounds)
    assert_array_equal(one.curve.pv_loss, other.curve.pv_loss)


def test_a_seed_gives_the_same_result_each_time() -> None:
    problem = sample("multiclass", 100).problem

    actions = [play(problem, OwnRun(f"{HERE}.Uniform", seed=seed)).actions for seed in (1, 1, 2)]

    assert_array_equal(actions[0], actions[1])
    assert np.any(actions[0] != actions[2])


def test_a_probability_may_be_rounded_up_in_single_precision() -> None:
    result = play(four_events(), OwnRun(f"{HERE}.rounded_up"))

    assert_array_equal(result.probabilities, 1.0)


def test_progress_is_told_of_all_events() -> None:
    told: list[int] = []

    play(four_events(), OwnRun(f"{HERE}.Turns"), told.append)

    assert told[0] == 1
    assert told[-1] == 4


def test_who_hears_of_progress_can_stop_a_learner() -> None:
    def stop(done: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        play(four_events(), OwnRun(f"{HERE}.Turns"), stop)

    assert len(Turns.latest.feedback) == 1


def test_own_learners_and_ours_are_played_together_in_order() -> None:
    runs = [OwnRun(f"{HERE}.Turns"), Run("greedy"), OwnRun(f"{HERE}.First")]
    told: list[tuple[int, int]] = []

    results = simulate(four_events(), runs, progress=lambda *done: told.append(done))

    assert [result.run for result in results] == runs
    assert results[1].pv_loss == simulate(four_events(), [runs[1]])[0].pv_loss
    assert told == sorted(told)
    assert told[-1] == (12, 12)


# ---- what goes wrong


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("choose", r"choose raised KeyError: 'no\nsuch key'"),
        ("learn", "learn raised RuntimeError"),
        ("exit", "choose raised SystemExit: 3"),
        ("none", "got None"),
        ("action", "got 1"),
        ("three", "got (0, 1.0, 2)"),
        ("text", "got ('0', 1.0)"),
        ("fraction", "got (0.5, 1.0)"),
        ("nothing", "got (0, None)"),
        ("beyond", "from 0 to 1, got 2"),
        ("negative", "from 0 to 1, got -1"),
        ("zero", "(0, 1], got 0.0"),
        ("two", "(0, 1], got 2.0"),
        ("undefined", "(0, 1], got nan"),
    ],
)
def test_a_learner_that_does_wrong_ends_with_the_round_and_the_reason(
    how: str, reason: str
) -> None:
    with pytest.raises(LearnerError) as caught:
        play(four_events(), OwnRun(f"{HERE}.Breaks,how={how}"))

    said, _, at = str(caught.value).partition(" (at ")
    assert said.startswith(("round 3: choose ", "round 3: learn "))
    assert said.endswith(reason)
    assert ("tests/learners.py:" in at) == ("raised" in reason)


def test_the_error_of_a_learner_keeps_its_cause() -> None:
    with pytest.raises(LearnerError) as caught:
        play(four_events(), OwnRun(f"{HERE}.Breaks,how=choose"))

    assert isinstance(caught.value.__cause__, KeyError)


# ---- experiments


def test_own_learners_have_rows_like_others_and_are_not_played_again(tmp_path: Path) -> None:
    problem = sample("multiclass", 100).problem
    runs = grid(["greedy", f"{HERE}.Uniform"], learning_rates=[1], seeds=2)

    first = Experiment(problem, runs).run(tmp_path)
    second = Experiment(problem, runs).run(tmp_path)

    rows = Store(tmp_path).read().sort("run")
    assert (first.n_computed, second.n_computed) == (4, 0)
    assert rows["algorithm"].to_list() == ["G", "G", "Uniform", "Uniform"]
    assert set(rows["run"]) == {str(run) for run in runs}
    for column in ("pv_loss", "ips_loss", "ips_reward", "curve_loss", "run_seconds"):
        assert rows[column].null_count() == 0
    greedy, own = rows["curve_rounds"].to_list()[1:3]
    assert own == greedy


@pytest.mark.parametrize("threads", [1, 2])
def test_a_broken_learner_is_a_row_with_its_error_and_stops_nobody(
    tmp_path: Path, threads: int
) -> None:
    problem = sample("multiclass", 100).problem
    broken = [f"{HERE}.Breaks,how={how}" for how in ("choose", "learn", "two")]
    runs = grid([*broken, "greedy", f"{HERE}.Turns", f"{HERE}.Unborn"], learning_rates=[1])

    with pytest.warns(DataNotice, match="^failed: "):
        summary = Experiment(problem, runs).run(tmp_path, jobs=threads)

    rows = Store(tmp_path).read().sort("run")
    assert rows.height == len(runs)
    assert rows["error"].is_null().to_list() == [True, False, False, False, True, False]
    assert rows["pv_loss"].is_null().to_list() == [False, True, True, True, False, True]
    assert len(summary.failures) == 4
    what = "round 3: learn raised RuntimeError (at "
    [why] = [why for _, why in summary.failures if why.startswith(what)]
    assert re.search(r"tests/learners\.py:\d+\)$", why)


def test_a_learner_that_has_been_mended_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = Experiment(sample("multiclass", 100).problem, grid([f"{HERE}.Breaks,how=choose"]))

    with pytest.warns(DataNotice, match="^failed: "):
        before = experiment.run(tmp_path)
    monkeypatch.setenv("MENDED", "yes")
    after = experiment.run(tmp_path)

    assert not before.is_complete
    assert after.is_complete
    assert Store(tmp_path).read()["error"].to_list() == [None]


def test_the_state_of_a_store_is_told_where_its_learners_are_not(own_folder: Path) -> None:
    text = "from tests.learners import Turns as Gone\n"
    module = own_folder / "bakeoff_test_gone.py"
    module.write_text(text)
    runs = grid(["python:bakeoff_test_gone.Gone", "greedy"], learning_rates=[1])
    Experiment(four_events(), runs).run(own_folder / "results")

    module.unlink()
    done = progress_of(Store(own_folder / "results"))

    assert (done.runs, done.runs_done, done.failed) == (2, 2, 0)


def test_the_time_of_own_learners_is_estimated(tmp_path: Path) -> None:
    runs = grid(["greedy", f"{HERE}.Uniform"], learning_rates=[1])
    problems = Problems(lambda facts: four_events(), memory=10**9)
    plan = Experiment(four_events(), runs).plan(Store(tmp_path), problems, ProgressListener())

    found = estimate(plan, problems, Means(1, 10**9, 10**9))

    assert (found.runs, found.run_examples) == (2, 8)
    assert found.seconds > 0
    assert found.memory > 0
