"""Whether a lead is more than luck, against counts by hand, SciPy and the reference."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from bakeoff.judging.contest import Contest
from bakeoff.judging.statistics import leads
from bakeoff.judging.statistics.leads import (
    CLEAR,
    FEW,
    LIKELY,
    Lead,
    flip_test,
    grade_of,
    is_clear,
    leads_of,
    least_sure,
    scores_of,
)
from bakeoff.judging.statistics.significance import wins
from tests.results import contest_by_hand

# ---- the flip test


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ([], 1.0),
        ([0, 0, 0], 1.0),
        ([5], 1.0),  # 5 or -5
        ([1, 1], 2 / 4),
        ([1, -1], 1.0),
        ([2, 1], 2 / 4),  # 3 or -3 of 3, 1, -1, -3
        ([2, -1], 1.0),
        ([3, 3, -1], 4 / 8),  # 5 or more: 7, 5, -5, -7
        ([1] * 10, 2 / 1024),
        ([1] * 9 + [-1], 22 / 1024),
        ([4, 0, 0, 4, 0, 4, 4], 2 / 16),
    ],
)
def test_the_ways_to_be_as_far_ahead_are_counted(differences: list[int], expected: float) -> None:
    assert flip_test(differences) == expected


def test_who_is_ahead_does_not_matter() -> None:
    differences = [3, 1, -2, 0, 4]

    assert flip_test(differences) == flip_test([-x for x in differences])


def test_a_larger_unit_changes_nothing() -> None:
    differences = np.array([3, 1, -2, 0, 4])

    assert flip_test(differences) == flip_test(7 * differences)


@pytest.mark.parametrize("n", [1, 2, 9, 50, 200])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.45, 0.5, 1.0])
def test_ones_are_fair_coins(n: int, share: float) -> None:
    n_heads = round(share * n)

    found = flip_test([1] * n_heads + [-1] * (n - n_heads))

    expected = stats.binomtest(n_heads, n).pvalue
    assert found == pytest.approx(expected, rel=1e-9)  # SciPy's sums of logarithms


@pytest.mark.parametrize("n", [1001, 1500])
@pytest.mark.parametrize("largest", [1, 2, 5, 16])
def test_beyond_1000_differences_the_normal_distribution_is_near(
    n: int, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(n + largest)
    sizes = rng.integers(1, largest + 1, n)
    samples = [sizes * np.where(rng.random(n) < lean, 1, -1) for lean in np.linspace(0.5, 0.56, 8)]

    approximate = [flip_test(sample) for sample in samples]
    monkeypatch.setattr(leads, "EXACT", n)
    exact = [flip_test(sample) for sample in samples]

    assert approximate != exact
    assert approximate == pytest.approx(exact, abs=0.003)  # steps of sums are small


def test_up_to_1000_differences_every_way_is_counted() -> None:
    at_the_edge = [1] * 520 + [-1] * 480

    found = flip_test([*at_the_edge, *[0] * 500])  # none of which can be swapped

    assert found == flip_test(at_the_edge)
    expected = stats.binomtest(520, 1000).pvalue
    assert found == pytest.approx(expected, rel=1e-9)  # SciPy's sums of logarithms


# ---- scores


def test_scores_are_wins_minus_losses_against_all_others() -> None:
    contest = contest_by_hand([[0.1, 0.5, 0.5], [0.1, 0.5, 0.9], [0.3, 0.3, np.nan]])

    scores = scores_of(wins(contest))

    assert_array_equal(scores, [[2, 2, 0], [-1, 0, 0], [-1, -2, 0]])


def leads_in(contest: Contest) -> dict[int, Lead]:
    """The leads of the first competitor."""
    return leads_of(wins(contest), ~np.isnan(contest.losses.T), 0)


def test_every_rival_has_a_chance_of_its_own() -> None:
    contest = contest_by_hand([[0.1, 0.5, 0.9]] * 3 + [[0.5, 0.1, 0.9]])

    found = leads_in(contest)

    assert {a: lead.chance for a, lead in found.items()} == {
        1: flip_test([2, 2, 2, -2]),
        2: flip_test([4, 4, 4, 2]),
    }


def test_only_datasets_that_both_were_played_on_can_be_swapped() -> None:
    """A rival that is just as good falls behind where it did not take part."""
    both = [[0.1, 0.1, 0.9]] * 6 + [[0.1, 0.5, 0.9], [0.5, 0.1, 0.9]] * 3
    alone = [[0.1, np.nan, 0.9]] * 20

    found = leads_in(contest_by_hand(both + alone))

    assert found[1] == Lead(1.0, "open")
    assert found[2].grade == "clear"


def test_a_lead_on_few_common_datasets_is_open() -> None:
    contest = contest_by_hand([[0.1, 0.9]] * 9 + [[0.1, np.nan]] * 30)

    assert leads_in(contest)[1] == Lead(2 / 2**9, "open")


def test_the_least_sure_lead_decides() -> None:
    leads = [Lead(0.01, "clear"), Lead(0.001, "open"), Lead(0.1, "likely")]

    assert least_sure(leads) == Lead(0.001, "open")


# ---- grades


@pytest.mark.parametrize(
    ("chance", "expected"),
    [
        (0.0, "clear"),
        (CLEAR, "clear"),
        (np.nextafter(CLEAR, 1), "likely"),
        (LIKELY, "likely"),
        (np.nextafter(LIKELY, 1), "open"),
        (1.0, "open"),
    ],
)
def test_grades_have_bounds_of_a_twentieth_and_a_fifth(chance: float, expected: str) -> None:
    assert (CLEAR, LIKELY) == (0.05, 0.2)
    assert grade_of(chance, FEW) == expected


@pytest.mark.parametrize("chance", [0.0, 0.05, 0.2, 1.0])
def test_with_fewer_than_ten_datasets_every_lead_is_open(chance: float) -> None:
    assert grade_of(chance, 9) == "open"


@pytest.mark.parametrize(
    ("won", "lost", "expected"),
    [
        (5, 0, False),  # 2 / 32
        (6, 0, True),  # 2 / 64
        (0, 6, True),
        (8, 1, True),  # 20 / 512 = 0.039
        (7, 1, False),  # 18 / 256 = 0.070
        (10, 10, False),
        (0, 0, False),
    ],
)
def test_wins_are_clear_that_fair_coins_seldom_have(won: int, lost: int, expected: bool) -> None:
    assert is_clear(won, lost) is expected
