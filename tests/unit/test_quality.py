"""The verdicts of the comparison with the paper's program."""

import pytest

from benchmarks.against_reference import MARGIN, verdict


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
