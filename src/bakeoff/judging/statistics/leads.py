"""Leads: whether a first place is more than luck.

The leader has the best score, which is its significant wins minus losses against all
others. Suppose that a rival is just as good. Then on every dataset the two could have
swapped their scores, and each difference between them is as likely to have the other
sign. The chance that such swaps alone give a lead as large as the one seen, in either
direction, is the p-value of the lead. It holds whatever the test that decides who wins
on a dataset, and however much datasets differ. Only datasets count on which both were
played: elsewhere there is nothing to swap. Datasets of one family (families.py) share
their luck, so they are swapped together.

A leader must be ahead of *every* rival, so the least sure of its leads counts.
"""

import itertools
import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from bakeoff.judging.statistics.significance import Outcomes

Grade = Literal["clear", "likely", "open"]
GRADES: tuple[Grade, ...] = ("open", "likely", "clear")

CLEAR, LIKELY = 0.05, 0.2  # at most this chance of such a lead among equals
LEADS: dict[Grade, str] = {
    "clear": "clearly leads",
    "likely": "probably leads",
    "open": "leads, but not clearly",
}
FEW = 10  # datasets: with fewer no winner is called, however large the lead
SAME = 0.01  # differences of mean losses up to this are of no practical importance
LEADING, CLEARLY = 0.75, 0.5  # shares of the ways of counting in which a clear winner leads
EXACT = 1000  # differences up to which all swaps are counted


def flip_test(differences: Sequence[int] | NDArray[np.int64]) -> float:
    """The chance that sums with random signs are as far from 0 as this one.

    Of differences 1 and -1 it is the binomial test of the number of either.

    >>> flip_test([1, 1, 1, 1, 1])
    0.0625
    """
    sizes = np.abs(np.asarray(differences, np.int64))
    sizes = sizes[sizes > 0]
    lead, reach = abs(int(np.sum(differences))), int(sizes.sum())
    if sizes.size > EXACT:
        step = int(np.gcd.reduce(sizes))  # sums are twice that apart
        deviation = np.sqrt(np.sum(sizes**2))
        return float(special.erfc(max(0, lead - step) / deviation / np.sqrt(2)))
    if lead == 0:
        return 1.0
    limit = (reach - lead) // 2  # where the sum of those with a plus is as far from the middle
    kinds, times = np.unique(sizes, return_counts=True)
    most = int(times.argmax())  # of this size there are so many that they are not added one by one
    chances = np.zeros(limit + 1)  # of the sum of the others
    chances[0] = 1.0
    for size in sizes[sizes != kinds[most]].tolist():
        if size <= limit:
            chances[size:] += chances[:-size]
        chances /= 2
    left = np.arange(limit, -1, -1) // kinds[most]
    at_most = _at_most(int(times[most]))[np.minimum(left, times[most])]
    return min(1.0, 2 * float(chances @ at_most))  # both tails are alike


@lru_cache(256)
def _at_most(n: int) -> NDArray[np.float64]:
    """The chances that at most 0, 1, ..., n of n fair coins show heads."""
    ways = itertools.accumulate(math.comb(n, k) for k in range(n + 1))
    return np.array([number / 2**n for number in ways])


def scores_of(outcomes: Outcomes) -> NDArray[np.int64]:
    """(A, D) significant wins minus losses against all others, problem by problem."""
    return outcomes.sum(axis=1, dtype=np.int64) - outcomes.sum(axis=0, dtype=np.int64)


class Lead(NamedTuple):
    """How far a leader is ahead of a rival."""

    chance: float  # of such a lead, were the rival as good
    grade: Grade


def by_family(values: NDArray[np.int64], families: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """The sums of the datasets of each family; without families, the values themselves.

    >>> by_family(np.array([1, 1, -1]), np.array([0, 1, 0])).tolist()
    [0, 1]
    """
    if families is None:
        return values
    sums = np.zeros(int(families.max(initial=-1)) + 1, np.int64)
    np.add.at(sums, families, values)
    return sums


def leads_of(
    outcomes: Outcomes, has_loss: Outcomes, leader: int, families: NDArray[np.int64] | None = None
) -> dict[int, Lead]:
    """A leader's lead over each other competitor; `has_loss` is (competitors, problems).

    `families` are numbers from 0 on, one for each problem.
    """
    scores = scores_of(outcomes)
    result = {}
    for rival in range(len(scores)):
        if rival != leader:
            both = has_loss[leader] & has_loss[rival]
            ahead = np.where(both, scores[leader] - scores[rival], 0)
            chance = flip_test(by_family(ahead, families)) if ahead.sum() > 0 else 1.0
            result[rival] = Lead(chance, grade_of(chance, int(both.sum())))
    return result


def least_sure(leads: Iterable[Lead]) -> Lead:
    """The least certain lead, which decides the leader's grade."""
    return min(leads, key=lambda lead: (GRADES.index(lead.grade), -lead.chance))


def grade_of(chance: float, n_problems: int) -> Grade:
    """The grade of a lead that equal competitors would have with this chance."""
    if n_problems < FEW or chance > LIKELY:
        return "open"
    return "clear" if chance <= CLEAR else "likely"


def is_clear(won: int, lost: int) -> bool:
    """Whether fair coin flips would rarely be as uneven."""
    return flip_test([1] * won + [-1] * lost) <= CLEAR
