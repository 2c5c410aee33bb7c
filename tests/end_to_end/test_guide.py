"""Every snippet of README and the guide runs, or is a command that exists."""

import re
import shlex
import warnings
from pathlib import Path
from typing import Any

import pytest
import typer

from bakeoff import DataNotice
from bakeoff.cli import app

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guide"
PAGES = sorted([ROOT / "README.md", ROOT / "docs" / "index.md", *GUIDE.glob("*.md")])
FOLLOWED = {  # by a test of their own
    "README.md": "test_readme",
    "explorers.md": "test_explorers_guide",
    "from-personalizer.md": "test_docs_of_serving",
    "own-learner.md": "test_own_learner",
    "own-rule.md": "test_own_learner",
    "results.md": "test_results_doc",
    "tutorial.md": "test_tutorial",
}
ELSEWHERE = {"cluster.md": "dask_"}  # blocks with this word need what no test has
SHELL = ("sh", "", "text", "console")


def blocks(page: Path, *kinds: str) -> list[str]:
    found = re.findall(r"^ *```([a-z ]*)\n(.*?)^ *```", page.read_text(), re.DOTALL | re.MULTILINE)
    return [text for kind, text in found if kind in kinds]


PROGRAMS = [page for page in PAGES if page.name not in FOLLOWED and blocks(page, "python")]


@pytest.mark.slow
@pytest.mark.parametrize("page", PROGRAMS, ids=lambda page: page.name)
def test_the_python_of_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}

    for text in blocks(page, "python"):
        if page.name in ELSEWHERE and ELSEWHERE[page.name] in text:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DataNotice)
            exec(compile(text, page.name, "exec"), names)


def commands(page: Path) -> list[str]:
    """The lines that call `bakeoff`, those that a backslash continues joined."""
    text = "\n".join(blocks(page, *SHELL)).replace("\\\n", " ")
    return [line for line in text.splitlines() if line.startswith("bakeoff ")]


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda p: p.name)
def test_the_commands_of_a_page_exist_and_take_their_options(page: Path) -> None:
    group: Any = typer.main.get_command(app)
    for line in commands(page):
        _, *words = shlex.split(line, comments=True)
        assert words[0] in group.commands, line
        parse(group, words)


def parse(command: Any, words: list[str]) -> None:
    """Read the words as the command line does, without calling anything; it raises if it cannot."""
    subcommands = getattr(command, "commands", {})
    if words and words[0] in subcommands:
        parse(subcommands[words[0]], words[1:])
    else:
        command.make_context(command.name, list(words))


@pytest.mark.parametrize(
    "words", [["run", "--shufles", "3"], ["forget", "--jsn"], ["report", "a", "b"]]
)
def test_a_command_with_a_wrong_option_would_be_noticed(words: list[str]) -> None:
    with pytest.raises(Exception, match=r"shufles|jsn|unexpected extra argument"):
        parse(typer.main.get_command(app), words)
