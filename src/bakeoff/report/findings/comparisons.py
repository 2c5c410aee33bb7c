"""Comparisons on a store: for each dataset, whether it is for a comparison or against it.

Losses are means over the orders of a dataset's rows, and wins are significant by the rule
of the criteria, applied to these means.
"""

from collections import Counter
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bakeoff.judging import (
    BINARY,
    BREAKDOWNS,
    FEW,
    Competitor,
    Condition,
    Contest,
    Criteria,
    Losses,
    contest_of,
    fixed,
    fixed_choice,
    optimised,
    optimised_reductions,
    settings,
)
from bakeoff.report.findings.claims import BIN, Comparison, Duel, Errors, Shift, Side, Subsets
from bakeoff.runs import Choice, Run, paper_choices

Signs = dict[str, int]  # by digest: +1 for, -1 against, more where duels are compared
Nets = NDArray[np.int64]  # (A, A, D): 1 if the row wins, -1 if it loses
PERMUTATIONS = 400


def signs_of(losses: Losses, comparison: Duel | Shift | Errors, criteria: Criteria) -> Signs:
    """Each dataset on which a comparison can be made, for it or against it."""
    if isinstance(comparison, Duel):
        return _duel(losses, comparison, criteria)
    if isinstance(comparison, Errors):
        return _errors(losses, comparison, criteria)
    more = _duel(losses, comparison.more, criteria)
    less = _duel(losses, comparison.less, criteria)
    return {digest: more[digest] - less[digest] for digest in more if digest in less}


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


# ---- first places in subsets, and labels at random


class FirstPlaces(NamedTuple):
    """In how many subsets an algorithm is ahead of all others, and what chance gives."""

    won: int
    lost: int
    n: int  # datasets
    chance: float  # of a number as far from what chance gives, with labels permuted
    expected: float  # with labels permuted


def first_places(losses: Losses, subsets: Subsets, criteria: Criteria) -> FirstPlaces:
    """Count the paper's subsets in which an algorithm is ahead of all others."""
    labels = (subsets.label, *subsets.others)
    known = {one.label: one for one in fixed(losses, "-1/0", labels, criteria.test)}
    if len(known) < len(labels):
        return FirstPlaces(0, 0, 0, 1.0, 0.0)
    rivals = [known[label] for label in labels]
    contest = common(contest_of(losses, rivals, on(losses, BIN, criteria)))
    masks = [subset.holds(contest.problems).to_numpy() for subset in BREAKDOWNS]
    masks = [mask for mask in masks if mask.sum() >= FEW]
    if not masks:
        return FirstPlaces(0, 0, 0, 1.0, 0.0)
    nets = nets_of(contest, criteria)
    won = _firsts(nets, masks)
    rng = np.random.default_rng(0)
    by_chance = np.array([_firsts(permuted(nets, rng), masks) for _ in range(PERMUTATIONS)])
    tails = ((by_chance >= won).mean(), (by_chance <= won).mean())
    chance = min(1.0, 2 * float(min(tails)))
    return FirstPlaces(won, len(masks) - won, contest.n, chance, float(by_chance.mean()))


def _firsts(nets: Nets, masks: Iterable[NDArray[np.bool_]]) -> int:
    """The subsets in which the first algorithm is ahead of all others."""
    return sum(bool((nets[0, 1:, mask].sum(axis=0) > 0).all()) for mask in masks)


def nets_of(contest: Contest, criteria: Criteria) -> Nets:
    """Who wins and who loses against whom on each problem."""
    won = criteria.wins(contest).astype(np.int64)
    result: Nets = won - won.transpose(1, 0, 2)
    return result


def permuted(nets: Nets, rng: np.random.Generator, order: Nets | None = None) -> Nets:
    """The same with labels permuted at random within each problem."""
    order = permutations(nets, rng) if order is None else order
    problems = np.arange(nets.shape[2])
    result: Nets = nets[order[:, None, :], order[None, :, :], problems]
    return result


def permutations(nets: Nets, rng: np.random.Generator) -> Nets:
    """(A, D): a random order of the labels for each problem."""
    result: Nets = rng.random((nets.shape[0], nets.shape[2])).argsort(axis=0)
    return result


def common(contest: Contest) -> Contest:
    """The same on the problems that all competitors have a loss on."""
    return contest.where(pl.Series(contest.is_common))


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
        return _where_open(losses, side, _of(known, side.reduction))
    if side.kind == "optimised":
        return _where_open(losses, side, _of(optimised(losses, side.encoding), side.label))
    return _of(fixed(losses, side.encoding, test=criteria.test), side.label)


def _where_open(losses: Losses, side: Side, where: pl.Expr) -> pl.Expr:
    """Only datasets with at least half as many choices as the paper, and as any dataset here.

    Elsewhere, such as while a grid is still being played, nothing is optimised.
    """
    played = losses.settings.filter(where)
    choices = played.group_by("digest").agg(pl.col("choice").n_unique())
    n_paper = _papers_choices()[side.label, side.reduction]
    is_open = 2 * pl.col("choice") >= pl.max_horizontal(pl.col("choice").max(), pl.lit(n_paper))
    return where & pl.col("digest").is_in(choices.filter(is_open)["digest"].to_list())


@cache
def _papers_choices() -> Counter[tuple[str, str]]:
    """How many choices the paper has of each algorithm, in all ("") and by reduction."""
    runs = [Run.from_text(text) for text in paper_choices()]
    by_reduction = Counter((run.label, run.reduction or "") for run in runs if run.reduction)
    return by_reduction + Counter((run.label, "") for run in runs)


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


def text_of(comparison: Comparison) -> str:
    """A comparison in words."""
    if isinstance(comparison, Duel):
        return _duel_text(comparison)
    if isinstance(comparison, Shift):
        return f"{_duel_text(comparison.more)} more than {_duel_text(comparison.less)}"
    if isinstance(comparison, Errors):
        return _errors_text(comparison)
    return f"{comparison.label} first in a subset"


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
