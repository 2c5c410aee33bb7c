"""Tables of hyperparameters: what problems elect (Table `hyperparams2`)."""

import math

from bakeoff.judging import BINARY, Condition, Criteria, Election, Losses, elect
from bakeoff.report.tables.live import Elections
from bakeoff.report.tables.printed import printed
from bakeoff.report.tables.table import Grid, Panel, Table
from bakeoff.runs import Choice, is_own

SYMBOLS = {"n_policies": "N", "c0": "C0"}


def hyperparameters_table(losses: Losses, criteria: Criteria) -> Table:
    """Table `hyperparams2`: per encoding, what the tuning datasets elect."""
    condition = voters_of(losses)
    encodings = criteria.encodings(losses)
    elections = {
        label: [elect(losses, label, name, condition, criteria.test) for name in encodings]
        for label in losses.algorithms
    }
    votes = [one for row in elections.values() for one in row if one and _is_open(one)]
    n_voters = max((vote.n_voters for vote in votes), default=0)
    rows = tuple((label, tuple(map(_elected, row))) for label, row in elections.items())
    voted_by = "the tuning" if condition.tuning else "all"
    caption = (
        f"What {voted_by} datasets with binary costs elect among an algorithm's "
        "hyperparameters by instant runoff, each ranking choices by significant wins "
        "minus losses against all others"
        + ("." if condition.tuning else "; the store has no tuning datasets.")
    )
    panel = Panel(
        f"elected by {voted_by} datasets",
        Grid(tuple(encodings), rows, n_voters) if votes else None,
        "needs runs with several hyperparameters (-a paper) on datasets with binary "
        "costs, best those the paper chose on (paper-tuning)",
        printed("hyperparams2", "all"),
        "algorithm",
        live=Elections(encodings, condition),
    )
    return Table("hyperparameters", "Hyperparameters by voting", caption, (panel,))


def voters_of(losses: Losses) -> Condition:
    """The problems that the paper tuned on; all problems if the store has none of them."""
    tuning = Condition(tuning=True, tasks=BINARY)
    if tuning.holds(losses.problems).any():
        return tuning
    return Condition(tasks=BINARY)


def _is_open(election: Election[Choice]) -> bool:
    """Whether there was more than one choice."""
    return len(election.rounds) > 1


def _elected(election: Election[Choice] | None) -> str:
    if election is None:
        return ""
    text = in_short(election.winner)
    alone = text != "-" and not _is_open(election)
    return f"{text} (no other was played)" if alone else text


def in_short(choice: Choice) -> str:
    """Hyperparameters in the paper's words.

    >>> in_short(Choice("cover:n_policies=4,psi=0.1,nu", "dr"))
    'N = 4, psi = 0.1, DR'
    """
    explorer, reduction, _ = choice
    if is_own(explorer):
        return explorer
    parts = []
    for item in filter(None, explorer.partition(":")[2].split(",")):
        name, _, value = item.partition("=")
        if value and name not in ("label", "code"):  # a flag is part of the label
            shown = _power_of_ten(value) if name == "c0" else f"{float(value):g}"
            parts.append(f"{SYMBOLS.get(name, name)} = {shown}")
    if not parts:
        return "-"
    return ", ".join([*parts, *([reduction.upper()] if reduction else [])])


def _power_of_ten(value: str) -> str:
    number = float(value)
    power = round(math.log10(number)) if number > 0 else 0
    return f"10^{power}" if float(f"1e{power}") == number else f"{number:g}"
