"""Bands: a mean over datasets, and how far it moves when datasets are resampled.

The page draws them (assets/measures.js). Its numbers are tested against this module.
"""

from typing import NamedTuple

import numpy as np

from bakeoff.judging.contest import Numbers
from bakeoff.judging.statistics.draws import times_drawn

RESAMPLES = 400


class Band(NamedTuple):
    """Means of columns with the bounds of 95 % of resamples."""

    mean: Numbers
    low: Numbers
    high: Numbers


def band_of(values: Numbers) -> Band:
    """The band of (datasets, columns) values without gaps."""
    times = times_drawn(RESAMPLES, len(values))
    means = times @ values / len(values)
    low, high = np.percentile(means, [2.5, 97.5], axis=0)
    return Band(values.mean(axis=0), low, high)
