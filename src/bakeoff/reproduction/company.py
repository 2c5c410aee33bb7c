"""Company: tables of the paper's algorithms and of those that came after it."""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import NamedTuple

import numpy as np

from bakeoff.basics.text import counted
from bakeoff.judging import (
    BINARY,
    NAMES,
    SKYLINE,
    Competitor,
    Condition,
    Contest,
    Criteria,
    Election,
    Losses,
    ballots_of,
    competitors_of,
    contest_of,
    flip_test,
    standings,
)
from bakeoff.report import Claim, Duel, in_short
from bakeoff.reproduction.elections import VOTERS
from bakeoff.reproduction.markdown import pipes
from bakeoff.reproduction.whole_grids import n_choices
from bakeoff.runs import INPUTS, RAW, Choice, grid, parse, with_inputs, without_inputs

RIVALS = ("RO", "G", "C-nu", "eG")  # of the paper's nine, against whom newcomers are counted
RATES = ("fixed", "unpeeked", "one_rate")  # ways to choose a learning rate
RANDOMISED = ("RR", "RR-s", "RO", "G", "eG")  # randomised RegCB and whom it would replace
SURE = 0.05


class Company(NamedTuple):
    """Everybody's losses, who judges, and what a round costs."""

    losses: Losses
    criteria: Criteria
    on: Condition
    costs: Mapping[str, float]

    @property
    def encodings(self) -> list[str]:
        """All of the store's."""
        return self.criteria.encodings(self.losses)

    @property
    def newcomers(self) -> list[str]:
        """Labels that are not the paper's."""
        papers = (*n_choices(), SKYLINE)
        return [one for one in self.losses.algorithms if without_inputs(one) not in papers]

    def contest(self, encoding: str, kind: str, inputs: str | None = None) -> Contest:
        """All algorithms in a view, or those with some inputs, where all have played."""
        everybody = competitors_of(self.losses, kind, encoding, self.criteria)
        some = [one for one in everybody if inputs is None or _inputs_of(one.label) == inputs]
        return contest_of(self.losses, some, self.on).compared()


def _inputs_of(label: str) -> str:
    return next(one for one in INPUTS if with_inputs(without_inputs(label), one) == label)


def glance_table(company: Company, encoding: str) -> str:
    """Mean losses by inputs and by the choice of the rate, cost and logs."""
    columns: dict[tuple[str, str], dict[str, float]] = {}
    errors: dict[str, dict[str, float]] = {}
    for inputs in INPUTS:
        for kind in RATES:
            columns[inputs, kind] = _mean_losses(company, encoding, kind, inputs)
        errors[inputs] = _log_errors(company, encoding, inputs)
    labels = [label for label in company.losses.algorithms if _inputs_of(label) == RAW]
    head = ["algorithm"]
    head += [f"{inputs}, {rate}" for inputs in INPUTS for rate in ("best", "elected", "one")]
    head += [*(f"log error, {inputs}" for inputs in INPUTS), "µs"]
    rows = [
        [
            _named(label),
            *(_figure(column.get(label)) for column in columns.values()),
            *(_figure(errors[inputs].get(label), 3) for inputs in INPUTS),
            _figure(company.costs.get(label), 2),
        ]
        for label in sorted(labels, key=lambda one: columns[RAW, "fixed"].get(one, np.inf))
    ]
    return pipes(head, rows)


def without_peeking(company: Company) -> dict[str, dict[str, float]]:
    """By algorithm and inputs, the mean loss in the first encoding, at rates chosen elsewhere."""
    found: dict[str, dict[str, float]] = {}
    for inputs in INPUTS:
        means = _mean_losses(company, company.encodings[0], "unpeeked", inputs)
        for label, mean in means.items():
            found.setdefault(_named(label), {})[inputs] = mean
    return found


def _named(label: str) -> str:
    return f"{label} ({NAMES[label]})" if label in NAMES else label


def _figure(value: float | None, digits: int = 4) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def _mean_losses(company: Company, encoding: str, kind: str, inputs: str) -> dict[str, float]:
    """By label without inputs, on datasets that all with these inputs have played."""
    contest = company.contest(encoding, kind, inputs)
    common = contest.losses[contest.is_common]
    if not len(common):
        return {}
    means = common.mean(axis=0).tolist()
    return {without_inputs(one): mean for one, mean in zip(contest.labels, means, strict=True)}


def _log_errors(company: Company, encoding: str, inputs: str) -> dict[str, float]:
    contest = company.contest(encoding, "fixed", inputs)
    errors = contest.squared_errors("ips_reward") if contest.n else {}
    return {without_inputs(one): float(np.sqrt(e.mean())) for one, e in errors.items()}


def places(company: Company, encoding: str, inputs: str) -> Iterator[tuple[str, list[str]]]:
    """Of randomised RegCB and whom it would replace: places by loss, and of their logs."""
    columns = [
        _mean_losses(company, encoding, kind, inputs) for kind in ("one_rate", "unpeeked", "fixed")
    ]
    columns.append(_log_errors(company, encoding, inputs))
    for label in RANDOMISED:
        if label in columns[0]:
            yield label, [_place(column, label) for column in columns]


def _place(values: Mapping[str, float], label: str) -> str:
    if label not in values:
        return ""
    place = 1 + sum(value < values[label] for value in values.values())
    return f"{place} of {len(values)} ({values[label]:.4f})"


def standings_table(company: Company, encoding: str, kind: str, inputs: str) -> str:
    """Losses, ranks, wins and regret of all with the same inputs; empty if there are none."""
    contest = company.contest(encoding, kind, inputs)
    if contest.n == 0:
        return ""
    head = ["algorithm", "mean loss", "mean rank", "wins", "losses", "within 1 %",
            "greatest regret"]  # fmt: skip
    rows = [
        [
            _named(one.label), _figure(one.mean_loss), _figure(one.mean_rank, 2), str(one.wins),
            str(one.losses), f"{one.close:.0%}", _figure(one.worst_regret, 3),
        ]
        for one in standings(contest, company.criteria.wins(contest))
    ]  # fmt: skip
    n = f"{counted(int(contest.is_common.sum()), 'dataset')} that all have played"
    return f"{n}:\n\n{pipes(head, rows)}"


def duels_table(company: Company) -> str:
    """Significant wins and losses of each newcomer against some of the paper's nine."""
    head = ["encoding", "newcomer", *(f"against {label}" for label in RIVALS)]
    rows = []
    for encoding in company.encodings:
        known = _known(company, encoding)
        for label in company.newcomers:
            if label in known:
                rivals = [with_inputs(rival, _inputs_of(label)) for rival in RIVALS]
                cells = [_in_words(_duel(company, known, label, rival)) for rival in rivals]
                rows.append([encoding, label, *cells])
    if not rows:
        return "No newcomer was played, or not yet."
    return (
        "Datasets won and lost significantly by the newcomer, both with fixed hyperparameters, "
        "the best learning rate and the same inputs; in brackets how often chance alone would "
        f"be as uneven.\n\n{pipes(head, rows)}"
    )


class _Outcome(NamedTuple):
    won: int
    lost: int
    chance: float


def _known(company: Company, encoding: str) -> dict[str, Competitor]:
    everybody = competitors_of(company.losses, "fixed", encoding, company.criteria)
    return {one.label: one for one in everybody}


def _duel(
    company: Company, known: Mapping[str, Competitor], label: str, rival: str
) -> _Outcome | None:
    if rival not in known:
        return None
    contest = contest_of(company.losses, [known[label], known[rival]], company.on)
    outcomes = company.criteria.wins(contest)
    signs = outcomes[0, 1].astype(int) - outcomes[1, 0].astype(int)
    won, lost = int(outcomes[0, 1].sum()), int(outcomes[1, 0].sum())
    return _Outcome(won, lost, flip_test(signs))


def _in_words(outcome: _Outcome | None) -> str:
    return "" if outcome is None else f"{outcome.won} / {outcome.lost} ({outcome.chance:.3f})"


def choices_table(company: Company) -> str:
    """What the tuning datasets elect, beside what the grid `today` has."""
    head = ["encoding", "algorithm", "in the grid today", "elected here", "first votes", "voters"]
    rows, ends = [], []
    for encoding in company.encodings:
        today = _fixed_today(encoding)
        for label in company.newcomers:
            election = _election(company, label, encoding)
            if election is None:
                continue
            first = election.rounds[0][election.winner]
            ends += [f"{label} {end} at {encoding}" for end in _at_the_end(election)]
            mine = in_short(today[label]) if label in today else ""
            elected = in_short(election.winner)
            rows.append([encoding, label, mine, "the same" if elected == mine else elected,
                         f"{first:.1f}", str(election.n_voters)])  # fmt: skip
    return (
        "Tuning datasets vote by instant runoff, as in the paper: each ranks the choices of an "
        "algorithm by significant wins minus losses at the best rate. *First votes* are those of "
        "the elected in the first round. In the tables above a dataset that votes is judged with "
        "what the others elect; centred inputs take the choice of the grid `today`. The paper's "
        f"nine have the paper's choices.\n\n{pipes(head, rows)}\n\n"
        "Of three values or more, these are at the end of what was tried, so that a wider grid "
        f"might elect others: {'; '.join(ends) or 'none'}."
    )


def _at_the_end(election: Election[Choice]) -> list[str]:
    """The numbers of the elected that are the least or the greatest of three or more."""
    every = [_numbers_of(choice) for choice in election.rounds[0]]
    found = []
    for name, value in _numbers_of(election.winner).items():
        tried = {one[name] for one in every if name in one}
        if len(tried) > 2 and value in (min(tried), max(tried)):
            found.append(f"{name} = {value:g}")
    return found


def _numbers_of(choice: Choice) -> dict[str, float]:
    """The numbers among the settings of a choice."""
    settings = parse(choice.explorer)
    values = {one.name: getattr(settings, one.name) for one in fields(settings)}
    return {
        name: value
        for name, value in values.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
    }


def _election(company: Company, label: str, encoding: str) -> Election[Choice] | None:
    """By the tuning datasets, or by all if there are none; None if there is no choice."""
    for voters in (VOTERS, company.on):
        ballots = ballots_of(company.losses, label, encoding, voters, company.criteria.test)
        if ballots is not None:
            return ballots.elect() if len(ballots.choices) > 1 else None
    return None


def _fixed_today(encoding: str) -> dict[str, Choice]:
    return {
        run.label: Choice.from_spec(run.explorer)
        for run in grid(["today"], encodings=[encoding], learning_rates=[0.5])
    }


def newcomers_ahead(company: Company, claim: Claim) -> str:
    """The newcomers ahead of the one that a claim has ahead, if it is always the same.

    Only where a claim is about fixed hyperparameters and all datasets.
    """
    duels = [
        one
        for one in claim.judged_by
        if isinstance(one, Duel) and one.first.kind == "fixed" and one.on == Condition(tasks=BINARY)
    ]
    firsts = {(one.first.label, one.first.encoding) for one in duels}
    if len({label for label, _ in firsts}) != 1:
        return ""
    ahead = []
    for label, encoding in sorted(firsts):
        known = _known(company, encoding)
        for newcomer in company.newcomers:
            if newcomer in known and _inputs_of(newcomer) == RAW:
                outcome = _duel(company, known, newcomer, label)
                if outcome and outcome.won > outcome.lost and outcome.chance < SURE:
                    ahead.append(f"{newcomer} at {encoding} ({outcome.won} / {outcome.lost})")
    return ", ".join(ahead) or "none"
