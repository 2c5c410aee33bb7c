"""A second opinion on two algorithms: the Bayesian signed-rank test over datasets.

Wins and losses count datasets on which a difference is significant. This test asks how
large differences are: is one algorithm's loss lower by more than what matters in
practice, on a typical dataset that was not seen? Datasets get random weights (a
Dirichlet process with a weak prior at no difference); for each draw of the weights the
average of two datasets' differences lies mostly below, within or above the region of
practical equivalence. Benavoli, Corani, Demsar, Zaffalon: Time for a change, JMLR 2017.
"""

from typing import NamedTuple

import numpy as np

from bakeoff.judging.contest import Numbers
from bakeoff.judging.statistics.draws import uniforms
from bakeoff.judging.statistics.leads import SAME

SAMPLES = 2000


class Opinion(NamedTuple):
    """The probability that the first is better, that both are alike, or the second."""

    better: float
    same: float
    worse: float


def signed_rank(differences: Numbers, same: float = SAME) -> Opinion:
    """What differences of losses (first minus second) on datasets say.

    The prior is half a dataset with no difference. Of equal shares the more cautious
    counts: that both are alike.
    """
    values = np.sort(np.append(differences[~np.isnan(differences)], 0.0))
    weights = _weights(values)
    cumulated = np.zeros((SAMPLES, values.size + 1))
    cumulated[:, 1:] = np.cumsum(weights, axis=1)
    n_below = np.searchsorted(values, -2 * same - values, side="left")
    n_not_above = np.searchsorted(values, 2 * same - values, side="right")
    better = (weights * cumulated[:, n_below]).sum(axis=1)
    worse = (weights * (1.0 - cumulated[:, n_not_above])).sum(axis=1)
    alike = 1.0 - better - worse
    is_better = (better > alike) & (better > worse)
    is_worse = (worse > alike) & (worse > better)
    is_same = ~is_better & ~is_worse
    return Opinion(*(float(one.mean()) for one in (is_better, is_same, is_worse)))


def _weights(values: Numbers) -> Numbers:
    """(SAMPLES, values) Dirichlet weights: 1 for each dataset, 1/2 for the prior.

    An exponential number is -log u, half a squared normal one -log u cos(2 pi v)^2.
    """
    n = values.size
    u = uniforms(SAMPLES * (n + 1)).reshape(SAMPLES, n + 1)
    parts = -np.log1p(-u[:, :n])
    prior = int(np.searchsorted(values, 0.0))
    parts[:, prior] *= np.cos(2 * np.pi * u[:, n]) ** 2
    weights: Numbers = parts / parts.sum(axis=1, keepdims=True)
    return weights
