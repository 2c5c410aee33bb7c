"""The verdict: which algorithm comes first, in plain words with the numbers."""

from collections.abc import Iterable

from bakeoff.report.standings import RESAMPLES, Standing, standings
from bakeoff.report.views import CORRECTIONS, NAMES, RULES, Asked, fixed, optimised
from bakeoff.statistics.contest import Contest, contest
from bakeoff.statistics.losses import Losses
from bakeoff.statistics.significance import used_tests

CLEAR, LIKELY = 0.95, 0.8  # shares of resamples
FEW = 10  # datasets: too few to call a winner


def main_contest(losses: Losses, asked: Asked, kind: str = "fixed") -> Contest:
    """All algorithms of the store in the leading encoding."""
    competitors = {"fixed": fixed, "optimised": optimised}[kind]
    encoding = asked.encoding_of(losses)
    held = contest(losses, competitors(losses, encoding), asked.condition)
    return held.of_those_who_play()


def name_of(label: str) -> str:
    """A label with the name it stands for.

    >>> name_of("RO")
    'RegCB-opt (RO)'
    """
    return f"{NAMES[label]} ({label})" if label in NAMES else label


def counts(won: int, lost: int) -> str:
    """Wins and losses in words.

    >>> counts(1, 2)
    '1 significant win, 2 losses'
    """
    wins_or_win = "win" if won == 1 else "wins"
    losses_or_loss = "loss" if lost == 1 else "losses"
    return f"{won:,} significant {wins_or_win}, {lost:,} {losses_or_loss}"


def counted(n: int, what: str) -> str:
    """A number of things, in words.

    >>> counted(2, "table")
    '2 tables'
    """
    return f"1 {what}" if n == 1 else f"{n:,} {what}s"


def datasets(n: int) -> str:
    """How many datasets, in words."""
    return counted(n, "dataset")


def verdict(held: Contest, asked: Asked) -> list[str]:
    """A few sentences: who is first, how sure that is, who follows."""
    if held.n == 0 or len(held.labels) < 2:
        return [
            "There is nothing to compare yet: it takes two algorithms on a problem."
        ]
    places = standings(held, asked.wins(held))
    first, second = places[:2]
    if not any(one.wins for one in places):
        said = [
            f"No difference between the {len(places)} algorithms is significant on "
            f"{datasets(held.n)}."
        ]
    else:
        said = [
            f"{name_of(first.label)}: {counts(first.wins, first.losses)} against all "
            f"others over {datasets(held.n)}.",
            _how_sure(first, places, held.n),
            _margin(first, places),
            f"{name_of(second.label)} follows with "
            f"{counts(second.wins, second.losses)}.",
        ]
    return said + _notes(held, asked)


def _how_sure(first: Standing, places: list[Standing], n_datasets: int) -> str:
    if n_datasets < FEW:
        return f"That is too few to call it a winner (fewer than {FEW})."
    share = f"{first.first:.0%} of {RESAMPLES:,} resamples of the datasets"
    level = [one.label for one in places[1:] if one.score == first.score]
    if level:
        ones = _and(map(name_of, level))
        return f"There is no clear winner: it is level with {ones} in all."
    if first.first >= CLEAR:
        return f"It is a clear winner: first in {share}."
    if first.first >= LIKELY:
        return f"It is a likely winner: first in {share}."
    rival = max(places[1:], key=lambda one: one.first)
    return (
        f"There is no clear winner: it is first in {share}, {name_of(rival.label)} in "
        f"{rival.first:.0%}."
    )


def _margin(first: Standing, places: list[Standing]) -> str:
    if len(first.ahead_of) == len(places) - 1:
        return "It wins more often than it loses against every other one."
    if first.behind:
        ones = _and(map(name_of, first.behind))
        return f"But it loses more often than it wins against {ones}."
    even = [one.label for one in places[1:] if one.label not in first.ahead_of]
    return f"Against {_and(map(name_of, even))} it wins as often as it loses."


def _and(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _notes(held: Contest, asked: Asked) -> list[str]:
    said = [f"Significant by {_rules(held, asked)}."]
    n_orders = max([1, *held.problems["shuffles"]])
    if n_orders > 1 and asked.test != "paired":
        said.append(
            f"Losses are means over up to {n_orders} orders of the rows, which this "
            f"rule does not know, so it is cautious; --test paired does."
        )
    n_gaps = held.n - int(held.is_common.sum())
    if n_gaps:
        said.append(
            f"On {n_gaps:,} of the datasets some algorithm has no loss; there the "
            f"others are compared, so that the order may change."
        )
    n_tuning = int(held.problems["tuning"].sum())
    if n_tuning:
        said.append(
            f"{n_tuning:,} of the datasets are of the paper's tuning list, from which "
            f"its fixed hyperparameters come; --held-out leaves them out."
        )
    return said


def _rules(held: Contest, asked: Asked) -> str:
    """What counts as a win, and on how many datasets."""
    used = used_tests(held, asked.test)
    parts = [
        f"{RULES[name]} on {datasets(n)}" if len(used) > 1 else RULES[name]
        for name, n in used.items()
    ]
    return _and(parts) + CORRECTIONS[asked.correction]
