"""docs/guide/tutorial.md as a reader follows it: every block runs, in order."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import bakeoff
from bakeoff import Problem, grid, simulate
from bakeoff.store.store import Store

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "tutorial.md").read_text()
PICTURE = Path(__file__).parents[2] / "docs" / "images" / "tutorial.svg"
BLOCKS = re.findall(r"```([a-z ]+)\n(.*?)```", PAGE, re.DOTALL)


def typed(line: str) -> str:
    """What a command prints; it must end well."""
    program, *words = shlex.split(line)
    done = subprocess.run(
        [sys.executable, "-P", "-m", program, *words],  # -P: as if installed
        capture_output=True, text=True, env=os.environ | {"COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """What Python knows after all blocks, and what each command printed."""
    known: dict[str, Any] = {}
    said: list[tuple[str, str]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("tutorial"))
        patch.delenv("BAKEOFF_DATA", raising=False)
        for kind, text in BLOCKS:
            if kind == "python":
                exec(text, known)
            elif kind == "python learner":
                Path("ridge.py").write_text(text)
            elif kind == "toml":
                Path("study.toml").write_text(text)
            elif kind == "sh":
                said += [(line, typed(line)) for line in text.splitlines()]
        yield {**known, "said": said}


def test_the_tutorial_needs_nothing_but_the_package() -> None:
    """No module and no engine of an extra, as `make bakeoff` installs none."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    needed = {re.split(r"[><=;\s]", one)[0] for one in project["dependencies"]}
    code = "\n".join(text for kind, text in BLOCKS if kind.startswith("python"))
    imported = set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE))

    assert imported - sys.stdlib_module_names <= needed | {"bakeoff"}
    assert "dask" not in PAGE


def printed(names: dict[str, Any], begin: str) -> list[str]:
    """What the commands that begin so printed, in order."""
    return [text for line, text in names["said"] if line.startswith(begin)]


@pytest.mark.slow
def test_the_table_is_read_as_the_page_shows(names: dict[str, Any]) -> None:
    problem: Problem = names["problem"]

    assert f"print(problem)  # {problem!r}\n" in PAGE
    assert f"names)  # {problem.features.names}\n" in PAGE
    assert names["x"].shape == (4,)


@pytest.mark.slow
def test_commands_print_what_the_page_shows(names: dict[str, Any]) -> None:
    """The last command before each text."""
    commands: list[str] = []
    missing: list[str] = []
    for kind, text in BLOCKS:
        if kind == "sh":
            commands = text.splitlines()
        elif kind == "text":
            said = next(said for line, said in names["said"] if line == commands[-1])
            lines = [line.rstrip() for line in said.splitlines()]
            missing += [line for line in text.splitlines() if line not in lines]

    assert missing == []
    assert [kind for kind, _ in BLOCKS].count("text") == 2


@pytest.mark.slow
def test_the_picture_of_the_page_is_drawn_by_it(names: dict[str, Any]) -> None:
    drawn, kept = (
        re.findall(r"<!-- (.*?) -->", path.read_text()) for path in (Path("curves.svg"), PICTURE)
    )

    assert drawn == kept
    assert "RegCB-opt (RO)" in kept


@pytest.mark.slow
def test_the_study_plays_three_datasets_in_five_shuffles(names: dict[str, Any]) -> None:
    rows = Store(Path("study")).read()

    assert set(rows["problem"]) == {"visits", "prices", "pages"}
    assert set(rows["task"]) == {"multiclass", "cost-sensitive", "ranking"}
    assert set(rows["shuffle"]) == {1, 2, 3, 4, 5}
    assert rows["error"].null_count() == rows.height
    assert "180 runs" in printed(names, "bakeoff run --config study.toml --dry-run")[0]
    best = rows.group_by("problem").agg(pl.col("pv_loss", "uniform_cost").min())
    assert best.filter(pl.col("pv_loss") > 0.85 * pl.col("uniform_cost")).is_empty()


@pytest.mark.slow
def test_the_learner_of_the_page_computes_what_is_new_and_does_not_rank(
    names: dict[str, Any],
) -> None:
    [extended] = [text for line, text in names["said"] if "ridge.RidgeUCB" in line]

    counts = re.findall(r"([\d,]+) runs, ([\d,]+) of them computed now", extended)
    assert [int(computed) for _, computed in counts] == [2 * 2 * 5]
    assert "and is left out on pages" in extended


@pytest.mark.slow
def test_a_changed_file_counts_once_and_its_old_version_can_go(names: dict[str, Any]) -> None:
    assert printed(names, "bakeoff status")[0].count("visits") == 2
    assert "visits@" in printed(names, "bakeoff forget")[0]
    rows = Store(Path("study")).read()
    assert rows.filter(problem="visits")["n"].unique().to_list() == [500]
    assert "RidgeUCB" not in set(rows["algorithm"])


@pytest.mark.slow
def test_simulate_plays_what_the_study_played(names: dict[str, Any]) -> None:
    row = Store(Path("study")).read().filter(
        problem="visits", shuffle=1, explorer="greedy", learning_rate=0.3
    )  # fmt: skip

    visits = bakeoff.load("visits.csv", ignore="id", numeric=["when", "spent"])
    [found] = simulate(visits, grid("greedy", learning_rates=[0.3]), shuffle=1)

    assert [found.pv_loss] == row["pv_loss"].to_list()


@pytest.mark.slow
def test_the_table_is_ready_for_a_paper(names: dict[str, Any]) -> None:
    table = pl.read_csv("study/report/main.csv")

    assert table["algorithm"].to_list() == table.columns[1 : 1 + table.height]
    assert table.drop("algorithm").select(pl.selectors.string()).width == 0
    assert Path("study/report/main.tex").read_text().count(r"\begin{tabular}") == 1
    assert Path("study/report.html").exists()
