"""Significance: who beats whom on a problem, and how often (Section 4).

Tests give p-values; a competitor wins on a problem if its loss is lower and the p-value
is below the level, after a correction for the number of comparisons if one is wanted.
"""

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import special

from bakeoff.judging.contest import BINARY, Contest, Numbers

Test = Literal["paper", "z", "paired"]
Correction = Literal["none", "holm", "bh"]
Outcomes: TypeAlias = NDArray[np.bool_]  # (A, A, D): a beats b on problem i

LEVEL = 0.05
SIGNIFICANT = float(special.erfinv(1 - LEVEL))  # standard errors, in the paper's rule
SEVERAL = 3  # orders of rows that make a paired test possible
TINY = 1e-6  # what the paper's scripts add to the standard error


def used_tests(contest: Contest, test: Test) -> dict[str, int]:
    """On how many problems which test is done: it must fit their costs and orders."""
    kind = np.full(contest.n, "paper" if test == "paper" else "z", dtype=object)
    kind[_is_real(contest)] = "hoeffding"
    if test == "paired":
        kind[_has_several_orders(contest)] = "paired"
    names, times = np.unique(kind.astype(str), return_counts=True)
    return dict(zip(names.tolist(), times.tolist(), strict=True))


def _is_real(contest: Contest) -> Outcomes:
    is_real: Outcomes = ~contest.problems["task"].is_in(BINARY).to_numpy()
    return is_real


def _has_several_orders(contest: Contest) -> Outcomes:
    orders = (~np.isnan(contest.by_shuffle)).any(axis=1).sum(axis=1)
    several: Outcomes = orders >= SEVERAL
    return several


def p_values(contest: Contest, test: Test = "paper") -> Numbers:
    """(A, A, D) of no difference between two competitors; nan if one has no loss."""
    losses = contest.losses.T  # (A, D)
    a, b = losses[:, None], losses[None, :]
    n = contest.problems["n"].to_numpy().astype(np.float64)
    found = z_test(a, b, n) if test != "paper" else paper_test(a, b, n)
    real = _is_real(contest)
    found[..., real] = hoeffding_test(a, b, n)[..., real]
    if test == "paired":
        orders = contest.by_shuffle.transpose(1, 0, 2)  # (A, D, S)
        paired = paired_test(orders[:, None], orders[None, :], n)
        several = _has_several_orders(contest)
        found[..., several] = paired[..., several]
    return found


def paper_test(a: Numbers, b: Numbers, n: Numbers) -> Numbers:
    """The rule of the paper's scripts: |a - b| / se > erfinv(0.95) = 1.386.

    It takes the error function for the normal distribution, so it is laxer than a test
    at the same level: its 0.05 is a z of 1.386.
    """
    return special.erfc(np.abs(a - b) / (TINY + _standard_error(a, b, n)))


def z_test(a: Numbers, b: Numbers, n: Numbers) -> Numbers:
    """Two-sided test of equal rates of mistakes in n examples each."""
    difference, error = np.abs(a - b), _standard_error(a, b, n)
    z = np.divide(difference, error, out=np.where(difference > 0, np.inf, 0.0), where=error > 0)
    return np.where(np.isnan(difference), np.nan, special.erfc(z / np.sqrt(2)))


def hoeffding_test(a: Numbers, b: Numbers, n: Numbers) -> Numbers:
    """For costs anywhere in [0, 1]: 2 exp(-n (a - b)^2 / 8), as the paper's scripts."""
    return np.minimum(1.0, 2 * np.exp(-n * (a - b) ** 2 / 8))


def paired_test(a: Numbers, b: Numbers, n: Numbers) -> Numbers:
    """Student's test of the differences over orders, the last axis.

    Losses are multiples of 1/n, so differences over few orders may happen to be equal:
    their standard deviation is taken to be at least that.
    """
    differences = a - b
    n_orders = (~np.isnan(differences)).sum(axis=-1)
    count = np.maximum(n_orders, 2)
    mean = np.nansum(differences, axis=-1) / count
    spread = np.nansum((differences - mean[..., None]) ** 2, axis=-1) / (count - 1)
    error = np.maximum(np.sqrt(spread), 1 / n) / np.sqrt(count)
    t = np.abs(mean) / error
    return np.where(n_orders < 2, np.nan, 2 * special.stdtr(count - 1.0, -t))


def _standard_error(a: Numbers, b: Numbers, n: Numbers) -> Numbers:
    return np.sqrt((a * (1 - a) + b * (1 - b)) / n)


def wins(
    contest: Contest, test: Test = "paper", correction: Correction = "none", level: float = LEVEL
) -> Outcomes:
    """(A, A, D): whether a competitor beats another on a problem."""
    p = p_values(contest, test)
    losses = contest.losses.T
    lower = losses[:, None] < losses[None, :]
    rows, columns = np.triu_indices(len(contest.labels), k=1)
    adjusted = np.ones_like(p)
    adjusted[rows, columns] = corrected(p[rows, columns], correction)
    adjusted[columns, rows] = adjusted[rows, columns]
    return lower & (np.nan_to_num(adjusted, nan=1.0) < level)


def corrected(p: Numbers, correction: Correction) -> Numbers:
    """p-values that take into account how many there are; nan are not counted.

    Holm's bounds the chance of one false win among all; Benjamini and Hochberg's (bh)
    the share of false ones among the wins.
    """
    known = ~np.isnan(p)
    values = p[known]
    order = np.argsort(values, kind="stable")
    ranks = np.arange(1, values.size + 1)
    if correction == "holm":
        steps = np.maximum.accumulate(values[order] * (values.size + 1 - ranks))
    elif correction == "bh":
        scaled = values[order] * values.size / ranks
        steps = np.minimum.accumulate(scaled[::-1])[::-1]
    else:
        steps = values[order]
    result = p.copy()
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(steps, 1.0)
    result[known] = adjusted
    return result


def tally(outcomes: Outcomes) -> NDArray[np.int64]:
    """(A, A) on how many problems the row beats the column."""
    return outcomes.sum(axis=2, dtype=np.int64)


def differences(outcomes: Outcomes) -> NDArray[np.int64]:
    """(A, A) significant wins minus losses of the row against the column."""
    won = tally(outcomes)
    return won - won.T
