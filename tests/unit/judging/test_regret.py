"""Regrets and bands, by hand and next to the reference."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from bakeoff.judging.statistics.bands import RESAMPLES, band_of
from bakeoff.judging.statistics.draws import drawn
from bakeoff.judging.statistics.regret import regrets_of, share_of_best, shares_within
from tests.reference import statistics as reference

LOSSES = np.array([[0.25, 0.5, 0.25], [0.5, 0.25, 1.0]])


def test_regrets_are_measured_from_the_best_of_each_dataset() -> None:
    assert_array_equal(regrets_of(LOSSES), [[0, 0.25, 0], [0.25, 0, 0.75]])


def test_equal_ones_divide_a_dataset() -> None:
    assert_array_equal(share_of_best(regrets_of(LOSSES)), [0.25, 0.5, 0.25])


def test_a_profile_counts_datasets_up_to_a_limit() -> None:
    shares = shares_within(regrets_of(LOSSES), np.array([0.0, 0.25, 1.0]))

    assert_array_equal(shares, [[0.5, 0.5, 0.5], [1, 1, 0.5], [1, 1, 1]])


def test_without_datasets_there_is_nothing() -> None:
    assert regrets_of(np.zeros((0, 3))).shape == (0, 3)


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3), min_size=1, max_size=8))
def test_regrets_equal_the_reference(losses: list[list[float]]) -> None:
    expected = [reference.regrets(row) for row in losses]

    assert_array_equal(regrets_of(np.array(losses)), expected)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_bands_equal_the_reference(values: list[float]) -> None:
    n = len(values)
    resamples = drawn(RESAMPLES * n, n).reshape(RESAMPLES, n).tolist()

    found = band_of(np.array(values)[:, None])

    expected = reference.band(values, resamples)
    assert_allclose([one[0] for one in found], expected, rtol=1e-12, atol=1e-14)


def test_a_regret_at_a_threshold_is_within_it() -> None:
    """0.50 - 0.48 is more than 0.02 in binary."""
    regrets = regrets_of(np.array([[0.50, 0.48], [0.42, 0.40]]))

    assert_array_equal(shares_within(regrets, np.array([0.02]))[0], [1.0, 1.0])
