"""Student's interval: the normal one, wider for few events."""

from scipy import stats

from bakeoff.evaluation.intervals.base import Bounds, Evidence, Interval, around
from bakeoff.evaluation.intervals.normal import standard_error


def bounds(evidence: Evidence, alpha: float) -> Bounds:
    """Estimate +- t s / sqrt(n), t with n - 1 degrees of freedom."""
    degrees = max(1, evidence.events.n - 1)
    t = float(stats.t.ppf(1 - alpha / 2, degrees))
    return around(evidence, t * standard_error(evidence))


STUDENT = Interval(
    "student", "Student", bounds,
    "light weights, a logger that does not learn",
    of_estimate=True, place=2,
)  # fmt: skip
