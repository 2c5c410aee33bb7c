"""The bake-off of today: the paper's algorithms and those that came after it, together.

A stage of its own, which `all` does not include, and the document that it ends in. Fixed
hyperparameters of the paper's nine are the paper's; those of the others are elected by the
tuning datasets, each dataset's without its own vote, as the paper elected its own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from bakeoff.basics.text import counted
from bakeoff.judging import (
    BINARY,
    FEW,
    KINDS,
    NAMES,
    SKYLINE,
    Competitor,
    Condition,
    Contest,
    Criteria,
    Losses,
    Standing,
    contest_of,
    fixed,
    fixed_choices,
    flip_test,
    standings,
    verdict,
    views_of,
)
from bakeoff.report import CLAIMS, are_held_out, in_short, judge
from bakeoff.reproduction.markdown import pipes
from bakeoff.reproduction.stages import Stage
from bakeoff.reproduction.whole_grids import n_choices
from bakeoff.reproduction.words import data_in_words

NEWCOMERS = (
    "squarecb:gamma=[10,50,100,400,1000],exponent=[0.25,0.5]",
    "squarecb:gamma=[10,100,1000],elim",
    "squarecb:gamma=[10,100,1000],by_cost,label=SCB-cost",
    "fastcb:gamma=[10,50,100,400,1000],exponent=[0.25,0.5]",
    "softmax:sharpness=[3,10,30],exponent=[0,0.25,0.5]",
    "synthcover:psi=[0.01,0.1,1]",
    "first:tau=[20,100,500]",
    "epsilon-greedy:epsilon=[0.3,1],decay=[0.333,0.5],label=eG-t",
    "randregcb:c0=[1e-1,1e-2,1e-3]",
    "randregcb:c0=[1e-1,1e-2,1e-3],symmetric",
    "linucb:alpha=[0.03,0.1,0.3,1]",
    "lints:scale=[0.03,0.1,0.3,1]",
    "linmed:share=[0.5,0.9,0.99]",
    "bag:n_policies=[4,16],exponential,label=B-exp",
    "greedy:logistic,label=G-log",
    "epsilon-greedy:epsilon=[0.02,0.05],logistic,label=eG-log",
    "bag:n_policies=[4,16],greedy,logistic,label=Bg-log",
)
TODAY = Stage("today", "the paper's algorithms and those that came after it", ("fixed", *NEWCOMERS))
RIVALS = ("RO", "G", "C-nu", "eG")  # of the paper's nine, against whom newcomers are counted


def today_document(
    losses: Losses, costs: Mapping[str, float], command: str, lacks: str = ""
) -> str:
    """Losses, ranks, verdicts, cost and logs of all algorithms, all of it from a store.

    `costs` are microseconds per round by algorithm; `lacks` says what is missing.
    """
    criteria = Criteria(view="fixed")
    criteria = replace(criteria, everywhere=not are_held_out(losses, criteria))
    on = Condition(held_out=criteria.held_out_only, tasks=BINARY)
    parts = [
        "# The bake-off of today",
        f"Made by `{command}` from all that its store has; nothing here is typed by hand.",
        *([f"**{lacks}**"] if lacks else []),
        data_in_words(losses, criteria),
        "## The verdict",
        *_verdicts(losses, criteria),
        "## Standings",
        _how_to_read(),
        *_standings(losses, criteria, on, costs),
        "## Newcomers against the paper's algorithms",
        _duels(losses, criteria, on),
        "## Hyperparameters by voting",
        _choices(losses, criteria),
        "## The paper's claims in this company",
        _claims(losses, criteria),
    ]
    return "\n\n".join(parts) + "\n"


def _verdicts(losses: Losses, criteria: Criteria) -> Iterator[str]:
    for encoding in criteria.encodings(losses):
        yield f"**{encoding}.** " + " ".join(verdict(losses, replace(criteria, encoding=encoding)))


def _how_to_read() -> str:
    return (
        "*Wins* and *losses* are significant ones against all others, added up. *Within 1 %* is "
        "the share of datasets with a loss at most 0.01 above the best. *µs* is the median time "
        "of a round in a pass of many runs. *Log error* is the root mean squared error of the "
        "uniform policy's cost, estimated from the rewards in an algorithm's log."
    )


def _standings(
    losses: Losses, criteria: Criteria, on: Condition, costs: Mapping[str, float]
) -> Iterator[str]:
    head = ["algorithm", "mean loss", "mean rank", "wins", "losses", "within 1 %",
            "greatest regret", "µs", "log error"]  # fmt: skip
    for view in views_of(losses, criteria):
        contest = contest_of(losses, view.competitors, on).compared()
        if view.kind == "optimised" or contest.n == 0:
            continue
        errors = contest.squared_errors("ips_reward")
        rows = [
            _row(place, costs, errors.get(place.label))
            for place in standings(contest, criteria.wins(contest))
        ]
        n = f"{counted(int(contest.is_common.sum()), 'dataset')} that all have played"
        yield f"### {view.encoding}, {KINDS[view.kind]}\n\n{n}:\n\n{pipes(head, rows)}"


def _row(place: Standing, costs: Mapping[str, float], errors: np.ndarray | None) -> list[str]:
    cost, name = costs.get(place.label), NAMES.get(place.label, "")
    return [
        f"{place.label} ({name})" if name else place.label,
        f"{place.mean_loss:.4f}",
        f"{place.mean_rank:.2f}",
        str(place.wins),
        str(place.losses),
        f"{place.close:.0%}",
        f"{place.worst_regret:.3f}",
        "" if cost is None else f"{cost:.2f}",
        "" if errors is None else f"{np.sqrt(errors.mean()):.3f}",
    ]


def _newcomers(losses: Losses) -> list[str]:
    return [label for label in losses.algorithms if label not in (*n_choices(), SKYLINE)]


def _duels(losses: Losses, criteria: Criteria, on: Condition) -> str:
    """Significant wins and losses of each newcomer against some of the paper's nine."""
    head = ["encoding", "newcomer", *(f"against {label}" for label in RIVALS)]
    rows = []
    for encoding in criteria.encodings(losses):
        known = {one.label: one for one in fixed(losses, encoding, test=criteria.test)}
        for label in _newcomers(losses):
            if label in known:
                cells = [_duel(losses, criteria, on, known, label, rival) for rival in RIVALS]
                rows.append([encoding, label, *cells])
    if not rows:
        return "No newcomer was played, or not yet."
    return (
        "Datasets won and lost significantly by the newcomer, both with fixed hyperparameters "
        "and the best learning rate; in brackets how often chance alone would be as "
        f"uneven.\n\n{pipes(head, rows)}"
    )


def _duel(
    losses: Losses,
    criteria: Criteria,
    on: Condition,
    known: Mapping[str, Competitor],
    label: str,
    rival: str,
) -> str:
    if rival not in known:
        return ""
    contest: Contest = contest_of(losses, [known[label], known[rival]], on)
    outcomes = criteria.wins(contest)
    won, lost = int(outcomes[0, 1].sum()), int(outcomes[1, 0].sum())
    signs = outcomes[0, 1].astype(int) - outcomes[1, 0].astype(int)
    return f"{won} / {lost} ({flip_test(signs):.3f})"


def _choices(losses: Losses, criteria: Criteria) -> str:
    head = ["encoding", "algorithm", "hyperparameters", "chosen by"]
    rows = [
        [encoding, label, in_short(chosen.choice), chosen.voters or "the paper, or alone"]
        for encoding in criteria.encodings(losses)
        for label, chosen in fixed_choices(losses, encoding, criteria.test).items()
        if label != SKYLINE
    ]
    return (
        "What each algorithm has in the views of fixed hyperparameters. A dataset that votes "
        f"is judged with what the others elect.\n\n{pipes(head, rows)}"
    )


def _claims(losses: Losses, criteria: Criteria) -> str:
    findings = [judge(losses, claim, criteria) for claim in CLAIMS]
    rows = [[one.claim.name, one.claim.says, f"**{one.verdict}**"] for one in findings]
    return (
        "The claims compare the paper's algorithms with each other, so that newcomers do not "
        "change their verdicts; what newcomers change is who is first, above. With fewer than "
        f"{FEW} datasets a claim cannot be told.\n\n"
        + pipes(["claim", "the paper says", "verdict"], rows)
    )
