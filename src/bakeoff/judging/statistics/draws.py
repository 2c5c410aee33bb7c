"""Draws for resampling: the same numbers in Python and on the page (`uniformAt`)."""

import numpy as np
from numpy.typing import NDArray

from bakeoff.judging.contest import Numbers


def uniforms(n_draws: int) -> Numbers:
    """Numbers in [0, 1), the same in every call."""
    z = (np.arange(n_draws, dtype=np.uint32) + np.uint32(1)) * np.uint32(0x6D2B79F5)
    z = (z ^ (z >> np.uint32(15))) * (z | np.uint32(1))
    z ^= z + (z ^ (z >> np.uint32(7))) * (z | np.uint32(61))
    z ^= z >> np.uint32(14)
    return z / 2.0**32


def times_drawn(n_resamples: int, n_problems: int) -> NDArray[np.int64]:
    """(resamples, problems) how often each problem is in a resample."""
    draws = drawn(n_resamples * n_problems, n_problems)
    rows = draws.reshape(n_resamples, n_problems)
    return np.stack([np.bincount(row, minlength=n_problems) for row in rows])


def drawn(n_draws: int, limit: int) -> NDArray[np.int64]:
    """Whole numbers from 0 to limit - 1."""
    return (uniforms(n_draws) * limit).astype(np.int64)
