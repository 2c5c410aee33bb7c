"""Families: datasets that were made from the same data.

The embedded suite has several datasets made from digits, iris, wine and breast_cancer.
So are the same data under several conditions (docs/guide/streams.md). They are not independent,
so resamples draw a whole family at a time. Every other dataset is a family of its own.
"""

from functools import cache

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bakeoff.data import split_stream
from bakeoff.reading.catalog import find_all


@cache
def _embedded() -> frozenset[str]:
    return frozenset(source.name for source in find_all(["embedded"]))


def family_names(problems: pl.DataFrame) -> list[str]:
    """The family of each problem: what its rows were made from."""
    rows = [
        (*split_stream(name), digest)
        for name, digest in problems.select("problem", "digest").rows()
    ]
    streams = {plain for plain, stream, _ in rows if stream}
    return [
        plain.partition("-")[0] if plain in _embedded() else plain if plain in streams else digest
        for plain, _, digest in rows
    ]


def families_of(problems: pl.DataFrame) -> NDArray[np.int64]:
    """The same as numbers, in the order in which families appear."""
    numbers: dict[str, int] = {}
    families = [numbers.setdefault(name, len(numbers)) for name in family_names(problems)]
    return np.array(families, np.int64)
