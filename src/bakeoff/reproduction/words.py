"""What a reproduction was made from, and what it leaves to figures, in words."""

from collections import Counter

from bakeoff.basics.text import counted
from bakeoff.judging import BINARY, Criteria, Losses

FIGURES = (  # the paper's figure, ours, the claims that judge what it shows
    ("greed_is_good", "introduction", "ro-first, cover-nu"),
    ("comp", "pairs", "ro-first, greedy-second, bag-behind"),
    ("cfe", "ips-errors", "logs"),
    ("ro", "regcb-widths", "ro-first"),
    ("active", "active", "active"),
    ("cfe_appx", "ips-errors-all", "logs-regcb, logs-losses"),
    ("baseline", "baseline", "baseline-9/10"),
)


def data_in_words(losses: Losses, criteria: Criteria) -> str:
    """Which datasets, which of them judge, and what differs from the paper's."""
    problems = losses.problems
    tasks = problems["task"].value_counts(sort=True).rows()
    n_held_out = int((~problems["tuning"]).sum())
    encodings = ", ".join(losses.encodings)
    paragraphs = [
        f"{counted(problems.height, 'dataset')}: "
        + ", ".join(f"{n} {task}" for task, n in tasks)
        + f"; encodings {encodings}. The paper has 516 multiclass and 5 multilabel "
        "datasets, MSLR, Yahoo and RCV1.",
        f"{problems.height - n_held_out} of ours are among those on which the paper "
        f"chose its hyperparameters, {n_held_out} are not. " + _judges(criteria),
        f"{_orders(losses)} What else differs: the orders are not the paper's; twins count "
        "once; our random numbers are independent where the paper's program draws from a "
        "fixed sequence; and the decisions in docs/reference/deviations.md.",
    ]
    return "\n\n".join(paragraphs)


def _orders(losses: Losses) -> str:
    times = Counter(losses.problems["shuffles"])
    each = ", ".join(f"{counted(n, 'dataset')} in {k}" for k, n in sorted(times.items())[::-1])
    return (
        f"Orders of rows: {each}; the paper has one. A loss is the mean over the orders of a "
        f"dataset, and the paper's rule decides wins on these means, with the number of "
        f"examples of one order. So luck of single orders averages out while the "
        f"rule stays as strict as for one: it is cautious."
    )


def _judges(criteria: Criteria) -> str:
    if not criteria.everywhere:
        return "The latter judge, as in the paper."
    return (
        "Held-out datasets are too few to judge alone, so **all datasets with binary "
        f"costs ({' and '.join(BINARY)}) judge**, also beside figures that the paper "
        "has for held-out ones. Every algorithm with hyperparameters had them chosen "
        "on much the same datasets that judge here, which flatters those with many "
        "choices against Greedy, which has none."
    )


def figures_in_words() -> str:
    """Where to find the paper's figures, which print no numbers to compare."""
    lines = [
        "The paper prints no numbers for its figures. `bakeoff report` draws them into "
        "`report/`, and the claims named here count what they show.",
        "| the paper's figure | ours | claims |\n| --- | --- | --- |\n"
        + "\n".join(f"| `{paper}` | `{ours}` | {claims} |" for paper, ours, claims in FIGURES),
    ]
    return "\n\n".join(lines)
