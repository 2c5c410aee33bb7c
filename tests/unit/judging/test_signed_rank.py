"""Second opinions, where it is known what they must be."""

import math

import numpy as np
import pytest
from scipy import stats

from bakeoff.judging.statistics.leads import SAME
from bakeoff.judging.statistics.signed_rank import SAMPLES, Opinion, _weights, signed_rank

FIVE_ERRORS = 5 * math.sqrt(0.25 / SAMPLES)  # of a share of draws, at the most


def test_losses_lower_by_much_on_all_datasets_are_better() -> None:
    found = signed_rank(np.full(30, -0.2))

    assert found == Opinion(better=1.0, same=0.0, worse=0.0)


def test_losses_higher_by_much_on_all_datasets_are_worse() -> None:
    found = signed_rank(np.full(30, 0.2))

    assert found == Opinion(better=0.0, same=0.0, worse=1.0)


def test_differences_that_do_not_matter_are_the_same() -> None:
    found = signed_rank(np.linspace(-0.009, 0.009, 30))

    assert found == Opinion(better=0.0, same=1.0, worse=0.0)


def test_a_difference_of_exactly_what_does_not_matter_is_none() -> None:
    found = signed_rank(np.array([1 / 64, -1 / 64] * 5), same=1 / 64)

    assert found.same == 1.0


def test_the_region_of_no_importance_is_one_percent_either_way() -> None:
    differences = np.full(30, -0.015)

    assert SAME == 0.01
    assert signed_rank(differences) == signed_rank(differences, same=0.01)
    assert signed_rank(differences).better == 1.0
    assert signed_rank(differences, same=0.02).same == 1.0


def test_without_datasets_there_is_only_the_prior() -> None:
    assert signed_rank(np.array([])).same == 1.0


def test_one_dataset_says_little() -> None:
    """It speaks for the first if its weight w of Beta(1, 1/2) has 1 - (1 - w)^2 > 1/2.

    That is so with a probability of 2^(-1/4).
    """
    found = signed_rank(np.array([-0.4]))

    assert found.better == pytest.approx(2**-0.25, abs=FIVE_ERRORS)
    assert found.worse == 0.0


def test_opposite_datasets_speak_for_neither() -> None:
    found = signed_rank(np.array([-0.3] * 10 + [0.3] * 10))

    assert found.better == pytest.approx(found.worse, abs=2 * FIVE_ERRORS)
    assert found.same > 0.8  # half of all pairs have a mean of no difference


def test_datasets_without_a_loss_do_not_count() -> None:
    differences = np.array([-0.3, np.nan, 0.02, -0.1, np.nan])

    found = signed_rank(differences)

    assert found == signed_rank(np.array([-0.3, 0.02, -0.1]))


def test_the_order_of_datasets_does_not_matter() -> None:
    differences = np.array([-0.3, 0.02, -0.1, 0.05])

    assert signed_rank(differences) == signed_rank(differences[::-1])


def test_the_same_differences_give_the_same_opinion() -> None:
    differences = np.array([-0.3, 0.02, 0.0, 0.05])

    assert signed_rank(differences) == signed_rank(differences.copy())


def test_weights_are_those_of_a_dirichlet_distribution() -> None:
    values = np.array([-0.2, 0.0, 0.1, 0.3])  # the prior is the second

    weights = _weights(values)

    assert weights.sum(axis=1) == pytest.approx(1.0)  # rounding
    for place, mass in enumerate([1, 0.5, 1, 1]):
        expected = stats.beta(mass, 3.5 - mass)
        assert stats.kstest(weights[:, place], expected.cdf).pvalue > 0.001
