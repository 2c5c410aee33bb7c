"""Rows: records become a table, whatever is missing in them."""

from typing import Any

import numpy as np
import polars as pl
import pytest

from bakeoff.store.rows import SCHEMA, rows_of

ARRAY, LONGER, EMPTY = np.array([0.5, 0.25]), np.array([1.0, 0.5, 0.25]), np.empty(0)


@pytest.mark.parametrize(
    "curves",
    [
        [],
        [ARRAY],
        [ARRAY, ARRAY],
        [ARRAY, LONGER, EMPTY],
        [None, ARRAY, LONGER],
        [ARRAY, None],
        [None, None],
        [[0.5], ARRAY],
    ],
)
def test_curves_are_lists_of_any_length_or_missing(curves: list[Any]) -> None:
    rows = rows_of([{"n": 5, "curve_loss": curve} for curve in curves])

    assert rows.schema == pl.Schema(SCHEMA)
    assert rows["n"].to_list() == [5] * len(curves)
    assert rows["pv_loss"].null_count() == len(curves)
    expected = [None if curve is None else list(curve) for curve in curves]
    assert rows["curve_loss"].to_list() == expected


def test_a_value_of_another_kind_is_refused() -> None:
    with pytest.raises(TypeError):
        rows_of([{"n": "five"}])
