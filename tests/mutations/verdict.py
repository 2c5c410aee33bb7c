"""Mutations of the verdict."""

from tests.mutations.mutation import Mutation

FILE = "judging/verdict.py"

VERDICT = [
    Mutation(
        "verdict: a winner on few datasets",
        FILE,
        "    if n_datasets < FEW:\n",
        "    if n_datasets < 0:\n",
    ),
    Mutation(
        "verdict: level algorithms are not called level",
        FILE,
        "if standing.score == first.score]",
        "if standing.score > first.score]",
    ),
    Mutation(
        "verdict: the rival is always the second",
        FILE,
        "next(standing for standing in places[1:] if standing.lead == first.lead)",
        "places[1]",
    ),
    Mutation(
        "verdict: a likely winner is called clear",
        FILE,
        'if first.grade == "clear":',
        'if first.grade != "open":',
    ),
    Mutation(
        "verdict: who beats the leader is not named",
        FILE,
        "    if first.behind:\n",
        "    if False:\n",
    ),
    Mutation(
        "verdict: a second opinion on few datasets",
        FILE,
        "differences.size < FEW",
        "differences.size < 1",
    ),
    Mutation(
        "verdict: the second opinion of the rival",
        FILE,
        "contest.differences(first, second)",
        "contest.differences(second, first)",
    ),
    Mutation(
        "verdict: rates chosen on the dataset itself",
        FILE,
        'main_contest(losses, criteria, "unpeeked")',
        "main_contest(losses, criteria)",
    ),
    Mutation("verdict: gaps are not counted", FILE, "    if n_gaps:\n", "    if False:\n"),
    Mutation(
        "verdict: tuning datasets are not counted", FILE, "    if n_tuning:\n", "    if False:\n"
    ),
    Mutation(
        "verdict: single runs pass for means",
        FILE,
        'if n_orders == 1 and criteria.test != "paired":',
        'if n_orders == 0 and criteria.test != "paired":',
    ),
    Mutation(
        "verdict: halves of a chance go down",
        FILE,
        "math.floor(1000 * chance + 0.5)",
        "math.floor(1000 * chance)",
    ),
]
