"""Problems on which the scores of a run stop being finite."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import sparse

from bakeoff import Problem, Run
from tests.configurations import Configuration


class Explosion(NamedTuple):
    """A problem, a run that it leaves alone and one that it breaks."""

    problem: Problem
    fine: Run
    broken: Run


def explosion_of(configuration: Configuration) -> Explosion:
    """Two runs of one structure, so that they share a pass."""
    if configuration.explorer.sees_all_costs or configuration.has_log_loss:  # no offset counts
        fine = configuration.run(learning_rate=0.01, seed=1)
        return Explosion(_leap(), fine, configuration.run(learning_rate=10.0, seed=1))
    fine = configuration.run(seed=1)
    return Explosion(_large(), fine, configuration.run(offset=1e5, seed=1))


@lru_cache(maxsize=1)
def _large() -> Problem:
    """Features so large that a squared gradient overflows if losses are large too.

    4 loss^2 x^2 = 4e40 at x = 1e15 and loss = 1e5; single precision ends at 3.4e38.
    """
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) * [1e15, 1.0, 1.0]
    return Problem.from_costs(X, rng.random((60, 3)), name="large")


@lru_cache(maxsize=1)
def _leap() -> Problem:
    """Tiny features get huge weights, then all features are huge at once.

    A weight learned at x = 1e-18 is about 1e18 at most; a thousand of them at x = 1e18
    add up to about 1e39.
    """
    d = 1_000
    tiny = sparse.eye_array(d) * 1e-18
    huge = 1e18 * (-1.0) ** np.arange(d)
    X = sparse.vstack([tiny, sparse.csr_array(np.tile(huge, (3, 1)))])
    return Problem.from_classes(X, np.arange(d + 3) % 2, name="leap")
