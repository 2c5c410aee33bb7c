"""The explorer of docs/guide/explorers.md takes part in everything, as the guide says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bakeoff

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guide" / "explorers.md"
PACKAGE = Path(bakeoff.__file__).parent

PROGRAM = """
import sys
from pathlib import Path

import numpy as np

from bakeoff import Experiment, Learner, Problem, Run, SpecError, grid, simulate
from bakeoff.judging.reading import read_losses
from bakeoff.judging.wording import name_of
from bakeoff.judging.views import Criteria
from bakeoff.report.write import write_report
from bakeoff.store.store import Store

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
problems = {
    "classes": Problem.from_classes(X, X.argmax(axis=1), name="classes"),
    "ranking": Problem.from_ranking(X, rng.integers(0, 5, 60), np.arange(60) // 4),
}
for problem in problems.values():
    for reduction in (None, "ips", "dr"):
        run = Run("boltzmann:temperature=0.2", reduction)
        [result] = simulate(problem, [run], record=True)
        assert result.error is None, result
        assert (result.probabilities > 0).all()
try:
    Run("boltzmann:temperature=0")
except SpecError as error:
    assert "temperature must be positive" in str(error)
learner = Learner("boltzmann", n_actions=3, seed=1)
decision = learner.choose(X[0])
assert abs(decision.probabilities.sum() - 1) < 1e-12
learner.learn(decision, loss=1.0)
runs = grid(["boltzmann", "greedy"], learning_rates=[0.1, 1.0])
Experiment(problems["classes"], runs).run(sys.argv[1])
losses = read_losses(Store(Path(sys.argv[1])))
assert losses.algorithms == ["G", "Bz"], losses.algorithms
report = write_report(Path(sys.argv[1]), losses, Criteria(), tables=[], figures=[])
assert "Boltzmann" in report.page.read_text()
print(name_of("Bz"))
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package and its tests, with the guide's explorer in it."""
    folder = tmp_path_factory.mktemp("guide")
    [text] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(PACKAGE, folder / "src" / "bakeoff", ignore=ignored)
    shutil.copytree(ROOT / "tests", folder / "tests", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    explorers = folder / "src" / "bakeoff" / "core" / "explorers"
    (explorers / "boltzmann.py").write_text(text)
    return folder


def python(source: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with the copy instead of the package, uncompiled."""
    return subprocess.run(
        [sys.executable, *arguments],
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": f"{source / 'src'}{os.pathsep}{source}",
        },
        cwd=source,
        capture_output=True,
        text=True,
    )


def test_the_explorer_of_the_guide_takes_part_in_everything(source: Path) -> None:
    done = python(source, "-c", PROGRAM, str(source / "results"))

    assert done.returncode == 0, done.stderr
    assert done.stdout == "Boltzmann (Bz)\n"


@pytest.mark.slow
def test_the_generic_tests_try_the_explorer_of_the_guide(source: Path) -> None:
    tests = "tests/property/test_conformance.py", "tests/unit/core/test_explorer_records.py"

    done = python(source, "-m", "pytest", "-q", "-k", "boltzmann", *tests)

    assert done.returncode == 0, done.stdout
    [passed] = re.findall(r"(\d+) passed", done.stdout)
    assert int(passed) > 100
