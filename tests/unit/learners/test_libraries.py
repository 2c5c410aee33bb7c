"""Other libraries as entrants: short adapters, which play where the library is there."""

import importlib
from pathlib import Path

import numpy as np
import pytest

from bakeoff import Problem, grid, simulate

FOLDER = Path(__file__).parents[3] / "examples" / "libraries"
ADAPTERS = {
    "mabwiser": "with_mabwiser.MABWiser",
    "contextualbandits": "with_contextualbandits.ContextualBandits",
    "river": "with_river.River",
    "bayesianbandits": "with_bayesianbandits.BayesianBandits",
    "coba": "with_coba.Coba",
}


def test_every_adapter_is_in_the_list_and_below_sixty_lines() -> None:
    files = {path.stem: path for path in FOLDER.glob("with_*.py")}

    assert files.keys() == {name.partition(".")[0] for name in ADAPTERS.values()}
    for path in files.values():
        assert len(path.read_text().splitlines()) < 60


def test_the_page_names_every_adapter() -> None:
    page = (FOLDER.parents[1] / "docs" / "guide" / "libraries.md").read_text()

    assert all(f"python:examples.libraries.{name}" in page for name in ADAPTERS.values())


@pytest.mark.slow
@pytest.mark.parametrize("library", ADAPTERS)
def test_a_library_learns_an_easy_problem(library: str) -> None:
    try:
        importlib.import_module(library)
    except ImportError:
        pytest.skip(f"{library} is not installed")
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=300)
    problem = Problem.from_classes(np.eye(4)[y] + 0.1 * rng.normal(size=(300, 4)), y)

    [result] = simulate(problem, grid(f"python:examples.libraries.{ADAPTERS[library]}"))

    assert result.error is None
    assert result.pv_loss < 0.4 < problem.constant_action_cost
