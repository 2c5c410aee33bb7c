"""What an estimator is: parts that add up to a value, and a formula to read.

w = pi(a|x) / p is an event's weight, r its reward, q(x, a) the model's guess of r, and
q_pi = sum_a pi(a|x) q(x, a).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from bakeoff.core.types import Doubles


class Events(NamedTuple):
    """What estimators see of a log and a policy, an entry per event."""

    reward: Doubles
    weight: Doubles
    q: Doubles  # the model's guess for the action taken; 0 without a model
    q_pi: Doubles  # and for the policy
    squares: Doubles | None = None  # E w^2 given the context, if distributions were logged
    fourths: Doubles | None = None  # E w^4

    @property
    def n(self) -> int:
        """The number of events."""
        return len(self.reward)


class Parts(NamedTuple):
    """value = mean(base) + mean(top) / mean(bottom); without `bottom`, / 1."""

    base: Doubles
    top: Doubles
    bottom: Doubles | None = None

    @property
    def value(self) -> float:
        """The estimate; 0 / 0 counts as 0."""
        if self.bottom is None:
            return float(np.mean(self.base) + np.mean(self.top))
        below = float(np.mean(self.bottom))
        above = float(np.mean(self.top)) / below if below > 0 else 0.0
        return float(np.mean(self.base)) + above

    @property
    def terms(self) -> Doubles:
        """A term per event whose mean is the value, linear in the event.

        For a ratio, by the delta method:
        base + top/bottom + (top - (top/bottom) bottom) / mean(bottom).
        """
        if self.bottom is None:
            return self.base + self.top
        below = float(np.mean(self.bottom))
        if below <= 0:
            return self.base
        ratio = float(np.mean(self.top)) / below
        return self.base + ratio + (self.top - ratio * self.bottom) / below


@dataclass(frozen=True)
class Estimator:
    """A way to estimate a policy's value from a log.

    `parts(events, parameter)` computes the formula. If the estimator has a parameter,
    `parameters(events)` lists candidates from the least biased to the most biased, and SLOPE
    chooses among them. `model` says which reward model the estimator needs.
    """

    name: str
    title: str
    formula: str
    parts: Callable[[Events, float], Parts]
    model: Literal["none", "plain", "mrdr"] = "none"
    parameter: str = ""  # the name of its parameter, if it has one
    parameters: Callable[[Events], Doubles] | None = None
    is_unbiased: bool = False  # its expectation is the true value
    is_shrunk: bool = False  # it leaves out some of the weights; unbiased(...) uses them

    def unbiased(self, events: Events) -> Parts:
        """The estimate with all of the weights: IPS, or DR with the same model."""
        guess = 0.0 if self.model == "none" else events.q
        base = np.zeros(events.n) if self.model == "none" else events.q_pi
        return Parts(base, events.weight * (events.reward - guess))


def thresholds(events: Events, power: float = 1.0) -> Doubles:
    """Twenty candidates from the largest weight down to 1, evenly in logarithms."""
    top = max(float(events.weight.max(initial=1.0)), 1.0)
    return np.geomspace(top, 1.0, 20) ** power
