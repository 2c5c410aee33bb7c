"""Batches: many events at once, decided by one model and learned together."""

from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles, Ints


class Batch:
    """Decisions about a batch of events, as arrays.

    `ids[i]`, `actions[i]`, `probability[i]` and `probabilities[i]` are those of event
    i. It is learned as a whole, once, by the learner that made it.
    """

    def __init__(
        self, given: Given, t: int, actions: Ints, probabilities: Doubles, session: str
    ) -> None:
        self.given, self.t, self.session = given, t, session
        self.actions, self.probabilities = actions, probabilities
        self.is_learned = False

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def probability(self) -> Doubles:
        """Of the actions taken."""
        return self.probabilities[np.arange(len(self)), self.actions]

    @property
    def ids(self) -> list[str]:
        """Of the decisions, in order."""
        return [f"{self.session}-{self.t + i}" for i in range(len(self))]

    @property
    def rounds(self) -> Ints:
        """Of the decisions, in order."""
        return np.arange(self.t, self.t + len(self))


def costs_of(loss: Any, cost: Any, reward: Any, least_loss: float) -> Any:
    """What was given as costs, and its name and range: (costs, name, low)."""
    if cost is not None:
        return _numbers(cost, "cost"), "cost", 0.0
    if reward is not None:
        return 1.0 - _numbers(reward, "reward"), "reward", 0.0
    return _numbers(loss, "loss") - least_loss, "loss", least_loss


def _numbers(values: Any, what: str) -> Doubles:
    """Outcomes as an array of our own; NaN where there is none."""
    if np.ma.is_masked(values):
        raise DataError(f"{what} has masked values: give NaN for what is missing")
    try:
        return np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{what} must hold numbers, got {values!r:.80}") from None
