"""Exploration rules of users: functions on the package's regression."""

import math
import pickle
import re
import subprocess
import sys
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

import numba.typed
import numpy as np
import polars as pl
import pytest

import bakeoff
from bakeoff import Experiment, Learner, LearnerError, Problem, Run, SpecError, grid, rule, simulate
from bakeoff.core.jit import compiled
from bakeoff.core.rules import reason_of
from bakeoff.store.store import Store
from tests.problems import sample

PROBLEM = sample("multiclass", 60).problem


def squarecb(scores: Any, t: int, gamma: float = 100.0, exponent: float = 0.5) -> Any:
    """SquareCB in ten lines."""
    g = gamma * math.pow(t - 1.0, exponent) if t > 1 else 0.0
    gap, K = scores - scores.min(), len(scores)
    p, rest = np.zeros(K), 1.0
    for k in range(K):
        if gap[k] > 0.0:
            p[k] = 1.0 / (K + g * gap[k])
            rest = rest - p[k]
    return np.where(gap == 0.0, rest / (gap == 0.0).sum(), p)


def tries(scores: Any, epsilon: float = 0.1) -> Any:
    """Epsilon-greedy with a dictionary of functions, which numba cannot compile."""
    ways = {"best": lambda: (scores == min(scores)).astype(float)}
    best = ways["best"]()
    return (1 - epsilon) * best / best.sum() + epsilon / len(scores)


# ---- the same as built in


@pytest.mark.parametrize("task", ["multiclass", "multilabel", "cost-sensitive", "ranking"])
def test_squarecb_in_ten_lines_is_ours_bit_for_bit(task: Any) -> None:
    problem = sample(task, 60).problem
    own = grid([partial(squarecb, gamma=30.0)], learning_rates=[0.1, 1])
    ours = grid("squarecb:gamma=30", learning_rates=[0.1, 1])

    for one, other in zip(simulate(problem, own), simulate(problem, ours), strict=True):
        assert one.pv_loss == other.pv_loss
        assert list(one.curve.pv_loss) == list(other.curve.pv_loss)


def optimistic(scores: Any, lower: Any, c0: float = 1e-3) -> Any:
    """RegCB-opt: the smallest lower bounds."""
    best = lower == lower.min()
    return best / best.sum()


def plausible(scores: Any, lower: Any, upper: Any, K: int) -> Any:
    """RegCB-elim: all actions that may be best."""
    p = np.zeros(K)
    for k in range(K):
        p[k] = 1.0 if lower[k] <= upper.min() else 0.0
    return p / p.sum()


@pytest.mark.parametrize("task", ["multiclass", "ranking"])
def test_bounds_of_rules_are_those_of_regcb(task: Any) -> None:
    problem = sample(task, 60).problem
    own = grid([partial(optimistic, c0=0.1), plausible, squarecb], learning_rates=[0.1, 1])
    ours = grid(["regcb:c0=0.1,optimistic", "regcb", "squarecb"], learning_rates=[0.1, 1])

    for one, other in zip(simulate(problem, own), simulate(problem, ours), strict=True):
        assert list(one.curve.pv_loss) == list(other.curve.pv_loss)


def test_a_rule_that_cannot_be_compiled_runs_in_python(recwarn: Any) -> None:
    [one] = simulate(PROBLEM, grid(tries, learning_rates=[1]))
    [other] = simulate(PROBLEM, [Run("epsilon-greedy:epsilon=0.1", learning_rate=1)])

    assert one.error is None
    assert abs(one.pv_loss - other.pv_loss) < 0.5
    said = "plain Python, about [0-9]+ times slower.*Cannot capture the non-.*line [0-9]+: 'ways = "
    assert any(re.search(said, str(note.message)) for note in recwarn) or not compiled


def lightly(scores: Any, heat: float) -> Any:
    """A helper; it may call itself, or another one."""
    return lightly(scores, -heat) if heat < 0.0 else np.exp((scores.min() - scores) / heat)


def helped(scores: Any, heat: float = 0.1) -> Any:
    """Softmax, by a function beside it."""
    p = lightly(scores, -heat)
    return p / p.sum()


def test_functions_that_a_rule_calls_are_compiled_too(recwarn: Any) -> None:
    def softmax(scores: Any, heat: float = 0.1) -> Any:
        p = np.exp((scores.min() - scores) / heat)
        return p / p.sum()

    one, other = simulate(PROBLEM, grid([helped, softmax], learning_rates=[1]))

    assert one.pv_loss == other.pv_loss
    assert not [note for note in recwarn if "plain Python" in str(note.message)]


def imports(scores: Any) -> Any:
    """Uniform, with an import, at which numba raises something of its own."""
    import statistics  # noqa: PLC0415

    return np.full(len(scores), statistics.mean([1 / len(scores)]))


@pytest.mark.filterwarnings("ignore::bakeoff.DataNotice")
def test_a_rule_may_import_what_it_likes() -> None:
    [one] = simulate(PROBLEM, grid(imports, learning_rates=[1]))

    assert one.error is None


def test_what_numba_says_is_told_with_the_line_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "study").mkdir()
    monkeypatch.chdir(tmp_path / "study")
    (tmp_path / "mine.py").write_text("def f(x):\n    p = float(x)\n    return f'{p:.3f}'\n")
    library = numba.typed.__file__
    error = TypeError(
        "Failed in nopython mode pipeline (step: a)\nNo implementation of function f\n"
        f' \n >>> float(bool)\n \nFile "{library}", line 3:\n    p = other(x)\n    ^\n'
        'File "../mine.py", line 2:\ndef f(x):\n    p = float(x)\n    ^\n'
    )
    short = ValueError(f"format spec not supported. Raised from {tmp_path}/mine.py (3)")

    assert reason_of(error) == (
        "'No implementation of function f' (call: 'float(bool)'; line 2: 'p = float(x)')"
    )
    assert reason_of(short).endswith("""(line 3: "return f'{p:.3f}'")""")
    assert reason_of(ValueError("")) == "'ValueError'"


def test_a_dictionary_is_told_with_the_line_of_the_user(recwarn: Any) -> None:
    def typed(scores: Any) -> Any:
        kinds = {type(scores[0]): 1.0, "none": 0.0}
        return np.full(len(scores), kinds[type(scores[0])] / len(scores))

    simulate(PROBLEM, grid(typed, learning_rates=[1]))

    said = r"about [0-9]+ times slower.*Numba says .*line [0-9]+: 'return np.full"
    assert any(re.search(said, str(note.message)) for note in recwarn) or not compiled


def test_rules_of_several_kinds_share_a_pass() -> None:
    def uniform(scores: Any) -> Any:
        return np.full(len(scores), 1 / len(scores))

    together = simulate(PROBLEM, grid([uniform, squarecb], learning_rates=[1]))
    alone = [simulate(PROBLEM, grid([one], learning_rates=[1]))[0] for one in (uniform, squarecb)]

    assert [one.pv_loss for one in together] == [one.pv_loss for one in alone]


# ---- specs, labels, sweeps


def test_a_rule_has_specs_labels_and_sweeps_as_ours_have() -> None:
    rule(squarecb)

    runs = grid("rule-squarecb:gamma=[10,30]", learning_rates=[1])

    assert [run.label for run in runs] == ["squarecb", "squarecb"]
    assert [run.settings.gamma for run in runs] == [10, 30]
    assert Run.from_text(str(runs[0])) == runs[0]
    assert grid("rule-squarecb:label=mine")[0].label == "mine"
    assert Run("rule-squarecb", "dr").reduction == "dr"
    with pytest.raises(SpecError, match="no parameter 'gama'"):
        grid("rule-squarecb:gama=1")


def test_a_live_learner_explores_by_a_rule() -> None:
    mine = Learner(rule(partial(squarecb, gamma=30.0)), n_actions=3, seed=5)
    ours = Learner("squarecb:gamma=30", n_actions=3, seed=5)
    rng = np.random.default_rng(1)

    for _ in range(50):
        x = rng.normal(size=4)
        decisions = [learner.choose(x) for learner in (mine, ours)]
        assert decisions[0].action == decisions[1].action
        assert decisions[0].probability == decisions[1].probability
        for learner, decision in zip((mine, ours), decisions, strict=True):
            learner.learn(decision, loss=float(decision.action != int(x[0] > 0)))


# ---- code is part of the key


def made(factor: float) -> Any:
    def changing(scores: Any) -> Any:
        p = np.exp((scores.min() - scores) * factor)
        return p / p.sum()

    return changing


def test_changed_code_never_shows_old_results(tmp_path: Path) -> None:
    first = Experiment(PROBLEM, ["greedy", made(1.0)]).run(tmp_path)
    old = grid(made(1.0))
    second = Experiment(PROBLEM, ["greedy", made(50.0)]).run(tmp_path)
    third = Experiment(PROBLEM, ["greedy", made(1.0)]).run(tmp_path)

    assert (first.n_computed, second.n_computed, third.n_computed) == (18, 9, 0)
    table = bakeoff.open(tmp_path).rows(algorithms=["changing"])
    assert set(table["run"]) == {str(run) for run in old}
    rows = Store(tmp_path).read().filter(pl.col("algorithm") == "changing")
    assert rows.height == 18
    assert rows["explorer"].n_unique() == 2
    grid(made(50.0))
    with pytest.raises(SpecError, match="has changed"):
        simulate(PROBLEM, old)


def test_a_store_with_a_rule_opens_where_the_rule_is_not(tmp_path: Path) -> None:
    Experiment([PROBLEM, sample("multilabel", 40).problem], ["greedy", made(2.0)]).run(tmp_path)

    for words in (["status"], ["report", "--figures", "none"], ["recommend"]):
        done = subprocess.run(
            [sys.executable, "-m", "bakeoff", *words, str(tmp_path)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        said = "9 runs of rules or explorers whose code is not here, such as 'rule-changing:"
        assert said in done.stderr
    program = "import sys, bakeoff; print(bakeoff.open(sys.argv[1]).algorithms)"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "changing" in done.stdout


def test_a_run_takes_its_rule_along_when_it_is_pickled() -> None:
    [run] = grid(made(3.0), learning_rates=[1])
    program = (
        "import pickle, sys; from bakeoff import simulate;"
        "run, problem = pickle.load(sys.stdin.buffer);"
        "print(simulate(problem, [run])[0].pv_loss)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        input=pickle.dumps((run, PROBLEM)), capture_output=True, check=True,
    )  # fmt: skip

    assert float(done.stdout) == simulate(PROBLEM, [run])[0].pv_loss


# ---- files and packages


FILE = """
import numpy as np

def half(scores, rest=0.5):
    best = scores == scores.min()
    return np.where(best, (1 - rest) / best.sum(), 0.0) + rest / len(scores)

class Mine:
    def __init__(self, n_actions):
        self.n_actions = n_actions
    def choose(self, x):
        return 0, 1.0
    def learn(self, x, action, loss, probability):
        pass
"""


def test_a_file_may_hold_rules_and_learners(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("rules.py").write_text(FILE)

    runs = grid(["rules.py:half,rest=[0.1,0.2]", "rules.py:Mine"], learning_rates=[1])

    assert [run.label for run in runs] == ["half", "half", "Mine"]
    assert Experiment(PROBLEM, runs).run("results").is_complete
    for wrong, named in (("rules.py:hal", "half"), ("nowhere.py:half", "nowhere.py")):
        with pytest.raises(SpecError, match=named):
            grid(wrong)


@pytest.mark.filterwarnings("ignore::bakeoff.DataNotice")
def test_a_changed_dictionary_of_a_file_is_changed_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = FILE.replace("def half", "SHARES = {'rest': 0.5}\n\ndef half", 1).replace(
        "    best =", "    SHARES['seen'] = 1 + SHARES.get('seen', 0)\n    best =", 1
    )
    counts = []
    for share in ("0.5", "0.5", "0.4"):
        Path("rules.py").write_text(text.replace("'rest': 0.5", f"'rest': {share}"))
        simulate(PROBLEM, grid("rules.py:half", learning_rates=[1]))  # it writes into SHARES
        counts.append(Experiment(PROBLEM, grid("rules.py:half", learning_rates=[1])).run("r"))

    assert [one.n_computed for one in counts] == [1, 0, 1]


BESIDE = """
import numpy as np

def spread(scores):
    best = scores == scores.min()
    return np.where(best, 0.9 / best.sum(), 0.0) + 0.1 / len(scores)
"""


def test_a_file_beside_that_of_a_rule_is_found_and_read_again_when_edited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an edited helper gives is never kept under the code of the old one, or the reverse."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    rules, beside = tmp_path / "rules.py", tmp_path / "beside_rules.py"
    rules.write_text(
        "from beside_rules import spread\n\ndef half(scores):\n    return spread(scores)\n"
    )
    edited = BESIDE.replace("0.9 /", "0.2 /").replace("0.1 /", "0.8 /")
    found = []
    for text in (BESIDE, f"# a comment\n{BESIDE}", edited):
        beside.write_text(text)
        [run] = grid(f"{rules}:half", learning_rates=[1])
        found.append((run.explorer, simulate(PROBLEM, [run])[0].pv_loss))

    assert found[0] == found[1]
    assert found[0][0] != found[2][0]
    assert found[0][1] != found[2][1]


def test_an_installed_package_may_have_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = metadata.EntryPoint("packaged", "tests.unit.runs.test_rules:packaged", "bakeoff.rules")
    monkeypatch.setattr(metadata, "entry_points", lambda group: [entry])

    [run] = grid("rule-packaged", learning_rates=[1])

    assert run.label == "packaged"


def packaged(scores: Any) -> Any:
    """Uniform."""
    return np.full(len(scores), 1 / len(scores))


# ---- what goes wrong


def raises(scores: Any) -> Any:
    raise KeyError({"a": object()}["b"])


def negative(scores: Any) -> Any:
    return scores * 0 - 1.0


def short(scores: Any) -> Any:
    return scores[1:] * 0 + 1.0


@pytest.mark.filterwarnings("ignore::bakeoff.DataNotice")
@pytest.mark.parametrize("wrong", [raises, negative, short])
def test_what_is_no_probability_is_an_error_with_the_round(wrong: Any) -> None:
    with pytest.raises(LearnerError, match=f"rule '{wrong.__name__}' in round 1: "):
        simulate(PROBLEM, [wrong])


def no_default(scores: Any, gamma: Any) -> Any:
    return scores


@pytest.mark.parametrize("wrong", [no_default, lambda scores: scores])
def test_what_is_no_rule_is_refused(wrong: Any) -> None:
    with pytest.raises(SpecError):
        grid(wrong)
    with pytest.raises(SpecError, match="scores"):
        rule(Problem)


def test_an_unknown_algorithm_lists_what_is_known() -> None:
    with pytest.raises(SpecError, match=r"known: active.*squarecb.*python:module.Name"):
        grid("squarebc")
