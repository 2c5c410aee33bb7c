"""The table that is printed, as files."""

import csv
import io
import re

import pytest

from bakeoff.judging.frames import wins_frame
from bakeoff.judging.standings import standings
from bakeoff.judging.views import Criteria, main_contest
from bakeoff.report.tables.matrix import matrix_files, matrix_frame
from tests.unit.report.made_up import OAA, RO, G, duel, row, store

OWN = "python:my_module.Lin_UCB,label=Lin_UCB"
ASKED = Criteria()
ROWS = [
    *duel(*[(0.5, 0.1)] * 6),
    *(row(OWN, 0.3, f"p{i}", algorithm="Lin_UCB") for i in range(6)),
    *(row(OAA, 0.05, f"p{i}") for i in range(6)),
]


def test_csv_is_wide_and_has_numbers() -> None:
    text = matrix_files(store(*ROWS), ASKED, paper=False)["csv"]

    table = list(csv.DictReader(io.StringIO(text)))

    assert [one["algorithm"] for one in table] == ["RO", "Lin_UCB", "G"]
    assert [one["G"] for one in table] == ["6", "6", ""]
    assert [int(one["wins"]) - int(one["losses"]) for one in table] == [12, 0, -12]
    for one in table:
        numbers = [value for key, value in one.items() if key != "algorithm" and value]
        assert [float(value) for value in numbers]


def test_csv_has_no_formula() -> None:
    rows = [one | {"algorithm": "=1+1"} if one["algorithm"] == "G" else one for one in ROWS]

    text = matrix_files(store(*rows), ASKED, paper=False)["csv"]

    table = list(csv.DictReader(io.StringIO(text)))
    assert [one["algorithm"] for one in table] == ["RO", "Lin_UCB", "'=1+1"]
    assert [one["'=1+1"] for one in table] == ["6", "6", ""]
    assert "-6" in [one["RO"] for one in table]


def test_the_matrix_is_that_of_the_contest() -> None:
    losses = store(*ROWS)
    contest = main_contest(losses, ASKED)
    outcomes = ASKED.wins(contest)
    order = [one.label for one in standings(contest, outcomes)]

    found = matrix_frame(losses, ASKED)

    expected = wins_frame(contest, outcomes, order, difference=True)
    assert found.select(expected.columns).equals(expected)


def test_latex_is_one_tabular_with_booktabs() -> None:
    text = matrix_files(store(*ROWS), ASKED, paper=False)["tex"]

    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1
    assert [text.count(rf"\{rule}rule") for rule in ("top", "mid", "bottom")] == [1] * 3
    assert r"\hline" not in text
    (columns,) = re.findall(r"\\begin{tabular}{(l+r+)}", text)
    body = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {line.count(" & ") + 1 for line in body} == {len(columns)}
    assert body[1].startswith(r"\textbf{RO} &  & $+6$ & $+6$ & 12 & 0 & 100\%")
    assert r"Lin\_UCB & $-6$" in text


def test_markdown_is_one_table() -> None:
    text = matrix_files(store(*ROWS), ASKED, paper=False)["md"]

    assert text.startswith("Significant wins minus losses of the row against")
    assert "6 datasets" in text
    assert text.count("| --- |") == 1
    assert r"| Lin\_UCB | -6 |" in text


@pytest.mark.parametrize("paper", [False, True])
def test_the_papers_figures_come_if_they_are_asked_for(paper: bool) -> None:
    files = matrix_files(store(*ROWS), ASKED, paper=paper)

    assert files["tex"].count(r"\begin{tabular}") == 1 + paper
    assert ("The paper's" in files["md"]) == paper
    assert "C-nu" not in files["csv"]


def test_a_label_may_be_the_name_of_a_column() -> None:
    named = "python:my_module.Mine,label=wins"
    rows = [*ROWS, *(row(named, 0.2, f"p{i}", algorithm="wins") for i in range(6))]

    found = matrix_frame(store(*rows), ASKED)

    assert found["wins"].null_count() == 1
    assert found["wins of all"].null_count() == 0


@pytest.mark.parametrize("rows", [[], [row(G, 0.5)], [row(RO, 0.5), row(G, 0.5)]])
def test_there_need_be_nothing_to_compare(rows: list[dict[str, object]]) -> None:
    files = matrix_files(store(*rows, row(OAA, 0.1)), ASKED, paper=False)

    assert files["csv"].startswith("algorithm,")
    assert r"\begin{tabular}" in files["tex"]
