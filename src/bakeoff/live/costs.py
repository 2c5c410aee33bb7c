"""Costs: checked outcomes in [0, 1], from losses, costs or rewards."""

import math
from numbers import Real
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Doubles
from bakeoff.data import Range


def checked_range(rewards: Any) -> Range:
    """Where the rewards of a learner lie."""
    try:
        low, high = (float(end) for end in rewards)
    except (TypeError, ValueError, OverflowError):
        low = high = math.nan
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise SpecError(f"reward_range must be (low, high), got {rewards!r:.80}")
    return Range(low, high)


def checked_default(reward: float | None, rewards: Range) -> None:
    """Refuse a default reward that is none."""
    if reward is not None and not rewards.low <= reward <= rewards.high:
        raise SpecError(
            f"default_reward must lie between {rewards.low:g} and {rewards.high:g}, got {reward}"
        )


def cost_of(loss: Any, cost: Any, reward: Any, least_loss: float, rewards: Range) -> float:
    """The cost of one outcome, given as a loss, a cost or a reward."""
    if loss is None and reward is None and type(cost) is float and 0 <= cost <= 1:
        return cost
    is_usual = loss is None and cost is None and type(reward) is float
    if is_usual and rewards.low <= reward <= rewards.high:
        return rewards.cost_of(reward)
    name, value = _only_outcome("learn", loss, cost, reward)
    if not isinstance(value, Real | np.bool_):
        raise DataError(f"{name} must be a number, got {value!r:.80}")
    low, high = _limits(name, least_loss, rewards)
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        raise DataError(f"{name} must be a number, got {value!r:.80}") from None
    if not low <= number <= high:
        why = " (offset to offset + 1)" if name == "loss" else ""
        raise DataError(f"{name} must lie between {low:g} and {high:g}{why}, got {number}")
    return rewards.cost_of(number) if name == "reward" else number - low


def costs_of(
    loss: Any, cost: Any, reward: Any, least_loss: float, rewards: Range, n: int
) -> Doubles:
    """The costs of a batch of n outcomes; NaN where an outcome is missing."""
    name, values = _only_outcome("learn_batch", loss, cost, reward)
    low, high = _limits(name, least_loss, rewards)
    numbers = _numbers(values, name)
    if numbers.shape != (n,):
        raise DataError(f"{name} must have {n} entries, got {numbers.shape}")
    if ((numbers < low) | (numbers > high)).any():
        raise DataError(f"{name} must lie between {low:g} and {high:g}")
    return (rewards.high - numbers) / rewards.width if name == "reward" else numbers - low


def _limits(name: str, least_loss: float, rewards: Range) -> tuple[float, float]:
    """Where an outcome of this kind lies."""
    if name == "reward":
        return rewards.low, rewards.high
    low = least_loss if name == "loss" else 0.0
    return low, low + 1.0


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
