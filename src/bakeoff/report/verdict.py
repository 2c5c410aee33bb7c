"""The verdict: which algorithm comes first, in plain words with the numbers."""

from bakeoff.report.standings import Standing, standings
from bakeoff.report.views import NAMES, Asked, fixed, optimised
from bakeoff.statistics.contest import BINARY, Contest, contest
from bakeoff.statistics.losses import Losses
from bakeoff.statistics.significance import wins

CLEAR, LIKELY = 0.95, 0.8  # shares of resamples


def main_contest(losses: Losses, asked: Asked, kind: str = "fixed") -> Contest:
    """All algorithms of the store in the leading encoding."""
    competitors = {"fixed": fixed, "optimised": optimised}[kind]
    encoding = asked.encoding_of(losses)
    return contest(losses, competitors(losses, encoding), asked.condition)


def name_of(label: str) -> str:
    """A label with the name it stands for.

    >>> name_of("RO")
    'RegCB-opt (RO)'
    """
    return f"{NAMES[label]} ({label})" if label in NAMES else label


def verdict(held: Contest, asked: Asked) -> list[str]:
    """A few sentences: who is first, how sure that is, who follows."""
    if held.n == 0 or len(held.labels) < 2:
        return [
            "There is nothing to compare yet: it takes two algorithms on a problem."
        ]
    places = standings(held, wins(held, asked.test, asked.correction))
    first, second = places[:2]
    said = [_leads(first, held.n), _how_sure(first, places), _margin(first, places)]
    said.append(
        f"{name_of(second.label)} follows with {second.wins} wins and "
        f"{second.losses} losses."
    )
    return said + _notes(held, asked)


def _leads(first: Standing, n_datasets: int) -> str:
    return (
        f"{name_of(first.label)}: {first.wins:,} significant wins, {first.losses:,} "
        f"losses against all others over {n_datasets:,} datasets."
    )


def _how_sure(first: Standing, places: list[Standing]) -> str:
    share = f"{first.first:.0%} of 1,000 resamples of the datasets"
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
        ones = " and ".join(map(name_of, first.behind))
        return f"But it loses more often than it wins against {ones}."
    even = [one.label for one in places[1:] if one.label not in first.ahead_of]
    return f"It is level with {' and '.join(map(name_of, even))}."


def _notes(held: Contest, asked: Asked) -> list[str]:
    rule = f"Significant by {asked.rule}"
    n_real = held.n - held.problems["task"].is_in(BINARY).sum()
    if n_real:
        rule += f"; Hoeffding's bound on the {n_real} datasets with real-valued costs"
    few = "" if held.n >= 10 else " So few datasets say little about others."
    return [f"{rule}.{few}"]
