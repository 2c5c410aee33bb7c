"""Alike: events that differ in nothing, counted once with their number."""

from collections.abc import Sequence

import numpy as np

from bakeoff.core.types import Doubles, Ints


def distinct(columns: Sequence[Doubles]) -> tuple[list[Doubles], Ints]:
    """Events that differ in some column, and how many there are of each."""
    code = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        values, place = np.unique(column, return_inverse=True)
        _, code = np.unique(code * len(values) + place, return_inverse=True)
    _, first, times = np.unique(code, return_index=True, return_counts=True)
    return [column[first] for column in columns], times
