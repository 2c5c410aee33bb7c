"""The notebooks of the docs run from their first cell to their last."""

from pathlib import Path

import pytest

from tests.notebooks import NOTEBOOKS, run

pytestmark = pytest.mark.slow


def test_there_is_one_for_each_reader() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["compare", "decide", "explore"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("default")  # those of the kernel's own libraries
def test_a_notebook_runs(path: Path, tmp_path: Path) -> None:
    played = run(path, tmp_path)

    outputs = [cell.outputs for cell in played.cells if cell.cell_type == "code"]
    assert any(outputs)
