"""The explorer of docs/explorers.md takes part in everything, as the guide says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import bakeoff

GUIDE = Path(__file__).parents[2] / "docs" / "explorers.md"
PACKAGE = Path(bakeoff.__file__).parent

PROGRAM = """
import sys
from pathlib import Path

import numpy as np

from bakeoff import Experiment, Learner, Problem, Run, SpecError, grid, simulate
from bakeoff.report.reading import read_losses
from bakeoff.report.verdict import name_of
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
print(name_of("Bz"))
"""


def test_the_explorer_of_the_guide_takes_part_in_everything(tmp_path: Path) -> None:
    [source] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)
    shutil.copytree(PACKAGE, tmp_path / "src" / "bakeoff")
    folder = tmp_path / "src" / "bakeoff" / "core" / "explorers"
    (folder / "boltzmann.py").write_text(source)

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "results")],
        env={
            **os.environ,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": str(tmp_path / "src"),
        },
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == "Boltzmann (Bz)\n"
