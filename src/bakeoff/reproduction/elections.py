"""Elections as the paper used them: on tuning datasets, judged on held-out ones."""

from collections.abc import Iterator
from typing import NamedTuple

from bakeoff.judging import (
    BINARY,
    Competitor,
    Condition,
    Criteria,
    Losses,
    ballots_of,
    contest_of,
    fixed_choice,
    recount,
    settings,
    tally,
)
from bakeoff.reproduction.whole_grids import n_choices
from bakeoff.runs import Choice

VOTERS = Condition(tuning=True, tasks=BINARY)
JUDGES = Condition(held_out=True, tasks=BINARY)


class Vote(NamedTuple):
    """An algorithm's hyperparameters: the paper's, and those elected here."""

    encoding: str
    label: str
    paper: Choice
    elected: Choice
    recounted: Choice  # if only wins against choices still in count in each round
    n_voters: int
    won: int  # of the elected against the paper's, on held-out datasets
    lost: int
    n: int


def votes_of(losses: Losses, criteria: Criteria) -> Iterator[Vote]:
    """Each algorithm with several choices, at the encodings the paper chose for."""
    for encoding in ("-1/0", "0/1"):
        for label in losses.algorithms:
            vote = _vote(losses, label, encoding, criteria)
            if vote is not None:
                yield vote


def _vote(losses: Losses, label: str, encoding: str, criteria: Criteria) -> Vote | None:
    paper = fixed_choice(label, encoding)
    ballots = ballots_of(losses, label, encoding, VOTERS, criteria.test)
    if ballots is None or ballots.beats is None or paper is None or paper not in ballots.choices:
        return None
    if len(ballots.choices) < max(2, n_choices().get(label, 0)):
        return None  # not all of the paper's choices stand
    elected = ballots.elect().winner
    both = [
        Competitor(name, settings(label, encoding, choice=choice))
        for name, choice in (("elected", elected), ("the paper's", paper))
    ]
    contest = contest_of(losses, both, JUDGES)
    won = tally(criteria.wins(contest))
    return Vote(
        encoding, label, paper, elected, recount(ballots.beats, ballots.choices),
        len(ballots.voters), int(won[0, 1]), int(won[1, 0]),
        int(contest.is_common.sum()),
    )  # fmt: skip
