"""Wording: an evaluation in one sentence, the same in terminal, notebook, JSON and page."""

import math

from bakeoff.evaluation.can_answer import ANSWERS
from bakeoff.evaluation.estimate import decimals, fixed, with_interval
from bakeoff.evaluation.plan import events_to_tell
from bakeoff.evaluation.results import Evaluation

_ENDLESS = 100  # times the events of the log; nobody waits for so many
_LEVEL = 1e-9  # a difference that is rounding


def sentence_of(evaluation: Evaluation) -> str:
    """What a policy would have earned, and whether that is better than what was logged."""
    best, logged = evaluation.best, evaluation.logged
    if not evaluation.can_answer:
        return f"This log cannot tell what {evaluation.policy} would have earned"
    places = decimals([best])
    if evaluation.policy == "logged":
        return f"The logger itself earned {with_interval(logged)}"
    possible = best._replace(value=min(max(best.value, best.low), best.high))
    return (
        f"{evaluation.policy} would have earned {with_interval(possible, places)} against "
        f"{fixed(logged.value, places)} logged{_compared(evaluation)}"
    )


def _compared(evaluation: Evaluation) -> str:
    """Better or worse, how surely, and what would tell."""
    found = evaluation.difference
    if found is None:
        return ""
    if abs(found.value) < _LEVEL:
        return ": level"
    which = "better" if found.value > 0 else "worse"
    if found.is_clear:
        return f": {which}, surely"
    near = found.low if found.value > 0 else found.high
    needed = events_to_tell(evaluation.n, found.value, abs(found.value - near), evaluation.alpha)
    more = needed - evaluation.n
    if more > _ENDLESS * evaluation.n:
        return ": level, as far as this log can tell"
    return f": may be {which}; about {_rounded(more):,} more events would tell"


def _rounded(number: float) -> int:
    """A number of events, rounded up to two digits."""
    digits = 10 ** max(int(math.log10(max(number, 1.0))) - 1, 0)
    return max(math.ceil(number / digits) * digits, 1)


def advice_of(evaluation: Evaluation) -> str:
    """What to keep in mind beside the sentence; empty if there is nothing."""
    return "" if evaluation.advice == ANSWERS else evaluation.advice


def check_lines(evaluation: Evaluation) -> list[tuple[str, str]]:
    """The checks of the log: "fine", "fails" or "unknown", and what was seen."""
    return [
        ("unknown" if math.isnan(check.p_value) else "fails" if check.fails else "fine", check.text)
        for check in evaluation.checks
    ]


def support_line(evaluation: Evaluation) -> str:
    """How much of the log counts for the policy."""
    support = evaluation.support
    return (
        f"{support.effective_sample_size:,.0f} of {evaluation.n:,} events count (effective sample "
        f"size); largest weight {support.largest_weight:,.3g}; never tried {support.unseen:.1%}"
    )
