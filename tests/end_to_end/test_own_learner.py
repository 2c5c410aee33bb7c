"""What docs/guide/own-learner.md, own-rule.md and libraries.md show is so."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from bakeoff.store.store import Store

GUIDE = Path(__file__).parents[2] / "docs" / "guide"


def blocks(language: str, page: str = "own-learner.md") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (GUIDE / page).read_text(), flags=re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the learner of the page."""
    (tmp_path / "mymodule.py").write_text(blocks("python")[0])
    return tmp_path


@pytest.mark.slow
@pytest.mark.vw
def test_the_commands_of_the_page_compare_its_learners_with_ours(folder: Path) -> None:
    of_vw = blocks("sh", "libraries.md")
    for command in "".join([*blocks("sh"), *of_vw]).splitlines():
        program, *words = shlex.split(command)
        alone = [sys.executable, "-P", "-m", program, *words]  # -P: as if installed
        subprocess.run(alone, cwd=folder, check=True)

    rows = Store(folder / "results").read()
    best = dict(rows.group_by("algorithm").agg(pl.min("pv_loss")).iter_rows())
    assert best.keys() == {"EpsilonSGD", "G", "SGD-0.1", "VW-bag", "Vowpal"}
    assert max(best.values()) < 0.5 < rows["constant_action_cost"][0]


@pytest.mark.slow
def test_the_program_of_the_page_does_the_same(folder: Path) -> None:
    subprocess.run([sys.executable, "-c", blocks("py")[0]], cwd=folder, check=True)

    rows = Store(folder / "results").read()
    assert set(rows["algorithm"]) == {"EpsilonSGD", "G"}


@pytest.mark.slow
def test_the_check_of_the_page_says_what_the_page_shows(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", blocks("py")[1]],
        cwd=folder,
        check=True,
        capture_output=True,
        text=True,
    )

    shown = blocks("text")[0].split("...\n")
    for part in shown:
        assert part in done.stdout


@pytest.mark.slow
def test_the_classes_and_the_rule_of_the_pages_are_played(folder: Path) -> None:
    _, classes = blocks("python")
    rule = "".join(blocks("python", "own-rule.md"))
    for number, program in enumerate((classes, rule)):
        (folder / f"cell{number}.py").write_text(program)
        subprocess.run([sys.executable, f"cell{number}.py"], cwd=folder, check=True)

    assert set(Store(folder / "results").read()["algorithm"]) == {"EpsilonSGD", "G"}
    rows = Store(folder / "rules").read().sort("problem", "learning_rate")
    ours, theirs = (rows.filter(algorithm=label)["pv_loss"] for label in ("SCB", "squarecb"))
    assert ours.equals(theirs)
    assert rows.height == 2 * 3 * 9
