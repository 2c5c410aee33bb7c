"""Intervals for a policy's value; `INTERVALS` lists all of them, in the order of tables.

To add one, write its bounds and an `Interval` record into the file of its family, and list the
record here. `evaluate`, the command line and the generic tests take it from the table.
"""

from bakeoff.evaluation.intervals.base import Interval
from bakeoff.evaluation.intervals.finite_sample import BERNSTEIN, CLOPPER_PEARSON, SMOOTHING
from bakeoff.evaluation.intervals.likelihood import CRESSIE_READ, LIKELIHOOD
from bakeoff.evaluation.intervals.normal import BOOTSTRAP, NORMAL, STUDENT
from bakeoff.evaluation.intervals.sequences import ROBUST, SEQUENCE
from bakeoff.evaluation.intervals.stabilised import STABILISED

_TABLE = (
    NORMAL, STUDENT, BOOTSTRAP, STABILISED, LIKELIHOOD, CRESSIE_READ, BERNSTEIN, SMOOTHING,
    SEQUENCE, ROBUST, CLOPPER_PEARSON,
)  # fmt: skip

INTERVALS: dict[str, Interval] = {interval.name: interval for interval in _TABLE}
