"""docs/guide/tutorial-compare.md as a reader follows it: every block runs, in order."""

import re
import shlex
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bakeoff import Problem, simulate
from bakeoff.store.store import Store
from tests.terminal import Terminal

PAGE = (Path(__file__).parents[2] / "docs" / "guide" / "tutorial-compare.md").read_text()
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.slow
def test_a_reader_can_follow_the_page(bakeoff: Terminal) -> None:
    names, said = followed(bakeoff)

    check_the_table(names, said)
    check_the_study(said)
    check_simulate(names)


def followed(bakeoff: Terminal) -> tuple[dict[str, Any], list[str]]:
    """What Python knows after all blocks, and what each command printed."""
    names: dict[str, Any] = {}
    said: list[str] = []
    for kind, text in BLOCKS:
        if kind == "python":
            exec(text, names)
        elif kind == "toml":
            Path("study.toml").write_text(text)
        elif kind == "sh":
            for line in text.splitlines():
                program, *words = shlex.split(line)
                assert program == "bakeoff"
                found = bakeoff(*words)
                assert found.code == 0, found.err
                said.append(found.out + found.err)
    return names, said


def check_the_table(names: dict[str, Any], said: list[str]) -> None:
    problem: Problem = names["problem"]

    assert f"print(problem)  # {problem!r}\n" in PAGE
    assert f"names)  # {problem.features.names}\n" in PAGE
    assert names["x"].shape == (4,)
    [expected] = [text for kind, text in BLOCKS if kind == "text"]
    assert [line for line in expected.splitlines() if line not in said[0]] == []


def check_the_study(said: list[str]) -> None:
    rows = Store(Path("study")).read()

    assert set(rows["problem"]) == {"visits", "prices", "pages"}
    assert set(rows["task"]) == {"multiclass", "cost-sensitive", "ranking"}
    assert set(rows["shuffle"]) == {1, 2, 3, 4, 5}
    assert rows["error"].null_count() == rows.height
    assert "180 runs" in said[1]
    assert [text for text in said if "faulty" in text] == []
    best = rows.group_by("problem").agg(pl.col("pv_loss", "uniform_cost").min())
    assert best.filter(pl.col("pv_loss") > 0.85 * pl.col("uniform_cost")).is_empty()


def check_simulate(names: dict[str, Any]) -> None:
    """With a shuffle, what the study played."""
    row = Store(Path("study")).read().filter(
        problem="visits", shuffle=1, explorer="greedy", learning_rate=0.3
    )  # fmt: skip

    [found] = simulate(names["problem"], names["runs"][:1], shuffle=1)

    assert [found.pv_loss] == row["pv_loss"].to_list()
