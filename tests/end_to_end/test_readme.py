"""README says nothing that is not so."""

import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from bakeoff.core.explorers import EXPLORERS
from bakeoff.report.figures.all import FIGURES
from bakeoff.report.tables.all import TABLES
from bakeoff.runs.specs import to_text

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
ALGORITHMS = (ROOT / "docs" / "reference" / "algorithms.md").read_text()


def python_blocks() -> list[str]:
    return re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def table_rows() -> dict[str, str]:
    rows = re.findall(r"^\| `([^`]+)` \| [^|]+ \| ([^|]+) \|$", ALGORITHMS, re.MULTILINE)
    return {spec: reductions.strip() for spec, reductions in rows}


def test_the_first_program_prints_a_loss_for_every_run() -> None:
    program = python_blocks()[0]

    output = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout

    losses = [float(line.split()[-1]) for line in output.splitlines()]
    assert len(losses) == 27
    assert min(losses) < 0.4 < max(losses)


def test_the_second_program_runs() -> None:
    program = python_blocks()[1]
    names: dict[str, Any] = {}

    exec(program, names)

    decision = names["decision"]
    assert 0 <= decision.action < 10


def test_the_table_lists_every_explorer_with_its_defaults_and_reductions() -> None:
    rows = table_rows()

    for explorer in EXPLORERS.values():
        spec = to_text(explorer.settings())
        assert rows[spec] == (", ".join(explorer.reductions) or "-")
        names = [f.name for f in fields(explorer.settings) if f.default is False]
        flags = [name for name in names if name != "logistic"]  # a sentence below the table
        for flag in flags:
            separator = "," if ":" in spec else ":"
            assert f"{spec}{separator}{flag}" in rows


@pytest.mark.slow
def test_make_bakeoff_ends_with_the_verdict_and_the_page(tmp_path: Path) -> None:
    command = re.findall(r"-m bakeoff (run .*)", (ROOT / "Makefile").read_text())[0]
    words = command.replace("results", str(tmp_path)).split()  # not into this folder

    output = subprocess.run(
        [sys.executable, "-m", "bakeoff", *words],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"COLUMNS": "120"},
    ).stdout

    assert "significant wins minus losses" in output
    assert "17 datasets, 10 shuffles, encoding -1/0" in output
    for label in ("G", "R", "RO", "C-nu", "C-u", "B", "B-g", "eG", "A"):
        assert re.search(rf"\({label}\) +0\.\d{{4}}", output)
    assert "ways of counting" in output
    assert output.endswith(f"the page is {tmp_path}/report.html\n")
    assert (tmp_path / "report.html").exists()


def test_the_reference_names_every_table_and_figure() -> None:
    text = (ROOT / "docs" / "reference" / "judging.md").read_text()
    named = text.partition("Tables: ")[2].partition("\n\n")[0]

    assert re.findall(r"`([\w-]+)`", named) == ["main", *TABLES, *FIGURES]
