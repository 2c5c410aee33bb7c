"""Use: the recommended settings as fields, and as lines to paste."""

import shlex
from collections.abc import Sequence
from typing import NamedTuple

from bakeoff.judging.competitors import fixed, fixed_choices
from bakeoff.judging.contest import Contest
from bakeoff.judging.losses import Losses
from bakeoff.judging.rates import rates_of
from bakeoff.judging.standings import standings
from bakeoff.judging.views import Criteria, main_contest
from bakeoff.runs import RAW, Choice, in_file, is_own


class Use(NamedTuple):
    """What leads, with the settings to start with."""

    algorithm: str  # its label in tables
    explorer: str
    reduction: str | None
    learning_rate: float | None  # None: it takes none
    encoding: str
    n_actions: int | None  # the most of any dataset; None if actions have features
    inputs: str = RAW

    @property
    def python(self) -> str:
        """A line that makes a learner of it; none of a learner of one's own."""
        if is_own(self.explorer):
            return ""
        arguments = [repr(in_file(self.explorer)).replace("'", '"')]
        if self.n_actions is not None:
            arguments.append(f"n_actions={self.n_actions}")
        if self.reduction is not None:
            arguments.append(f'reduction="{self.reduction}"')
        if self.learning_rate is not None:
            arguments.append(f"learning_rate={self.learning_rate:g}")
        arguments.append(f'encoding="{self.encoding}"')
        if self.inputs != RAW:
            arguments.append(f'inputs="{self.inputs}"')
        return f"Learner({', '.join(arguments)})"

    def command(self, sources: Sequence[str]) -> str:
        """A line that plays it in a shell, on sources if they are known."""
        choice = str(Choice(in_file(self.explorer), self.reduction))
        words = ["bakeoff", "run", *sources, "-a", choice, "-a", "supervised"]
        if self.learning_rate is not None:
            words += ["--learning-rate", f"{self.learning_rate:g}"]
        words += [f"--encoding={self.encoding}", "--out", "leader"]
        if self.inputs != RAW:
            words += ["--inputs", self.inputs]
        return shlex.join(words)


def use_of(losses: Losses, criteria: Criteria) -> Use | None:
    """What to use; None if nothing was compared."""
    contest = main_contest(losses, criteria)
    if contest.n == 0 or len(contest.labels) < 2:
        return None
    label = standings(contest, criteria.wins(contest))[0].label
    encoding = criteria.encoding_of(losses)
    chosen = fixed_choices(losses, encoding, criteria.test)[label]
    rate = None if label in losses.rateless else _rate(losses, criteria, contest, label)
    tasks, most = contest.problems["task"], contest.problems["n_actions"].max()
    n_actions = None if (tasks == "ranking").all() else int(str(most))
    explorer, reduction, inputs = chosen.choice
    return Use(label, explorer, reduction, rate, encoding, n_actions, inputs)


def _rate(losses: Losses, criteria: Criteria, contest: Contest, label: str) -> float:
    """The best learning rate for all datasets, or the most frequent of the best."""
    encoding = criteria.encoding_of(losses)
    competitors = fixed(losses, encoding, [label], criteria.test)
    for rates in rates_of(losses, competitors, criteria.condition):
        return rates.rate
    best = contest.chosen[contest.labels.index(label)]["learning_rate"].drop_nulls()
    return float(best.mode().sort()[0])
