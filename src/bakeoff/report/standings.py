"""Standings: the algorithms of a contest in order, and how sure that order is.

An algorithm's score is the sum of its significant wins minus losses against all others.
How sure the first place is, is seen by drawing the datasets again, with replacement:
other datasets of the same kind might have been at hand.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff.statistics.contest import Contest, Numbers
from bakeoff.statistics.significance import Outcomes

RESAMPLES = 1000


class Standing(NamedTuple):
    """What became of one algorithm."""

    label: str
    wins: int  # significant ones against all others, added up
    losses: int
    ahead_of: tuple[str, ...]  # others that it beats more often than it loses to them
    behind: tuple[str, ...]
    first: float  # share of resamples in which it has the best score
    interval: tuple[int, int]  # of the score, in 95 % of resamples
    mean_loss: float
    median_normalised: float  # over datasets with a skyline above 0; a small skyline
    # makes huge ones, which would rule a mean

    @property
    def score(self) -> int:
        """Significant wins minus losses."""
        return self.wins - self.losses


def standings(contest: Contest, outcomes: Outcomes) -> list[Standing]:
    """All algorithms, the best first; of equal scores the lower mean loss."""
    won = outcomes.sum(axis=2)
    difference = won - won.T
    first, low, high = _resampled(outcomes)
    common = contest.is_common
    made = [
        Standing(
            label,
            int(won[a].sum()),
            int(won[:, a].sum()),
            tuple(b for j, b in enumerate(contest.labels) if difference[a, j] > 0),
            tuple(b for j, b in enumerate(contest.labels) if difference[a, j] < 0),
            float(first[a]),
            (int(low[a]), int(high[a])),
            _known(np.mean, contest.losses[common, a]),
            _known(np.median, contest.normalised[common, a]),
        )
        for a, label in enumerate(contest.labels)
    ]
    return sorted(made, key=lambda one: (-one.score, one.mean_loss))


def _resampled(outcomes: Outcomes) -> tuple[Numbers, Numbers, Numbers]:
    """Of each algorithm: share of first places, and the bounds of its score."""
    scores = outcomes.sum(axis=1, dtype=np.int64) - outcomes.sum(axis=0)  # (A, D)
    n_algorithms, n_problems = scores.shape
    if n_problems == 0:
        nothing = np.zeros(n_algorithms)
        return nothing, nothing, nothing
    places = drawn(RESAMPLES * n_problems, n_problems).reshape(RESAMPLES, n_problems)
    times = np.stack([np.bincount(row, minlength=n_problems) for row in places])
    totals = times @ scores.T  # (resamples, A)
    is_first = totals == totals.max(axis=1, keepdims=True)
    first = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0)
    low, high = np.percentile(totals, [2.5, 97.5], axis=0)
    return first, np.floor(low), np.ceil(high)


def drawn(n_draws: int, limit: int) -> NDArray[np.int64]:
    """Whole numbers below a limit, those that the page draws (`draw` there)."""
    z = (np.arange(n_draws, dtype=np.uint32) + np.uint32(1)) * np.uint32(0x6D2B79F5)
    z = (z ^ (z >> np.uint32(15))) * (z | np.uint32(1))
    z ^= z + (z ^ (z >> np.uint32(7))) * (z | np.uint32(61))
    z ^= z >> np.uint32(14)
    return (z / 2.0**32 * limit).astype(np.int64)


def _known(middle: Callable[[Numbers], Any], values: Numbers) -> float:
    """The mean or median of the values there are."""
    known = values[~np.isnan(values)]
    return float(middle(known)) if known.size else float("nan")
