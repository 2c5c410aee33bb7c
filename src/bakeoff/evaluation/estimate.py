"""Estimate: a value with its interval, and how both are printed."""

import math
from collections.abc import Iterable
from typing import NamedTuple

_NOTHING = 1e-9  # a width that is rounding
_MOST = 6  # decimals


class Estimate(NamedTuple):
    """The mean reward of a policy by one estimator, with an interval.

    Attributes
    ----------
    name
        The name of the estimator.
    value
        The estimate.
    low, high
        The interval.
    interval
        The name of the interval.
    parameter
        The parameter of the estimator, such as "limit=12.5".
    chosen
        Whether SLOPE chose the parameter.

    Examples
    --------
    >>> log = bakeoff.Log.from_arrays(None, [0, 1] * 50, [0.5] * 100, [1, 0] * 50)
    >>> estimate = bakeoff.evaluate(log, "uniform", "ips")["ips"]
    >>> estimate.low <= estimate.value <= estimate.high
    True
    """

    name: str
    value: float
    low: float
    high: float
    interval: str  # the name of the interval
    parameter: str = ""  # of the estimator, such as "limit=12.5"
    chosen: bool = False  # whether SLOPE chose the parameter

    @property
    def width(self) -> float:
        """The width of the interval."""
        return self.high - self.low

    def __str__(self) -> str:
        return f"{self.name} {with_interval(self)}"


def decimals(estimates: Iterable[Estimate]) -> int:
    """As many as show two digits of the narrowest interval.

    >>> decimals([Estimate("dr", 0.44, 0.38, 0.51, "student")])
    2
    """
    widths = [estimate.width for estimate in estimates if estimate.width > _NOTHING]
    return min(max(1 - math.floor(math.log10(min(widths))), 0), _MOST) if widths else 3


def with_interval(estimate: Estimate, digits: int | None = None) -> str:
    """An estimate and its interval, with fixed decimals.

    >>> with_interval(Estimate("dr", 0.4, 0.38, 0.51, "student"))
    '0.40 (0.38 to 0.51)'
    """
    places = decimals([estimate]) if digits is None else digits
    value, low, high = (fixed(x, places) for x in (estimate.value, estimate.low, estimate.high))
    return f"{value} ({low} to {high})"


def fixed(value: float, places: int) -> str:
    """A number with so many decimals, and never a negative zero.

    >>> fixed(-0.001, 2), fixed(1234.5, 1)
    ('0.00', '1,234.5')
    """
    return f"{round(value, places) + 0.0:,.{places}f}"
