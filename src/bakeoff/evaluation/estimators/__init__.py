"""Estimators of a policy's value; `ESTIMATORS` lists all of them, in the order of tables.

To add one, write its formula and an `Estimator` record into the file of its family, and
list the record here. `evaluate`, the command line and the generic tests take it from the table.
"""

from bakeoff.evaluation.estimators.base import Estimator
from bakeoff.evaluation.estimators.doubly_robust import DM, DR, MRDR, SNDR
from bakeoff.evaluation.estimators.reweighted import CRESSIE_READ, LIKELIHOOD
from bakeoff.evaluation.estimators.shrinkage import CLIPPED, DROS, SWITCH_DR
from bakeoff.evaluation.estimators.weighting import IPS, SNIPS

_TABLE = (
    IPS, SNIPS, CLIPPED, DM, DR, SNDR, SWITCH_DR, DROS, MRDR, LIKELIHOOD, CRESSIE_READ,
)  # fmt: skip

ESTIMATORS: dict[str, Estimator] = {estimator.name: estimator for estimator in _TABLE}
UNBIASED = tuple(name for name, estimator in ESTIMATORS.items() if estimator.is_unbiased)
