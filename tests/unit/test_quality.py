"""The comparison with the paper's program: its verdicts, and decisions undone."""

import polars as pl
import pytest

from bakeoff import Run
from benchmarks.against_reference import MARGIN, best, verdict
from benchmarks.departures import DEPARTURES, DUELS, SPECS, choices_of, with_interval


@pytest.mark.parametrize(
    ("difference", "wins", "losses", "expected"),
    [
        (0.000, 6, 6, "not inferior:"),
        (0.0088, 6, 9, "undecided:"),
        (0.0146, 6, 6, "**inferior**:"),
        (0.0146, 16, 37, "**inferior**, **loses clearly more datasets**"),
        (0.000, 12, 37, "not inferior, **loses clearly more datasets**"),
    ],
)
def test_a_cell_says_what_it_loses(
    difference: float, wins: int, losses: int, expected: str
) -> None:
    cell = {"difference": difference, "error": 0.001, "wins": wins, "losses": losses}

    assert verdict(cell).startswith(expected)


def test_absence_of_evidence_is_not_enough() -> None:
    """Few datasets decide nothing, however equal wins and losses are."""
    cell = {"difference": 0.0, "error": MARGIN, "wins": 0, "losses": 0}

    assert verdict(cell).startswith("undecided")


# ---- decisions undone


def test_duels_and_decisions_are_about_algorithms_that_can_be_played() -> None:
    names = {name for one in DEPARTURES for name in one.algorithms}
    names |= {name for first, second, _ in DUELS for name in (first, second)}
    names |= set(SPECS)

    for name in names:
        texts = choices_of((name,))[-1]
        assert {Run.from_text(text).label for text in texts} == {name}


def test_a_baseline_is_optimised_with_the_rate() -> None:
    """The better of with and without, in the encoding of the paper's table only."""
    choices = choices_of(("A+",))
    assert [Run.from_text(text).baseline for text in choices[-1]] == [False, True]
    assert choices[0] == ()
    rows = [("a", 9, "A+", "-1/0", 1, rate, loss) for rate, loss in ((0.1, 0.5), (1.0, 0.25))]
    names = ["dataset", "n", "algorithm", "encoding", "seed", "learning_rate", "pv_loss"]

    table = best(pl.DataFrame(rows, names, orient="row"))

    assert table["pv_loss"].to_list() == [0.25]


def test_a_mean_stands_with_its_interval() -> None:
    assert with_interval(0.001, 0.002) == "+0.0010 (-0.0029 to +0.0049)"
