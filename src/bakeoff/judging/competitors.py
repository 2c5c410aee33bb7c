"""Competitors: each algorithm with the settings that a view lets it choose from."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

import polars as pl

from bakeoff.judging.contest import Competitor, Condition, candidates_of
from bakeoff.judging.losses import Losses
from bakeoff.judging.rates import (
    at_rates,
    at_settings,
    rate_for_all,
    rates_elsewhere,
    settings_elsewhere,
)
from bakeoff.judging.statistics.significance import Test
from bakeoff.judging.voting import ballots_of, fixed_choice
from bakeoff.runs import REDUCTIONS, UNWEIGHTED, Choice, Run, paper_choices, without_inputs


def settings(
    label: str, encoding: str, *, choice: Choice | None = None, baseline: bool = False
) -> pl.Expr:
    """A condition on settings; without a choice, any hyperparameters."""
    where = (pl.col("algorithm") == label) & (pl.col("encoding") == encoding)
    where &= pl.col("baseline") if baseline else ~pl.col("baseline")
    return where if choice is None else where & (pl.col("choice") == str(choice))


# ---- fixed hyperparameters


@dataclass(frozen=True)
class FixedChoice:
    """An algorithm's hyperparameters in the fixed view, and who chose them."""

    choice: Choice
    voters: str = ""  # who elected it; empty if it is the paper's or the only one
    elsewhere: dict[str, Choice] = field(default_factory=dict)  # digests: another choice

    def where(self, label: str, encoding: str, *, baseline: bool = False) -> pl.Expr:
        """A condition on settings: on each dataset, the choice elected by the others."""
        digests: dict[Choice, list[str]] = {}
        for digest, choice in self.elsewhere.items():
            digests.setdefault(choice, []).append(digest)
        usual = ~pl.col("digest").is_in(list(self.elsewhere))
        chosen = (pl.col("choice") == str(self.choice)) & usual
        for choice, some in digests.items():
            chosen |= (pl.col("choice") == str(choice)) & pl.col("digest").is_in(some)
        where = settings(label, encoding, baseline=baseline)
        return where & (chosen if digests else pl.col("choice") == str(self.choice))


TUNING = "the tuning datasets"
OTHERS = "the other datasets"
ITSELF = "the dataset itself"
HOW = {
    TUNING: "The hyperparameters of {} were elected by the tuning datasets, each "
    "dataset's without its own vote; the verdict holds for these.",
    OTHERS: "For each dataset, the hyperparameters of {} were elected by the other "
    "datasets; the verdict holds for these.",
    ITSELF: "The hyperparameters of {} were chosen on the dataset they are judged on, "
    "because only one could vote, so their losses are optimistic.",
}
PAPERS = (
    "The hyperparameters of {} are the paper's; other settings compete where "
    "hyperparameters are optimised, or anywhere under a `label=` of their own."
)


def fixed_choices(losses: Losses, encoding: str, test: Test = "paper") -> dict[str, FixedChoice]:
    """The hyperparameters of each algorithm's fixed view.

    They are the paper's. An algorithm that was not played with those takes what is
    elected by the tuning datasets, or by all if there are none; no dataset votes on
    the hyperparameters that it is judged with itself.
    """
    key = ("fixed choices", encoding, test)
    return losses.once(key, lambda: _fixed_choices(losses, encoding, test))


def _fixed_choices(losses: Losses, encoding: str, test: Test) -> dict[str, FixedChoice]:
    chosen = {}
    for label, choices in _choices(losses, encoding).items():
        paper = _paper_choice(label, encoding, choices)
        if paper is not None:
            chosen[label] = FixedChoice(paper)
        elif len(choices) == 1:
            chosen[label] = FixedChoice(choices[0])
        else:
            chosen[label] = _elected(losses, label, encoding, test)
    return chosen


def _paper_choice(label: str, encoding: str, played: Sequence[Choice]) -> Choice | None:
    """The paper's choice if it was played; in results of version 0.2, DR had importance 1."""
    paper = fixed_choice(label, encoding)
    if paper is None or paper in played:
        return paper
    before = paper._replace(reduction=UNWEIGHTED)
    return before if paper.reduction == "dr" and before in played else None


def _elected(losses: Losses, label: str, encoding: str, test: Test) -> FixedChoice:
    tuning, every = (
        ballots_of(losses, label, encoding, condition, test)
        for condition in (Condition(tuning=True), Condition())
    )
    has_tuning = tuning is not None and len(tuning.voters) > 1
    ballots = tuning if has_tuning else every
    if ballots is None:  # no two choices were played on one dataset
        played = losses.settings.filter(settings(label, encoding))
        return FixedChoice(Choice.from_text(str(played["choice"].cast(pl.String).min())))
    winner = ballots.elect().winner
    others = ballots.elect_without_each()
    voters = TUNING if has_tuning else OTHERS
    return FixedChoice(
        winner,
        voters if others else ITSELF,
        {digest: choice for digest, choice in others.items() if choice != winner},
    )


def _choices(losses: Losses, encoding: str) -> dict[str, list[Choice]]:
    """The choices that each algorithm was played with, without a baseline."""
    return losses.once(("choices", encoding), lambda: _played(losses, encoding))


def _played(losses: Losses, encoding: str) -> dict[str, list[Choice]]:
    played = losses.settings.filter((pl.col("encoding") == encoding) & ~pl.col("baseline"))
    result = {
        label: played.filter(pl.col("algorithm") == label)["choice"].unique().to_list()
        for label in losses.algorithms
    }
    return {
        label: [Choice.from_text(text) for text in sorted(texts)]
        for label, texts in result.items()
        if texts
    }


def fixed(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None, test: Test = "paper"
) -> list[Competitor]:
    """Each algorithm with fixed hyperparameters; only the learning rate is chosen."""
    choices = fixed_choices(losses, encoding, test)
    wanted = losses.algorithms if labels is None else labels
    return [
        Competitor(label, choices[label].where(label, encoding))
        for label in wanted
        if label in choices
    ]


def _at_rates_elsewhere(losses: Losses, encoding: str, test: Test) -> dict[str, Competitor]:
    return {
        label: _with_rates_elsewhere(losses, label, encoding, chosen)
        for label, chosen in fixed_choices(losses, encoding, test).items()
    }


def _with_rates_elsewhere(
    losses: Losses, label: str, encoding: str, chosen: FixedChoice
) -> Competitor:
    rates: dict[str, float] = {}
    for choice in sorted({chosen.choice, *chosen.elsewhere.values()}, key=str):
        # on all other datasets with this choice, whatever they elect themselves
        where = settings(label, encoding, choice=choice)
        rates |= {
            digest: rate
            for digest, rate in rates_elsewhere(losses, where).items()
            if chosen.elsewhere.get(digest, chosen.choice) == choice
        }
    return Competitor(label, chosen.where(label, encoding) & at_rates(rates))


def other_orders(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None, test: Test = "paper"
) -> list[Competitor]:
    """Each algorithm with fixed hyperparameters, and the rate of the other orders of rows."""
    return [one._replace(across=True) for one in fixed(losses, encoding, labels, test)]


def unpeeked(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None, test: Test = "paper"
) -> list[Competitor]:
    """Each algorithm with fixed hyperparameters, and the rate of the other datasets."""
    key = ("rates elsewhere", encoding, test)
    result = losses.once(key, lambda: _at_rates_elsewhere(losses, encoding, test))
    wanted = losses.algorithms if labels is None else labels
    return [result[label] for label in wanted if label in result]


def one_rate(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None, test: Test = "paper"
) -> list[Competitor]:
    """Each algorithm with fixed hyperparameters and one rate for all datasets.

    It is the rate with the least mean loss over all datasets of the store.
    """
    key = ("one rate", encoding, test)
    result = losses.once(key, lambda: _at_one_rate(losses, encoding, test))
    wanted = losses.algorithms if labels is None else labels
    return [result[label] for label in wanted if label in result]


def _at_one_rate(losses: Losses, encoding: str, test: Test) -> dict[str, Competitor]:
    result = {}
    for label, chosen in fixed_choices(losses, encoding, test).items():
        where = chosen.where(label, encoding)
        rate = rate_for_all(losses, where)
        if rate is not None:
            at_rate = pl.col("learning_rate") == rate
            result[label] = Competitor(label, where & at_rate)
    return result


def election_notes(
    losses: Losses, encoding: str, test: Test, among: Sequence[str] | None = None
) -> list[str]:
    """Sentences on which algorithms' hyperparameters were elected, and by whom."""
    labels: dict[str, list[str]] = {}
    for label, chosen in fixed_choices(losses, encoding, test).items():
        if among is None or label in among:
            labels.setdefault(chosen.voters, []).append(label)
    return [HOW[voters].format(", ".join(some)) for voters, some in labels.items() if voters]


def sweep_notes(losses: Losses, encoding: str) -> list[str]:
    """Sentences on the algorithms whose sweep is not used, as the paper's choice was played."""
    labels = [
        label
        for label, choices in _choices(losses, encoding).items()
        if len(choices) > 1 and _paper_choice(label, encoding, choices)
    ]
    return [PAPERS.format(", ".join(labels))] if labels else []


# ---- optimised hyperparameters


def optimised(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None
) -> list[Competitor]:
    """Each algorithm with the best hyperparameters on each problem.

    Algorithms take part that were played with several, and those that have none.
    """
    choices = _choices(losses, encoding)
    wanted = losses.algorithms if labels is None else labels
    several = [label for label in choices if _is_open(losses, settings(label, encoding))]
    if not several:
        return []
    return [
        Competitor(label, settings(label, encoding) & _of_one_dr(choices.get(label, [])))
        for label in wanted
        if label in several or (label in choices and without_inputs(label) not in _with_choices())
    ]


def _of_one_dr(played: Sequence[Choice]) -> pl.Expr:
    """Leave out DR with importance 1, of version 0.2, where DR itself was played."""
    has_both = {"dr", UNWEIGHTED} <= {choice.reduction for choice in played}
    return pl.col("reduction").ne_missing(UNWEIGHTED) if has_both else pl.lit(True)


def tuned_on_other_orders(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None
) -> list[Competitor]:
    """Hyperparameters and rate that are best in the other orders of the same rows."""
    return [one._replace(across=True) for one in optimised(losses, encoding, labels)]


def elected(losses: Losses, encoding: str, labels: Sequence[str] | None = None) -> list[Competitor]:
    """Hyperparameters and rate with the least mean loss on the other datasets."""
    key = ("elected elsewhere", encoding)
    result = losses.once(key, lambda: _elected_by_loss(losses, encoding))
    return [one for one in result if labels is None or one.label in labels]


def _elected_by_loss(losses: Losses, encoding: str) -> list[Competitor]:
    return [
        one._replace(where=one.where & at_settings(settings_elsewhere(losses, one.where)))
        for one in optimised(losses, encoding)
    ]


def voted(
    losses: Losses, encoding: str, labels: Sequence[str] | None = None, test: Test = "paper"
) -> list[Competitor]:
    """Hyperparameters by the vote of the other datasets, then the rate of these datasets."""
    key = ("voted elsewhere", encoding, test)
    result = losses.once(key, lambda: _elected_by_vote(losses, encoding, test))
    return [one for one in result if labels is None or one.label in labels]


def _elected_by_vote(losses: Losses, encoding: str, test: Test) -> list[Competitor]:
    result = []
    for label in (one.label for one in optimised(losses, encoding)):
        ballots = ballots_of(losses, label, encoding, Condition(), test)
        if ballots is not None:
            winner, others = ballots.elect().winner, ballots.elect_without_each()
            chosen = FixedChoice(winner, OTHERS, others)
            result.append(_with_rates_elsewhere(losses, label, encoding, chosen))
    return result


def _is_open(losses: Losses, where: pl.Expr) -> bool:
    """Whether there are several choices on some dataset."""
    played = candidates_of(losses, where).settings
    choices = played.group_by("digest").agg(pl.col("choice").n_unique())["choice"]
    return bool((choices > 1).any())


def n_less_open(losses: Losses) -> int:
    """The datasets with fewer than half of the choices that an algorithm has elsewhere."""
    key = ("algorithm", "encoding", "baseline")
    choices = losses.settings.group_by("digest", *key).agg(pl.col("choice").n_unique())
    most = pl.col("choice").max().over(key)
    return choices.filter(2 * pl.col("choice") < most)["digest"].n_unique()


@cache
def _with_choices() -> frozenset[str]:
    """Algorithms that the paper tries with several hyperparameters or reductions."""
    labels = [Run.from_text(text).label for text in paper_choices()]
    return frozenset(label for label in labels if labels.count(label) > 1)


def not_optimised(losses: Losses, encoding: str, labels: Iterable[str]) -> list[str]:
    """The algorithms among `labels` that were played with one choice only."""
    choices = _choices(losses, encoding)
    shown = {competitor.label for competitor in optimised(losses, encoding)}
    return [label for label in labels if label in choices and label not in shown]


def left_out_note(encoding: str, labels: Sequence[str]) -> str:
    """A sentence on the algorithms that an optimised view leaves out."""
    return (
        f"With {encoding}, {', '.join(labels)} had one set of hyperparameters only, "
        f"and take no part where these are optimised."
    )


def reductions(losses: Losses, label: str, encoding: str) -> list[Competitor]:
    """One algorithm with each of the reductions it was played with."""
    where = settings(label, encoding)
    played = losses.settings.filter(where)["reduction"].unique().to_list()
    return [
        Competitor(name, where & (pl.col("reduction") == name))
        for name in REDUCTIONS
        if name in played
    ]


def optimised_reductions(losses: Losses, label: str, encoding: str) -> list[Competitor]:
    """The reductions that were played with several hyperparameters."""
    return [
        competitor
        for competitor in reductions(losses, label, encoding)
        if _is_open(losses, competitor.where)
    ]
