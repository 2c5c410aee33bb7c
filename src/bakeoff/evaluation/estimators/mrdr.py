"""MRDR: more robust DR, its model fitted to make DR's variance small.

Farajtabar et al. 2018: the model's events are weighted by pi(a|x) (1 - p) / p^2.
"""

from bakeoff.evaluation.estimators.base import Estimator
from bakeoff.evaluation.estimators.dr import parts

MRDR = Estimator(
    "mrdr", "more robust DR", "mean(q_pi + w (r - q)), q fitted for it", parts,
    model="mrdr", place=9,
)  # fmt: skip
