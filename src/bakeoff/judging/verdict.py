"""The verdict: who leads, by how much, how sure that is, and why it is not surer.

The rule is here and nowhere else: a winner is clear if chance, size, robustness and influence
(evidence.py) all say so; else the first of them that does not, makes the sentence.
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any

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
from bakeoff.judging.losses import Losses
from bakeoff.judging.statistics.leads import FEW, Grade
from bakeoff.judging.statistics.signed_rank import SAME
from bakeoff.judging.statistics.significance import used_tests
from bakeoff.judging.views import (
    CORRECTIONS,
    ONE_RATE,
    RULES,
    Criteria,
    everybody,
    main_contest,
    peeking_reason,
)
from bakeoff.judging.wording import at_start, chance_in_words, datasets, full_name, listed, names

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

    def __iter__(self) -> Iterator[str]:
        """All sentences: the verdict, its reasons, and notes."""
        return iter([self.sentence, *self.reasons, *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """The same as JSON takes it: what is not known is None."""
        result = _plain(asdict(self))
        for one in result["algorithms"]:
            one["name"] = full_name(one["label"])
        return dict(result)


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
        _sentence(found),
        found.grade,
        _reasons(found),
        _notes(losses, criteria, contest),
        **vars(found),
        beside=_beside(contest),
    )


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
    if len(contest.labels) != 1 or not contest.n:
        return replace(empty, sentence=f"There is nothing to compare yet: {_lacks(contest)}")
    unknown = float("nan")
    one = Against(
        contest.labels[0], contest.n, float(contest.losses.mean()), 0.0, unknown, unknown,
        0, 0, 0, unknown, unknown, "open",
    )  # fmt: skip
    return replace(
        empty,
        sentence=f"{at_start(one.label)} has {_loss(contest.n)} {one.mean_loss:.3f} on "
        f"{datasets(contest.n)}; there is no other algorithm to compare it with",
        notes=list(_on_rates(losses, criteria)),
        algorithms=[one],
        beside=_beside(contest),
    )


def _lacks(contest: Contest) -> str:
    if len(contest.labels) < 2:
        return "no algorithm has a loss"
    return "no two algorithms have a loss on the same dataset"


def _loss(n: int) -> str:
    return "a loss of" if n == 1 else "a mean loss of"


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
    if found.chance.datasets < FEW:
        few = found.chance.datasets
        are = "is" if few == 1 else "are"
        return f"{first} leads, but {datasets(few)} {are} too few to call a winner"
    if hindsight := _hindsight(found):
        return f"{first} leads if rates are tuned in hindsight; {hindsight}"
    decisive = found.influence.decisive
    if len(decisive) == 1:
        return f"{first} leads, on the strength of one dataset ({decisive[0].dataset})"
    if found.chance.grade == "open":
        return f"{first} leads, but not clearly: {_why_open(found)}"
    if found.size.not_higher:
        lower = names(found.size.not_higher)
        loss = "loss is" if len(found.size.not_higher) == 1 else "losses are"
        return f"{first} wins most often, but the mean {loss} no higher for {lower}"
    if found.size.grade != "clear":
        perhaps = "but" if found.size.grade == "open" else "perhaps"
        return f"{first} leads, {perhaps} by too little to matter"
    if decisive:
        return f"{first} leads, but {len(decisive)} single datasets could each change that"
    if found.robustness.grade != "clear":
        return f"{first} leads, but not in every way of counting: {_elsewhere(found)}"
    if found.grade == "likely":
        return f"{first} is the likely winner, {_by(found)}"
    return f"{first} is a clear winner, {_by(found)}"


def _level(labels: tuple[str, ...]) -> str:
    return listed([at_start(labels[0]), *map(full_name, labels[1:])])


def _by(found: Evidence) -> str:
    """The least distance to any rival, in units of loss."""
    nearest = min(found.algorithms[1:], key=lambda one: one.difference)
    others = "" if len(found.algorithms) == 2 else " or more"
    return f"by {nearest.difference:.3f} of mean loss{others}"


def _why_open(found: Evidence) -> str:
    near = found.size.within
    if near:
        are = "is" if len(near) == 1 else "are"
        return f"{names(near)} {are} within {SAME:g}"
    return f"its lead over {full_name(found.chance.rival)} may be chance"


def _hindsight(found: Evidence) -> str:
    """What holds without peeking, if only peeking makes the leader lead surely."""
    if found.view != "fixed" or found.chance.grade == "open":
        return ""
    shown = next((way.encoding, way.test) for way in found.robustness.ways if way.is_shown)
    honest = [
        way for way in found.robustness.ways
        if (way.view, way.encoding, way.test) == ("unpeeked", *shown)
    ]  # fmt: skip
    if not honest or (honest[0].leader == found.leader and honest[0].grade != "open"):
        return ""
    way = honest[0]
    if way.leader is None or way.grade == "open":
        return "without, nobody does clearly"
    return f"without, {full_name(way.leader)} does"


def _elsewhere(found: Evidence) -> str:
    ways, leads, clear = found.robustness.ways, found.robustness.leads, found.robustness.clear
    if leads == len(ways):
        return f"clearly in {clear} of {len(ways)}"
    return f"first in {leads} of {len(ways)}"


# ---- reasons


def _reasons(found: Evidence) -> list[str]:
    """What each of the four parts says, in short sentences."""
    if found.leader is None:
        return [_size(found)]
    if found.level:
        return [_size(found), *_ways(found)]
    return [_chance(found), _size(found), *_ways(found), _influence(found)]


def _chance(found: Evidence) -> str:
    rival, p = full_name(found.chance.rival), found.chance.p
    if p > 0.995:
        often = "nearly always"
    else:
        often = f"with {chance_in_words(p)}"
    return (
        f"Closest rival: {rival}; if the two were equally good, a lead this large "
        f"would come by chance {often}."
    )


def _size(found: Evidence) -> str:
    first, second = found.algorithms[:2]
    if not second.datasets:
        return f"{at_start(first.label)} and {full_name(second.label)} never met."
    gap, two = second.difference, f"{at_start(first.label)}'s mean loss is"
    if round(gap, 4) == 0:
        text = f"{two} the same as {full_name(second.label)}'s"
    else:
        text = f"{two} {_gap(gap)} than {full_name(second.label)}'s"
    if not math.isnan(second.low):
        text += f" ({_gap(second.low)} to {_gap(second.high)} in 95 % of resamples)"
    return f"{text}; less than {SAME:g} hardly matters."


def _gap(difference: float) -> str:
    """A difference to a rival in words.

    >>> _gap(0.002), _gap(-0.001)
    ('0.0020 lower', '0.0010 higher')
    """
    return f"{abs(difference):.4f} {'lower' if difference >= 0 else 'higher'}"


def _ways(found: Evidence) -> list[str]:
    ways, leads, clear = found.robustness.ways, found.robustness.leads, found.robustness.clear
    if len(ways) < 2:
        return []
    first = at_start(found.algorithms[0].label)
    text = f"{first} leads in {leads} of {len(ways)} ways of counting, clearly in {clear or 'none'}"
    others = _other_leaders(ways, found.leader)
    return [f"{text}; {others}." if others else f"{text}."]


def _other_leaders(ways: tuple[Way, ...], leader: str | None) -> str:
    times: dict[str, int] = {}
    for way in ways:
        if way.leader is not None and way.leader != leader:
            times[way.leader] = times.get(way.leader, 0) + 1
    ranked = sorted(times.items(), key=lambda one: -one[1])
    return listed([f"{full_name(label)} in {n}" for label, n in ranked], 4) if ranked else ""


def _influence(found: Evidence) -> str:
    decisive = found.influence.decisive
    if not decisive:
        return "No single dataset decides: without any one of them it would still lead."
    if len(decisive) == 1:
        return f"Without {decisive[0].dataset}, {full_name(decisive[0].leader)} would lead."
    which = listed([one.dataset for one in decisive])
    return f"Without one of {len(decisive)} datasets ({which}) another would lead."


# ---- notes


def _notes(losses: Losses, criteria: Criteria, contest: Contest) -> list[str]:
    """What one should know before one believes a verdict."""
    return [
        *_on_rates(losses, criteria),
        *_on_test(contest, criteria),
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


def _on_test(contest: Contest, criteria: Criteria) -> Iterator[str]:
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
    else:
        yield "You ran one shuffle, so single wins may be luck; run `--shuffles 10`."


def _on_datasets(contest: Contest) -> Iterator[str]:
    """Relatives, gaps, and datasets on which the paper tuned."""
    n_families = len(set(family_names(contest.problems)))
    if n_families < contest.n:
        yield (
            f"The {datasets(contest.n)} come from {counted(n_families, 'source')}; resamples "
            f"draw whole sources, but p-values take the datasets as independent."
        )
    n_gaps = contest.n - int(contest.is_common.sum())
    if n_gaps:
        yield (
            f"On {n_gaps:,} of the datasets some algorithm has no loss; there only the "
            f"others are compared, so the order may change."
        )
    n_tuning = int(contest.problems["tuning"].sum())
    if n_tuning:
        yield (
            f"{n_tuning:,} of the datasets are on the paper's tuning list, from which "
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
