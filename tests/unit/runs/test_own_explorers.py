"""Whole explorers from outside the package: files, cells and installed packages."""

import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bakeoff
from bakeoff import Experiment, Learner, LearnerError, Run, SpecError, grid, rule, simulate
from bakeoff.core.code_hash import loop_hash
from bakeoff.core.explorers import EXPLORERS, Explorer
from bakeoff.core.jit import compiled
from tests.problems import sample

PROBLEM = sample("multiclass", 60).problem
ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "guide" / "explorers.md"
[TEXT] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)

COPIES = """
import shutil, sys
from pathlib import Path
from bakeoff import grid, simulate
from bakeoff.core.explorers import EXPLORERS
from tests.problems import sample

problems = [sample(task, 40).problem for task in ("multiclass", "ranking")]
for ours in [one for one in EXPLORERS.values() if not one.sees_all_costs]:
    file = Path(sys.modules[ours.settings.__module__].__file__)
    shutil.copy(file, f"my_{file.name}")
    for problem in problems:
        specs = ours.name, f"my_{file.name}:{ours.name}"
        runs = [grid(spec, learning_rates=[0.1, 1]) for spec in specs]
        assert runs[1][0].explorer.startswith(f"own-{ours.name}"), runs[1]
        for one, other in zip(*(simulate(problem, some, record=True) for some in runs)):
            assert list(one.curve.pv_loss) == list(other.curve.pv_loss), ours.name
            assert (one.probabilities == other.probabilities).all(), ours.name
    print(ours.name)
"""


def cell(text: str) -> Any:
    """The explorer that a notebook's cell defines."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(text, "<cell>", "exec"), names)
    return names["BOLTZMANN"]


def in_another_process(program: str, *arguments: str, data: bytes = b"") -> str:
    """What a program prints there."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], input=data, capture_output=True
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


# ---- the same as built in


def test_copies_of_our_files_are_ours_bit_for_bit(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COPIES],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1",
             "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [e.name for e in EXPLORERS.values() if not e.sees_all_costs]


def test_a_compiled_copy_is_ours_bit_for_bit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    softmax = Path(sys.modules[EXPLORERS["softmax"].settings.__module__].__file__ or "")
    Path("softmax.py").write_text(softmax.read_text())

    own = grid("softmax.py:softmax,sharpness=[3,10]", learning_rates=[0.1, 1])
    ours = grid("softmax:sharpness=[3,10]", learning_rates=[0.1, 1])

    assert {run.label for run in own} == {"Sm-own"}
    for one, other in zip(simulate(PROBLEM, own), simulate(PROBLEM, ours), strict=True):
        assert list(one.curve.pv_loss) == list(other.curve.pv_loss)


# ---- from a cell


def test_an_explorer_of_a_cell_takes_part_in_everything(tmp_path: Path) -> None:
    boltzmann = cell(TEXT)

    assert Experiment([PROBLEM], ["greedy", boltzmann]).run(tmp_path).is_complete

    assert bakeoff.open(tmp_path).algorithms == ["G", "Bz"]
    learner = Learner(rule(boltzmann), n_actions=3, seed=1)
    decision = learner.choose(np.ones(4))
    assert abs(decision.probabilities.sum() - 1) < 1e-12
    learner.learn(decision, loss=1.0)
    learner.save(tmp_path / "model")
    assert Learner.load(tmp_path / "model").choose(np.ones(4)).probability > 0
    for words in (["status"], ["report", "--figures", "none"], ["recommend"]):
        done = subprocess.run(
            [sys.executable, "-m", "bakeoff", *words, str(tmp_path)], capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr


def test_a_run_takes_its_explorer_along_when_it_is_pickled() -> None:
    [run] = grid(cell(TEXT), learning_rates=[1])
    program = (
        "import pickle, sys; from bakeoff import simulate;"
        "run, problem = pickle.load(sys.stdin.buffer);"
        "print(simulate(problem, [run])[0].pv_loss)"
    )

    said = in_another_process(program, data=pickle.dumps((run, PROBLEM)))

    assert float(said) == simulate(PROBLEM, [run])[0].pv_loss


def test_changed_code_never_shows_old_results(tmp_path: Path) -> None:
    other = TEXT.replace("math.exp(-gap /", "math.exp(-2.0 * gap /")
    assert other != TEXT
    first = Experiment(PROBLEM, cell(TEXT)).run(tmp_path)
    old = grid(cell(TEXT))
    second = Experiment(PROBLEM, cell(other)).run(tmp_path)
    third = Experiment(PROBLEM, cell(TEXT)).run(tmp_path)

    assert (first.n_computed, second.n_computed, third.n_computed) == (9, 9, 0)
    grid(cell(other))
    with pytest.raises(SpecError, match="has changed"):
        simulate(PROBLEM, old)


HELPED = TEXT.replace(
    "@kernel\ndef explore", "FACTOR = 1.0\n\n\ndef scaled(gap):\n    return gap * FACTOR\n\n\n"
    "@kernel\ndef explore"
).replace("math.exp(-gap /", "math.exp(-scaled(gap) /")  # fmt: skip


def test_a_changed_helper_is_changed_code_too() -> None:
    assert HELPED.count("scaled") == 2
    one, other = cell(HELPED), cell(HELPED.replace("FACTOR = 1.0", "FACTOR = 2.0"))

    assert rule(one) == rule(other)
    hashes = {loop_hash(record.explore) for record in (one, other, cell(HELPED))}
    assert len(hashes) == 2
    codes = [Run("own-boltzmann").settings.code]
    rule(one)
    codes.append(Run("own-boltzmann").settings.code)
    assert codes[0] != codes[1]


def test_a_helper_that_is_defined_anew_is_used() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(HELPED, "<cell>", "exec"), names)
    before = simulate(PROBLEM, grid(names["BOLTZMANN"], learning_rates=[1]), record=True)[0]
    exec(compile("def scaled(gap):\n    return gap * 100.0", "<cell>", "exec"), names)
    after = simulate(PROBLEM, grid(names["BOLTZMANN"], learning_rates=[1]), record=True)[0]

    assert np.asarray(before.probabilities).max() < np.asarray(after.probabilities).max()


def test_an_explorer_is_taken_as_it_is_when_it_is_named() -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(HELPED, "<cell>", "exec"), names)
    runs = grid(names["BOLTZMANN"], learning_rates=[1])
    before = simulate(PROBLEM, runs, record=True)[0]
    exec(compile("FACTOR = 100.0", "<cell>", "exec"), names)

    again = simulate(PROBLEM, runs, record=True)[0]
    assert np.array_equal(np.asarray(again.probabilities), np.asarray(before.probabilities))


# ---- from a file or a package


def test_a_file_may_hold_explorers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("explorers.py").write_text(TEXT)

    for name in ("boltzmann", "BOLTZMANN"):  # of the explorer, and of the variable
        runs = grid(f"explorers.py:{name},temperature=[0.1,0.2]", learning_rates=[1])
        assert [run.settings.temperature for run in runs] == [0.1, 0.2]
    assert grid("own-boltzmann:label=mine")[0].label == "mine"
    with pytest.raises(SpecError, match="its explorers are boltzmann"):
        grid("explorers.py:bolzmann")
    done = subprocess.run(
        [sys.executable, "-m", "bakeoff", "run", "-a", "explorers.py:boltzmann", "-a", "greedy",
         "embedded:iris", "--learning-rate", "1", "--quiet"], capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert set(bakeoff.open("results").algorithms) == {"G", "Bz"}


def test_an_installed_package_may_have_explorers(monkeypatch: pytest.MonkeyPatch) -> None:
    record = cell(TEXT)
    monkeypatch.setattr(metadata.EntryPoint, "load", lambda _: record)
    entry = metadata.EntryPoint("boltzmann", "anywhere:BOLTZMANN", "bakeoff.explorers")
    groups = {"bakeoff.explorers": [entry]}
    monkeypatch.setattr(metadata, "entry_points", lambda group: groups.get(group, []))

    [run] = grid("own-boltzmann:temperature=0.5", learning_rates=[1])

    assert run.label == "Bz"
    with pytest.raises(SpecError, match="unknown"):
        grid("own-nothing")


# ---- what goes wrong


UNCOMPILED = TEXT.replace(
    "    for lane in range", "    kinds = {type(1): 0, 'a': 1}\n    for lane in range", 1
)


@pytest.mark.skipif(not compiled, reason="nothing is compiled")
def test_what_numba_cannot_compile_runs_in_python() -> None:
    [one] = simulate(PROBLEM, grid(cell(TEXT), learning_rates=[1]))
    with pytest.warns(bakeoff.DataNotice, match="as plain Python, about [0-9,]+ times"):
        [other] = simulate(PROBLEM, grid(cell(UNCOMPILED), learning_rates=[1]))

    assert list(one.curve.pv_loss) == list(other.curve.pv_loss)
    with pytest.raises(LearnerError, match="cannot be compiled"):
        Learner(rule(cell(UNCOMPILED)), n_actions=3)


@pytest.mark.parametrize("wrong", ["-1.0", "bandit.p[k, lane] / total / 2.0"])
def test_what_is_no_probability_is_an_error_with_the_round(wrong: str) -> None:
    text = TEXT.replace("= bandit.p[k, lane] / total", f"= {wrong}")

    with pytest.raises(LearnerError, match="'own-boltzmann' in round 1: it must write prob"):
        simulate(PROBLEM, grid(cell(text), learning_rates=[1]))


def test_a_state_that_cannot_be_made_is_an_error() -> None:
    text = TEXT.replace("return State(np.array", "return State(np.none")

    with pytest.raises(LearnerError, match="new_state of explorer 'boltzmann': AttributeError"):
        simulate(PROBLEM, grid(cell(text), learning_rates=[1]))


def renamed(**values: Any) -> Callable[[], Explorer]:
    """A way to make the guide's explorer with other values in its record."""
    return lambda: replace(cell(TEXT), **values)


def enclosed() -> Explorer:
    """An explorer in a function, to whose names its kernels refer."""
    record, factor = cell(TEXT), 2.0

    def explore(state: Any, bandit: Any, x: Any, event: Any) -> None:
        bandit.p[: event.K] = factor

    return type(record)(**{**vars(record), "explore": explore})


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (renamed(name="two words"), "one word"),
        (renamed(sees_all_costs=True), "sees all costs"),
        (enclosed, "refers to factor of the function around it"),
    ],
)
def test_what_is_no_explorer_is_refused(make: Callable[[], Explorer], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        grid(make())
