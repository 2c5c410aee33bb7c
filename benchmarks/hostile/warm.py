"""Load the kernels of live learners, once for all trials."""

import bakeoff.evaluation.evaluate
import bakeoff.live.verify
import bakeoff.reading.logs.read_log
from bakeoff import Learner
from tests.golden.models import LEARNERS

SPECS = ("epsilon-greedy:epsilon=0.4", "bag:n_policies=2", "cover:n_policies=2,psi=0.1")
LOADED = (bakeoff.evaluation.evaluate, bakeoff.live.verify, bakeoff.reading.logs.read_log)

for _spec in SPECS:
    Learner(_spec, n_actions=3, seed=1)
MADE = {name: make() for name, make in LEARNERS.items()}
"""Learners with waiting decisions; each process has copies of its own."""
