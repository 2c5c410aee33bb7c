"""Draws for resampling: the same everywhere, and as good as random."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from bakeoff.judging.statistics.draws import drawn, uniforms

BITS = 0xFFFFFFFF


def slowly(i: int) -> float:
    """The number of draw i: mulberry32, as the page has it."""
    z = (i + 1) * 0x6D2B79F5 & BITS
    z = (z ^ (z >> 15)) * (z | 1) & BITS
    z ^= z + ((z ^ (z >> 7)) * (z | 61) & BITS) & BITS
    return (z ^ (z >> 14)) / 2**32


def test_draws_are_those_of_mulberry32() -> None:
    assert uniforms(1000).tolist() == [slowly(i) for i in range(1000)]


def test_fewer_draws_are_the_first_of_more() -> None:
    assert_array_equal(uniforms(10), uniforms(100)[:10])


def test_draws_are_uniform() -> None:
    numbers = uniforms(20_000)

    assert numbers.min() >= 0.0
    assert numbers.max() < 1.0
    assert stats.kstest(numbers, "uniform").pvalue > 0.001


@pytest.mark.parametrize("limit", [1, 2, 7, 500])
def test_whole_numbers_are_below_their_limit_and_all_of_them_come(limit: int) -> None:
    found = drawn(20_000, limit)

    assert np.unique(found).tolist() == list(range(limit))
