"""Inputs that are centred: the means of earlier rows are taken out of each row."""

from dataclasses import replace

import numpy as np

from tests.reference.regression import Row
from tests.reference.simulation import Event

ZERO = np.float32(0)


def centred(events: list[Event]) -> list[Event]:
    """Events as a run with centred inputs sees them, each by what came before it.

    A feature is centred from when on it was nonzero in half of all rows, until it is
    nonzero in less than a quarter of them. Its mean is that of all rows since the first
    in which it was not zero. The first event has no past: all its features are zero.
    """
    values: dict[int, list[tuple[int, np.float32]]] = {}  # by feature: (number of row, value)
    is_centred: set[int] = set()
    n_rows = 0
    mapped = []
    for event in events:
        rows = [_mapped(row, values, is_centred, n_rows) for row in event.rows]
        mapped.append(replace(event, rows=rows))
        before = n_rows
        met = set()
        for row in event.rows:
            for j, x in row[:-1]:
                values.setdefault(j, []).append((before, x))
                met.add(j)
        n_rows += len(event.rows)
        is_centred |= {j for j in met if 2 * len(values[j]) >= n_rows}
        is_centred = {j for j in is_centred if 4 * len(values[j]) >= n_rows}
    return mapped


def _mapped(
    row: Row, values: dict[int, list[tuple[int, np.float32]]], is_centred: set[int], n_rows: int
) -> Row:
    *features, bias = row
    if n_rows == 0:
        return [bias]
    raw = dict(features)
    result = []
    for j in sorted({*raw, *is_centred}):
        x = raw.get(j, ZERO)
        if j in is_centred:
            total = 0.0
            for _, value in values[j]:
                total = total + float(value)
            first, _ = values[j][0]
            x = np.float32(float(x) - total / (n_rows - first))
        if x != 0:
            result.append((j, x))
    return [*result, bias]
