"""Recommendations: the paper's guidelines (Section 5), derived from a store.

Each says what to do and the numbers behind it; where a store cannot tell, it says what
it would take.
"""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from bakeoff.judging.competitors import (
    election_notes,
    fixed,
    fixed_choices,
    not_optimised,
    reductions,
)
from bakeoff.judging.contest import Competitor, Contest, contest_of
from bakeoff.judging.evidence import against_leader, chance_of, influence_of, size_of, weakest
from bakeoff.judging.losses import Losses
from bakeoff.judging.rates import rates_of
from bakeoff.judging.standings import Standing, standings
from bakeoff.judging.statistics.leads import FEW, LEADS, Grade, is_clear
from bakeoff.judging.statistics.significance import tally
from bakeoff.judging.verdict import verdict
from bakeoff.judging.views import ALL, BREAKDOWNS, LARGE, Criteria, encoding_duels, main_contest
from bakeoff.judging.wording import chance_in_words, counts, datasets, name_of
from bakeoff.runs import CENTRED, with_inputs


class Advice(NamedTuple):
    """What to do on one topic, and why."""

    topic: str
    text: str
    facts: dict[str, Any] | None = None  # the numbers of the text, by name


def recommend(losses: Losses, criteria: Criteria) -> list[Advice]:
    """All advice that the results support."""
    contest = main_contest(losses, criteria)
    if contest.n == 0 or len(contest.labels) < 2:
        return [Advice("algorithm", str(verdict(losses, criteria)))]
    leader = _standings(contest, criteria)[0]
    found = verdict(losses, criteria)
    facts = _place(leader) | {"grade": found.grade}
    return [
        Advice("algorithm", " ".join([f"{found}.", *found.reasons]), facts),
        *_where_it_changes(contest, leader, criteria),
        *_optimised(losses, leader, criteria),
        *_hyperparameters(losses, leader, criteria),
        *_learning_rate(losses, leader, criteria),
        *_other_rates(losses, leader, criteria),
        *_encoding(losses, criteria),
        *_reductions(losses, criteria),
        *_baseline(losses, criteria),
        *_inputs(losses, criteria),
        *_uniform_exploration(contest, criteria),
        *_offline(contest, leader),
    ]


def _standings(contest: Contest, criteria: Criteria) -> list[Standing]:
    return standings(contest, criteria.wins(contest))


def _place(first: Standing) -> dict[str, Any]:
    """The first algorithm, and its numbers on the datasets on which it was played."""
    return {
        "algorithm": first.label,
        "wins": first.wins,
        "losses": first.losses,
        "datasets": first.n,
        "grade": first.grade,
        "p_of_lead": None if math.isnan(first.chance) else first.chance,
    }


def _where_it_changes(contest: Contest, leader: Standing, criteria: Criteria) -> Iterator[Advice]:
    """Kinds of datasets on which another algorithm comes first."""
    same = []
    for kind in BREAKDOWNS:
        part = contest.only(kind)
        if part.n < FEW:
            continue
        first, second = _standings(part, criteria)[:2]
        if first.score == second.score:
            continue
        if first.label == leader.label:
            same.append((str(kind), part.n))
            continue
        grade = _grade_on(part, criteria)
        yield Advice(
            f"if {kind}",
            f"on these {first.n} datasets {name_of(first.label)} {LEADS[grade]} "
            f"({counts(first.wins, first.losses)}).",
            {"condition": str(kind), **_place(first), "grade": grade},
        )
    if same:
        kinds = "; ".join(f"{kind} ({n})" for kind, n in same)
        yield Advice(
            "stays",
            f"{name_of(leader.label)} also leads on datasets with {kinds}.",
            {"algorithm": leader.label, "datasets": dict(same)},
        )


def _grade_on(part: Contest, criteria: Criteria) -> Grade:
    """How sure a lead on some of the datasets is: chance, size and influence, as in a verdict."""
    outcomes = criteria.wins(part)
    places = against_leader(part, outcomes)
    found = (chance_of(places), size_of(places), influence_of(part, outcomes))
    return weakest(one.grade for one in found)


def _optimised(losses: Losses, leader: Standing, criteria: Criteria) -> Iterator[Advice]:
    """Which algorithm is best if hyperparameters are tuned."""
    contest = main_contest(losses, criteria, "optimised")
    if contest.n == 0 or len(contest.labels) < 2:
        return
    first = _standings(contest, criteria)[0]
    left_out = not_optimised(losses, criteria.encoding_of(losses), losses.algorithms)
    without = f" ({', '.join(left_out)} left out: one choice only)" if left_out else ""
    yield Advice(
        "if you tune",
        f"with the best hyperparameters for each dataset{without}, "
        f"{_leads(first, leader)}. That is chosen on the data it is judged "
        f"on, so it is an upper bound.",
        {**_place(first), "left_out": left_out},
    )


def _leads(first: Standing, leader: Standing) -> str:
    """Which algorithm is first in another view, if it is the same, and how sure that is."""
    name, n = name_of(first.label), first.n
    if not first.wins:
        return f"no difference is significant on {datasets(n)}"
    if n < FEW:
        return f"{name} leads on {datasets(n)} ({counts(first.wins, first.losses)})"
    also = "also " if first.label == leader.label else ""
    return (
        f"{name} {also}{LEADS[first.grade]} ({counts(first.wins, first.losses)}; "
        f"{chance_in_words(first.chance)})"
    )


def _hyperparameters(losses: Losses, leader: Standing, criteria: Criteria) -> Iterator[Advice]:
    encoding = criteria.encoding_of(losses)
    chosen = fixed_choices(losses, encoding, criteria.test)[leader.label]
    text = f'the numbers above are for "{chosen.choice}"'
    if chosen.elsewhere:
        text += f" (on {datasets(len(chosen.elsewhere))} the others elect another one)"
    facts = {
        **chosen.choice._asdict(),
        "elected_elsewhere": sorted({str(choice) for choice in chosen.elsewhere.values()}),
    }
    notes = election_notes(losses, encoding, criteria.test, [leader.label])
    yield Advice("settings", " ".join([f"{text}.", *notes]), facts)


def _learning_rate(losses: Losses, leader: Standing, criteria: Criteria) -> Iterator[Advice]:
    encoding = criteria.encoding_of(losses)
    competitors = fixed(losses, encoding, [leader.label], criteria.test)
    one = next(iter(rates_of(losses, competitors, criteria.condition)), None)
    if one is None or one.n_rates < 2:
        return
    low, high = one.quartiles
    ends = one.n_lowest + one.n_highest
    text = (
        f"start with {one.rate:g} (mean loss {one.loss_at_rate:.4f} with this rate on "
        f"{datasets(one.n)}, {one.loss:.4f} with the best on each)."
    )
    if one.n >= FEW:
        best = f"{low:g}" if low == high else f"{low:g} to {high:g}"
        text += f" The middle half of the datasets do best at {best}."
    if ends > one.n / 10:
        text += f" On {datasets(ends)} the best rate is at an end of the grid: widen it."
    facts = {
        "algorithm": one.label,
        "learning_rate": one.rate,
        "datasets": one.n,
        "mean_loss": one.loss_at_rate,
        "mean_loss_with_the_best_rate_on_each": one.loss,
        "middle_half": one.quartiles,
        "datasets_at_an_end": ends,
    }
    yield Advice("learning rate", text, facts)


def _other_rates(losses: Losses, leader: Standing, criteria: Criteria) -> Iterator[Advice]:
    """Which algorithm is first if learning rates are chosen in another way."""
    if not losses.has_several_rates:
        return
    for view, (topic, how) in OTHER_RATES.items():
        contest = main_contest(losses, criteria, view)
        if view == criteria.view_of(losses) or contest.n < FEW or len(contest.labels) < 2:
            continue
        first = _standings(contest, criteria)[0]
        yield Advice(topic, f"{how}, {_leads(first, leader)}.", _place(first))


OTHER_RATES = {
    "fixed": ("if you tune the rate", "with the best learning rate of each dataset, in hindsight"),
    "unpeeked": ("without tuning the rate", "with the rate that is best on the other datasets"),
    "other_orders": (
        "if you tune the rate on other shuffles",
        "with the rate that is best in the other shuffles of a dataset",
    ),
}


def _encoding(losses: Losses, criteria: Criteria) -> Iterator[Advice]:
    """-1/0 against 0/1, all and large datasets, over all algorithms."""
    pairs = encoding_duels(losses, criteria, "fixed") | encoding_duels(losses, criteria)
    duels = [contest_of(losses, both, criteria.condition) for both in pairs.values()]
    for condition in (ALL, LARGE):
        by_problem: Counter[str] = Counter()  # wins minus losses of -1/0
        won = lost = 0
        for duel in duels:
            contest = duel.only(condition)
            beats = criteria.wins(contest)
            scores = beats[0, 1].astype(int) - beats[1, 0]
            both = np.flatnonzero(contest.is_common)
            digests = contest.problems["digest"]
            by_problem.update({digests[int(i)]: int(scores[i]) for i in both})
            won, lost = won + int(beats[0, 1].sum()), lost + int(beats[1, 0].sum())
        if len(by_problem) < FEW:
            continue
        for_it = sum(score > 0 for score in by_problem.values())
        against = sum(score < 0 for score in by_problem.values())
        better, worse = ("-1/0", "0/1") if for_it >= against else ("0/1", "-1/0")
        verb = "is" if is_clear(for_it, against) else "is not clearly"
        most, least = max(for_it, against), min(for_it, against)
        text = f"{better} {verb} better than {worse}: better on {datasets(most)}, worse on "
        text += f"{least or 'none'}, the same on {(len(by_problem) - most - least) or 'none'}"
        if not most:
            text = f"{better} and {worse} are level on all {datasets(len(by_problem))}"
        yield Advice(
            "encoding" if condition == ALL else f"encoding if {condition}",
            f"{text} (-1/0 has {counts(won, lost)} over all algorithms).",
            {
                "encoding": better,
                "condition": str(condition),
                "is_clear": verb == "is",
                "datasets": len(by_problem),
                "datasets_for": most,
                "datasets_against": least,
            },
        )


def _reductions(losses: Losses, criteria: Criteria) -> Iterator[Advice]:
    """The best reduction of each algorithm that was played with several."""
    encoding = criteria.encoding_of(losses)
    for label in losses.algorithms:
        several = reductions(losses, label, encoding)
        contest = contest_of(losses, several, criteria.condition).compared()
        if contest.is_common.sum() < FEW or len(contest.labels) < 2:
            continue
        first = _standings(contest, criteria)[0]
        which = f"{first.label} for {name_of(label)}"
        if first.grade != "clear":
            which = f"none is clearly best for {name_of(label)}; {first.label} leads"
        yield Advice(
            "reduction",
            f"{which}: {counts(first.wins, first.losses)} against the others over "
            f"{datasets(int(contest.is_common.sum()))}.",
            {
                **_place(first),
                "datasets": int(contest.is_common.sum()),
                "algorithm": label,
                "reduction": first.label,
            },
        )


def _baseline(losses: Losses, criteria: Criteria) -> Iterator[Advice]:
    encoding = criteria.encoding_of(losses)
    pairs = {
        label: [
            Competitor(name, chosen.where(label, encoding, baseline=on))
            for name, on in (("without", False), ("with", True))
        ]
        for label, chosen in fixed_choices(losses, encoding, criteria.test).items()
    }
    for verb, text, wins in _effects(losses, criteria, pairs):
        yield Advice("baseline", f"a shared baseline {text}.", {"effect": verb, "algorithms": wins})


def _inputs(losses: Losses, criteria: Criteria) -> Iterator[Advice]:
    """Centred against raw inputs, for the algorithms that were played with both."""
    encoding = criteria.encoding_of(losses)
    competitors = {one.label: one for one in fixed(losses, encoding, test=criteria.test)}
    pairs = {
        label: [one, competitors[with_inputs(label, CENTRED)]]
        for label, one in competitors.items()
        if with_inputs(label, CENTRED) in competitors
    }
    for verb, text, wins in _effects(losses, criteria, pairs):
        yield Advice("inputs", f"centring {text}.", {"effect": verb, "algorithms": wins})
    if not any(label.endswith(CENTRED) for label in competitors):
        yield Advice(
            "inputs",
            "all inputs were raw; `--inputs raw --inputs centred` plays both, and centred ones "
            "often matter more than the algorithm (docs/evidence/inputs.md).",
        )


def _effects(
    losses: Losses, criteria: Criteria, pairs: dict[str, list[Competitor]]
) -> Iterator[tuple[str, str, dict[str, dict[str, int]]]]:
    """Whether the second of each pair is better: a verb, a text, and wins and losses."""
    effects: dict[str, dict[str, tuple[int, int]]] = {
        "helps": {},
        "hurts": {},
        "has no clear effect on": {},
    }
    for label, pair in pairs.items():
        contest = contest_of(losses, pair, criteria.condition)
        if contest.is_common.sum() < FEW:
            continue
        beats = tally(criteria.wins(contest))
        won, lost = int(beats[1, 0]), int(beats[0, 1])
        verb = "helps" if won > lost else "hurts"
        verb = verb if is_clear(won, lost) else "has no clear effect on"
        effects[verb][label] = won, lost
    for verb, by_label in effects.items():
        labels = [f"{label} ({counts(*some)})" for label, some in by_label.items()]
        if labels:
            wins = {label: {"wins": w, "losses": n} for label, (w, n) in by_label.items()}
            yield verb, f"{verb} {', '.join(labels)}", wins


def _uniform_exploration(contest: Contest, criteria: Criteria) -> Iterator[Advice]:
    """Methods that explore uniformly against their variants that do not."""
    if contest.n < FEW:
        return
    beats = tally(criteria.wins(contest))
    for uniform, other in (("eG", "G"), ("C-u", "C-nu")):
        if not {uniform, other} <= set(contest.labels):
            continue
        u, o = contest.labels.index(uniform), contest.labels.index(other)
        verb = "costs" if beats[u, o] < beats[o, u] else "gains"
        if not is_clear(int(beats[u, o]), int(beats[o, u])):
            verb = "has no clear effect on"
        yield Advice(
            f"uniform exploration ({uniform})",
            f"{verb} performance: {name_of(uniform)} has "
            f"{counts(beats[u, o], beats[o, u])} against {name_of(other)}.",
            {
                "algorithm": uniform,
                "against": other,
                "wins": int(beats[u, o]),
                "losses": int(beats[o, u]),
            },
        )


def _offline(contest: Contest, leader: Standing) -> Iterator[Advice]:
    """Which algorithm's logs are best for evaluating other policies."""
    errors = {
        label: chosen["ips_reward_error"].sqrt().median()
        for label, chosen in zip(contest.labels, contest.chosen, strict=True)
    }
    known = {label: float(e) for label, e in errors.items() if isinstance(e, float)}
    if leader.label not in known or len(known) < 2:
        return
    best = min(known, key=lambda label: known[label])
    beside = f", from logs of {name_of(leader.label)} with {known[leader.label]:.3f}"
    yield Advice(
        "offline evaluation",
        f"if logs must tell how another policy would do, {name_of(best)} has the best: "
        f"the uniform policy's loss is estimated with a median error of "
        f"{known[best]:.3f}{beside if best != leader.label else ''}.",
        {
            "algorithm": best,
            "median_error": known[best],
            "leader": leader.label,
            "leader_error": known[leader.label],
        },
    )
