"""Fingerprints of code that users wrote: what changes them, and what does not."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bakeoff.runs import fingerprint

CELL = """
import numpy as np
LEVELS = np.array([0.1, 0.2])
SEEN = []
def mine(scores):
    SEEN.append(1)
    return scores * LEVELS[0]
"""


def defined(cell: str) -> Any:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(cell, "<cell>", "exec"), names)
    return names["mine"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in ("study_rule", "study_helper"):
        sys.modules.pop(name, None)


def imported(folder: Path, helper: str, rule: str) -> Any:
    for name, text in (("study_helper", helper), ("study_rule", rule)):
        (folder / f"{name}.py").write_text(text)
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    return importlib.import_module("study_rule").mine


def test_an_array_that_a_cell_names_counts() -> None:
    other = CELL.replace("0.2", "0.3")

    assert fingerprint(defined(CELL)) == fingerprint(defined(CELL))
    assert fingerprint(defined(CELL)) != fingerprint(defined(other))


def test_a_list_in_which_a_learner_notes_what_it_saw_does_not_count() -> None:
    mine = defined(CELL)
    before = fingerprint(mine)
    mine.__globals__["SEEN"].append(1)

    assert fingerprint(mine) == before


@pytest.mark.parametrize(
    "rule",
    [
        "from study_helper import twice\ndef mine(scores):\n    return twice(scores)\n",
        "import study_helper\ndef mine(scores):\n    return study_helper.twice(scores)\n",
    ],
)
def test_a_helper_in_another_file_of_the_user_counts(folder: Path, rule: str) -> None:
    helper = "def twice(scores):\n    return scores * 2\n"
    before = fingerprint(imported(folder, helper, rule))
    same = fingerprint(imported(folder, f"# a comment\n{helper}", rule))
    after = fingerprint(imported(folder, helper.replace("* 2", "* 2.5"), rule))

    assert before == same
    assert before != after
