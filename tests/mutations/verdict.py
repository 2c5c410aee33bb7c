"""Mutations of the verdict and of the evidence behind it."""

from tests.mutations.mutation import Mutation

FILE = "judging/verdict.py"
EVIDENCE = "judging/evidence.py"
VIEWS = "judging/views.py"

VERDICT = [
    Mutation(
        "verdict: level algorithms are not called level",
        FILE,
        "    if found.level:\n        neither",
        "    if False:\n        neither",
    ),
    Mutation(
        "verdict: who beats the leader is not named",
        FILE,
        "    if rival.wins > rival.losses:\n",
        "    if False:\n",
    ),
    Mutation(
        "verdict: one dataset that decides is not named",
        FILE,
        '    if len(decisive) == 1:\n        return f"{first} leads, on',
        '    if False:\n        return f"{first} leads, on',
    ),
    Mutation(
        "verdict: hindsight passes for foresight",
        FILE,
        "or not found.robustness.is_hindsight:",
        "or found.robustness.is_hindsight:",
    ),
    Mutation(
        "evidence: who leads in hindsight only may be a clear winner",
        EVIDENCE,
        '"open" if is_hindsight else grade',
        "grade",
    ),
    Mutation(
        "evidence: one of several that are level may be a clear winner",
        EVIDENCE,
        "is not None and not self.level",
        "is not None",
    ),
    Mutation(
        "recommend: a lead on a kind of data is sure by chance alone",
        "judging/recommend.py",
        "found = (chance_of(places), size_of(places), influence_of(part, outcomes))",
        "found = (chance_of(places),)",
    ),
    Mutation("verdict: a tie is below", FILE, "'level with' if is_level else how", "how"),
    Mutation("verdict: gaps are not counted", FILE, "    if names:\n", "    if False:\n"),
    Mutation(
        "verdict: tuning datasets are not counted", FILE, "    if n_tuning:\n", "    if False:\n"
    ),
    Mutation(
        "verdict: halves of a chance go down",
        "judging/wording.py",
        "math.floor(1000 * chance + 0.5)",
        "math.floor(1000 * chance)",
    ),
    Mutation(
        "verdict: the default view peeks",
        VIEWS,
        'self.view or ("fixed" if peeking_reason(losses, self) else "unpeeked")',
        'self.view or "fixed"',
    ),
    Mutation(
        "verdict: two datasets choose rates for each other", VIEWS, "best.n < ENOUGH", "best.n < 2"
    ),
    Mutation(
        "evidence: the strongest part decides",
        EVIDENCE,
        "return min(grades, key=GRADES.index)",
        "return max(grades, key=GRADES.index)",
    ),
    Mutation(
        "evidence: the rival is always the second",
        EVIDENCE,
        "least = min(places[1:], key=lambda one: (GRADES.index(one.grade), -one.p))",
        "least = places[1]",
    ),
    Mutation(
        "evidence: a difference that does not matter makes a winner",
        EVIDENCE,
        "if not_higher or too_small:",
        "if not_higher:",
    ),
    Mutation(
        "evidence: only the second must be behind",
        EVIDENCE,
        "met = sorted((one for one in places[1:]",
        "met = sorted((one for one in places[1:2]",
    ),
    Mutation(
        "evidence: intervals from few datasets",
        EVIDENCE,
        "np.flatnonzero(n >= FEW)",
        "np.flatnonzero(n >= 1)",
    ),
    Mutation(
        "evidence: ways in which others lead count",
        EVIDENCE,
        "own = [way for way in ways if way.leader == leader]",
        "own = list(ways)",
    ),
    Mutation(
        "evidence: the means keep the dataset that is left out",
        EVIDENCE,
        "(losses.sum(axis=1, keepdims=True) - losses) / counts",
        "losses.sum(axis=1, keepdims=True) / counts",
    ),
]
