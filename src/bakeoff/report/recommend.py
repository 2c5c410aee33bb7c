"""Recommendations: the paper's guidelines (Section 5) as they come out of a store.

Each says what to do and the numbers behind it; where a store cannot tell, it says what
it would take.
"""

import math
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import polars as pl

from bakeoff.report.rates import rates_of
from bakeoff.report.standings import Standing, standings
from bakeoff.report.verdict import (
    CLEAR,
    FEW,
    counts,
    datasets,
    main_contest,
    name_of,
    verdict,
)
from bakeoff.report.views import (
    ALL,
    BREAKDOWNS,
    LARGE,
    Asked,
    encoding_duels,
    fixed_choices,
    reductions,
    settings,
)
from bakeoff.statistics.contest import Competitor, Contest, contest
from bakeoff.statistics.losses import Losses
from bakeoff.statistics.significance import tally

ENOUGH = 5  # datasets of a kind that are worth a word


class Advice(NamedTuple):
    """What to do about something, and why."""

    topic: str
    text: str


def recommend(losses: Losses, asked: Asked) -> list[Advice]:
    """All that the store has to say."""
    held = main_contest(losses, asked)
    if held.n == 0 or len(held.labels) < 2:
        return [Advice("algorithm", verdict(held, asked)[0])]
    leader = _standings(held, asked)[0]
    return [
        Advice("algorithm", " ".join(verdict(held, asked))),
        *_where_it_changes(held, leader, asked),
        *_optimised(losses, leader, asked),
        *_hyperparameters(losses, leader, asked),
        *_learning_rate(losses, leader, asked),
        *_at_one_rate(losses, leader, asked),
        *_encoding(losses, asked),
        *_reductions(losses, asked),
        *_baseline(losses, asked),
        *_uniform_exploration(held, asked),
        *_offline(held, leader),
    ]


def _standings(held: Contest, asked: Asked) -> list[Standing]:
    return standings(held, asked.wins(held))


def _is_clear(won: int, lost: int) -> bool:
    """Whether fair coins would seldom (one time in twenty) be as uneven."""
    return abs(won - lost) > 2 * math.sqrt(won + lost)


def _where_it_changes(
    held: Contest, leader: Standing, asked: Asked
) -> Iterator[Advice]:
    """Kinds of datasets on which somebody else comes first."""
    same = []
    for kind in BREAKDOWNS:
        part = held.only(kind)
        if part.n < ENOUGH:
            continue
        first, second = _standings(part, asked)[:2]
        if first.score == second.score:
            continue
        if first.label == leader.label:
            same.append(f"{kind} ({part.n})")
            continue
        sure = "first" if first.first >= CLEAR else "ahead, but not clearly: first"
        yield Advice(
            f"if {kind}",
            f"{name_of(first.label)} is {sure} in {first.first:.0%} of resamples of "
            f"these {part.n} datasets ({counts(first.wins, first.losses)}).",
        )
    if same:
        kinds = "; ".join(same)
        yield Advice(
            "stays", f"{name_of(leader.label)} is also first for (datasets): {kinds}."
        )


def _optimised(losses: Losses, leader: Standing, asked: Asked) -> Iterator[Advice]:
    """Who has the best potential, if one can afford to tune."""
    held = main_contest(losses, asked, "optimised")
    played = losses.settings.filter(pl.col("encoding") == asked.encoding_of(losses))
    if not (
        played.group_by("algorithm").agg(pl.col("choice").n_unique())["choice"] > 1
    ).any():
        return
    first = _standings(held, asked)[0]
    yield Advice(
        "if you tune",
        f"with the best hyperparameters for each dataset, "
        f"{_leads(first, leader, held.n)}. That is chosen on the data it is judged on, "
        f"so it is an upper bound.",
    )


def _leads(first: Standing, leader: Standing, n: int) -> str:
    """Who is first in another view, whether that is who was before, how sure it is."""
    name = name_of(first.label)
    if not first.wins:
        return f"no difference is significant on {datasets(n)}"
    if n < FEW:
        return f"{name} leads on {datasets(n)} ({counts(first.wins, first.losses)})"
    also = "also " if first.label == leader.label else ""
    place = "first" if first.first >= CLEAR else "ahead, but not clearly"
    return (
        f"{name} is {also}{place} ({counts(first.wins, first.losses)}; first in "
        f"{first.first:.0%} of resamples)"
    )


def _hyperparameters(
    losses: Losses, leader: Standing, asked: Asked
) -> Iterator[Advice]:
    choice = fixed_choices(losses, asked.encoding_of(losses))[leader.label]
    yield Advice("settings", f'the numbers above are for "{choice}".')


def _learning_rate(losses: Losses, leader: Standing, asked: Asked) -> Iterator[Advice]:
    found = rates_of(losses, asked.encoding_of(losses), asked.condition)
    one = next((rate for rate in found if rate.label == leader.label), None)
    if one is None or one.n_rates < 2:
        return
    low, high = one.quartiles
    ends = one.n_lowest + one.n_highest
    said = (
        f"start with {one.rate:g} (mean loss {one.loss_at_rate:.4f} with this rate on "
        f"{datasets(one.n)}, {one.loss:.4f} with the best on each)."
    )
    if one.n >= ENOUGH:
        said += f" Half of the datasets want {low:g} to {high:g}."
    if ends > one.n / 10:
        said += (
            f" On {datasets(ends)} the best rate is at an end of the grid: widen it."
        )
    yield Advice("learning rate", said)


def _at_one_rate(losses: Losses, leader: Standing, asked: Asked) -> Iterator[Advice]:
    """Who is first if nobody may choose the learning rate for each dataset."""
    encoding = asked.encoding_of(losses)
    choices = fixed_choices(losses, encoding)
    competitors = [
        Competitor(
            rates.label,
            settings(rates.label, encoding, choice=choices[rates.label])
            & (pl.col("learning_rate") == rates.rate),
        )
        for rates in rates_of(losses, encoding, asked.condition)
        if rates.n_rates > 1
    ]
    held = contest(losses, competitors, asked.condition).of_those_who_play()
    if held.n < ENOUGH or len(held.labels) < 2:
        return
    first = _standings(held, asked)[0]
    rate = held.chosen[held.labels.index(first.label)]["learning_rate"].drop_nulls()[0]
    at = f"; its rate is {rate:g}" if first.wins else ""
    yield Advice(
        "without tuning the rate",
        f"at one learning rate for all datasets, each algorithm at its best one, "
        f"{_leads(first, leader, held.n)}{at}.",
    )


def _encoding(losses: Losses, asked: Asked) -> Iterator[Advice]:
    """-1/0 against 0/1, all and large datasets, over all algorithms."""
    duels = [
        contest(losses, both, asked.condition)
        for both in encoding_duels(losses).values()
    ]
    for condition in (ALL, LARGE):
        by_problem: Counter[str] = Counter()  # wins minus losses of -1/0
        won = lost = 0
        for duel in duels:
            held = duel.only(condition)
            beats = asked.wins(held)
            scores = beats[0, 1].astype(int) - beats[1, 0]
            both = np.flatnonzero(held.is_common)
            digests = held.problems["digest"]
            by_problem.update({digests[int(i)]: int(scores[i]) for i in both})
            won, lost = won + int(beats[0, 1].sum()), lost + int(beats[1, 0].sum())
        if len(by_problem) < ENOUGH:
            continue
        for_it = sum(score > 0 for score in by_problem.values())
        against = sum(score < 0 for score in by_problem.values())
        better, worse = ("-1/0", "0/1") if for_it >= against else ("0/1", "-1/0")
        verb = "is" if _is_clear(for_it, against) else "is not clearly"
        where = "" if condition == ALL else f" on datasets with {condition}"
        yield Advice(
            "encoding",
            f"{better} {verb} better than {worse}{where}: of {len(by_problem)} "
            f"datasets {max(for_it, against)} speak for it, {min(for_it, against)} "
            f"against (-1/0 has {counts(won, lost)} over all algorithms).",
        )


def _reductions(losses: Losses, asked: Asked) -> Iterator[Advice]:
    """The best reduction of each algorithm that was played with several."""
    encoding = asked.encoding_of(losses)
    for label in losses.algorithms:
        held = contest(losses, reductions(label, encoding), asked.condition)
        held = held.of_those_who_play()
        if held.is_common.sum() < ENOUGH or len(held.labels) < 2:
            continue
        first = _standings(held, asked)[0]
        which = f"{first.label} for {name_of(label)}"
        if first.first < CLEAR or not _is_clear(first.wins, first.losses):
            which = f"none is clearly best for {name_of(label)}; {first.label} leads"
        yield Advice(
            "reduction",
            f"{which}: {counts(first.wins, first.losses)} against the others over "
            f"{datasets(int(held.is_common.sum()))}.",
        )


def _baseline(losses: Losses, asked: Asked) -> Iterator[Advice]:
    encoding = asked.encoding_of(losses)
    choices = fixed_choices(losses, encoding)
    said: dict[str, list[str]] = {
        "helps": [],
        "hurts": [],
        "has no clear effect on": [],
    }
    for label, choice in choices.items():
        pair = [
            Competitor(name, settings(label, encoding, choice=choice, baseline=on))
            for name, on in (("without", False), ("with", True))
        ]
        held = contest(losses, pair, asked.condition)
        if held.is_common.sum() < ENOUGH:
            continue
        beats = tally(asked.wins(held))
        won, lost = int(beats[1, 0]), int(beats[0, 1])
        verb = "helps" if won > lost else "hurts"
        verb = verb if _is_clear(won, lost) else "has no clear effect on"
        said[verb].append(f"{label} ({counts(won, lost)})")
    for verb, labels in said.items():
        if labels:
            yield Advice("baseline", f"a shared baseline {verb} {', '.join(labels)}.")


def _uniform_exploration(held: Contest, asked: Asked) -> Iterator[Advice]:
    """Methods that explore uniformly against their kin that do not."""
    beats = tally(asked.wins(held))
    for uniform, other in (("eG", "G"), ("C-u", "C-nu")):
        if not {uniform, other} <= set(held.labels):
            continue
        u, o = held.labels.index(uniform), held.labels.index(other)
        verb = "costs" if beats[u, o] < beats[o, u] else "gains"
        if not _is_clear(int(beats[u, o]), int(beats[o, u])):
            verb = "has no clear effect on"
        yield Advice(
            "uniform exploration",
            f"{verb} performance: {name_of(uniform)} has "
            f"{counts(beats[u, o], beats[o, u])} against {name_of(other)}.",
        )


def _offline(held: Contest, leader: Standing) -> Iterator[Advice]:
    """Whose logs can tell what another policy would have done."""
    errors = {
        label: chosen["ips_reward_error"].sqrt().median()
        for label, chosen in zip(held.labels, held.chosen, strict=True)
    }
    known = {label: float(e) for label, e in errors.items() if isinstance(e, float)}
    if leader.label not in known or len(known) < 2:
        return
    best = min(known, key=lambda label: known[label])
    yield Advice(
        "offline evaluation",
        f"if logs must tell how another policy would do, {name_of(best)} has the best: "
        f"the uniform policy's loss is estimated with a median error of "
        f"{known[best]:.3f}, from logs of {name_of(leader.label)} with "
        f"{known[leader.label]:.3f}.",
    )
