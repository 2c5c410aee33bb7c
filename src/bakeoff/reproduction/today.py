"""The bake-off of today: the paper's algorithms and those that came after it, together.

A stage of its own, which `all` does not include, and the document that it ends in. It has
two parts: whole grids of the newcomers, which elect their
hyperparameters as the paper's were elected, and everybody with fixed ones, on raw and on
centred inputs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from bakeoff.basics.text import counted
from bakeoff.judging import BINARY, FEW, KINDS, Condition, Criteria, Losses, recommend, verdict
from bakeoff.report import CLAIMS, are_held_out, judge
from bakeoff.reproduction.company import (
    Company,
    choices_table,
    duels_table,
    glance_table,
    newcomers_ahead,
    places,
    standings_table,
    without_peeking,
)
from bakeoff.reproduction.figure import figure_of_company
from bakeoff.reproduction.markdown import folded, lined, pipes
from bakeoff.reproduction.stages import Stage
from bakeoff.reproduction.words import data_in_words
from bakeoff.runs import CENTRED, INPUTS, NEWCOMERS, RAW

NAME = "today"
FIGURE = "bakeoff-today.svg"
LARGEST = 6000  # examples of a dataset
GRIDS = Stage(
    NAME, f"grids of algorithms after the paper, at most {LARGEST:,} examples",
    NEWCOMERS, largest=LARGEST, most=1, fewest=1,
)  # fmt: skip
TODAY = Stage(
    NAME, f"the paper's algorithms and those after it, at most {LARGEST:,} examples",
    ("fixed", "today"), largest=LARGEST, inputs=(RAW, CENTRED),
    most=3, fewest=1, budget=4_000_000,
)  # fmt: skip
STAGES_OF_TODAY = (GRIDS, TODAY)


def today_document(
    losses: Losses, costs: Mapping[str, float], command: str, lacks: str = ""
) -> str:
    """Losses, ranks, verdicts, cost and logs of all algorithms, all of it from a store.

    `costs` are microseconds per round by algorithm; `lacks` says what is missing.
    """
    company = _company(losses, costs)
    criteria = company.criteria
    parts = [
        "# The bake-off of today",
        f"![Mean losses of all algorithms, with raw and with centred inputs]({FIGURE})",
        f"*Mean losses at {company.encodings[0]}, with fixed hyperparameters and the learning "
        'rate chosen on the other datasets: the columns "elected" below.*',
        f"Made by `{command}` from all that its store has; nothing here is typed by hand.",
        *([f"**{lacks}**"] if lacks else []),
        "How do algorithms that came after the paper do beside its nine, and does it help to take "
        "the running mean out of each feature (*centred* inputs)? All of them played the same "
        "datasets, in the same orders of rows. The verdict and our advice come first, in words; "
        "then the tables, of which long ones open by a click.",
        "## The verdict",
        *_verdicts(losses, criteria),
        "## What we recommend",
        _advice(losses, criteria),
        "## What was played",
        _what_was_played(),
        data_in_words(losses, criteria),
        "## At a glance",
        _how_to_read(),
        *(f"### {encoding}\n\n{glance_table(company, encoding)}" for encoding in company.encodings),
        "## Is randomised RegCB the default that needs no tuning?",
        *_without_tuning(company),
        "## Standings",
        *_standings(company),
        "## Newcomers against the paper's algorithms",
        duels_table(company),
        "## Hyperparameters by voting",
        choices_table(company),
        "## The paper's claims in this company",
        _claims(company),
    ]
    return folded(lined("\n\n".join(parts) + "\n"))


def today_figure(losses: Losses) -> bytes:
    """The document's figure, as SVG."""
    return figure_of_company(without_peeking(_company(losses, {})))


def _company(losses: Losses, costs: Mapping[str, float]) -> Company:
    criteria = Criteria(view="fixed")
    criteria = replace(criteria, everywhere=not are_held_out(losses, criteria))
    return Company(
        losses, criteria, Condition(held_out=criteria.held_out_only, tasks=BINARY), costs
    )


def _what_was_played() -> str:
    return (
        f"Two parts. *Grids*: {counted(len(GRIDS.runs), 'run')} of the newcomers (all choices "
        "below, nine learning rates, both encodings, raw inputs) in one order of the rows, which "
        f"elect hyperparameters. *Fixed*: {counted(len(TODAY.runs), 'run')} of everybody (nine "
        f"rates, both encodings, raw and centred inputs), in up to {TODAY.most} orders. Datasets "
        f"of more than {LARGEST:,} examples are left out, so that the study takes less than an "
        "hour on two cores; `--shuffles` plays more orders."
    )


def _verdicts(losses: Losses, criteria: Criteria) -> Iterator[str]:
    for encoding in criteria.encodings(losses):
        yield f"**{encoding}.** " + " ".join(verdict(losses, replace(criteria, encoding=encoding)))


def _advice(losses: Losses, criteria: Criteria) -> str:
    """What the report recommends, but for the algorithm, which the verdict names."""
    return "\n".join(
        f"- **{one.topic}**: {one.text}"
        for one in recommend(losses, criteria)
        if one.topic != "algorithm"
    )


def _how_to_read() -> str:
    return (
        "Mean losses over the datasets that all have played, with fixed hyperparameters and "
        "three ways to choose the learning rate: the *best* on each dataset in hindsight, the "
        "one *elected* on the other datasets, and *one* for all. Ridge regressions have no "
        "rate. *µs* is the median time of a round in a pass of many runs. *Log error* is the "
        "root mean squared error of the uniform policy's cost, estimated from the rewards in an "
        "algorithm's log (at the best rate), as in the paper's figure of logs."
    )


def _without_tuning(company: Company) -> Iterator[str]:
    """Where it stands if nothing is tuned to a dataset."""
    yield (
        "Places by mean loss of all algorithms with the same inputs, if the learning rate is one "
        "for all datasets, elected on the others, or the best; then its log's place among their "
        "logs, all from the first."
    )
    head = ["encoding", "inputs", "algorithm", "one rate", "elected", "best", "log"]
    rows = [
        [encoding, inputs, label, *cells]
        for encoding in company.encodings
        for inputs in INPUTS
        for label, cells in places(company, encoding, inputs)
    ]
    yield pipes(head, rows) if rows else "It was not played."


def _standings(company: Company) -> Iterator[str]:
    yield (
        "*Wins* and *losses* are significant ones against all others with the same inputs, "
        "added up. *Within 1 %* is the share of datasets with a loss at most 0.01 above the best."
    )
    for encoding in company.encodings:
        for inputs in INPUTS:
            for kind in ("fixed", "unpeeked"):
                table = standings_table(company, encoding, kind, inputs)
                if table:
                    yield f"### {encoding}, {inputs} inputs, {KINDS[kind]}\n\n{table}"


def _claims(company: Company) -> str:
    findings = [judge(company.losses, claim, company.criteria) for claim in CLAIMS]
    rows = [
        [one.claim.name, one.claim.says, f"**{one.verdict}**", newcomers_ahead(company, one.claim)]
        for one in findings
    ]
    return (
        "The claims compare the paper's algorithms with each other, and newcomers do not change "
        "those verdicts. What they change is in the last column: where a claim has one algorithm "
        "ahead of others, the newcomers that are significantly ahead of it (datasets won / lost, "
        "raw inputs, best rates, chance below 5 %). With fewer than "
        f"{FEW} datasets a claim cannot be told.\n\n"
        + pipes(["claim", "the paper says", "verdict", "newcomers ahead"], rows)
    )
