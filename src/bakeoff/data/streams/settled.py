"""Settled conditions: names of actions and dates become numbers of actions and rounds."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import did_you_mean
from bakeoff.core.types import Doubles
from bakeoff.data.features import Column
from bakeoff.data.quantities import quantity
from bakeoff.data.streams.conditions import Condition, moments_of


def settled(
    conditions: Sequence[Condition],
    class_names: Sequence[str] | None,
    columns: Sequence[Column],
    hours: Doubles | None,
) -> tuple[Condition, ...]:
    """Conditions with numbers alone; `hours` are those of the rows in the order played."""
    return tuple(_settled(one, class_names, columns, hours) for one in conditions)


def has_dates(one: Condition) -> bool:
    """Whether some moment of a condition is a date."""
    return any(isinstance(getattr(one, name), str) for name in moments_of(one))


def _settled(
    one: Condition,
    class_names: Sequence[str] | None,
    columns: Sequence[Column],
    hours: Doubles | None,
) -> Condition:
    found: dict[str, Any] = {}
    action = getattr(one, "action", None)
    if isinstance(action, str):
        found["action"] = _number_of(action, one, class_names)
    if has_dates(one):
        assert hours is not None
        time = one.time  # type: ignore[attr-defined]
        column = next((c for c in columns if time in (c.name, c.first)), None)
        if column is None or column.form != "date":
            raise DataError(f"{one}: {time!r} is no column of dates")
        for name in moments_of(one):
            if isinstance(when := getattr(one, name), str):
                found[name] = _round_of(when, one, hours, column.origin)
        found["time"] = None
    return replace(one, **found) if found else one


def _number_of(action: str, one: Condition, class_names: Sequence[str] | None) -> int:
    if class_names is None:
        raise DataError(f"{one}: actions have no names here; give a number from 0")
    if action not in class_names:
        raise DataError(f"{one}: there is no action {action!r}{did_you_mean(action, class_names)}")
    return list(class_names).index(action)


def _round_of(when: str, one: Condition, hours: Doubles, origin: float) -> int:
    """How many rounds come before a date."""
    days = quantity(when, "date")
    assert days is not None
    before = int(np.searchsorted(hours, 24 * (days - origin)))
    if before == 0 or before == len(hours):
        first, last = (_date_of(origin + float(hours[at]) / 24) for at in (0, -1))
        raise DataError(f"{one}: {when} is not within the rows, which go from {first} to {last}")
    return before


def _date_of(days: float) -> str:
    return str(np.datetime64(int(days), "D"))
