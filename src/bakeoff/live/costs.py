"""Costs: checked outcomes in [0, 1], from losses, costs or rewards."""

from numbers import Real
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles


def cost_of(loss: Any, cost: Any, reward: Any, least_loss: float) -> float:
    """The cost of one outcome, given as a loss, a cost or a reward."""
    if loss is None and reward is None and type(cost) is float and 0 <= cost <= 1:
        return cost
    name, value = _only_outcome("learn", loss, cost, reward)
    if not isinstance(value, Real | np.bool_):
        raise DataError(f"{name} must be a number, got {value!r:.80}")
    low = least_loss if name == "loss" else 0.0
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        raise DataError(f"{name} must be a number, got {value!r:.80}") from None
    if not low <= number <= low + 1:
        why = " (offset to offset + 1)" if name == "loss" else ""
        raise DataError(f"{name} must lie between {low:g} and {low + 1:g}{why}, got {number}")
    return 1.0 - number if name == "reward" else number - low


def costs_of(loss: Any, cost: Any, reward: Any, least_loss: float, n: int) -> Doubles:
    """The costs of a batch of n outcomes; NaN where an outcome is missing."""
    name, values = _only_outcome("learn_batch", loss, cost, reward)
    low = least_loss if name == "loss" else 0.0
    numbers = _numbers(values, name)
    costs = 1.0 - numbers if name == "reward" else numbers - low
    if costs.shape != (n,):
        raise DataError(f"{name} must have {n} entries, got {costs.shape}")
    if ((costs < 0) | (costs > 1)).any():
        raise DataError(f"{name} must lie between {low:g} and {low + 1:g}")
    return costs


def _only_outcome(method: str, loss: Any, cost: Any, reward: Any) -> tuple[str, Any]:
    """The name and value of the outcome that is not None."""
    outcomes = {"loss": loss, "cost": cost, "reward": reward}
    present = [(name, value) for name, value in outcomes.items() if value is not None]
    if len(present) != 1:
        raise DataError(f"{method} takes one of loss, cost and reward")
    return present[0]


def _numbers(values: Any, name: str) -> Doubles:
    """Outcomes as a new array."""
    if np.ma.is_masked(values):
        raise DataError(f"{name} has masked values: give NaN for what is missing")
    try:
        return np.array(values, np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError(f"{name} must hold numbers, got {values!r:.80}") from None
