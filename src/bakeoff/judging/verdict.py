"""The verdict: which algorithm comes first, in plain words with the numbers."""

import math
from collections.abc import Iterable, Iterator

from bakeoff.basics.text import counted
from bakeoff.judging.competitors import election_notes, sweep_notes
from bakeoff.judging.contest import Contest, contest_of
from bakeoff.judging.families import family_names
from bakeoff.judging.losses import Losses
from bakeoff.judging.standings import RESAMPLES, Standing, standings
from bakeoff.judging.statistics.leads import FEW, LEADS
from bakeoff.judging.statistics.signed_rank import SAME, signed_rank
from bakeoff.judging.statistics.significance import used_tests
from bakeoff.judging.views import CORRECTIONS, NAMES, RULES, Criteria, competitors_of


def main_contest(losses: Losses, criteria: Criteria, kind: str = "fixed") -> Contest:
    """All algorithms of the store in the leading encoding."""
    competitors = competitors_of(losses, kind, criteria.encoding_of(losses), criteria)
    return contest_of(losses, competitors, criteria.condition).compared()


def name_of(label: str) -> str:
    """A label with the name it stands for.

    >>> name_of("RO")
    'RegCB-opt (RO)'
    """
    return f"{NAMES[label]} ({label})" if label in NAMES else label


def at_start(label: str) -> str:
    """The same at the beginning of a sentence; a learner's own name stays as it is.

    >>> at_start("eG"), at_start("mine")
    ('Epsilon-greedy (eG)', 'mine')
    """
    name = name_of(label)
    return name[0].upper() + name[1:] if label in NAMES else name


def counts(won: int, lost: int) -> str:
    """Wins and losses in words.

    >>> counts(1, 2)
    '1 significant win, 2 losses'
    """
    return f"{counted(won, 'significant win')}, {counted(lost, 'loss', 'losses')}"


def datasets(n: int) -> str:
    """How many datasets, in words."""
    return counted(n, "dataset")


def chance_figure(chance: float) -> str:
    """A p-value as it is printed.

    >>> chance_figure(0.0001)
    '< 0.001'
    """
    rounded = math.floor(1000 * chance + 0.5) / 1000  # halves go up, as on the page
    return "< 0.001" if chance < 0.001 else f"{rounded:.3f}"


def chance_in_words(chance: float) -> str:
    """The same in a sentence.

    >>> chance_in_words(0.05)
    'p = 0.050'
    """
    return f"p {'' if chance < 0.001 else '= '}{chance_figure(chance)}"


def verdict(losses: Losses, criteria: Criteria) -> list[str]:
    """A few sentences: who is first, how sure that is, who follows."""
    contest = main_contest(losses, criteria)
    if contest.n == 0 or len(contest.labels) < 2:
        return ["There is nothing to compare yet: it takes two algorithms on a problem."]
    sentences = judged(contest, criteria)
    sentences += election_notes(losses, criteria.encoding_of(losses), criteria.test)
    sentences += sweep_notes(losses, criteria.encoding_of(losses))
    without = rate_elsewhere(losses, criteria)
    return [*sentences, without] if without else sentences


def rate_elsewhere(losses: Losses, criteria: Criteria) -> str:
    """Who leads if no learning rate is chosen by the losses that are then reported."""
    if not losses.has_several_rates:
        return ""
    elsewhere = main_contest(losses, criteria, "unpeeked")
    orders = main_contest(losses, criteria, "other_orders")
    leaders = [
        ("elected on the other datasets", elsewhere, 2),
        ("chosen on the other shuffles of a dataset", orders, FEW),
    ]
    results = [
        f"with the rate {how}, {_leader(contest, criteria)}"
        for how, contest, least in leaders
        if contest.n >= least and len(contest.labels) > 1
    ]
    if not results:
        return ""
    return (
        f"Each learning rate is the best on the dataset it is judged on, as in the "
        f"paper; {'; '.join(results)}."
    )


def _leader(contest: Contest, criteria: Criteria) -> str:
    """Who leads in a view without peeking."""
    first, second = standings(contest, criteria.wins(contest))[:2]
    result = (
        f"{name_of(first.label)} {LEADS[first.grade]} "
        f"({counts(first.wins, first.losses)}; {chance_in_words(first.chance)})"
    )
    if first.score == second.score:
        result = f"{name_of(first.label)} and {name_of(second.label)} are level"
    if not first.wins:
        result = "no difference is significant"
    return result


def second_opinion(contest: Contest, first: str, second: str) -> Iterator[str]:
    """How large the difference between two algorithms is, if datasets are not few."""
    differences = contest.differences(first, second)
    if differences.size < FEW:
        return
    opinion = signed_rank(differences)
    yield (
        f"By the size of differences (Bayesian signed-rank test; up to {SAME:g} counts "
        f"as none), {name_of(first)} is better than {name_of(second)} with probability "
        f"{opinion.better:.0%}, practically the same with {opinion.same:.0%}, worse with "
        f"{opinion.worse:.0%}."
    )


def judged(contest: Contest, criteria: Criteria) -> list[str]:
    """What the wins and losses of a contest say."""
    places = standings(contest, criteria.wins(contest))
    first, second = places[:2]
    if not any(standing.wins for standing in places):
        sentences = [
            f"No difference between the {len(places)} algorithms is significant on "
            f"{datasets(contest.n)}."
        ]
    else:
        sentences = [
            f"{at_start(first.label)}: {counts(first.wins, first.losses)} against all "
            f"others over {_played(first, contest)}.",
            _how_sure(first, places, first.n),
            _margin(first, places),
            f"{at_start(second.label)} follows with {counts(second.wins, second.losses)}.",
            *second_opinion(contest, first.label, second.label),
        ]
    return sentences + _notes(contest, criteria)


def _played(one: Standing, contest: Contest) -> str:
    """The datasets on which an algorithm was played, of all if these are more."""
    if one.n == contest.n:
        return datasets(one.n)
    return f"the {one.n:,} of {datasets(contest.n)} on which it was played"


def _how_sure(first: Standing, places: list[Standing], n_datasets: int) -> str:
    if n_datasets < FEW:
        return f"That is too few to call it a winner (fewer than {FEW})."
    share = f"It comes first in {first.first:.0%} of {RESAMPLES:,} resamples of the"
    level = [standing.label for standing in places[1:] if standing.score == first.score]
    if level:
        ones = _and(map(name_of, level))
        return f"There is no clear winner: it is level with {ones}."
    closest = next(standing for standing in places[1:] if standing.lead == first.lead)
    among = f"({chance_in_words(first.chance)}, against {name_of(closest.label)})"
    if first.grade == "clear":
        sentence = f"It is a clear winner: equals would seldom have such a lead {among}."
    elif first.grade == "likely":
        sentence = f"It is a likely winner: its lead may still be chance {among}."
    else:
        sentence = f"There is no clear winner: its lead may well be chance {among}."
    return f"{sentence} {share} datasets."


def _margin(first: Standing, places: list[Standing]) -> str:
    if len(first.ahead_of) == len(places) - 1:
        n = len(places) - 1
        return f"It is ahead of {f'all {n} others' if n > 1 else 'the other one'}."
    if first.behind:
        ones = _and(map(name_of, first.behind))
        return f"But it loses more often than it wins against {ones}."
    even = [standing.label for standing in places[1:] if standing.label not in first.ahead_of]
    return f"Against {_and(map(name_of, even))} it wins as often as it loses."


def _and(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _notes(contest: Contest, criteria: Criteria) -> list[str]:
    sentences = [f"Significant by {_rules(contest, criteria)}."]
    n_orders = max([1, *contest.problems["shuffles"]])
    if n_orders > 1 and criteria.test != "paired":
        sentences.append(
            f"This test ignores the shuffles (up to {n_orders}) and is conservative; "
            f"`bakeoff report --test paired` (in Python, test='paired') uses them."
        )
    if n_orders == 1 and criteria.test != "paired":
        sentences.append(
            "Each loss is from a single run, and this test does not see its luck in "
            "exploring, so trust sums of wins more than single wins; `--shuffles 10` "
            "and the paired test tell luck from skill."
        )
    n_families = len(set(family_names(contest.problems)))
    if n_families < contest.n:
        sentences.append(
            f"The {datasets(contest.n)} come from {counted(n_families, 'source')}; resamples "
            f"draw whole sources, but p-values take the datasets as independent."
        )
    n_gaps = contest.n - int(contest.is_common.sum())
    if n_gaps:
        sentences.append(
            f"On {n_gaps:,} of the datasets some algorithm has no loss; there only the "
            f"others are compared, so the order may change."
        )
    n_tuning = int(contest.problems["tuning"].sum())
    if n_tuning:
        sentences.append(
            f"{n_tuning:,} of the datasets are on the paper's tuning list, from which "
            f"its fixed hyperparameters come; `bakeoff report --held-out` (in Python, "
            f"held_out=True) leaves them out."
        )
    return sentences


def _rules(contest: Contest, criteria: Criteria) -> str:
    """What counts as a win, and on how many datasets."""
    used = used_tests(contest, criteria.test)
    parts = [
        f"{RULES[name]} on {datasets(n)}" if len(used) > 1 else RULES[name]
        for name, n in used.items()
    ]
    return _and(parts) + CORRECTIONS[criteria.correction]
