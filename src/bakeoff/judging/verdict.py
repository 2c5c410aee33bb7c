"""The verdict in words: who leads, by how much, how sure that is, and why it is not surer.

evidence.py decides: a winner is clear if chance, size, robustness and influence all say so. Here
the first of them that does not makes the sentence. page/assets/verdict.js says the same on the
page.
"""

import importlib
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from bakeoff.basics.text import counted
from bakeoff.judging.competitors import election_notes, sweep_notes
from bakeoff.judging.contest import Contest
from bakeoff.judging.evidence import (
    Against,
    Chance,
    Evidence,
    Influence,
    Robustness,
    Size,
    Way,
    evidence_of,
)
from bakeoff.judging.families import family_names
from bakeoff.judging.losses import Losses, orders_of
from bakeoff.judging.statistics.leads import FEW, GRADES, SAME, Grade
from bakeoff.judging.statistics.regret import in_digits
from bakeoff.judging.statistics.significance import used_tests
from bakeoff.judging.views import (
    CORRECTIONS,
    KINDS,
    ONE_RATE,
    RULES,
    TWINS,
    Criteria,
    everybody,
    main_contest,
    peeking_reason,
)
from bakeoff.judging.wording import (
    LEVEL,
    at_start,
    chance_figure,
    chance_in_words,
    datasets,
    full_name,
    listed,
    names,
    signed,
)

# ---- the verdict


@dataclass(frozen=True)
class Verdict:
    """Who leads and how sure that is; as text, its sentence."""

    sentence: str
    grade: Grade = "open"
    reasons: list[str] = field(default_factory=list)  # what each of the four parts says
    notes: list[str] = field(default_factory=list)  # what one should know to believe it
    leader: str | None = None  # a label; None if no difference is significant
    level: tuple[str, ...] = ()  # labels that share the best score, if several do
    datasets: int = 0
    encoding: str = ""
    view: str = ""  # how settings were chosen (views.KINDS)
    test: str = ""
    about: str = ""  # all of that in words
    chance: Chance | None = None
    size: Size | None = None
    robustness: Robustness | None = None
    influence: Influence | None = None
    algorithms: list[Against] = field(default_factory=list)  # the leader first
    beside: dict[str, float | None] = field(default_factory=dict)  # mean losses of references

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return "\n".join(self)

    def _repr_html_(self) -> str:
        """The sentence, the distances to the leader, and reasons, for notebooks."""
        frames = importlib.import_module("bakeoff.judging.frames")
        return str(frames.verdict_as_html(self))

    def __iter__(self) -> Iterator[str]:
        """All sentences: the verdict, its reasons, and notes."""
        return iter([self.sentence, *self.reasons, *self.notes])

    @property
    def columns(self) -> tuple[str, ...]:
        """The headings of `rows`, but for the labels."""
        return ("loss" if self.datasets == 1 else "mean loss", *COLUMNS[1:])

    def rows(self) -> list[tuple[str, ...]]:
        """The table beside the sentence: a label and COLUMNS of each algorithm, the best first.

        Wins, ties and losses are those against the leader; p is that of the lead over it.
        Below stand the skyline, the best constant action and the uniform policy, if known.
        """
        best = self.algorithms[0].mean_loss if self.algorithms else 0.0
        return [*map(_cells, self.algorithms)] + [
            (BESIDE[name], f"{loss:.4f}", signed(loss - best), "", "", "", "")
            for name, loss in self.beside.items()
            if loss is not None
        ]

    def in_short(self) -> dict[str, Any]:
        """Sentence, grade and reasons, as JSON takes them."""
        return {"sentence": self.sentence, "grade": self.grade, "reasons": self.reasons}

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON takes it: what is not known is None."""
        result = _plain(asdict(self))
        for one in result["algorithms"]:
            one["name"] = full_name(one["label"])
        return dict(result)


COLUMNS = ("mean loss", "vs leader", "wins", "ties", "losses", "p")
BESIDE = {"skyline": "(skyline)", "constant": "(best constant action)", "uniform": "(uniform)"}


def _cells(one: Against) -> tuple[str, ...]:
    if math.isnan(one.p):
        return one.label, _figure(one.mean_loss), "", "", "", "", ""
    counts = map(str, (one.wins, one.ties, one.losses))
    gap = "" if math.isnan(one.difference) else signed(one.difference)
    return one.label, _figure(one.mean_loss), gap, *counts, chance_figure(one.p)


def _figure(loss: float) -> str:
    return "" if math.isnan(loss) else f"{loss:.4f}"


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def verdict(losses: Losses, criteria: Criteria) -> Verdict:
    """The verdict on the leading view of a store; computed once."""
    return losses.once(("verdict", criteria), lambda: _verdict(losses, criteria))


def _verdict(losses: Losses, criteria: Criteria) -> Verdict:
    contest = main_contest(losses, criteria)
    if contest.n == 0 or len(contest.labels) < 2:
        return _nothing(losses, criteria)
    found = evidence_of(losses, criteria, contest)
    return Verdict(
        _on_one(contest) if contest.n == 1 else _sentence(found),
        found.grade,
        _reasons(found),
        _notes(losses, criteria, contest),
        **vars(found),
        about=_about(losses, criteria, contest),
        beside=_beside(contest),
    )


RATES = {
    "unpeeked": "rate chosen on the other datasets",
    "fixed": "best rate of each dataset",
    "one_rate": "one rate for all",
}


def _about(losses: Losses, criteria: Criteria, contest: Contest) -> str:
    """What was compared, and how."""
    orders = max([1, *contest.problems["shuffles"]])
    view = criteria.view_of(losses)
    words = RATES.get(view) or {**KINDS, **TWINS}[view]
    if peeking_reason(losses, criteria) == ONE_RATE:
        words = "one learning rate"
    encoding = criteria.encoding_of(losses)
    return f"{datasets(contest.n)}, {counted(orders, 'shuffle')}, encoding {encoding}, {words}"


def _beside(contest: Contest) -> dict[str, float | None]:
    """Mean losses to measure by, over the datasets on which all were played."""
    columns = {"skyline": "skyline", "constant": "constant_action_cost", "uniform": "uniform_cost"}
    known = contest.problems.filter(pl.Series(contest.is_common))
    return {
        name: float(known[column].cast(pl.Float64).mean())  # type: ignore[arg-type]
        for name, column in columns.items()
        if column in known.columns and known.height and not known[column].has_nulls()
    }


def _nothing(losses: Losses, criteria: Criteria) -> Verdict:
    """What there is to say if nothing was compared: of one algorithm, its losses."""
    encoding, view = criteria.encoding_of(losses), criteria.view_of(losses)
    contest = everybody(losses, criteria, view)
    empty = Verdict("", datasets=contest.n, encoding=encoding, view=view, test=criteria.test)
    empty = replace(empty, about=_about(losses, criteria, contest))
    if len(contest.labels) != 1 or not contest.n:
        return replace(empty, sentence=f"There is nothing to compare yet: {_lacks(contest)}")
    unknown = float("nan")
    one = Against(
        contest.labels[0], contest.n, float(contest.losses.mean()), 0.0, unknown, unknown,
        0, 0, 0, unknown, unknown, "open",
    )  # fmt: skip
    beside = _beside(contest)
    known = [f"{BESIDE[name][1:-1]}: {loss:.3f}" for name, loss in beside.items()]
    return replace(
        empty,
        sentence=f"{at_start(one.label)} has {_loss(contest.n)} {one.mean_loss:.3f} on "
        f"{_where(contest)}{f' ({known[0]})' if known else ''}; "
        "there is no other algorithm to compare it with",
        notes=list(_on_rates(losses, criteria)),
        algorithms=[one],
        beside=beside,
    )


def _lacks(contest: Contest) -> str:
    if len(contest.labels) < 2:
        return "no algorithm has a loss"
    return "no two algorithms have a loss on the same dataset"


def _loss(n: int) -> str:
    return "a loss of" if n == 1 else "a mean loss of"


def _where(contest: Contest) -> str:
    return str(contest.problems["problem"][0]) if contest.n == 1 else datasets(contest.n)


def _on_one(contest: Contest) -> str:
    """One dataset makes no winner: whose loss is the lowest there, and the next one's."""
    losses = dict(zip(contest.labels, in_digits(contest.losses[0]).tolist(), strict=True))
    first, second = sorted(losses, key=losses.__getitem__)[:2]
    best = tuple(label for label in losses if losses[label] == losses[first])
    if len(best) > 1:
        return f"{_level(best)} share the lowest loss on {_where(contest)}"
    return (
        f"{at_start(first)} has the lowest loss on {_where(contest)}: {losses[first]:.3f}, "
        f"{full_name(second)} {losses[second]:.3f}"
    )


# ---- the sentence


def _sentence(found: Evidence) -> str:
    """The verdict in one sentence: the first thing that speaks against a clear winner."""
    n = len(found.algorithms)
    first, second = (at_start(one.label) for one in found.algorithms[:2])
    if found.leader is None:
        who = f"{first} and {second} do not differ" if n == 2 else f"None of {n} algorithms differs"
        return f"{who} significantly on {datasets(found.datasets)}"
    if found.level:
        neither = "neither" if len(found.level) == 2 else "none"
        return f"{_level(found.level)} are level: {neither} leads"
    if found.datasets < FEW:
        return f"{first} leads, but {datasets(found.datasets)} are too few to call a winner"
    if found.chance.datasets < FEW:
        few = f"only {datasets(found.chance.datasets)}" if found.chance.datasets else "no dataset"
        return f"{first} leads, but it shares {few} with {full_name(found.chance.rival)}"
    if hindsight := _hindsight(found):
        return f"{first} leads if rates are tuned in hindsight; {hindsight}"
    decisive = found.influence.decisive
    if len(decisive) == 1:
        return f"{first} leads, on the strength of one dataset ({decisive[0].dataset})"
    if found.chance.grade == "open":
        return f"{first} leads, but not clearly: {_why_open(found)}"
    if found.size.not_higher:
        return f"{first} wins most often, but {_not_higher(found.size.not_higher)}"
    if found.size.grade != "clear":
        perhaps = "but" if found.size.grade == "open" else "perhaps"
        return f"{first} leads, {perhaps} by too little to matter"
    if decisive:
        return f"{first} leads, but {len(decisive)} single datasets could each change that"
    if GRADES.index(found.robustness.grade) < GRADES.index(found.chance.grade):
        return f"{first} leads, but {_elsewhere(found)}"
    if found.grade == "likely":
        return f"{first} is the likely winner, {_by(found)}"
    return f"{first} is a clear winner, {_by(found)}"


def _level(labels: tuple[str, ...]) -> str:
    return listed([at_start(labels[0]), *map(full_name, labels[1:])])


def _by(found: Evidence) -> str:
    """The least distance to any rival, in units of loss."""
    others = "" if len(found.algorithms) == 2 else " or more"
    return f"by {found.size.difference:.3f} of mean loss{others}"


def _not_higher(labels: tuple[str, ...]) -> str:
    loss = "loss is" if len(labels) == 1 else "losses are"
    return f"the mean {loss} no higher for {names(labels)}"


def _why_open(found: Evidence) -> str:
    if found.size.not_higher:
        return _not_higher(found.size.not_higher)
    near = found.size.within
    if near:
        are = "is" if len(near) == 1 else "are"
        return f"{names(near, 2)} {are} within {SAME:g}"
    return f"its lead over {full_name(found.chance.rival)} may be chance"


def _hindsight(found: Evidence) -> str:
    """What holds without peeking, if only peeking makes the leader lead surely."""
    way = found.robustness.without_peeking
    if way is None or found.chance.grade == "open" or not found.robustness.is_hindsight:
        return ""
    if way.leader is None or way.grade == "open":
        return "without, nobody does clearly"
    return f"without, {full_name(way.leader)} does"


def _elsewhere(found: Evidence) -> str:
    """What the ways of counting have in common in which another one leads."""
    ways, robust = found.robustness.ways, found.robustness
    if robust.leads == len(ways):
        return f"clearly in only {robust.clear} of {len(ways)} ways of counting"
    won = [way for way in ways if way.leader == found.leader]
    lost = [way for way in ways if way.leader != found.leader]
    for name, how in HOW.items():
        values = list(dict.fromkeys(getattr(way, name) for way in lost))
        if won and not {getattr(way, name) for way in won} & set(values):
            return f"not {how} {listed([WAYS.get(value, value) for value in values])}"
    return f"only in {robust.leads} of {len(ways)} ways of counting"


HOW = {"encoding": "with the encoding", "view": "with the", "test": "by"}
WAYS = RATES | RULES


# ---- reasons


def _reasons(found: Evidence) -> list[str]:
    """What each of the four parts says, in a short sentence each."""
    if found.leader is None:
        return [_size(found)]
    if found.level:
        return [_size(found), _ways(found)]
    return [_chance(found), _size(found), _ways(found), _influence(found)]


def _chance(found: Evidence) -> str:
    rival = next(one for one in found.algorithms if one.label == found.chance.rival)
    text = f"Closest rival: {full_name(rival.label)} "
    if rival.wins > rival.losses:
        text += f"({rival.wins} to {rival.losses} wins against the leader; "
    else:
        text += "("
    return f"{text}an equal lags this far with {chance_in_words(rival.p)})."


def _size(found: Evidence) -> str:
    first, size = found.algorithms[0], found.size
    if math.isnan(size.difference):
        return f"{at_start(first.label)} and {full_name(size.rival)} never met."
    gap, ends, which = size.difference, (size.low, size.high), ", the next lowest"
    if gap < 0:
        ends, which = (-size.high, -size.low), ", the lowest"
    whose = (
        f"{at_start(first.label)}'s loss is"
        if found.leader is None or found.level
        else "Its loss is"
    )
    how = f"{signed(abs(gap))[1:]} {'below' if gap >= 0 else 'above'}"
    is_level = signed(gap) == LEVEL
    text = f"{whose} {'level with' if is_level else how} {full_name(size.rival)}'s"
    if len(found.algorithms) > 2 and not is_level:
        text += which
    if not math.isnan(size.low):
        text += f" ({signed(ends[0])} to {signed(ends[1])})"
    return f"{text}; {SAME:g} would matter."


def _ways(found: Evidence) -> str:
    ways, leads, clear = found.robustness.ways, found.robustness.leads, found.robustness.clear
    first = f"{at_start(found.algorithms[0].label)} is first" if found.level else "First"
    text = f"{first} in {leads or 'none'} of {counted(len(ways), 'way')} of counting"
    text += f" (clearly in {clear or 'none'})"
    others = _other_leaders(ways, found.leader)
    return f"{text}; {others}." if others else f"{text}."


def _other_leaders(ways: tuple[Way, ...], leader: str | None) -> str:
    times = Counter(way.leader for way in ways if way.leader not in (None, leader))
    return listed([f"{full_name(str(label))} in {n}" for label, n in times.most_common()], 2)


def _influence(found: Evidence) -> str:
    decisive = found.influence.decisive
    if not decisive:
        return "No single dataset decides: without any one of them it would still lead."
    if len(decisive) == 1:
        return f"Without {decisive[0].dataset}, {full_name(decisive[0].leader)} would lead."
    if len(decisive) == 2:
        either = f"{decisive[0].dataset}, or without {decisive[1].dataset}"
        return f"Without {either}, another would lead."
    return (
        f"Without {decisive[0].dataset} (or any of {len(decisive) - 1} others) another would lead."
    )


# ---- notes


def _notes(losses: Losses, criteria: Criteria, contest: Contest) -> list[str]:
    """What one should know before one believes a verdict."""
    return [
        *_on_gaps(contest),
        *_on_rates(losses, criteria),
        *_on_test(contest, criteria, in_file_order=orders_of(losses) == [0]),
        *_on_datasets(contest),
        *election_notes(losses, criteria.encoding_of(losses), criteria.test),
        *sweep_notes(losses, criteria.encoding_of(losses)),
    ]


def _on_rates(losses: Losses, criteria: Criteria) -> Iterator[str]:
    """Where learning rates come from."""
    view = criteria.view_of(losses)
    reason = peeking_reason(losses, criteria)
    if reason == ONE_RATE:
        return
    if view == "unpeeked":
        yield "Each dataset has the learning rate that is best on the other datasets."
    elif view == "fixed":
        why = f": {reason}" if reason and criteria.view is None else ", as in the paper"
        yield f"Each learning rate is the best on its dataset, in hindsight{why}."


def _on_test(contest: Contest, criteria: Criteria, *, in_file_order: bool) -> Iterator[str]:
    """What counts as a win, and what that does not see."""
    yield f"A win is significant by {_rules(contest, criteria)}."
    n_orders = max([1, *contest.problems["shuffles"]])
    if criteria.test == "paired":
        return
    if n_orders > 1:
        yield (
            f"Only averages over your shuffles (up to {n_orders}) were compared; "
            f"`bakeoff report --test paired` (in Python, test='paired') uses all of them."
        )
    elif in_file_order:
        yield (
            "You played the rows in their own order, so single wins may be luck; `--seeds 10` "
            "averages over the luck of exploration, and keeps the order."
        )
    else:
        yield "You ran one shuffle, so single wins may be luck; run `--shuffles 10`."


def _on_gaps(contest: Contest) -> Iterator[str]:
    """Datasets that are not in all figures of the table."""
    gaps = np.isnan(contest.losses)
    names = contest.problems["problem"].filter(pl.Series(gaps.any(axis=1))).to_list()
    if names:
        some = [full_name(contest.labels[a]) for a in np.flatnonzero(gaps.any(axis=0))]
        who = f"{'one of ' * (len(some) > 1)}{listed(some)}"
        yield (
            f"On {datasets(len(names))} ({listed(names)}) {who} has no loss: mean losses leave "
            f"{'it' if len(names) == 1 else 'them'} out, and there only the others are compared, "
            f"so the order may change."
        )


def _on_datasets(contest: Contest) -> Iterator[str]:
    """Relatives, and datasets on which the paper tuned."""
    n_families = len(set(family_names(contest.problems)))
    if n_families < contest.n:
        yield (
            f"The {datasets(contest.n)} come from {counted(n_families, 'source')}; resamples "
            f"draw whole sources, and p-values swap whole sources."
        )
    n_tuning = int(contest.problems["tuning"].sum())
    if n_tuning:
        are = "is" if n_tuning == 1 else "are"
        yield (
            f"{n_tuning:,} of the datasets {are} on the paper's tuning list, from which "
            f"its fixed hyperparameters come; `bakeoff report --held-out` (in Python, "
            f"held_out=True) leaves them out."
        )


def _rules(contest: Contest, criteria: Criteria) -> str:
    """What counts as a win, and on how many datasets."""
    used = used_tests(contest, criteria.test)
    parts = [
        f"{RULES[name]} on {datasets(n)}" if len(used) > 1 else RULES[name]
        for name, n in used.items()
    ]
    return listed(parts, 4) + CORRECTIONS[criteria.correction]
