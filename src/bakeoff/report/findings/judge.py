"""Judging a claim: count comparisons on a store, and say what they add up to.

A comparison counts datasets for and against it. If the two sides were equal, either
would be as likely on each dataset: the flip test of judging/statistics/leads.py says how often
chance alone would be as uneven. Held-out datasets judge if at least half of all are.
"""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bakeoff.basics.text import counted
from bakeoff.judging import (
    BINARY,
    BREAKDOWNS,
    CLEAR,
    FEW,
    Competitor,
    Condition,
    Criteria,
    Losses,
    contest_of,
    fixed,
    fixed_choice,
    flip_test,
    optimised,
    optimised_reductions,
    settings,
)
from bakeoff.report.findings.claims import (
    BIN,
    Claim,
    Comparison,
    Duel,
    Errors,
    Shift,
    Side,
    Subsets,
)
from bakeoff.runs import Choice

Verdict = Literal["holds", "holds weakly", "does not hold", "cannot be told"]
Signs = dict[str, int]  # by digest: +1 for, -1 against, more where duels are compared


class Count(NamedTuple):
    """A comparison on a store: datasets for and against it."""

    text: str
    won: int
    lost: int
    n: int  # datasets on which it could be made
    chance: float  # of so uneven a result among equals
    needs: str = ""  # what makes it, if there is nothing to compare

    @property
    def has_enough(self) -> bool:
        """Whether there are enough datasets to say anything."""
        return self.n >= FEW

    @property
    def is_clear(self) -> bool:
        """Whether chance alone would seldom be as uneven."""
        return self.chance <= CLEAR

    def __str__(self) -> str:
        return f"{self.text}: {self.won}/{self.lost}"


class Finding(NamedTuple):
    """A claim and what a store says of it."""

    claim: Claim
    verdict: Verdict
    counts: list[Count]
    why: str


def judge(losses: Losses, claim: Claim, criteria: Criteria) -> Finding:
    """What a store says of a claim."""
    if not claim.judged_by:
        return Finding(claim, "cannot be told", [], claim.otherwise)
    counts = [
        _count(losses, comparison, criteria)._replace(needs=needs_of(comparison))
        for comparison in claim.judged_by
    ]
    verdict, why = verdict_of(counts)
    return Finding(claim, verdict, counts, why)


def verdict_of(counts: Sequence[Count]) -> tuple[Verdict, str]:
    """What comparisons add up to, and why it is not more.

    A clear result against a claim refutes it. It holds if every comparison is clearly
    in favour, and weakly if at least most are in favour and so is their sum.
    """
    enough = [count for count in counts if count.has_enough]
    few = [one for one in counts if not one.has_enough]
    if not enough:
        return "cannot be told", _missing(few)
    against = [one for one in enough if one.won <= one.lost]
    refuted = [one for one in against if one.is_clear]
    unsure = [one for one in enough if one.won > one.lost and not one.is_clear]
    missing = _missing(few)
    if refuted:
        return "does not hold", _joined(f"clearly not: {_each(refuted)}", missing)
    if not against and not unsure:
        return "holds", missing
    reasons = [
        f"not so: {_each(against)}" if against else "",
        f"not clear: {_each(unsure)}" if unsure else "",
        missing,
    ]
    in_favour = sum(one.won - one.lost for one in enough) > 0
    is_mostly_so = 2 * len(against) < len(enough) and in_favour
    return "holds weakly" if is_mostly_so else "does not hold", _joined(*reasons)


def _each(counts: Iterable[Count]) -> str:
    return ", ".join(f"{count} of {count.n}" for count in counts)


def _missing(few: Sequence[Count]) -> str:
    """What it would take to tell the rest."""
    if not few:
        return ""
    needs = ", ".join(dict.fromkeys(f"{count.needs} (here: {count.n})" for count in few))
    n = counted(len(few), "comparison")
    verb = "needs" if len(few) == 1 else "need"
    return f"not told: {n} that {verb} {FEW} datasets or more {needs}"


def needs_of(comparison: Comparison) -> str:
    """What datasets and runs a comparison takes."""
    if isinstance(comparison, Shift):
        both = (needs_of(comparison.more), needs_of(comparison.less))
        return " and ".join(dict.fromkeys(both))
    if isinstance(comparison, Subsets):
        return "in each subset"
    first, second = comparison.first, comparison.second
    sides = (first, second)
    whole_grid = any(side.kind == "optimised" or side.choice for side in sides)
    encodings = dict.fromkeys(side.encoding for side in sides)
    parts = [
        "-a paper" if whole_grid else "-a fixed",
        *(f"--encoding={encoding}" for encoding in encodings),
        "--baseline both" if any(side.baseline != "off" for side in sides) else "",
    ]
    where = _where_text(comparison.on)
    runs = f"with {' '.join(filter(None, parts))}"
    return f"with {where}, {runs}" if where else runs


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


# ---- comparisons


def _count(losses: Losses, comparison: Comparison, criteria: Criteria) -> Count:
    if isinstance(comparison, Duel):
        return count_of(_duel_text(comparison), _duel(losses, comparison, criteria))
    if isinstance(comparison, Shift):
        return _shift(losses, comparison, criteria)
    if isinstance(comparison, Errors):
        return count_of(_errors_text(comparison), _errors(losses, comparison, criteria))
    return _subsets(losses, comparison, criteria)


def count_of(text: str, signs: Signs) -> Count:
    """How many datasets are for it and against it."""
    values = np.array(list(signs.values()), np.int64)
    won, lost = int((values > 0).sum()), int((values < 0).sum())
    return Count(text, won, lost, len(signs), flip_test(values))


def _duel(losses: Losses, duel: Duel, criteria: Criteria) -> Signs:
    """Who wins on each dataset on which both sides have a loss."""
    sides = [
        Competitor(name, _where(losses, side, criteria))
        for name, side in (("first", duel.first), ("second", duel.second))
    ]
    contest = contest_of(losses, sides, on(losses, duel.on, criteria))
    won = criteria.wins(contest)
    signs = won[0, 1].astype(np.int64) - won[1, 0]
    return _by_digest(contest.problems, signs, contest.is_common)


def _shift(losses: Losses, shift: Shift, criteria: Criteria) -> Count:
    """On which datasets the outcome of one duel is better than that of another."""
    more, less = _duel(losses, shift.more, criteria), _duel(losses, shift.less, criteria)
    signs = {digest: more[digest] - less[digest] for digest in more if digest in less}
    text = f"{_duel_text(shift.more)} more than {_duel_text(shift.less)}"
    return count_of(text, signs)


def _errors(losses: Losses, errors: Errors, criteria: Criteria) -> Signs:
    """Whose estimate is closer to the truth on each dataset."""
    sides = ((errors.first, errors.first_source), (errors.second, errors.second_source))
    result = []
    for side, source in sides:
        one = Competitor("one", _where(losses, side, criteria))
        contest = contest_of(losses, [one], on(losses, errors.on, criteria))
        column = contest.chosen[0][f"{source}_error"].cast(pl.Float64)
        known = column.is_not_null() & column.is_not_nan()
        pairs = zip(contest.problems["digest"], column, known, strict=True)
        result.append({digest: error for digest, error, is_known in pairs if is_known})
    first, second = result
    both = [digest for digest in first if digest in second]
    return {digest: int(np.sign(second[digest] - first[digest])) for digest in both}


def _subsets(losses: Losses, subsets: Subsets, criteria: Criteria) -> Count:
    """In how many of the paper's subsets an algorithm is ahead of all others.

    Subsets overlap, so there is no chance to state: such a claim holds weakly at most.
    """
    won = lost = 0
    for subset in BREAKDOWNS:
        duels = [
            _duel(
                losses,
                Duel(Side(subsets.label), Side(other), subset._replace(tasks=BINARY)),
                criteria,
            )
            for other in subsets.others
        ]
        if min(len(signs) for signs in duels) >= FEW:
            is_first = all(sum(signs.values()) > 0 for signs in duels)
            won, lost = won + is_first, lost + (not is_first)
    text = f"{subsets.label} first in a subset"
    n = int(on(losses, BIN, criteria).holds(losses.problems).sum()) if won + lost else 0
    return Count(text, won, lost, n, 1.0)


# ---- sides


def are_held_out(losses: Losses, criteria: Criteria) -> bool:
    """Whether held-out datasets judge: on request, or if they are not the minority.

    A handful of them among many would leave most claims open.
    """
    binary = losses.problems.filter(BIN.holds(losses.problems))
    n_held_out = int((~binary["tuning"]).sum())
    return criteria.held_out or (not criteria.everywhere and 2 * n_held_out >= binary.height)


def on(losses: Losses, condition: Condition, criteria: Criteria) -> Condition:
    """A condition on the datasets that judge."""
    return condition._replace(held_out=are_held_out(losses, criteria))


def _where(losses: Losses, side: Side, criteria: Criteria) -> pl.Expr:
    """The settings of a side; none if it was not played."""
    if side.baseline != "off":
        return _baselines(losses, side)
    if side.choice:
        return settings(side.label, side.encoding, choice=Choice.from_spec(side.choice))
    if side.reduction:
        known = optimised_reductions(losses, side.label, side.encoding)
        return _where_open(losses, _of(known, side.reduction))
    if side.kind == "optimised":
        return _where_open(losses, _of(optimised(losses, side.encoding), side.label))
    return _of(fixed(losses, side.encoding, test=criteria.test), side.label)


def _where_open(losses: Losses, where: pl.Expr) -> pl.Expr:
    """Only datasets with half as many choices as the one with the most, or more.

    Elsewhere, such as while a grid is still being played, nothing is optimised.
    """
    played = losses.settings.filter(where)
    choices = played.group_by("digest").agg(pl.col("choice").n_unique())
    is_open = 2 * pl.col("choice") >= pl.col("choice").max()
    return where & pl.col("digest").is_in(choices.filter(is_open)["digest"].to_list())


def _baselines(losses: Losses, side: Side) -> pl.Expr:
    """The paper's choice with a baseline, or with and without if both were played."""
    choice = fixed_choice(side.label, side.encoding)
    without, with_it = (
        settings(side.label, side.encoding, choice=choice, baseline=flag) for flag in (False, True)
    )
    if side.baseline == "on" or losses.settings.filter(with_it).is_empty():
        return with_it
    return without | with_it


def _of(competitors: Iterable[Competitor], label: str) -> pl.Expr:
    known = {competitor.label: competitor.where for competitor in competitors}
    return known.get(label, pl.lit(False))


def _by_digest(problems: pl.DataFrame, signs: NDArray[np.int64], keep: NDArray[np.bool_]) -> Signs:
    rows = zip(problems["digest"], signs.tolist(), keep.tolist(), strict=True)
    return {digest: sign for digest, sign, is_kept in rows if is_kept}


# ---- words


def _duel_text(duel: Duel) -> str:
    first, second = duel.first, duel.second
    names, encoding = f"{first} vs {second}", first.encoding
    if first.encoding != second.encoding:
        names, encoding = f"{first}, {first.encoding} vs {second.encoding}", "-1/0"
    return _placed(names, encoding, duel.on)


def _errors_text(errors: Errors) -> str:
    names = f"{errors.first} vs {errors.second}"
    if errors.first == errors.second:
        names = f"{errors.first}, rewards vs losses"
    return _placed(names, errors.first.encoding, errors.on)


def _placed(names: str, encoding: str, condition: Condition) -> str:
    """Names with the encoding and the datasets, where these are not the usual ones."""
    place = ["" if encoding == "-1/0" else encoding, _where_text(condition)]
    text = ", ".join(filter(None, place))
    return f"{names} ({text})" if text else names


def _where_text(condition: Condition) -> str:
    usual = (BINARY, ("multiclass",))
    narrow = condition._replace(tasks=() if condition.tasks in usual else condition.tasks)
    return str(narrow) if narrow != Condition() else ""
