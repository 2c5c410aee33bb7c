"""Verdict: whether a log can answer for a policy, and what would help if not."""

import math
from typing import NamedTuple

import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation.checks import Check, lacks_weight
from bakeoff.evaluation.repeats import MANY as MANY_COPIES
from bakeoff.evaluation.repeats import NAME as NAME_OF_COPIES
from bakeoff.evaluation.weights import Weighted

FEW = 30  # effective events below which a log cannot answer
THIN = 200  # effective events below which it answers with a warning
UNSEEN = 0.05  # share of the policy's mass that the logger may never try
UNSOUND = ("mean weight", "propensities")  # checks that fail if probabilities are wrong
ENOUGH = 500  # effective events that advice aims at
ANSWERS = "The log can answer."  # the advice if there is none


class Support(NamedTuple):
    """How well a log covers a policy."""

    effective_sample_size: float  # (sum w)^2 / sum w^2
    expected_sample_size: float  # the same, by the logger's distributions if known
    largest_weight: float
    mean_weight: float
    unseen: float  # share of the policy's mass that the logger never tries
    largest_share: float  # of the largest weight among all

    @property
    def size(self) -> float:
        """The smaller of both sample sizes: heavy weights may not have come up yet."""
        return min(self.effective_sample_size, self.expected_sample_size)


class Remarks(NamedTuple):
    """Names of estimators whose estimate or interval needs a word."""

    contradictory: list[str]  # the lower bound is above the upper one
    widened: list[str]  # the interval did not hold the estimate
    beyond: list[str]  # the estimate is no possible mean reward


class Verdict(NamedTuple):
    """Whether the log can answer, and what to know or to do."""

    can_answer: bool
    advice: str

    def after(self, words: str) -> "Verdict":
        """The verdict with a sentence before its advice."""
        return self._replace(advice=f"{words} {self.advice}".strip())


def effective(w: Doubles) -> float:
    """The effective sample size of weights: (sum w)^2 / sum w^2."""
    total, squares = float(w.sum()), float((w * w).sum())
    return total * total / squares if squares > 0 else 0.0


def support_of(weighted: Weighted) -> Support:
    """Sums over the weights."""
    w = weighted.weight
    total, largest = float(w.sum()), float(w.max())
    size = effective(w)
    expected = weighted.expected_square
    return Support(
        size,
        len(w) / expected if expected else size,
        largest,
        float(w.mean()),
        weighted.unseen,
        largest / total if total > 0 else 0.0,
    )


def verdict_of(
    log: Log,
    weighted: Weighted,
    support: Support,
    checks: list[Check],
    remarks: Remarks,
    copies: float = 0.0,
) -> Verdict:
    """The verdict in words: objections and what would help, or warnings.

    `copies` is the share of events that repeat others.
    """
    against = _objections(log, weighted, support, checks)
    if copies > MANY_COPIES:
        against.append(
            f"{'It' if against else 'This log'} cannot answer: {_of_copies(copies, checks)}"
        )
    if remarks.contradictory:
        against.append(
            f"{'It' if against else 'This log'} cannot answer: the lower bound of "
            f"{', '.join(remarks.contradictory)} is above the upper one, as happens if the policy "
            f"was fitted to this log."
        )
    if against:
        if copies <= MANY_COPIES and not any(
            check.fails and check.name in UNSOUND for check in checks
        ):
            against.append(_what_would_help(log, weighted, support))
        return Verdict(False, " ".join(against))
    warnings = [*_warnings(log, support, checks), *_words(remarks)]
    if copies > 0:
        warnings.append(f"Intervals are too short: {_of_copies(copies, checks)}")
    return Verdict(True, " ".join(warnings or [ANSWERS]))


def _objections(log: Log, weighted: Weighted, support: Support, checks: list[Check]) -> list[str]:
    """Reasons not to answer."""
    sentences = []
    size = support.size
    if size < FEW:
        sentences.append(
            f"This log cannot answer: its {log.n:,} events are worth {size:,.0f} for "
            f"this policy (effective sample size), and below {FEW} no interval is "
            f"worth its name."
        )
    if support.unseen > UNSEEN:
        sentences.append(
            f"{'It' if sentences else 'This log'} cannot answer: {support.unseen:.0%} of "
            f"what the policy would do was never tried."
        )
    if lacks_weight(weighted):
        sentences.append(
            f"{'It' if sentences else 'This log'} cannot answer: its weights have a mean of "
            f"{support.mean_weight:.3f} instead of {1 - support.unseen:.4g}. Heavy weights have "
            f"not come up yet, or the probabilities are too large; logs with the probabilities "
            f"of all actions can tell."
        )
    for check in checks:
        if check.fails and check.name in UNSOUND:
            sentences.append(
                f"The logged probabilities do not fit this policy's weights or the "
                f"actions drawn: {check.text}."
            )
    return sentences


def _of_copies(share: float, checks: list[Check]) -> str:
    """What is wrong with events that repeat others, and what to do."""
    (text,) = (check.text for check in checks if check.name == NAME_OF_COPIES)
    return (
        f"about {share:.1%} of its events are copies of earlier ones, or of users whose action "
        f"stays the same ({text}). Leave out copies; where an assignment sticks to a user, keep "
        f"one event of each."
    )


def _warnings(log: Log, support: Support, checks: list[Check]) -> list[str]:
    """Warnings for a log that can answer."""
    sentences = []
    size = support.size
    if size < THIN:
        sentences.append(
            f"Few events count: the effective sample size is {size:,.0f} of {log.n:,}."
        )
    if support.largest_share > 0.1:
        sentences.append(f"A single event carries {support.largest_share:.0%} of all weight.")
    if support.unseen > 0:
        sentences.append(
            f"{support.unseen:.2%} of what the policy would do was never tried; the "
            f"intervals allow any reward there."
        )
    sentences += [
        f"The log seems to change over time: {check.text}."
        for check in checks
        if check.fails and check.name == "stationarity"
    ]
    if log.is_estimated:
        sentences.append(
            "Probabilities were estimated, not logged: the interval does not know how "
            "wrong they may be; see the sensitivity."
        )
    return sentences


def _words(remarks: Remarks) -> list[str]:
    """Sentences about estimates."""
    sentences = []
    if remarks.beyond:
        sentences.append(
            f"{', '.join(remarks.beyond)}: outside the range of rewards, as happens if few heavy "
            f"weights decide."
        )
    if remarks.widened:
        sentences.append(
            f"{', '.join(remarks.widened)}: the interval was widened to hold the estimate."
        )
    return sentences


def _what_would_help(log: Log, weighted: Weighted, support: Support) -> str:
    """How many more events, with how much probability on which action."""
    share = _second_moment_by_action(log, weighted)
    worst = int(share.argmax())
    if support.unseen > UNSEEN:
        drawn = np.bincount(log.action, minlength=log.n_actions)
        worst = int(np.where(drawn == 0, weighted.mass, -1.0).argmax())
    floor = _floor(log, weighted, worst)
    moment = _moment_with_floor(log, weighted, worst, floor)
    needed = ENOUGH * moment
    return (
        f"What would help: about {_rounded(needed):,} events with a probability of at "
        f"least {floor:.0%} on action {log.action_name(worst)}."
    )


def _second_moment_by_action(log: Log, weighted: Weighted) -> Doubles:
    """The sum of squared weights of each action."""
    w2 = weighted.weight**2
    sums = np.bincount(log.action, weights=w2, minlength=log.n_actions)
    return sums.astype(np.float64)


def _floor(log: Log, weighted: Weighted, a: int) -> float:
    """A tenth of how much the policy plays the action, from 1 % to an even share."""
    even = 1.0 / log.n_actions
    return float(min(max(0.01, weighted.mass[a] / 10), max(even, 0.01)))


def _moment_with_floor(log: Log, weighted: Weighted, a: int, floor: float) -> float:
    """The mean square of the weights if action `a` had at least this probability."""
    own = log.action == a
    w2 = weighted.weight**2
    rest = float(w2[~own].sum()) / log.n
    lifted = float(weighted.mass[a]) / floor  # E pi^2 / floor <= E pi / floor
    return max(1.0, rest + lifted)


def _rounded(number: float) -> int:
    """A number of events, rounded up to two digits; at least 100."""
    if number < 100:
        return 100
    digits = 10 ** (int(math.log10(number)) - 1)
    return math.ceil(number / digits) * digits
