"""Checks of conditions' settings: what each may be, and the words for what it must be."""

from collections.abc import Callable
from dataclasses import MISSING, field
from datetime import date
from numbers import Real
from typing import Any

from bakeoff.data.quantities import quantity, text_of

LARGEST = 2**31  # rounds

Check = Callable[[Any], Any]


def setting(check: Check, default: Any = MISSING, bare: bool = False) -> Any:
    """A field of a condition: `check` refuses a value with what it must be."""
    data = {"check": check, "bare": bare}
    if default is MISSING:
        return field(metadata=data)
    return field(default=default, metadata=data)


def number(value: Any, what: str) -> float:
    """A number."""
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(what)
    return float(value)


def share(value: Any) -> float:
    """A share of rounds or actions."""
    what = "a share from 0 to 1"
    found = number(value, what)
    if not 0 <= found <= 1:
        raise ValueError(what)
    return found


def whole(low: int) -> Check:
    """Whole numbers."""

    def check(value: Any) -> int:
        what = f"a whole number from {low}"
        found = number(value, what)
        if not low <= found <= LARGEST or found != int(found):
            raise ValueError(what)
        return int(found)

    return check


def moment(value: Any) -> float | None:
    """A point of the stream: a share below 1 of its rounds, or a number of rounds."""
    what = "a share of the rounds below 1, or a whole number of rounds"
    if value is None:
        return None
    found = number(value, what)
    if not 0 <= found <= LARGEST or (found >= 1 and found != int(found)):
        raise ValueError(what)
    return int(found) if found >= 1 else found


def stretch(value: Any) -> float | None:
    """A moment that is not the beginning."""
    found = moment(value)
    if found == 0:
        raise ValueError("a share of the rounds above 0, or a whole number of rounds")
    return found


def or_date(check: Check) -> Check:
    """What `check` lets pass, or a date."""

    def either(value: Any) -> Any:
        if isinstance(value, date):
            return text_of(value)
        if isinstance(value, str) and quantity(value, "date") is not None:
            return value.strip()
        try:
            return check(value)
        except ValueError as error:
            raise ValueError(f"{error}, or a date such as 2026-06-01") from None

    return either


def mean(value: Any) -> float:
    """A mean delay."""
    what = f"a number of rounds from 0 to {LARGEST:,}"
    found = number(value, what)
    if not 0 <= found <= LARGEST:
        raise ValueError(what)
    return found


def amount(value: Any) -> float:
    """What an action costs more."""
    what = "a number from -10 to 10"
    found = number(value, what)
    if not -10 <= found <= 10:
        raise ValueError(what)
    return found


def hours(value: Any) -> float:
    """A length of time."""
    what = f"a number of hours above 0 and at most {LARGEST:,}"
    found = number(value, what)
    if not 0 < found <= LARGEST:
        raise ValueError(what)
    return found


def or_none(check: Check) -> Check:
    """What `check` lets pass, or nothing."""
    return lambda value: None if value is None else check(value)


def action(value: Any) -> int | str:
    """The name of an action, or its number."""
    if isinstance(value, str) and value:
        return value
    return int(whole(0)(value))


def column(value: Any) -> int | str:
    """A feature."""
    if isinstance(value, str) and value:
        return value
    try:
        return int(whole(0)(value))
    except ValueError:
        raise ValueError("the name of a feature, or its number from 0") from None
