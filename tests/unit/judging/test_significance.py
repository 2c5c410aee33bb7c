"""Tests of significance against numbers worked by hand, SciPy and plain formulas."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from bakeoff.judging.contest import Contest, contest_of
from bakeoff.judging.statistics.significance import (
    Correction,
    Test,
    corrected,
    differences,
    p_values,
    tally,
    wins,
)
from tests.reference import statistics as reference
from tests.results import algorithms, bag, contest_by_hand, losses, result, skyline

NAN = math.nan
TESTS: tuple[Test, ...] = ("paper", "z", "paired")
CORRECTIONS: tuple[Correction, ...] = ("none", "holm", "bh")


def pair(
    a: float | list[float], b: float | list[float], n: int = 100, task: str = "multiclass"
) -> Contest:
    return contest_by_hand([[a, b]], n=n, task=task)


def p_of(contest: Contest, test: Test) -> float:
    return float(p_values(contest, test)[0, 1, 0])


def a_wins(contest: Contest, test: Test) -> bool:
    won = wins(contest, test)
    assert not won[1, 0, 0]
    return bool(won[0, 1, 0])


# ---- the paper's rule


@pytest.mark.parametrize(
    ("a", "b", "n", "expected"),
    [
        (0.40, 0.50, 100, True),  # 0.1 / 0.0700 = 1.429
        (0.41, 0.50, 100, False),  # 0.09 / 0.0701 = 1.283
        (0.4950, 0.5049, 10_000, True),  # 1.400
        (0.4951, 0.5049, 10_000, False),  # 1.3858; 1.3860 without the 1e-6
        (0.0, 0.01, 100, False),  # one mistake: 1.005
        (0.0, 0.02, 100, True),  # two: 1.428
        (0.0, 2e-6, 1_000_000, False),  # two, but the 1e-6 is as large
        (0.0, 1.0, 1, True),
        (0.5, 0.5, 100, False),
        (0.0, 0.0, 100, False),
    ],
)
def test_the_papers_rule_wants_1386_standard_errors(
    a: float, b: float, n: int, expected: bool
) -> None:
    assert a_wins(pair(a, b, n), "paper") is expected
    assert a_wins(pair(a, b, n, task="multilabel"), "paper") is expected
    assert reference.paper_wins(a, b, n) is expected


def test_the_papers_rule_takes_the_error_function_for_the_normal_one() -> None:
    error = 1e-6 + math.sqrt((0.24 + 0.25) / 100)

    assert p_of(pair(0.4, 0.5), "paper") == pytest.approx(1 - math.erf(0.1 / error))


# ---- the z-test


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (0.40, 0.50, False),  # 1.429, where the paper's rule sees a win
        (0.37, 0.50, False),  # 1.872
        (0.36, 0.50, True),  # 2.020
        (0.0, 0.04, True),  # 2.041
        (0.0, 0.03, False),  # 1.759
    ],
)
def test_the_z_test_wants_196_standard_errors(a: float, b: float, expected: bool) -> None:
    assert a_wins(pair(a, b), "z") is expected


@pytest.mark.parametrize("n", [1, 7, 100, 5000])
@pytest.mark.parametrize("b", [0.0, 0.03, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("a", [0.0, 0.01, 0.45, 1.0])
def test_the_z_test_is_two_sided(a: float, b: float, n: int) -> None:
    expected = reference.z_test(a, b, n)

    assert p_of(pair(a, b, n), "z") == pytest.approx(expected, rel=1e-9, abs=1e-15)


def test_without_a_standard_error_any_difference_counts() -> None:
    assert p_of(pair(0.0, 1.0), "z") == 0.0
    assert p_of(pair(1.0, 1.0), "z") == p_of(pair(0.0, 0.0), "z") == 1.0


# ---- real-valued costs


@pytest.mark.parametrize("task", ["cost-sensitive", "ranking"])
@pytest.mark.parametrize("test", TESTS)
def test_real_valued_costs_are_bounded_by_hoeffding(test: Test, task: str) -> None:
    near, far = (pair(0.3, b, 10_000, task) for b in (0.3543, 0.3544))

    assert p_of(far, test) == pytest.approx(2 * math.exp(-10_000 * 0.0544**2 / 8))
    assert a_wins(far, test)
    assert not a_wins(near, test)  # needs sqrt(8 log(40) / n) = 0.05432
    assert a_wins(pair(0.3, 0.3543, 10_000), test)


def test_hoeffdings_bound_is_no_more_than_one() -> None:
    assert p_of(pair(0.3, 0.31, task="ranking"), "paper") == 1.0


@pytest.mark.parametrize("test", TESTS)
def test_tasks_stand_side_by_side_in_a_contest(test: Test) -> None:
    tasks = ["multiclass", "cost-sensitive", "multilabel", "ranking"]
    rows = [
        make(loss, problem=f"p{i}", task=task, n=100)
        for i, task in enumerate(tasks)
        for make, loss in ((result, 0.25), (bag, 0.5))
    ]

    found = p_values(contest_of(losses(*rows), algorithms("G", "B")), test)[0, 1]

    alone = [p_of(pair(0.25, 0.5, 100, task), test) for task in tasks]
    assert_array_equal(found, alone)
    assert found[0] == found[2] < found[1] == found[3]


# ---- the paired test


def test_the_paired_test_is_students() -> None:
    contest = pair([0.1, 0.2, 0.3], [0.2, 0.4, 0.6])

    t = 2 * math.sqrt(3)  # mean 0.2, deviation 0.1, three orders
    assert p_of(contest, "paired") == pytest.approx(1 - t / math.sqrt(2 + t**2))
    assert not a_wins(contest, "paired")  # 0.074


@pytest.mark.parametrize("task", ["multiclass", "ranking"])
@pytest.mark.parametrize("S", [3, 4, 10, 25])
def test_the_paired_test_is_scipys_and_the_references(S: int, task: str) -> None:
    draws = np.random.default_rng(S).normal([[0.3], [0.32]], 0.03, (2, S))
    a, b = draws.tolist()

    found = p_of(pair(a, b, 10_000, task), "paired")

    assert found == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-9)
    assert found == pytest.approx(reference.paired_test(a, b, 10_000), rel=1e-9)


def test_differences_that_happen_to_be_equal_still_spread_by_one_example() -> None:
    one, ten = (pair([0.2] * 3, [0.2 + k / 100] * 3) for k in (1, 10))

    t = math.sqrt(3)
    assert p_of(one, "paired") == pytest.approx(1 - t / math.sqrt(2 + t**2))  # 0.23
    t = 10 * math.sqrt(3)
    assert p_of(ten, "paired") == pytest.approx(1 - t / math.sqrt(2 + t**2))  # 0.003
    assert a_wins(ten, "paired")


@pytest.mark.parametrize("S", [1, 2])
def test_fewer_than_three_orders_are_not_paired(S: int) -> None:
    binary = pair([0.2, 0.2][:S], [0.4, 0.5][:S])
    real = pair([0.2, 0.2][:S], [0.4, 0.5][:S], task="ranking")

    for contest in (binary, real):
        assert p_of(contest, "paired") == p_of(contest, "z")


def test_problems_with_several_orders_are_paired_beside_others() -> None:
    a, b = [0.25, 0.27, 0.3], [0.25, 0.3, 0.31]
    contest = contest_by_hand([[a, b], [0.25, 0.5], [a[:2], b[:2]]])

    found = p_values(contest, "paired")[0, 1]

    assert found[0] == pytest.approx(reference.paired_test(a, b, 100))
    assert found[1] == p_of(pair(0.25, 0.5), "z")
    assert found[2] == p_of(pair(a[:2], b[:2]), "z")


def test_a_difference_is_seen_by_pairs_that_is_lost_among_examples() -> None:
    a = [0.30, 0.20, 0.25, 0.35, 0.15]
    contest = pair(a, [loss + 0.02 for loss in a], n=500)

    assert a_wins(contest, "paired")
    assert not a_wins(contest, "paper")


# ---- shapes and gaps


@pytest.mark.parametrize("test", TESTS)
def test_p_values_are_symmetric_and_one_on_the_diagonal(test: Test) -> None:
    contest = contest_by_hand(
        [[0.0, 0.25, 1.0], [[0.2, 0.3, 0.4], [0.3, 0.3, 0.1], [0.1, 0.2, 0.2]]]
    )

    p = p_values(contest, test)

    assert p.shape == (3, 3, 2)
    assert_array_equal(p, p.swapaxes(0, 1))
    assert_array_equal(p[[0, 1, 2], [0, 1, 2]], 1.0)


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("test", TESTS)
def test_who_has_no_loss_neither_wins_nor_loses(test: Test, correction: Correction) -> None:
    gaps = contest_by_hand(
        [[0.1, NAN, 0.9], [NAN, 0.1, NAN], [[0.1] * 3, [NAN] * 3, [0.9] * 3]], n=1000
    )

    won = wins(gaps, test, correction)

    assert np.isnan(p_values(gaps, test)[0, 1]).all()
    assert_array_equal(tally(won), [[0, 0, 2], [0, 0, 0], [0, 0, 0]])


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize("test", TESTS)
def test_contests_of_one_or_of_nothing_have_no_wins(test: Test, correction: Correction) -> None:
    alone = contest_of(losses(result(0.25)), algorithms("G"))
    empty = contest_of(losses(skyline(0.25)), algorithms("G", "B"))
    nobody = contest_of(losses(result(0.25)), [])

    assert_array_equal(wins(alone, test, correction), [[[False]]])
    assert_array_equal(tally(wins(empty, test, correction)), np.zeros((2, 2)))
    assert tally(wins(nobody, test, correction)).shape == (0, 0)


def test_tables_count_wins_and_their_differences() -> None:
    contest = contest_by_hand([[0.1, 0.5, 0.5], [0.1, 0.12, 0.5], [0.5, 0.1, 0.1], [0.5, 0.1, 0.1]])

    won = wins(contest)

    assert_array_equal(tally(won), [[0, 1, 2], [2, 0, 1], [2, 0, 0]])
    assert_array_equal(differences(won), [[0, -1, 0], [1, 0, 1], [0, -1, 0]])


def test_the_level_is_the_users() -> None:
    contest = pair(0.36, 0.50)  # p = 0.043 in a z-test

    assert wins(contest, "z", level=0.044)[0, 1, 0]
    assert not wins(contest, "z", level=0.043)[0, 1, 0]


# ---- corrections


@pytest.mark.parametrize(
    ("correction", "p", "expected"),
    [
        ("none", [0.03, 0.01], [0.03, 0.01]),
        ("holm", [0.04, 0.01, 0.03, 0.02], [0.06, 0.04, 0.06, 0.06]),
        ("bh", [0.04, 0.01, 0.03, 0.02], [0.04, 0.04, 0.04, 0.04]),
        ("holm", [0.005, 0.011, 0.02, 0.04, 0.13], [0.025, 0.044, 0.06, 0.08, 0.13]),
        ("bh", [0.005, 0.011, 0.02, 0.04, 0.13], [0.025, 0.0275, 0.1 / 3, 0.05, 0.13]),
        ("holm", [0.5, 0.9, 0.01], [1.0, 1.0, 0.03]),
        ("bh", [0.5, 0.9, 0.01], [0.75, 0.9, 0.03]),
        ("holm", [0.02, NAN, 0.02], [0.04, NAN, 0.04]),  # nan are not counted
        ("bh", [0.02, NAN, 0.04], [0.04, NAN, 0.04]),
        ("holm", [], []),
        ("bh", [NAN], [NAN]),
    ],
)
def test_corrections_agree_with_numbers_worked_by_hand(
    correction: Correction, p: list[float], expected: list[float]
) -> None:
    assert_allclose(corrected(np.array(p), correction), expected)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_a_comparison_counts_once_though_it_stands_in_two_cells(correction: Correction) -> None:
    assert wins(pair(0.36, 0.50), "z", correction)[0, 1, 0]  # p = 0.043


def test_all_pairs_and_problems_count_as_comparisons() -> None:
    one = [0.36, 0.50]  # p = 0.043
    problems = contest_by_hand([one, [0.5, 0.5]])
    pairs = contest_by_hand([[0.36, 0.50, 0.50]])

    assert tally(wins(problems, "z")).sum() == 1
    assert tally(wins(problems, "z", "holm")).sum() == 0
    assert tally(wins(problems, "z", "bh")).sum() == 0
    assert tally(wins(pairs, "z")).sum() == 2
    assert tally(wins(pairs, "z", "holm")).sum() == 0
    assert tally(wins(pairs, "z", "bh")).sum() == 0


def test_benjamini_and_hochberg_allow_more_than_holm() -> None:
    contest = contest_by_hand([[0.35, 0.50]] * 4)  # p = 0.030 each

    assert tally(wins(contest, "z", "holm"))[0, 1] == 0
    assert tally(wins(contest, "z", "bh"))[0, 1] == 4
