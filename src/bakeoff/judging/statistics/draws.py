"""Draws for resampling: the same numbers in Python and on the page (`uniformAt`)."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bakeoff.judging.contest import Numbers


def uniforms(n_draws: int, start: int = 0) -> Numbers:
    """Numbers in [0, 1), the same in every call, from one of them on."""
    places = np.arange(start, start + n_draws, dtype=np.uint32)
    z = (places + np.uint32(1)) * np.uint32(0x6D2B79F5)
    z = (z ^ (z >> np.uint32(15))) * (z | np.uint32(1))
    z ^= z + (z ^ (z >> np.uint32(7))) * (z | np.uint32(61))
    z ^= z >> np.uint32(14)
    return z / 2.0**32


def times_drawn(
    n_resamples: int, n_problems: int, families: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """(resamples, problems) how often each problem is in a resample.

    Problems of one family (numbers from 0 on) are drawn together.
    """
    families = np.arange(n_problems) if families is None else families
    return _times(n_resamples, int(families.max(initial=-1)) + 1)[:, families]


@lru_cache(8)
def _times(n_resamples: int, n_families: int) -> NDArray[np.int64]:
    """How often each family is drawn; many contests of a report have as many."""
    draws = drawn(n_resamples * n_families, n_families)
    rows = draws.reshape(n_resamples, n_families)
    times = np.stack([np.bincount(row, minlength=n_families) for row in rows])
    times.flags.writeable = False
    return times


def drawn(n_draws: int, limit: int) -> NDArray[np.int64]:
    """Whole numbers from 0 to limit - 1."""
    return (uniforms(n_draws) * limit).astype(np.int64)
