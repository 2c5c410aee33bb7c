"""Mean ranks, their critical difference, and groups, next to others' programs."""

import numpy as np
import pytest
import scikit_posthocs
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from bakeoff.judging.statistics.ranks import (
    critical_difference,
    friedman_test,
    groups_of,
    nemenyi_factor,
    ranks_of,
)
from tests.reference import statistics as reference


@pytest.mark.parametrize(
    ("n_algorithms", "factor"), [(2, 1.960), (3, 2.343), (5, 2.728), (8, 3.031), (10, 3.164)]
)
def test_factors_are_those_of_demsars_table(n_algorithms: int, factor: float) -> None:
    assert nemenyi_factor(n_algorithms) == pytest.approx(factor, abs=1e-3)


def test_the_critical_difference_of_demsars_example() -> None:
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.01)


@given(st.lists(st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.4]), min_size=4, max_size=4),
                min_size=1, max_size=6))  # fmt: skip
def test_ranks_equal_the_reference(losses: list[list[float]]) -> None:
    found = ranks_of(np.array(losses))

    expected = [[float(rank) for rank in reference.ranks(row)] for row in losses]
    assert_array_equal(found, expected)


@given(
    st.lists(st.floats(1, 9).map(lambda mean: round(mean, 2)), min_size=2, max_size=9),
    st.floats(0.1, 5),
)
def test_groups_equal_the_reference(means: list[float], difference: float) -> None:
    means = sorted(means)

    found = groups_of(means, difference)

    sets = {frozenset(range(first, last + 1)) for first, last in found}
    assert sets == reference.groups(means, difference)
    assert len(sets) == len(found)


@pytest.mark.parametrize("seed", range(6))
def test_differences_beyond_the_critical_one_are_scikit_posthocs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    losses = rng.uniform(size=(25, 5)) + np.array([0, 0.1, 0.2, 0.3, 0.5])
    means = ranks_of(losses).mean(axis=0)

    others = scikit_posthocs.posthoc_nemenyi_friedman(losses).to_numpy()

    differs = np.abs(means[:, None] - means) > critical_difference(5, 25)
    assert_array_equal(differs, others < 0.05)
    assert differs.any()


@pytest.mark.parametrize("has_ties", [False, True])
def test_friedmans_test_is_scipys(has_ties: bool) -> None:
    losses = np.random.default_rng(3).uniform(size=(12, 4))
    losses = losses.round(1) if has_ties else losses

    found = friedman_test(ranks_of(losses))

    assert_allclose(found, stats.friedmanchisquare(*losses.T).pvalue, rtol=1e-12)


def test_nothing_differs_where_nothing_was_played() -> None:
    assert friedman_test(ranks_of(np.zeros((0, 3)))) == 1.0
    assert friedman_test(ranks_of(np.ones((5, 3)))) == 1.0


def test_losses_that_differ_by_rounding_errors_are_ties() -> None:
    assert ranks_of(np.array([[0.40112359550561794, 0.401123595505618]])).tolist() == [[1.5, 1.5]]
