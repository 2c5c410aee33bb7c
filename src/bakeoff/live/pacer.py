"""Pacer: which actions the budget allows, if each has a known price.

    pacer = Pacer([0.001, 0.02], budget=0.005)            # dollars per decision
    decision = learner.choose(x, available=pacer.affordable())
    pacer.spend(decision.action)                          # or its true price, once it is known

It only says what is affordable; which of these to take, and whether a price is worth it, the
learner decides (let the reward be value - price x lambda).
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Doubles


class Pacer:
    """Keeps the mean price of decisions at or below a budget.

    An action is affordable if, after it, no more is spent than the budget of all decisions so
    far and `reserve` more decisions. The cheapest one always is. So if prices are what they
    were said to be and the cheapest is within the budget, n decisions cost at most
    budget x (n + reserve).

    Parameters
    ----------
    prices
        The prices of the actions.
    budget
        For each decision, on average.
    reserve
        How many decisions may be paid for in advance.

    Raises
    ------
    SpecError
        If a price or the budget makes no sense.

    Examples
    --------
    >>> pacer = Pacer([0.001, 0.02], budget=0.005)
    >>> pacer.affordable()
    [0, 1]
    """

    def __init__(
        self, prices: Sequence[float] | Doubles, budget: float, *, reserve: int = 20
    ) -> None:
        self.prices = np.array(prices, np.float64)
        if self.prices.ndim != 1 or not (self.prices >= 0).all() or not len(self.prices):
            raise SpecError(f"prices must be numbers from 0, one per action, got {prices!r:.80}")
        if not (math.isfinite(budget) and budget > 0):
            raise SpecError(f"budget must be positive, got {budget!r:.80}")
        if self.prices.min() > budget:
            raise SpecError(
                f"the cheapest action costs {self.prices.min():g}, more than the budget of "
                f"{budget:g} per decision"
            )
        self.budget, self.reserve = float(budget), reserve
        self.decisions, self.spent = 0, 0.0

    def affordable(self) -> list[int]:
        """Numbers of the actions that the budget allows now.

        Returns
        -------
        list[int]
            Numbers of actions.
        """
        allowed = self.budget * (self.decisions + 1 + self.reserve) - self.spent
        cheapest = int(self.prices.argmin())
        return [
            a for a, price in enumerate(self.prices.tolist()) if price <= allowed or a == cheapest
        ]

    def spend(self, action: Any, price: float | None = None) -> None:
        """Count a decision; `price` is what it cost in the end, if that differs.

        Parameters
        ----------
        action
            The number of the action taken.
        price
            What the action cost in the end.

        Raises
        ------
        DataError
            If there is no such action, or the price makes no sense.
        """
        if not 0 <= int(action) < len(self.prices):
            raise DataError(f"action must be a number from 0 to {len(self.prices) - 1}")
        price = float(self.prices[action]) if price is None else float(price)
        if not (math.isfinite(price) and price >= 0):
            raise DataError(f"price must be a number from 0, got {price!r}")
        self.decisions, self.spent = self.decisions + 1, self.spent + price
