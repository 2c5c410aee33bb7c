"""Tables as text: nothing in a label can break them."""

import csv
import io
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from bakeoff.report.tables.table import (
    LONGEST,
    Grid,
    Panel,
    Table,
    best_rows,
    figure,
    least,
    to_csv,
    to_latex,
    to_markdown,
)

HOSTILE = (
    "<script>alert(1)</script>",
    "a|b, *bold* _it_ `code` [link](x) # & $5 ~ {}",
    r"\input{x} 100% ^ \\ & } { ' \"",
    'comma, "quote"\nnew line',
    "--option -1/0 >= 3",
    "na\xefve \u6570\u636e \u0130\x07",
)


def table(*panels: Panel, title: str = "Main results") -> Table:
    return Table("main-results", title, "Wins minus losses.", panels)


def duel(row: str = "G", corner: str = "") -> Panel:
    ours = Grid(("G", "RO"), ((row, ("-", "-9")), ("RO", ("9", "-"))), 12, ("RO",))
    paper = Grid(("G", "RO"), (("G", ("-", "-62")), ("RO", ("62", "-"))), 322, ("RO",))
    return Panel("-1/0, fixed", ours, paper=paper, corner=corner)


# ---- figures


def test_a_figure_has_so_many_digits_and_is_empty_where_there_is_none() -> None:
    assert figure(0.12345) == "0.123"
    assert figure(0.12345, 4) == "0.1235"
    assert figure(None) == figure(float("nan")) == ""
    assert figure(-0.0001) == "0.000"
    assert figure(-0.5, 1) == "-0.5"


def test_the_best_row_is_ahead_of_every_other() -> None:
    won = np.array([[0, 3, 5], [2, 0, 9], [5, 0, 0]])

    assert best_rows(["G", "RO", "eG"], won) == ()  # G and eG have five each
    won[0, 2] = 6
    assert best_rows(["G", "RO", "eG"], won) == ("G",)


def test_one_competitor_is_not_the_best() -> None:
    assert best_rows(["G"], np.zeros((1, 1), dtype=np.int64)) == ()


def test_the_least_are_all_that_print_the_same_mean() -> None:
    cells = ("0.215 +- 0.010", "0.225 +- 0.008", "0.215 +- 0.006", "")

    assert least(("G", "RO", "C-nu", "A"), cells) == ("G", "C-nu")


# ---- CSV


def test_csv_has_a_figure_a_row() -> None:
    rows = list(csv.reader(io.StringIO(to_csv(table(duel())))))

    assert rows[0] == ["panel", "source", "datasets", "row", "column", "value"]
    assert rows[2] == ["-1/0, fixed", "ours", "12", "G", "RO", "-9"]
    assert rows[7] == ["-1/0, fixed", "paper", "322", "RO", "G", "62"]
    assert len(rows) == 1 + 4 + 4


def test_csv_says_what_a_panel_needs() -> None:
    rows = list(csv.reader(io.StringIO(to_csv(table(Panel("9/10", None, "runs"))))))

    assert rows[1:] == [["9/10", "needs", "", "", "", "runs"]]


@pytest.mark.parametrize("label", HOSTILE)
def test_csv_keeps_every_label_as_it_is(label: str) -> None:
    text = to_csv(table(duel(label)))

    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    is_formula = label.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert rows[0]["row"] == (f"'{label}" if is_formula else label)


@pytest.mark.parametrize("cell", ["-0.5", "+3", "-1/0", "9/10", "-", "-1.2e-5", "-7%"])
def test_numbers_and_encodings_are_no_formulas(cell: str) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(table(duel(cell))))))

    assert rows[0]["row"] == cell


# ---- Markdown


def test_markdown_shows_both_grids_and_what_they_are_based_on() -> None:
    assert to_markdown(table(duel(corner="row vs column"))) == "\n".join(
        [
            "# Main results",
            "",
            "Wins minus losses.",
            "",
            "## -1/0, fixed",
            "",
            "Ours, 12 datasets:",
            "",
            "| row vs column | G | RO |",
            "| --- | ---: | ---: |",
            "| G | - | -9 |",
            "| **RO** | **9** | **-** |",
            "",
            "Paper, 322 datasets:",
            "",
            "| row vs column | G | RO |",
            "| --- | ---: | ---: |",
            "| G | - | -62 |",
            "| **RO** | **62** | **-** |",
            "",
        ]
    )


def test_in_a_table_of_one_row_columns_are_bold() -> None:
    grid = Grid(("G", "RO"), (("loss", ("0.2", "0.3")),), 1, ("G",))

    assert "| loss | **0.2** | 0.3 |" in to_markdown(table(Panel("iris", grid)))


def test_markdown_says_what_a_panel_needs() -> None:
    text = to_markdown(table(Panel("9/10", None, "needs --encoding=9/10")))

    assert "No data: needs --encoding=9/10." in text


@pytest.mark.parametrize("label", HOSTILE)
def test_markdown_rows_keep_their_cells_whatever_the_label(label: str) -> None:
    text = to_markdown(table(duel(label), title=label))

    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 8
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {4}
    assert not re.search(r"(?<!\\)[<`_&$\[]", text)


# ---- LaTeX


@pytest.mark.parametrize("label", HOSTILE)
def test_latex_is_balanced_whatever_the_label(label: str) -> None:
    text = to_latex(table(duel(label), Panel(label, None, label), title=label))

    plain = re.sub(r"\\[\\{}$&#_%^~]", "", text.replace(r"\backslash", ""))
    assert plain.count("{") == plain.count("}")
    assert plain.count("$") % 2 == 0
    assert not set("%#_~^") & set(plain)
    assert all(c.isascii() or c == "\xef" for c in text)
    rows = [line for line in plain.splitlines() if line.endswith(r"\hline")]
    assert sorted({row.count("&") for row in rows}) == [0, 2]  # headings, rows


def test_latex_shows_signs_and_numbers_of_datasets() -> None:
    grid = Grid(("G",), (("K >= 3", ("0.2 +- 0.1",)),), 1)

    text = to_latex(table(Panel("iris", grid)))

    assert r"K $\geq$ 3 & 0.2 $\pm$ 0.1 \\ \hline" in text
    assert "Ours, 1 dataset}" in text


def test_long_latex_tables_come_in_pieces_that_fit_on_a_page() -> None:
    rows = tuple((str(i), ("1",)) for i in range(2 * LONGEST + 1))

    text = to_latex(table(Panel("all", Grid(("n",), rows))))

    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 3
    assert text.count(r"\hline") == 3 * 2 + len(rows)


def test_wide_latex_tables_come_in_pieces_that_fit_on_a_line() -> None:
    columns = tuple(f"{i}{'x' * 40}" for i in range(5))
    grid = Grid(columns, (("loss", ("0.1", "0.2", "0.3", "0.4", "0.5")),))

    text = to_latex(table(Panel("all", grid)))

    rows = [line for line in text.splitlines() if line.startswith("loss")]
    assert rows == [
        r"loss & 0.1 & 0.2 \\ \hline",
        r"loss & 0.3 & 0.4 \\ \hline",
        r"loss & 0.5 \\ \hline",
    ]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_latex_compiles(tmp_path: Path) -> None:
    panels = [duel(label) for label in HOSTILE]
    body = to_latex(table(*panels, Panel("none", None, HOSTILE[0])))
    head, foot = r"\documentclass{article}\begin{document}", r"\end{document}"
    (tmp_path / "t.tex").write_text(f"{head}\n{body}\n{foot}\n", "utf-8")

    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stdout[-2000:]
