"""Voting: problems elect an algorithm's hyperparameters (caption of Table `algos`).

Each problem ranks an algorithm's choices by the significant wins minus losses of each
against all others there, with the best learning rate for the problem. Then an instant
runoff: the choice with the fewest first votes leaves, until one is left. A problem's
vote is divided among the choices it ranks first together.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import polars as pl

from bakeoff.basics.errors import ResultsError
from bakeoff.judging.contest import Competitor, Condition, Numbers, contest_of
from bakeoff.judging.losses import Losses
from bakeoff.judging.statistics.significance import Outcomes, Test, wins
from bakeoff.runs import FIXED, INPUTS, Choice, Run, paper_choices, with_inputs

T = TypeVar("T", bound=Hashable)


class Election(NamedTuple, Generic[T]):
    """Who was elected, and how it went."""

    winner: T
    rounds: list[dict[T, float]]  # first votes of those still in
    n_voters: int


def runoff(scores: Numbers, choices: Sequence[T]) -> Election[T]:
    """Elect one of some choices; `scores` are (voters, choices), the higher the better.

    Of choices with equally few first votes the one with the least sum of scores leaves,
    and of those still equal the last listed.
    """
    if not choices:
        raise ResultsError("an election needs at least one choice")
    left = list(range(len(choices)))
    rounds = []
    while True:
        votes = first_votes(scores[:, left]).tolist()
        rounds.append({choices[j]: v for j, v in zip(left, votes, strict=True)})
        if len(left) == 1:
            return Election(choices[left[0]], rounds, len(scores))
        del left[_leaves(votes, scores[:, left])]


def recount(beats: Outcomes, choices: Sequence[T]) -> T:
    """Who is elected if in each round only wins against those still in count.

    The paper's script elects so. `beats` are (choices, choices, voters).
    """
    left = list(range(len(choices)))
    while len(left) > 1:
        scores = _scores(beats[np.ix_(left, left)])
        del left[_leaves(first_votes(scores).tolist(), scores)]
    return choices[left[0]]


def _scores(beats: Outcomes) -> Numbers:
    """(voters, choices) wins minus losses of each choice against all others."""
    return (beats.sum(axis=1, dtype=np.float64) - beats.sum(axis=0, dtype=np.float64)).T


def _leaves(votes: Sequence[float], scores: Numbers) -> int:
    """Which of those still in has to leave."""
    total = scores.sum(axis=0).tolist()
    return min(range(len(votes)), key=lambda i: (votes[i], total[i], -i))


def first_votes(scores: Numbers) -> Numbers:
    """(choices,) the votes of those ranked first, divided where there are several."""
    is_first = scores == scores.max(axis=1, keepdims=True)
    shares = is_first / is_first.sum(axis=1, keepdims=True)
    votes: Numbers = shares.sum(axis=0).round(9)  # thirds add up to one
    return votes


class Ballots(NamedTuple, Generic[T]):
    """How problems rank an algorithm's choices."""

    choices: list[T]
    voters: list[str]  # digests
    scores: Numbers  # (voters, choices), the higher the better
    beats: Outcomes | None = None  # (choices, choices, voters), for a recount

    def elect(self) -> Election[T]:
        """Who is elected."""
        return runoff(self.scores, self.choices)

    def elect_without_each(self) -> dict[str, T]:
        """For each voter, who the others elect; empty if there is one voter."""
        if len(self.voters) < 2:
            return {}
        return {
            voter: runoff(np.delete(self.scores, i, axis=0), self.choices).winner
            for i, voter in enumerate(self.voters)
        }


def elect(
    losses: Losses, algorithm: str, encoding: str, condition: Condition, test: Test = "paper"
) -> Election[Choice] | None:
    """The choice of hyperparameters that problems elect; None if there are none."""
    ballots = ballots_of(losses, algorithm, encoding, condition, test)
    return None if ballots is None else ballots.elect()


def ballots_of(
    losses: Losses, algorithm: str, encoding: str, condition: Condition, test: Test = "paper"
) -> Ballots[Choice] | None:
    """How problems rank an algorithm's choices; None if there are no problems.

    Choices stand that were played on half as many problems as the one played most (or
    on as many, if there would be no voters), and problems vote that have all of those.
    Counted once, since several tables ask.
    """
    key = ("ballots", algorithm, encoding, condition, test)
    return losses.once(key, lambda: _ballots_of(losses, algorithm, encoding, condition, test))


def _ballots_of(
    losses: Losses, algorithm: str, encoding: str, condition: Condition, test: Test
) -> Ballots[Choice] | None:
    competitors = choices_of(losses, algorithm, encoding)
    contest = contest_of(losses, [*competitors.values()], condition)
    has = ~np.isnan(contest.losses)
    times = has.sum(axis=0)
    for least in (times.max(initial=0) / 2, times.max(initial=0)):
        stands = np.flatnonzero((times > 0) & (times >= least))
        voters = np.flatnonzero(has[:, stands].all(axis=1))
        if voters.size and stands.size:
            break
    else:
        return None
    beats = wins(contest, test)[np.ix_(stands, stands, voters)]
    digests = contest.problems["digest"].gather(voters).to_list()
    choices = [*competitors]
    return Ballots([choices[j] for j in stands], digests, _scores(beats), beats)


def choices_of(losses: Losses, algorithm: str, encoding: str) -> dict[Choice, Competitor]:
    """An algorithm's choices of hyperparameters and reduction as competitors."""
    played = (
        (pl.col("algorithm") == algorithm) & (pl.col("encoding") == encoding) & ~pl.col("baseline")
    )
    texts = losses.settings.filter(played)["choice"].unique().to_list()
    return {
        choice: Competitor(str(choice), played & (pl.col("choice") == str(choice)))
        for choice in listed(map(Choice.from_text, texts))
    }


def listed(choices: Iterable[Choice]) -> list[Choice]:
    """Choices in the order of the paper's table, then others by name."""
    known = {Choice.from_spec(spec): i for i, spec in enumerate(paper_choices())}
    return sorted(choices, key=lambda choice: (known.get(choice, len(known)), str(choice)))


def fixed_choice(algorithm: str, encoding: str) -> Choice | None:
    """The paper's choice for an algorithm; that for -1/0 if it has none."""
    offset = float(encoding.split("/")[0])
    for spec in FIXED.get(offset, FIXED[-1.0]):
        run = Run.from_text(spec)
        for inputs in INPUTS:
            if with_inputs(run.label, inputs) == algorithm:
                return Choice.from_spec(spec)._replace(inputs=inputs)
    return None
