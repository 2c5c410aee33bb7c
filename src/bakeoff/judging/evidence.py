"""Evidence: the four things that must agree before a leader is called a clear winner.

Chance: would an equal rival fall this far behind by luck? Size: is the difference of mean
losses large enough to matter? Robustness: does it lead in other ways of counting, too?
Influence: would it lead without any single one of the datasets? Each part has a grade, and
a verdict is as sure as the weakest of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from bakeoff.judging.contest import Contest, Numbers
from bakeoff.judging.families import families_of
from bakeoff.judging.losses import Losses
from bakeoff.judging.standings import RESAMPLES, order_of
from bakeoff.judging.statistics.draws import times_drawn
from bakeoff.judging.statistics.leads import (
    CLEARLY,
    FEW,
    GRADES,
    LEADING,
    SAME,
    Grade,
    Lead,
    by_family,
    flip_test,
    leads_of,
    least_sure,
    scores_of,
)
from bakeoff.judging.statistics.regret import DIGITS, in_digits
from bakeoff.judging.statistics.significance import Outcomes, Test, used_tests, wins
from bakeoff.judging.views import Criteria, main_contest


def weakest(grades: Iterable[Grade]) -> Grade:
    """The grade that decides."""
    return min(grades, key=GRADES.index)


# ---- the leader against each of the others


@dataclass(frozen=True)
class Against:
    """An algorithm beside the leader, over the datasets on which both were played."""

    label: str
    datasets: int  # on which both were played
    mean_loss: float  # over the datasets on which all algorithms were played
    difference: float  # its mean loss minus the leader's
    low: float  # of the difference, in 95 % of resamples of the datasets; nan if these
    high: float  # are few
    wins: int  # datasets on which it is significantly better than the leader
    ties: int
    losses: int
    p: float  # of the leader's lead, by scores against all; nan of the leader
    p_head_to_head: float  # by wins against each other alone
    grade: Grade  # of the lead


def against_leader(contest: Contest, outcomes: Outcomes) -> list[Against]:
    """All algorithms in their order, the leader first."""
    order = order_of(contest, outcomes)
    leader = order[0]
    families = families_of(contest.problems)
    leads = leads_of(outcomes, ~np.isnan(contest.losses.T), leader, families)
    common = contest.losses[contest.is_common]
    means = common.mean(axis=0) if common.size else np.full(len(order), np.nan)
    mean, low, high, n = _paired(contest, leader)
    result = []
    for a in order:
        won, lost = int(outcomes[a, leader].sum()), int(outcomes[leader, a].sum())
        chance, grade = Lead(float("nan"), "open") if a == leader else leads[a]
        signs = outcomes[leader, a].astype(np.int64) - outcomes[a, leader]
        alone = float("nan") if a == leader else flip_test(by_family(signs, families))
        result.append(Against(
            contest.labels[a], int(n[a]), float(means[a]), float(mean[a]), float(low[a]),
            float(high[a]), won, int(n[a]) - won - lost, lost, chance, alone, grade,
        ))  # fmt: skip
    return [replace(result[0], ties=0), *result[1:]]


def _paired(contest: Contest, leader: int) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Mean differences to the leader's losses, their bounds, and of how many datasets."""
    differences = contest.losses - contest.losses[:, [leader]]  # (D, A)
    both = ~np.isnan(differences)
    known, n = np.where(both, differences, 0.0), both.sum(axis=0)
    times = times_drawn(RESAMPLES, contest.n, families_of(contest.problems))
    drawn = times @ both
    means = np.divide(times @ known, drawn, out=np.full(drawn.shape, np.nan), where=drawn > 0)
    bounds = np.full((2, len(n)), np.nan)
    for a in np.flatnonzero(n >= FEW):
        bounds[:, a] = np.nanpercentile(means[:, a], [2.5, 97.5])
    mean = np.divide(known.sum(axis=0), n, out=np.full(len(n), np.nan), where=n > 0)
    return mean, bounds[0], bounds[1], n


# ---- the four parts


@dataclass(frozen=True)
class Chance:
    """How likely a lead is among equals, against the rival where it is least sure."""

    rival: str
    p: float
    datasets: int  # on which both were played
    grade: Grade


def chance_of(places: list[Against]) -> Chance:
    """The least sure of a leader's leads."""
    least = min(places[1:], key=lambda one: (GRADES.index(one.grade), -one.p))
    return Chance(least.label, least.p, least.datasets, least.grade)


@dataclass(frozen=True)
class Size:
    """By how much the leader's mean loss is lower than any other, and whether that matters."""

    rival: str  # the other one with the lowest mean loss
    difference: float  # its mean loss minus the leader's
    low: float
    high: float
    same: float  # up to this a difference does not matter
    within: tuple[str, ...]  # others whose mean losses are higher by less, the nearest first
    not_higher: tuple[str, ...]  # others whose mean losses are not higher at all
    grade: Grade


def size_of(places: list[Against]) -> Size:
    """The lead in units of loss. It must matter against every rival."""
    met = sorted((one for one in places[1:] if one.datasets), key=_gap)
    nearest = met[0] if met else places[1]
    within = tuple(one.label for one in met if _gap(one) < SAME)
    not_higher = tuple(one.label for one in met if _gap(one) <= 0)
    too_small = [one for one in places[1:] if one.high < SAME]
    grade: Grade = "likely" if within else "clear"
    if not_higher or too_small:
        grade = "open"
    ends = nearest.low, nearest.high
    return Size(nearest.label, nearest.difference, *ends, SAME, within, not_higher, grade)


def _gap(one: Against) -> float:
    return round(one.difference, DIGITS)


@dataclass(frozen=True)
class Way:
    """A way of counting, and who leads in it."""

    view: str  # how learning rates are chosen
    encoding: str
    test: Test
    leader: str | None  # None if no difference is significant
    rival: str | None  # against whom the lead is least sure
    p: float
    grade: Grade
    datasets: int
    is_shown: bool  # whether it is the one of the verdict


@dataclass(frozen=True)
class Robustness:
    """In how many ways of counting an algorithm leads, and in how many clearly."""

    ways: tuple[Way, ...]
    leads: int
    clear: int
    is_hindsight: bool  # it leads by rates tuned in hindsight, and not surely without
    grade: Grade

    @property
    def without_peeking(self) -> Way | None:
        """The way shown, but with rates chosen on the other datasets; None if it is that way."""
        return without_peeking(self.ways)


def robustness_of(ways: tuple[Way, ...], leader: str) -> Robustness:
    """What ways of counting say about a leader; one that only hindsight makes is not sure."""
    own = [way for way in ways if way.leader == leader]
    n_clear = sum(way.grade == "clear" for way in own)
    honest = without_peeking(ways)
    is_hindsight = honest is not None and (honest.leader != leader or honest.grade == "open")
    grade: Grade = "open"
    if 2 * len(own) > len(ways):
        grade = "likely"
    if len(own) >= LEADING * len(ways) and n_clear >= CLEARLY * len(ways):
        grade = "clear"
    return Robustness(ways, len(own), n_clear, is_hindsight, "open" if is_hindsight else grade)


def without_peeking(ways: Iterable[Way]) -> Way | None:
    """The twin of a view that tunes rates in hindsight, with rates chosen on other datasets."""
    ways = list(ways)
    shown = next((way for way in ways if way.is_shown and way.view == "fixed"), None)
    if shown is None:
        return None
    twin = "unpeeked", shown.encoding, shown.test
    return next((way for way in ways if (way.view, way.encoding, way.test) == twin), None)


def ways_of(losses: Losses, criteria: Criteria, leader: str) -> Iterator[Way]:
    """Views x encodings x tests that the results allow, in which the leader takes part.

    Elections of hyperparameters are those of the verdict.
    """
    shown = criteria.view_of(losses), criteria.encoding_of(losses)
    for view in _views(losses, shown[0]):
        for encoding in criteria.encodings(losses):
            contest = main_contest(losses, replace(criteria, encoding=encoding), view)
            if leader not in contest.labels or len(contest.labels) < 2:
                continue
            tests = _tests(contest)
            asked = criteria.test if criteria.test in tests else "z"
            for test in tests:
                outcomes = wins(contest, test, criteria.correction)
                is_shown = (view, encoding, test) == (*shown, asked)
                yield way_of(contest, outcomes, (view, encoding, test), is_shown)


def _views(losses: Losses, shown: str) -> list[str]:
    rates = ["fixed", "unpeeked", "one_rate"] if losses.has_several_rates else ["fixed"]
    return rates if shown in rates else [shown, *rates]


def _tests(contest: Contest) -> list[Test]:
    """The paired test is a z-test where there are too few orders, so it takes enough of them."""
    tests: list[Test] = ["paper", "z"]
    has_orders = 2 * used_tests(contest, "paired").get("paired", 0) >= contest.n
    return [*tests, "paired"] if has_orders else tests


def way_of(contest: Contest, outcomes: Outcomes, way: tuple[str, str, Test], is_shown: bool) -> Way:
    """Who leads in a way of counting (view, encoding, test), and how surely."""
    if not outcomes.any():
        return Way(*way, None, None, 1.0, "open", contest.n, is_shown)
    first = order_of(contest, outcomes)[0]
    families = families_of(contest.problems)
    leads = leads_of(outcomes, ~np.isnan(contest.losses.T), first, families)
    least = least_sure(leads.values())
    rival = next(a for a, lead in leads.items() if lead == least)
    leader, second = contest.labels[first], contest.labels[rival]
    return Way(*way, leader, second, least.chance, least.grade, contest.n, is_shown)


@dataclass(frozen=True)
class Without:
    """A dataset that decides: without it another algorithm leads."""

    dataset: str
    leader: str


@dataclass(frozen=True)
class Influence:
    """The single datasets without which another algorithm would lead."""

    decisive: tuple[Without, ...]
    grade: Grade


def influence_of(contest: Contest, outcomes: Outcomes) -> Influence:
    """Leave out one dataset at a time; scores add up over datasets, so they are subtracted."""
    scores = scores_of(outcomes)  # (A, D)
    totals = scores.sum(axis=1, keepdims=True) - scores
    common = contest.is_common
    losses = np.where(common, contest.losses.T, 0.0)
    counts = np.maximum(common.sum() - common, 1)
    means = in_digits((losses.sum(axis=1, keepdims=True) - losses) / counts)
    leader = order_of(contest, outcomes)[0]
    names = contest.problems["problem"].to_list()
    decisive = []
    for d in range(contest.n if contest.n > 1 and outcomes.any() else 0):
        first = min(range(len(totals)), key=lambda a: (-totals[a, d], means[a, d]))
        if first != leader:
            decisive.append(Without(names[d], contest.labels[first]))
    return Influence(tuple(decisive), "open" if decisive else "clear")


# ---- all of them


@dataclass(frozen=True)
class Evidence:
    """What a contest says about its leader."""

    leader: str | None  # a label; None if no difference is significant
    level: tuple[str, ...]  # labels that share the best score, if several do
    datasets: int
    encoding: str
    view: str  # how settings were chosen (views.KINDS)
    test: Test
    chance: Chance
    size: Size
    robustness: Robustness
    influence: Influence
    algorithms: list[Against]  # the leader first

    @property
    def grade(self) -> Grade:
        """That of the weakest part; without one leader nothing is decided."""
        parts = (self.chance, self.size, self.robustness, self.influence)
        has_one = self.leader is not None and not self.level
        return weakest(part.grade for part in parts) if has_one else "open"


def evidence_of(losses: Losses, criteria: Criteria, contest: Contest) -> Evidence:
    """The four parts, for a contest of two or more."""
    outcomes = criteria.wins(contest)
    places = against_leader(contest, outcomes)
    scores = dict(zip(contest.labels, scores_of(outcomes).sum(axis=1).tolist(), strict=True))
    level = tuple(one.label for one in places if scores[one.label] == max(scores.values()))
    return Evidence(
        places[0].label if outcomes.any() else None,
        level if len(level) > 1 else (),
        contest.n,
        criteria.encoding_of(losses),
        criteria.view_of(losses),
        criteria.test,
        chance_of(places),
        size_of(places),
        robustness_of(tuple(ways_of(losses, criteria, places[0].label)), places[0].label),
        influence_of(contest, outcomes),
        places,
    )
