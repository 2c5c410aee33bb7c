"""Standings: the algorithms of a contest in order, and how sure that order is.

An algorithm's score is the sum of its significant wins minus losses against all others.
Whether a lead is more than luck is tested in judging/statistics/leads.py. How much the order
depends on the choice of datasets is measured by resampling them with replacement; those
made from the same data are drawn together.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff.judging.contest import Contest, Numbers
from bakeoff.judging.families import families_of
from bakeoff.judging.statistics.draws import times_drawn
from bakeoff.judging.statistics.leads import Grade, Lead, leads_of, least_sure, scores_of
from bakeoff.judging.statistics.ranks import ranks_of
from bakeoff.judging.statistics.regret import CLOSE, in_digits, regrets_of, share_of_best
from bakeoff.judging.statistics.significance import Outcomes

RESAMPLES = 1000


class Standing(NamedTuple):
    """The results of one algorithm in a contest."""

    label: str
    n: int  # datasets on which it was played
    wins: int  # significant ones against all others, added up
    losses: int
    ahead_of: tuple[str, ...]  # others that it beats more often than it loses to them
    behind: tuple[str, ...]
    first: float  # share of resamples in which it has the best score
    interval: tuple[int, int]  # of the score, in 95 % of resamples
    lead: Lead | None  # the leader's over it; of the leader, its least sure one
    mean_loss: float
    median_normalised: float  # over datasets with a skyline above 0; a small skyline
    # makes huge ones, which would rule a mean
    best_on: float  # share of datasets with the lowest loss; equal ones divide it
    mean_rank: float
    median_excess: float  # of loss minus skyline, where the skyline is known
    close: float  # share of datasets with a loss within CLOSE of the best
    worst_regret: float  # the greatest loss minus the best of a dataset

    @property
    def grade(self) -> Grade:
        """How sure the lead is."""
        return self.lead.grade if self.lead else "open"

    @property
    def chance(self) -> float:
        """The p-value of the lead."""
        return self.lead.chance if self.lead else float("nan")

    @property
    def score(self) -> int:
        """Significant wins minus losses."""
        return self.wins - self.losses


def standings(contest: Contest, outcomes: Outcomes) -> list[Standing]:
    """All algorithms, the best first; of equal scores the lower mean loss."""
    won = outcomes.sum(axis=2)
    difference = won - won.T
    first, low, high = _resampled(outcomes, families_of(contest.problems))
    common = contest.is_common
    losses = contest.losses[common]
    skyline = contest.skylines[common]
    sizes = _sizes(losses)
    made = [
        Standing(
            label,
            int((~np.isnan(contest.losses[:, a])).sum()),
            int(won[a].sum()),
            int(won[:, a].sum()),
            tuple(b for j, b in enumerate(contest.labels) if difference[a, j] > 0),
            tuple(b for j, b in enumerate(contest.labels) if difference[a, j] < 0),
            float(first[a]),
            (int(low[a]), int(high[a])),
            None,
            _known(np.mean, losses[:, a]),
            _known(np.median, contest.normalised[common, a]),
            float(sizes.best_on[a]),
            float(sizes.mean_rank[a]),
            _known(np.median, losses[:, a] - skyline),
            float(sizes.close[a]),
            float(sizes.worst_regret[a]),
        )
        for a, label in enumerate(contest.labels)
    ]
    return _with_leads([made[a] for a in order_of(contest, outcomes)], contest, outcomes)


def order_of(contest: Contest, outcomes: Outcomes) -> list[int]:
    """The places of a contest: of equal scores the lower mean loss, over common datasets."""
    scores = scores_of(outcomes).sum(axis=1).tolist()
    losses = contest.losses[contest.is_common]
    means = in_digits(losses.mean(axis=0)).tolist() if losses.size else [0.0] * len(scores)
    return sorted(range(len(scores)), key=lambda a: (-scores[a], means[a]))


class _Sizes(NamedTuple):
    """What the sizes of losses say, by algorithm; nan without datasets."""

    best_on: Numbers
    mean_rank: Numbers
    close: Numbers
    worst_regret: Numbers


def _sizes(losses: Numbers) -> _Sizes:
    if losses.size == 0:
        nothing = np.full(losses.shape[1], np.nan)
        return _Sizes(nothing, nothing, nothing, nothing)
    regrets = regrets_of(losses)
    return _Sizes(
        share_of_best(regrets),
        ranks_of(losses).mean(axis=0),
        (regrets <= CLOSE).mean(axis=0),
        (losses - losses.min(axis=1, keepdims=True)).max(axis=0),  # as it is, not rounded
    )


def _with_leads(places: list[Standing], contest: Contest, outcomes: Outcomes) -> list[Standing]:
    """Standings with the leader's lead over each, its own the least sure of them."""
    if len(places) < 2:
        return places
    first, *others = (contest.labels.index(standing.label) for standing in places)
    has_loss, families = ~np.isnan(contest.losses.T), families_of(contest.problems)
    by_rival = leads_of(outcomes, has_loss, first, families)
    leads = [least_sure(by_rival.values()), *(by_rival[a] for a in others)]
    return [one._replace(lead=lead) for one, lead in zip(places, leads, strict=True)]


def _resampled(outcomes: Outcomes, families: NDArray[np.int64]) -> tuple[Numbers, Numbers, Numbers]:
    """For each algorithm, its share of first places and the bounds of its score."""
    scores = scores_of(outcomes)
    n_algorithms, n_problems = scores.shape
    if n_problems == 0:
        nothing = np.zeros(n_algorithms)
        return nothing, nothing, nothing
    totals = times_drawn(RESAMPLES, n_problems, families) @ scores.T  # (resamples, A)
    is_first = totals == totals.max(axis=1, keepdims=True)
    first = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0)
    low, high = np.percentile(totals, [2.5, 97.5], axis=0)
    return first, np.floor(low), np.ceil(high)


def _known(middle: Callable[[Numbers], Any], values: Numbers) -> float:
    """The mean or median of the values there are."""
    known = values[~np.isnan(values)]
    return float(middle(known)) if known.size else float("nan")
