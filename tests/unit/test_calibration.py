"""Error bars, tests and verdicts keep what they promise (benchmarks/calibration.py).

Draws are fixed. Bounds on counts are what chance would exceed once in a thousand times,
were the promise just kept.
"""

from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy import stats

from bakeoff.judging.statistics.significance import Test
from benchmarks.calibration import (
    SHUFFLES,
    coverage,
    false_positives,
    opinions,
    played,
    scores_of_noise,
    verdicts,
)

PROBLEMS = ("iris", "iris-majority", "iris-tree", "wine", "wine-traits", "breast_cancer-triage")


@pytest.fixture(scope="module")
def rows() -> dict[str, pl.DataFrame]:
    """All algorithms at two rates: 2 blocks of 10 shuffles, 6 seeds."""
    found = {name: played(name, ["fixed"], 2, 6, [0.1, 1.0]) for name in PROBLEMS}
    is_explorer = pl.col("algorithm") != "OAA"
    return {name: table.filter(is_explorer) for name, table in found.items()}


def at_most(share: float, times: int) -> int:
    """How often something may happen that has this chance."""
    return int(stats.binom.ppf(0.999, times, share))


def test_intervals_by_standard_errors_over_shuffles_contain_the_expected_loss(
    rows: dict[str, pl.DataFrame],
) -> None:
    n_intervals = 12 * 9

    for table in rows.values():
        missed = round(n_intervals * (1 - np.mean(list(coverage(table).values()))))

        assert missed <= at_most(0.1, n_intervals)


@pytest.mark.parametrize(
    ("test", "n_orders", "level"),
    [("paper", 1, 0.17), ("z", 1, 0.05), ("z", SHUFFLES, 0.05), ("paired", SHUFFLES, 0.05)],
)
def test_an_algorithm_seldom_beats_itself(
    rows: dict[str, pl.DataFrame], test: Test, n_orders: int, level: float
) -> None:
    counts = [
        one for table in rows.values() for one in false_positives(table, test, n_orders).values()
    ]

    comparisons = sum(one.comparisons for one in counts)
    assert comparisons == 6 * 9 * 6
    assert sum(one.significant for one in counts) <= at_most(level + 0.02, comparisons)


@pytest.mark.parametrize("n_datasets", [10, 30])
@pytest.mark.parametrize("n_algorithms", [2, 3, 9])
def test_equals_are_seldom_called_winners(n_algorithms: int, n_datasets: int) -> None:
    rng = np.random.default_rng(n_algorithms)

    found = verdicts(rng, 200, n_datasets, [0.0] * n_algorithms)

    assert 200 * found["clear"] <= at_most(0.05, 200)
    assert 200 * found["likely"] <= at_most(0.2, 200)


def test_two_equal_leaders_are_seldom_told_apart_by_how_bad_others_are() -> None:
    found = verdicts(np.random.default_rng(1), 200, 30, [0.05, 0.05, *[0.0] * 7])

    assert 200 * found["clear"] <= at_most(0.05, 200)
    assert 200 * found["likely"] <= at_most(0.2, 200)


def test_an_equal_that_was_played_on_half_of_the_datasets_is_seldom_beaten() -> None:
    better = [0.05, 0.05, *[0.0] * 7]

    found = verdicts(np.random.default_rng(1), 200, 30, better, n_missing=15)

    assert 200 * found["clear"] <= at_most(0.05, 200)
    assert 200 * found["likely"] <= at_most(0.2, 200)


@pytest.mark.parametrize("n_algorithms", [2, 9])
def test_one_that_is_better_is_called_a_winner(n_algorithms: int) -> None:
    better = [0.05, *[0.0] * (n_algorithms - 1)]

    found = verdicts(np.random.default_rng(2), 50, 30, better)

    assert found["clear"] > 0.95


def test_second_opinions_are_seldom_sure_of_a_difference_between_equals() -> None:
    found = opinions(np.random.default_rng(3), 100, 12, 0.0)

    assert 100 * found["different"] <= at_most(0.05, 100)


@pytest.mark.parametrize(
    "options",
    [
        {"n_settings": 20},
        {"n_settings": 20, "tuning": True},
        {"n_settings": 1, "n_rates": 9, "view": "unpeeked"},
    ],
    ids=["settings", "settings, with tuning datasets", "rates elected elsewhere"],
)
def test_noise_gains_nothing_from_many_settings(options: dict[str, Any]) -> None:
    """Three standard errors of 140: narrower than two of 60, and seldom unlucky.

    Another version of numpy draws other numbers.
    """
    scores = scores_of_noise(np.random.default_rng(4), 140, **options)

    assert abs(scores.mean()) <= 3 * scores.std(ddof=1) / np.sqrt(scores.size)


def test_noise_gains_from_many_rates_where_the_best_on_each_dataset_counts() -> None:
    """The paper's view: the check above would notice."""
    scores = scores_of_noise(np.random.default_rng(4), 20, n_settings=1, n_rates=9)

    assert scores.mean() > 5
