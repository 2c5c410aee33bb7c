"""A researcher's notebook: a rule in ten lines and a whole explorer, the verdict and the page."""

import re
from pathlib import Path

import nbformat
import pytest

from tests.notebooks import run

pytestmark = pytest.mark.slow
GUIDE = Path(__file__).parents[2] / "docs" / "guide" / "explorers.md"
[BOLTZMANN] = re.findall(r"```python\n(.*?)```", GUIDE.read_text(), flags=re.DOTALL)

RULE = '''
import numpy as np
import bakeoff

def mine(scores, t, gamma=100.0, exponent=0.5):
    """SquareCB in ten lines."""
    K, gap = len(scores), scores - scores.min()
    g = gamma * (t - 1.0) ** exponent if t > 1 else 0.0
    p, rest = np.zeros(K), 1.0
    for k in range(K):
        if gap[k] > 0:
            p[k] = 1 / (K + g * gap[k])
            rest -= p[k]
    return np.where(gap == 0, rest / (gap == 0).sum(), p)
'''
PLAY = """
runs = bakeoff.grid(["greedy", "squarecb", mine, BOLTZMANN], learning_rates=[0.3, 1, 3])
store = bakeoff.Experiment("embedded", runs).run("results")
print(store)
"""
SAME = """
rows = store.rows().sort("problem", "learning_rate")
ours, own = (rows.filter(algorithm=label)["pv_loss"].to_list() for label in ("SCB", "mine"))
assert ours == own and len(own) == 17 * 3, (ours, own)
"""
PAGE = """
page = store.page()
text = page.read_text()
assert page.name == "report.html" and '"own":["Bz","mine"]' in text.replace(" ", "")
"""


def test_a_rule_of_ten_lines_and_an_explorer_get_a_verdict_and_a_page(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook()
    cells = [RULE, BOLTZMANN, PLAY, SAME, PAGE, "store"]
    notebook.cells = [nbformat.v4.new_code_cell(text.strip()) for text in cells]
    nbformat.write(notebook, tmp_path / "day.ipynb")

    played = run(tmp_path / "day.ipynb", tmp_path)

    said = "".join(out.get("text", "") for out in played.cells[2].outputs)
    assert "17 datasets" in said, said
    assert "leads" in said or "winner" in said or "level" in said, said
    assert "text/html" in played.cells[-1].outputs[-1].data
    assert (tmp_path / "results" / "report.html").stat().st_size > 100_000


TABLE = "TABLE = {'rest': 0.5}"
NOTES = """
import bakeoff
rng = np.random.default_rng(1)
problem = bakeoff.Problem.from_classes(rng.normal(size=(40, 3)), rng.integers(0, 3, 40))

def noting(scores):
    TABLE["seen"] = TABLE.get("seen", 0) + 1
    best = scores == scores.min()
    return (1 - TABLE["rest"]) * best / best.sum() + TABLE["rest"] / len(scores)
"""
COUNT = """
runs = bakeoff.grid([noting], learning_rates=[1])
print("computed", bakeoff.Experiment(problem, runs, shuffles=1).run("notes").n_computed)
"""


def test_a_dictionary_counts_as_the_cells_have_it(tmp_path: Path) -> None:
    notebook = nbformat.v4.new_notebook()
    other = TABLE.replace("0.5", "0.4")
    cells = ["import numpy as np", TABLE, NOTES, COUNT, COUNT, TABLE, COUNT, other, COUNT, COUNT]
    notebook.cells = [nbformat.v4.new_code_cell(text.strip()) for text in cells]
    nbformat.write(notebook, tmp_path / "notes.ipynb")

    played = run(tmp_path / "notes.ipynb", tmp_path)

    texts = [out.get("text", "") for cell in played.cells for out in cell.get("outputs", [])]
    counts = [text.split()[-1] for text in texts if text.startswith("computed")]
    assert counts == ["1", "0", "0", "1", "0"]
