"""The bake-off of today: its stage, and the document made from made-up results."""

from bakeoff.judging.losses import Losses
from bakeoff.reproduction.stages import STAGES, stages_named
from bakeoff.reproduction.today import NEWCOMERS, TODAY, today_document
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
    assert stages_named(["all"], [TODAY]) == list(STAGES)
    assert stages_named(["today", "small"], [TODAY]) == [STAGES[0], TODAY]


def test_every_newcomer_has_runs_in_the_stage() -> None:
    labels = {run.label for run in TODAY.runs}

    assert {"SCB", "SCB-e", "FCB", "Sm", "SC", "F", "RR", "RR-s", "LU", "LT", "LM"} <= labels
    assert {"G", "RO", "OAA", "eG-t", "eG-log", "B-exp"} <= labels
    assert len(NEWCOMERS) == len(set(NEWCOMERS))


def test_the_document_counts_newcomers_against_the_papers_algorithms() -> None:
    text = today_document(played(), {"LU": 1.5}, "the command", "Half is missing.")

    assert "`the command`" in text
    assert "**Half is missing.**" in text
    assert line_of(text, "| -1/0 | LU | 12 / 0") == (
        "| -1/0 | LU | 12 / 0 (0.000) | 12 / 0 (0.000) |  | 12 / 0 (0.000) |"
    )
    assert line_of(text, "| -1/0 | FCB | gamma = ") == (
        "| -1/0 | FCB | gamma = 100, exponent = 0.5 | the other datasets |"
    )
    first = text.split("### ")[1].splitlines()[6]
    assert first.startswith("| LU (LinUCB) | 0.1000 | 1.00 | 48 | 0 | 100% | 0.000 | 1.50 |")


def test_without_newcomers_the_document_says_so() -> None:
    rows = [row(e, loss, f"p{i}") for i in range(3) for e, loss in ((G, 0.3), (RO, 0.2))]

    assert "No newcomer was played" in today_document(store(*rows), {}, "the command")
