"""Ranks: on each dataset the lowest loss has rank 1; over datasets, their mean.

Friedman's test asks whether the mean ranks differ at all. By Nemenyi's test two of them
differ if they are further apart than the critical difference. Demsar: Statistical
comparisons of classifiers over multiple data sets, JMLR 2006.
"""

from collections.abc import Sequence

import numpy as np
from scipy import stats

from bakeoff.judging.contest import Numbers
from bakeoff.judging.statistics.regret import in_digits
from bakeoff.judging.statistics.significance import LEVEL

MOST = 60  # algorithms the page knows the factor for


def ranks_of(losses: Numbers) -> Numbers:
    """(D, A) ranks on each dataset; equal losses share the mean of their ranks."""
    if losses.size == 0:
        return np.zeros_like(losses)
    ranks: Numbers = stats.rankdata(in_digits(losses), axis=1)
    return ranks


def nemenyi_factor(n_algorithms: int, level: float = LEVEL) -> float:
    """The quantile of the studentised range, divided by the root of 2."""
    quantile = stats.studentized_range.ppf(1 - level, n_algorithms, np.inf)
    return float(quantile / np.sqrt(2))


def critical_difference(n_algorithms: int, n_problems: int) -> float:
    """How far apart two mean ranks must be to differ significantly."""
    spread = n_algorithms * (n_algorithms + 1) / (6 * n_problems)
    return nemenyi_factor(n_algorithms) * float(np.sqrt(spread))


def friedman_test(ranks: Numbers) -> float:
    """The p-value of equal mean ranks, corrected for ties; 1 without data."""
    n_problems, n_algorithms = ranks.shape
    if n_problems < 2 or n_algorithms < 2:
        return 1.0
    deviations = ranks - (n_algorithms + 1) / 2
    between = n_problems * np.sum(deviations.mean(axis=0) ** 2)
    within = np.sum(deviations**2) / (n_problems * (n_algorithms - 1))
    if within == 0:
        return 1.0
    return float(stats.chi2.sf(between / within, n_algorithms - 1))


def groups_of(means: Sequence[float], difference: float) -> list[tuple[int, int]]:
    """First and last place of the groups that do not differ; `means` ascend.

    A group within another one is not listed.

    >>> groups_of([1.0, 1.5, 2.2, 4.0], 1.0)
    [(0, 1), (1, 2)]
    """
    groups: list[tuple[int, int]] = []
    for first, mean in enumerate(means):
        last = max(k for k, other in enumerate(means) if other - mean < difference)
        if last > first and (not groups or last > groups[-1][1]):
            groups.append((first, last))
    return groups
