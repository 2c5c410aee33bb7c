"""The paper's figures: consistent with each other, and some compared by eye."""

import numpy as np
import pytest
from numpy.typing import NDArray

from bakeoff.report.tables.printed import panels, printed
from bakeoff.report.tables.table import Grid

DIFFERENCES = ("win_loss_diff", "reductions", "breakdown")
BOTH = ("win_loss_multiclass", "win_loss_multilab", "win_loss_uci", "reductions_win_loss")
SQUARES = [(name, panel) for name in DIFFERENCES for panel in panels(name)]
PAIRS = [(name, panel) for name in BOTH for panel in panels(name)]
PAIRS.append(("baseline_opt", "-1/0"))


def differences(grid: Grid) -> NDArray[np.int64]:
    """Wins minus losses, of either kind of grid."""
    won = [[0 if cell == "-" else int(cell.split(" / ")[0]) for cell in cells]
           for _, cells in grid.rows]  # fmt: skip
    lost = [[int(cell.split(" / ")[1]) if "/" in cell else 0 for cell in cells]
            for _, cells in grid.rows]  # fmt: skip
    return np.array(won) - np.array(lost)


def cell(name: str, panel: str, row: str, column: str) -> str:
    grid = printed(name, panel)
    return dict(grid.rows)[row][grid.columns.index(column)]


@pytest.mark.parametrize(("name", "panel"), SQUARES + PAIRS)
def test_what_the_row_wins_the_column_loses(name: str, panel: str) -> None:
    grid = printed(name, panel)

    assert tuple(label for label, _ in grid.rows) == grid.columns
    np.testing.assert_array_equal(differences(grid), -differences(grid).T)


@pytest.mark.parametrize(("name", "panel"), PAIRS)
def test_wins_and_losses_are_transposed(name: str, panel: str) -> None:
    grid = printed(name, panel)

    for i, (_, cells) in enumerate(grid.rows):
        for j, text in enumerate(cells):
            other = grid.rows[j][1][i]
            assert text == " / ".join(reversed(other.split(" / ")))


@pytest.mark.parametrize("encoding", ["-1/0", "0/1"])
def test_main_results_are_those_of_multiclass_and_multilabel(encoding: str) -> None:
    main = printed("win_loss_diff", f"{encoding} fixed")
    multiclass = printed("win_loss_multiclass", encoding)
    multilabel = printed("win_loss_multilab", encoding)

    found = differences(multiclass) + differences(multilabel)

    five = [multiclass.columns.index(label) for label in main.columns]
    np.testing.assert_array_equal(found[np.ix_(five, five)], differences(main))


@pytest.mark.parametrize("algorithm", ["B", "eG"])
def test_differences_of_reductions_are_wins_minus_losses(algorithm: str) -> None:
    np.testing.assert_array_equal(
        differences(printed("reductions", f"-1/0 {algorithm}")),
        differences(printed("reductions_win_loss", f"-1/0 {algorithm}")),
    )


def test_the_best_have_more_wins_than_losses_against_all_others() -> None:
    bold = [printed(name, panel) for name, panel in SQUARES + PAIRS]
    bold = [grid for grid in bold if grid.best]

    assert len(bold) == 4 + 2 + 9 + 2
    for grid in bold:
        (best,) = grid.best
        row = differences(grid)[grid.columns.index(best)]
        assert (row > 0).sum() == len(grid.columns) - 1


def test_rcv1_is_the_same_in_both_of_its_tables() -> None:
    five = printed("cost_sensitive", "RCV1")

    for column in five.columns:
        assert cell("cost_sensitive", "RCV1", "loss", column) == cell(
            "rcv1cs_all", "all", "loss", column
        )


def test_statistics_of_the_corpus_add_up() -> None:
    for panel in panels("data_multiclass"):
        grid = printed("data_multiclass", panel)
        assert sum(int(cells[0]) for _, cells in grid.rows) == grid.datasets == 516


@pytest.mark.parametrize(
    ("name", "panel", "row", "column", "text"),
    [
        ("win_loss_diff", "-1/0 fixed", "RO", "eG", "69"),
        ("win_loss_diff", "0/1 optimised", "C-nu", "G", "145"),
        ("cost_sensitive", "MSLR, c = -1", "loss", "RO", "0.790 +- 0.0009"),
        ("reductions", "-1/0 eG", "dr", "iwr", "-150"),
        ("encoding", "n >= 10,000", "-1/0 against 0/1", "RO", "10 / 18"),
        ("breakdown", "d >= 10,000", "C-nu", "B-g", "15"),
        ("breakdown", "n >= 10,000, skyline loss <= 0.1", "B-g", "C-nu", "1"),
        ("data_multiclass", "examples", "> 10^5", "datasets", "28"),
        ("data_multilabel", "all", "rcv1", "features", "47,236"),
        ("data_ltr", "all", "MSLR-30K", "skyline loss", "0.7892"),
        ("hyperparams2", "all", "C-nu", "0/1", "N = 4, psi = 0.01, DR"),
        ("hyperparams2", "all", "RO", "-1/0", "C0 = 10^-3"),
        ("win_loss_multiclass", "0/1", "RO", "C-u", "168 / 3"),
        ("win_loss_multilab", "-1/0", "A", "eG", "0 / 1"),
        ("win_loss_uci", "0/1", "R", "C-u", "8 / 0"),
        ("rcv1cs_all", "all", "loss", "C-u", "0.570 +- 0.023"),
        ("reductions_win_loss", "0/1 B", "iwr", "ips", "236 / 17"),
        ("baseline_opt", "-1/0", "RO", "C-u", "180 / 1"),
        ("baseline_opt", "hyperparameters", "C-nu", "hyperparameters", "N = 16, psi = 0.1, DR"),
    ],
)
def test_figures_are_those_of_the_paper(
    name: str, panel: str, row: str, column: str, text: str
) -> None:
    assert cell(name, panel, row, column) == text


def test_numbers_of_datasets_are_those_of_the_captions() -> None:
    assert printed("win_loss_diff", "-1/0 fixed").datasets == 322
    assert printed("win_loss_diff", "0/1 optimised").datasets == 521
    assert [printed("breakdown", panel).datasets for panel in panels("breakdown")] == [
        83, 31, 76, 41, 113, 43, 133, 28, 13,
    ]  # fmt: skip
    assert printed("reductions", "-1/0 B").datasets is None  # it does not say
