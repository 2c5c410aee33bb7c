"""The bake-off of today: its stage, and the document made from made-up results."""

import pytest

from bakeoff.judging.losses import Losses
from bakeoff.reproduction.company import without_peeking
from bakeoff.reproduction.markdown import folded
from bakeoff.reproduction.stages import STAGES, stages_named
from bakeoff.reproduction.today import (
    GRIDS,
    STAGES_OF_TODAY,
    TODAY,
    _company,
    today_document,
    today_figure,
)
from bakeoff.runs import NEWCOMERS, Run, grid, swept
from tests.unit.report.made_up import EG, OAA, RO, G, row, store


def played() -> Losses:
    """Two newcomers and three of the paper's algorithms on twelve datasets."""
    rows = []
    for i in range(12):
        for explorer, loss in (
            (G, 0.3), (EG, 0.5), (RO, 0.25), (OAA, 0.1),
            ("linucb", 0.1), ("fastcb:gamma=10", 0.4), ("fastcb:gamma=100", 0.3),
        ):  # fmt: skip
            rows.append(row(explorer, loss, f"p{i}", openml_id=9000 + i))
    return store(*rows)


def line_of(text: str, begins: str) -> str:
    (line,) = [line for line in text.splitlines() if line.startswith(begins)]
    return line


def test_all_stages_are_the_papers() -> None:
    assert stages_named(["all"], STAGES_OF_TODAY) == list(STAGES)
    assert stages_named(["today", "small"], STAGES_OF_TODAY) == [STAGES[0], GRIDS, TODAY]


def test_every_newcomer_has_runs_in_the_stage() -> None:
    labels = {run.label for run in TODAY.runs}

    assert {"SCB", "SCB-e", "FCB", "Sm", "SC", "F", "RR", "RR-s", "LU", "LT", "LM"} <= labels
    assert {"G", "RO", "OAA", "eG-t", "eG-log", "B-exp", "RR centred"} <= labels
    assert len(NEWCOMERS) == len(set(NEWCOMERS))


@pytest.mark.parametrize("encoding", ["-1/0", "0/1", "9/10"])
def test_what_is_fixed_today_was_in_the_grids(encoding: str) -> None:
    fixed = grid(["today"], learning_rates=[0.5], encodings=[encoding])
    candidates = {Run.from_text(text).explorer for one in NEWCOMERS for text in swept(one)}

    assert {run.explorer for run in fixed} <= candidates
    assert sorted(run.label for run in fixed) == sorted(
        {Run.from_text(text).label for one in NEWCOMERS for text in swept(one)}
    )


def test_small_datasets_are_played_more_often() -> None:
    assert [TODAY.orders(n) for n in (500, 2000, 6000)] == [3, 2, 1]
    assert GRIDS.orders(500) == 1
    assert TODAY.orders(500, most=5) == 5


def test_the_document_counts_newcomers_against_the_papers_algorithms() -> None:
    text = today_document(played(), {"LU": 1.5}, "the command", "Half is missing.")

    assert "`the command`" in text
    assert "**Half is missing.**" in text
    assert line_of(text, "| -1/0 | LU | 12 / 0") == (
        "| -1/0 | LU | 12 / 0 (0.000) | 12 / 0 (0.000) |  | 12 / 0 (0.000) |"
    )
    assert line_of(text, "| -1/0 | FCB | gamma = ") == (
        "| -1/0 | FCB | gamma = 10, exponent = 0.5 | gamma = 100, exponent = 0.5 | 12.0 | 12 |"
    )
    glance = text.split("## At a glance")[1]
    assert line_of(glance, "| LU (LinUCB) | 0.1000 | 0.1000 |").endswith("| 1.50 |")
    assert "\n| LU (LinUCB) | 0.1000 | 1.00 | 48 | 0 | 100% | 0.000 |\n" in glance
    assert line_of(text, "| ro-first |").endswith("| LU at -1/0 (12 / 0) |")
    assert line_of(text, "| -1/0 | raw | RO | 2 of 5 (0.2500) | 2 of 5 (0.2500) |")


def test_without_newcomers_the_document_says_so() -> None:
    rows = [row(e, loss, f"p{i}") for i in range(3) for e, loss in ((G, 0.3), (RO, 0.2))]

    assert "No newcomer was played" in today_document(store(*rows), {}, "the command")


def test_the_document_says_which_elected_values_are_at_the_end_of_what_was_tried() -> None:
    rows = []
    for i in range(12):
        for explorer, loss in ((G, 0.3), (OAA, 0.1), ("fastcb:gamma=10", 0.2),
                               ("fastcb:gamma=50", 0.4), ("fastcb:gamma=100", 0.3)):  # fmt: skip
            rows.append(row(explorer, loss, f"p{i}", openml_id=9000 + i))
    text = today_document(store(*rows), {}, "the command", "")

    assert "wider grid might elect others: FCB gamma = 10 at -1/0." in text
    assert "wider grid might elect others: none." in today_document(played(), {}, "the command", "")


def test_the_figure_names_every_algorithm_by_its_lowest_loss() -> None:
    text = today_document(played(), {}, "the command", "")
    figure = today_figure(played())

    assert "](bakeoff-today.svg)\n" in text
    assert figure == today_figure(played())
    drawn = without_peeking(_company(played(), {}))
    assert drawn["LU (LinUCB)"] == {"raw": pytest.approx(0.1)}


def test_long_tables_are_folded_and_short_ones_stand() -> None:
    def table(rows: int) -> str:
        return "| a | b |\n| --- | --- |\n" + "| 1 | 2 |\n" * rows

    document = f"{table(2)}\nBetween.\n\n{table(3)}"

    assert folded(document, most=2) == (
        f"{table(2)}\nBetween.\n\n<details><summary>The table (3 rows)</summary>\n\n"
        f"{table(3)}\n</details>\n"
    )
