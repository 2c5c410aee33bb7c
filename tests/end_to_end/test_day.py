"""docs/guide/tutorial.md from its first block to its last, as a researcher follows it."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from bakeoff import DataNotice
from bakeoff.store.store import Store

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guide" / "tutorial.md").read_text()
FIVE = {"visits", "prices", "search", "loans", "wines"}
ARTICLE = r"""\documentclass{article}
\usepackage{booktabs}
\begin{document}
\scriptsize\input{results/report/main.tex}
\end{document}
"""


def blocks() -> Iterator[tuple[str, str]]:
    """Kind and text of the blocks of the page."""
    yield from re.findall(r"```([a-z ]+)\n(.*?)```", PAGE, flags=re.DOTALL)


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
def day(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """The names that the page's Python defines, and what its commands print."""
    names: dict[str, Any] = {}
    said: dict[str, str] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("day"))
        patch.syspath_prepend(str(Path.cwd()))
        patch.delenv("BAKEOFF_DATA", raising=False)
        for kind, text in blocks():
            if kind == "sh":
                said |= {line: typed(line) for line in text.splitlines()}
            elif kind == "python learner":
                Path("linucb.py").write_text(text)
            else:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", DataNotice)
                    exec(text, names)
        yield {**names, "said": said}
        sys.modules.pop("linucb", None)


def printed(day: dict[str, Any], begin: str) -> str:
    """What the last command that begins so printed."""
    return [text for line, text in day["said"].items() if line.startswith(begin)][-1]


@pytest.mark.slow
def test_the_day_ends_with_all_datasets_in_the_verdict(day: dict[str, Any]) -> None:
    assert set(day["store"].datasets) == FIVE
    assert "LinUCB" in day["store"].algorithms
    losses = day["store"].losses()
    assert set(losses.filter(algorithm="LinUCB")["dataset"]) == FIVE - {"search"}
    assert losses["loss"].is_between(0, 1).all()
    assert "5 datasets" in printed(day, "bakeoff report")


@pytest.mark.slow
def test_dates_and_missing_values_are_read_as_the_manifest_says(day: dict[str, Any]) -> None:
    table = printed(day, "bakeoff datasets")

    assert re.search(r"visits +multiclass +400 +3 +3", table)
    assert re.search(r"prices +cost-sensitive +300 +5 +3", table)
    assert re.search(r"search +ranking +120 +2 +6", table)


@pytest.mark.slow
def test_the_extension_computes_what_is_new_and_leaves_out_what_it_cannot(
    day: dict[str, Any],
) -> None:
    first, extended = (text for line, text in day["said"].items() if line.startswith("bakeoff run"))

    runs, computed = (
        int(re.findall(pattern, extended)[0].replace(",", ""))
        for pattern in (r"([\d,]+) runs, ", r"runs, ([\d,]+) of them")
    )
    assert "180 runs, 180 of them computed now" in first
    assert computed == runs - 180 == 3 * 3 * 2 * 2 + 3 * 2 * 2
    assert "and is left out on search" in extended
    advice = printed(day, "bakeoff recommend").splitlines()
    assert any(line.startswith("bakeoff run data -a ") for line in advice)
    assert any(line.startswith('Learner("') for line in advice)


@pytest.mark.slow
def test_a_changed_file_counts_once_and_its_old_version_can_go(day: dict[str, Any]) -> None:
    assert "1 earlier version (of visits)" in day["store"].others
    assert printed(day, "bakeoff status").count("visits") == 2
    assert "visits@" in printed(day, "bakeoff forget")
    rows = Store(Path("results")).read()
    assert rows.filter(problem="visits")["n"].unique().to_list() == [299]
    assert set(rows["problem"]) == FIVE


@pytest.mark.slow
def test_the_table_is_ready_for_a_paper(day: dict[str, Any]) -> None:
    table = pl.read_csv("results/report/main.csv")

    assert table["algorithm"].to_list() == table.columns[1 : 1 + table.height]
    assert "LinUCB" in table.columns
    assert table.drop("algorithm").select(pl.selectors.string()).width == 0
    assert Path("heat-map.pdf").stat().st_size > 1000
    if shutil.which("pdflatex"):
        Path("article.tex").write_text(ARTICLE)
        halt = ["-halt-on-error", "-interaction=nonstopmode"]
        subprocess.run(["pdflatex", *halt, "article.tex"], check=True)
