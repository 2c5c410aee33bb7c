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


# ---- lists and dictionaries count as they were written

TABLE = """
import numpy as np
SHARE = 0.5
TABLE = {"rest": SHARE}
class Kept:
    pass
KEPT = Kept()
def mine(scores):
    TABLE["seen"] = TABLE.get("seen", 0) + 1
    return scores * TABLE["rest"]
class Mine:
    LEVELS = [1, 2]
    def choose(self, x):
        self.LEVELS.append(3)
        return KEPT, TABLE["rest"]
"""
EDITS = [
    ('{"rest": SHARE}', '{"rest": SHARE / 2}'),
    ('{"rest": SHARE}', '{}\nTABLE["rest"] = SHARE'),
    ('{"rest": SHARE}', '{"rest": SHARE}\nTABLE.update(more=1)'),
    ("SHARE = 0.5", "SHARE = 0.4"),
]


@pytest.mark.parametrize("edit", EDITS)
def test_a_dictionary_counts_as_the_file_has_it(folder: Path, edit: tuple[str, str]) -> None:
    mine = imported(folder, "", TABLE)
    before = fingerprint(mine)
    mine(1.0)
    played = fingerprint(mine)
    again = fingerprint(imported(folder, "", f"# a comment\n{TABLE}"))
    after = fingerprint(imported(folder, "", TABLE.replace(*edit)))

    assert before == played == again
    assert before != after


@pytest.mark.parametrize("edit", [*EDITS, ("[1, 2]", "[1, 2.5]"), ("Kept()\n", "Kept() or 1\n")])
def test_what_a_class_keeps_counts_as_the_file_has_it(folder: Path, edit: tuple[str, str]) -> None:
    module = sys.modules[imported(folder, "", TABLE).__module__]
    before = fingerprint(module.Mine)
    module.Mine().choose(1)
    module.mine(1.0)
    same = fingerprint(module.Mine)
    imported(folder, "", TABLE.replace(*edit))

    assert before == same
    assert before != fingerprint(sys.modules["study_rule"].Mine)


def test_a_dictionary_of_another_file_counts(folder: Path) -> None:
    rule = "from study_helper import TABLE\ndef mine(scores):\n    return scores * TABLE['a']\n"
    one, same, other = (
        fingerprint(imported(folder, helper, rule))
        for helper in ("TABLE = {'a': 1}", "TABLE = { 'a':1 }", "TABLE = {'a': 2}")
    )

    assert one == same
    assert one != other


def test_the_cells_of_a_notebook_say_what_a_dictionary_is() -> None:
    cells = ["TABLE = {'a': 1}", "def mine(scores):\n    return scores * TABLE['a']", "%%broken"]
    names: dict[str, Any] = {"__name__": "__main__", "get_ipython": None, "In": []}

    def after(*more: str) -> str:
        for cell in more:
            names["In"].append(cell)
            if not cell.startswith("%"):
                exec(compile(cell, "<cell>", "exec"), names)
        return fingerprint(names["mine"])

    first = after(*cells)
    names["TABLE"]["seen"] = 1
    assert after(cells[1]) == first
    assert after(cells[0]) == first
    assert after("TABLE = {'a': 2}") != first
    changed = after("TABLE['b'] = 2")
    assert after("TABLE['b'] = 2") == changed
    assert after(cells[0]) == first


def test_without_a_source_a_list_counts_as_it_was_when_first_seen() -> None:
    def made(levels: list[float]) -> Any:
        def mine(scores: Any) -> Any:
            levels.append(1.0)
            return scores * levels[0]

        return mine

    mine = made([0.5])
    before = fingerprint(mine)
    mine(1.0)

    assert fingerprint(mine) == before == fingerprint(made([0.5])) != fingerprint(made([0.4]))


def test_a_compiled_helper_in_another_file_counts(folder: Path) -> None:
    helper = "from numba import njit\n@njit\ndef twice(x):\n    return x * 2\n"
    rule = "from study_helper import twice\ndef mine(scores):\n    return twice(scores)\n"

    one = fingerprint(imported(folder, helper, rule))
    assert one != fingerprint(imported(folder, helper.replace("* 2", "* 3"), rule))


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


def test_code_that_was_edited_after_it_was_imported_is_not_that_of_the_file(folder: Path) -> None:
    helper, rule = "SHARE = 2\n", "def mine(scores):\n    return scores * 2\n"
    mine = imported(folder, helper, rule)
    first = fingerprint(mine)
    (folder / "study_rule.py").write_text(rule.replace("* 2", "* 3"))

    still = fingerprint(mine)
    assert still != fingerprint(imported(folder, helper, rule.replace("* 2", "* 3")))
    assert fingerprint(imported(folder, helper, f"A = 1\n{rule}")) == first
