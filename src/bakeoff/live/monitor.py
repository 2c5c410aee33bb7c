"""Monitor: statistics of a learner."""

import math
from collections import deque
from typing import Any

import numpy as np

from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Range
from bakeoff.live.actions import Actions
from bakeoff.live.learner_page import wilson

_BLOCK = 100  # outcomes per block
_BLOCKS = 100  # blocks to remember
_RECENT = 10  # blocks to compare with the earlier ones


class Sums:
    """Sums over the outcomes of one action, plain and weighted by 1 / p."""

    __slots__ = ("decisions", "outcomes", "reward", "weight", "weight2", "weighted")

    def __init__(self, *values: float) -> None:
        self.decisions, self.outcomes = (int(v) for v in values[:2] or (0, 0))
        self.reward, self.weight, self.weight2, self.weighted = values[2:] or (0.0,) * 4

    def values(self) -> list[float]:
        """All sums, in the order of the constructor."""
        return [self.decisions, self.outcomes, self.reward, self.weight, self.weight2,
                self.weighted]  # fmt: skip


class Monitor:
    """Statistics of a learner, by action and over time."""

    def __init__(self, version: int = 0) -> None:
        self.version = version  # of the learner when the last outcome was counted
        self.by_action: list[Sums] = []
        self.blocks: deque[list[float]] = deque(maxlen=_BLOCKS)

    def learned(self, number: int, cost: float, p: float, version: int) -> None:
        """Count an outcome, unless that has been done."""
        if version <= self.version:
            return
        sums, weight = self.sums(number), 1.0 / p
        if not self.blocks or self.blocks[-1][0] >= _BLOCK:
            self.blocks.append([0.0, 0.0, 0.0])
        block = self.blocks[-1]
        self.version = version  # no call from here on: all of it, or nothing
        sums.outcomes += 1
        sums.reward += 1.0 - cost
        sums.weight += weight
        sums.weight2 += weight * weight
        sums.weighted += weight * (1.0 - cost)
        block[0] += 1
        block[1] += cost
        block[2] += cost * cost

    def decided_all(self, numbers: Ints) -> list[Sums]:
        """Sums that include the decisions of a batch, to replace `by_action`."""
        counts = np.bincount(numbers, minlength=len(self.by_action)).tolist()
        return [
            Sums(count + values[0], *values[1:])
            for count, values in zip(counts, self._padded(len(counts)), strict=True)
        ]

    def learned_all(self, numbers: Ints, costs: Doubles, p: Doubles, version: int) -> None:
        """Count the outcomes of a batch, unless that has been done."""
        if version <= self.version:
            return
        weight = 1.0 / p
        parts = [np.ones(len(costs)), 1.0 - costs, weight, weight**2]
        parts.append(weight * (1.0 - costs))
        n = len(self.by_action)
        more = [np.bincount(numbers, part, minlength=n).tolist() for part in parts]
        by_action = [
            Sums(values[0], *(a + b for a, b in zip(values[1:], new, strict=True)))
            for values, *new in zip(self._padded(len(more[0])), *more, strict=True)
        ]
        block = [float(len(costs)), float(costs.sum()), float((costs**2).sum())]
        blocks = deque([*self.blocks, block], maxlen=_BLOCKS)
        self.by_action, self.blocks, self.version = by_action, blocks, version

    def _padded(self, n: int) -> list[list[float]]:
        """The sums of n actions; those of new actions are 0."""
        known = [sums.values() for sums in self.by_action]
        return known + [Sums().values()] * (n - len(known))

    def sums(self, number: int) -> Sums:
        """The sums of an action, which may be new."""
        while number >= len(self.by_action):
            self.by_action.append(Sums())
        return self.by_action[number]

    def state(self) -> dict[str, Any]:
        """The part of a saved learner."""
        sums = [sums.values() for sums in self.by_action]
        return {"by_action": sums, "blocks": list(self.blocks)}

    @classmethod
    def restored(cls, state: dict[str, Any], version: int) -> "Monitor":
        """The monitor of a saved learner."""
        monitor = cls(version)
        for values in state["by_action"]:
            monitor.by_action.append(Sums(*_numbers(values, len(Sums.__slots__))))
        for block in state["blocks"]:
            monitor.blocks.append(_numbers(block, 3))
        return monitor

    def actions(self, actions: Actions, rewards: Range) -> list[dict[str, Any]]:
        """One row per action: counts, mean reward, and an estimate.

        `reward` is the mean of the observed rewards. `estimate` is the mean reward if
        the action were always taken, with its effective sample size and an interval of
        about 95 %.
        """

        def mean(total: float, n: float) -> float | None:
            return rewards.in_units(total / n) if n else None

        return [
            {
                "action": number,
                "name": actions.name(number) if number < actions.count else None,
                "decisions": sums.decisions,
                "outcomes": sums.outcomes,
                "reward": mean(sums.reward, sums.outcomes),
                "estimate": mean(sums.weighted, sums.weight),
                "effective_sample_size": _ratio(sums.weight**2, sums.weight2) or 0.0,
                **_bounds(sums, rewards),
            }
            for number, sums in enumerate(self.by_action)
        ]

    def over_time(self, rewards: Range) -> dict[str, Any]:
        """Rewards: of all outcomes, of recent ones, and of blocks with standard errors.

        Blocks are named by the number of outcomes at their end.
        """
        total = sum(sums.outcomes for sums in self.by_action)
        mean = _ratio(sum(sums.reward for sums in self.by_action), total)
        recent = list(self.blocks)[-_RECENT:]
        cost, _ = _mean(recent)
        history, end = [], float(total)
        for block in reversed(self.blocks):
            block_cost, error = _mean([block])
            if block_cost is not None and error is not None:
                reward = rewards.in_units(1.0 - block_cost)
                history.append([end, reward, rewards.width * error])
            end -= block[0]
        return {
            "reward": None if mean is None else rewards.in_units(mean),
            "recent_reward": None if cost is None else rewards.in_units(1.0 - cost),
            "recent": int(sum(block[0] for block in recent)),
            "history": history[::-1],
        }

    def drift(self) -> dict[str, Any]:
        """The mean costs of recent and earlier outcomes, and their difference (z)."""
        blocks = list(self.blocks)
        recent, before = blocks[-_RECENT:], blocks[:-_RECENT]
        (recent_mean, recent_error), (early_mean, early_error) = _mean(recent), _mean(before)
        z = None
        if recent_mean is not None and early_mean is not None:
            error = math.hypot(recent_error or 0.0, early_error or 0.0)
            z = _ratio(recent_mean - early_mean, error)
        return {"recent_cost": recent_mean, "cost_before": early_mean, "z": z}


def _numbers(values: Any, n: int) -> list[float]:
    """A list of n finite numbers that was read from a file."""
    numbers = [float(value) for value in values]
    if len(numbers) != n or not all(map(math.isfinite, numbers)):
        raise ValueError("the sums of its monitor are invalid")
    return numbers


def _bounds(sums: Sums, rewards: Range) -> dict[str, float | None]:
    """An interval for the reward of an action if it were always taken."""
    if not sums.weight:
        return {"low": None, "high": None}
    mean = min(1.0, max(0.0, sums.weighted / sums.weight))
    low, high = wilson(mean, sums.weight**2 / sums.weight2)
    return {"low": rewards.in_units(low), "high": rewards.in_units(high)}


def _ratio(a: float, b: float) -> float | None:
    return a / b if b else None


def _mean(blocks: list[list[float]]) -> tuple[float | None, float | None]:
    """The mean cost of blocks, and its standard error."""
    n = sum(block[0] for block in blocks)
    if n < 2:
        return None, None
    mean = sum(block[1] for block in blocks) / n
    variance = max(0.0, sum(block[2] for block in blocks) / n - mean * mean)
    return mean, math.sqrt(variance / (n - 1))
