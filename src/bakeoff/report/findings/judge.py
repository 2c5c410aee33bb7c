"""Judging a claim: count comparisons on a store, and say what they add up to.

A comparison counts datasets for and against it. If the two sides were equal, either
would be as likely on each dataset: the flip test of judging/statistics/leads.py says how often
chance alone would be as uneven. Held-out datasets judge if at least half of all are.

A claim says that all its comparisons come out in favour, so its own null is that at least
one does not: the greatest of their p-values rejects it. What refutes a claim is one
comparison that is clearly against it, with p-values corrected for their number.
Everything else is undecided. The effect is the mean over the comparisons of net wins per
dataset; its interval comes from resamples of the datasets.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import polars as pl

from bakeoff.basics.text import counted
from bakeoff.judging import (
    CLEAR,
    FEW,
    RESAMPLES,
    Criteria,
    Losses,
    Numbers,
    families_of,
    flip_test,
    times_drawn,
)
from bakeoff.report.findings.claims import Claim, Comparison, Subsets
from bakeoff.report.findings.comparisons import Signs, first_places, needs_of, signs_of, text_of
from bakeoff.report.findings.paper_counts import PaperCount, paper_count

Verdict = Literal["supported", "refuted", "undecided", "cannot be told"]
VERDICTS: tuple[Verdict, ...] = ("supported", "refuted", "undecided", "cannot be told")


class Count(NamedTuple):
    """A comparison on a store: datasets for and against it."""

    text: str
    won: int
    lost: int
    n: int  # datasets on which it could be made
    chance: float  # of so uneven a result among equals
    leans: int  # 1 if it is in favour, -1 if against, 0 if even
    effect: float  # net wins per dataset
    signs: Signs  # of the datasets
    needs: str = ""  # what makes it, if there is nothing to compare
    paper: PaperCount | None = None

    @property
    def has_enough(self) -> bool:
        """Whether there are enough datasets to say anything."""
        return self.n >= FEW

    @property
    def is_clear(self) -> bool:
        """Whether chance alone would seldom be as uneven."""
        return self.chance <= CLEAR

    @property
    def is_opposite(self) -> bool:
        """Whether the paper's own table has the other sign."""
        return self.paper is not None and self.has_enough and self.leans * self.paper.net < 0

    def __str__(self) -> str:
        return f"{self.text}: {self.won}/{self.lost}"


class Finding(NamedTuple):
    """A claim and what a store says of it."""

    claim: Claim
    verdict: Verdict
    counts: list[Count]
    why: str
    effect: float = float("nan")  # net wins per dataset, mean over the comparisons
    interval: tuple[float, float] = (float("nan"), float("nan"))  # 95 % of resamples
    p_for: float = 1.0  # of its null: not all comparisons are in favour
    p_against: float = 1.0  # of the opposite: no comparison is against it

    @property
    def paper_effect(self) -> float:
        """The paper's own numbers, as `effect`; nan if it prints not all of them."""
        papers = [count.paper for count in self.counts if count.has_enough]
        known = [paper.effect for paper in papers if paper is not None]
        return float(np.mean(known)) if known and len(known) == len(papers) else float("nan")

    @property
    def n(self) -> int:
        """The datasets of its largest comparison."""
        return max((count.n for count in self.counts), default=0)


def judge(losses: Losses, claim: Claim, criteria: Criteria) -> Finding:
    """What a store says of a claim."""
    if not claim.judged_by:
        return Finding(claim, "cannot be told", [], claim.otherwise)
    counts = [
        _count(losses, comparison, criteria)._replace(
            needs=needs_of(comparison), paper=paper_count(comparison)
        )
        for comparison in claim.judged_by
    ]
    verdict, why = verdict_of(counts)
    enough = [count for count in counts if count.has_enough]
    if verdict == "cannot be told":
        return Finding(claim, verdict, counts, why)
    effect = float(np.mean([count.effect for count in enough]))
    interval = _interval(losses, [count.signs for count in enough if count.signs])
    return Finding(claim, verdict, counts, why, effect, interval, *p_values_of(enough))


def _count(losses: Losses, comparison: Comparison, criteria: Criteria) -> Count:
    text = text_of(comparison)
    if not isinstance(comparison, Subsets):
        return count_of(text, signs_of(losses, comparison, criteria))
    won, lost, n, chance, expected = first_places(losses, comparison, criteria)
    leans = 1 if won > max(lost, expected) else -1 if won < expected else 0
    return Count(text, won, lost, n, chance, leans, (won - lost) / max(1, won + lost), {})


def count_of(text: str, signs: Signs) -> Count:
    """How many datasets are for it and against it."""
    values = np.array(list(signs.values()), np.int64)
    won, lost = int((values > 0).sum()), int((values < 0).sum())
    effect = float(values.mean()) if values.size else 0.0
    leans = int(np.sign(values.sum()))
    return Count(text, won, lost, len(signs), flip_test(values), leans, effect, signs)


def p_values_of(counts: Sequence[Count]) -> tuple[float, float]:
    """The p-values of a claim's null, and of its opposite."""
    return p_values([count.leans for count in counts], [count.chance for count in counts])


def p_values(leans: Sequence[int], chances: Sequence[float]) -> tuple[float, float]:
    """Of "not all are in favour", and of "none is against", corrected for their number.

    >>> p_values([1, 1], [0.01, 0.03])
    (0.03, 1.0)
    >>> p_values([1, -1], [0.01, 0.02])
    (1.0, 0.04)
    """
    both = list(zip(leans, chances, strict=True))
    p_for = max((p if lean > 0 else 1.0 for lean, p in both), default=1.0)
    p_against = min((p for lean, p in both if lean < 0), default=1.0)
    return p_for, min(1.0, len(both) * p_against)


def decision(p_for: float, p_against: float) -> Verdict:
    """What two p-values add up to; both directions take the same evidence."""
    if p_against <= CLEAR:
        return "refuted"
    return "supported" if p_for <= CLEAR else "undecided"


def verdict_of(counts: Sequence[Count]) -> tuple[Verdict, str]:
    """What comparisons add up to, and why it is not more."""
    enough = [count for count in counts if count.has_enough]
    missing = _missing([one for one in counts if not one.has_enough])
    opposite = _opposite([one for one in enough if one.is_opposite])
    if not enough:
        return "cannot be told", missing
    verdict = decision(*p_values_of(enough))
    if verdict != "refuted" and 2 * len(enough) < len(counts):
        return "cannot be told", missing  # most of what it says
    against = [one for one in enough if one.leans < 0]
    unsure = [one for one in enough if one.leans >= 0 and not (one.leans and one.is_clear)]
    clear = len(enough) - len(against) - len(unsure)
    if verdict == "supported":
        return verdict, _joined(opposite, missing)
    reasons = [
        f"{clear} of {counted(len(enough), 'comparison')} clearly in favour",
        f"against: {_each(against)}" if against else "",
        f"not clear: {_each(unsure)}" if unsure else "",
    ]
    return verdict, _joined(*reasons, opposite, missing)


def _interval(losses: Losses, signs: Sequence[Signs]) -> tuple[float, float]:
    """95 % of the effects in resamples of the datasets, families drawn together."""
    if not signs:
        return float("nan"), float("nan")
    digests = sorted(set().union(*signs))
    problems = losses.problems.filter(pl.col("digest").is_in(digests))
    order = problems["digest"].to_list()
    values = np.array([[own.get(digest, np.nan) for digest in order] for own in signs])
    times = times_drawn(RESAMPLES, len(order), families_of(problems))
    return resampled_effect(values, times.astype(float))


def resampled_effect(values: Numbers, times: Numbers) -> tuple[float, float]:
    """(comparisons, datasets) signs or nan: 95 % of the means of their means."""
    has = ~np.isnan(values)
    total, number = times @ np.where(has, values, 0.0).T, times @ has.T
    means = np.divide(total, number, out=np.full(total.shape, np.nan), where=number > 0)
    low, high = np.nanpercentile(np.nanmean(means, axis=1), [2.5, 97.5])
    return float(low), float(high)


# ---- words


def _each(counts: Iterable[Count]) -> str:
    return ", ".join(f"{count} of {count.n}" for count in counts)


def _opposite(counts: Sequence[Count]) -> str:
    each = [
        f"{count.text} ({100 * count.effect:+.0f} per 100 datasets, the paper "
        f"{100 * count.paper.effect:+.0f})"
        for count in counts
        if count.paper is not None
    ]
    return f"sign opposite to the paper's table: {', '.join(each)}" if each else ""


def _missing(few: Sequence[Count]) -> str:
    """What it would take to tell the rest."""
    if not few:
        return ""
    needs = ", ".join(dict.fromkeys(f"{count.needs} (here: {count.n})" for count in few))
    n = counted(len(few), "comparison")
    verb = "needs" if len(few) == 1 else "need"
    return f"not told: {n} that {verb} {FEW} datasets or more {needs}"


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def tally_of(findings: Iterable[Finding]) -> str:
    """How many claims have which verdict."""
    times = Counter(finding.verdict for finding in findings)
    return ", ".join(f"{verdict} {times[verdict]}" for verdict in VERDICTS)
