"""A second opinion on two algorithms: the Bayesian signed-rank test over datasets.

Wins and losses count datasets on which a difference is significant. This test asks how
large differences are: is one algorithm's loss lower by more than what matters in
practice, on a typical dataset that was not seen? Datasets get random weights (a
Dirichlet process with a weak prior at no difference); for each draw of the weights the
average of two datasets' differences lies mostly below, within or above the region of
practical equivalence. Benavoli, Corani, Demsar, Zaffalon: Time for a change, JMLR 2017.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from bakeoff.judging.contest import Numbers
from bakeoff.judging.statistics.draws import uniforms
from bakeoff.judging.statistics.leads import SAME

SAMPLES = 2000
CHUNK = 100  # samples that are in memory at a time


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
    return signed_ranks([differences], same)[0]


def signed_ranks(many: Sequence[Numbers], same: float = SAME) -> list[Opinion]:
    """The same of several pairs; those on as many datasets share their draws."""
    every = [np.sort(np.append(one[~np.isnan(one)], 0.0)) for one in many]
    counts = np.zeros((len(every), 3))
    for size in {values.size for values in every}:
        for start in range(0, SAMPLES, CHUNK):
            draws = _draws(size, start, CHUNK)
            for place, values in enumerate(every):
                if values.size == size:
                    counts[place] += _samples_for_each(values, _weights(values, draws), same)
    return [Opinion(*(row / SAMPLES).tolist()) for row in counts]


def _samples_for_each(values: Numbers, weights: Numbers, same: float) -> tuple[int, int, int]:
    """How many samples say that the first is better, that both are alike, and the opposite."""
    cumulated = np.zeros((len(weights), values.size + 1))
    np.cumsum(weights, axis=1, out=cumulated[:, 1:])
    n_below = np.searchsorted(values, -2 * same - values, side="left")
    n_not_above = np.searchsorted(values, 2 * same - values, side="right")
    first, last = np.flatnonzero(n_below), np.flatnonzero(n_not_above < values.size)
    better = np.einsum("ij,ij->i", weights[:, first], cumulated[:, n_below[first]])
    worse = np.einsum("ij,ij->i", weights[:, last], 1.0 - cumulated[:, n_not_above[last]])
    alike = 1.0 - better - worse
    n_better = int(((better > alike) & (better > worse)).sum())
    n_worse = int(((worse > alike) & (worse > better)).sum())
    return n_better, len(weights) - n_better - n_worse, n_worse


class _Draws(NamedTuple):
    exponentials: Numbers  # (samples, values): -log u
    shares: Numbers  # (samples,): cos(2 pi v)^2, which make half a squared normal number of one


def _draws(n: int, start: int = 0, n_samples: int = SAMPLES) -> _Draws:
    u = uniforms(n_samples * (n + 1), start * (n + 1)).reshape(n_samples, n + 1)
    return _Draws(-np.log1p(-u[:, :n]), np.cos(2 * np.pi * u[:, n]) ** 2)


def _weights(values: Numbers, draws: _Draws | None = None) -> Numbers:
    """(samples, values) Dirichlet weights: 1 for each dataset, 1/2 for the prior."""
    draws = draws or _draws(values.size)
    parts = draws.exponentials.copy()
    parts[:, int(np.searchsorted(values, 0.0))] *= draws.shares
    parts /= parts.sum(axis=1, keepdims=True)
    return parts
