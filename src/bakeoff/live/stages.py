"""Stages: the share of a candidate, moved by a confidence sequence.

The evidence holds at every moment, so one may look after every outcome.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize

from bakeoff.basics.errors import SpecError

STAGES = (0.0, 0.05, 0.2, 1.0)
_XI = 1.6
_PLACES = np.arange(24)  # the smallest bet is 1e-5: events by the hundred million
BETS = 0.5 * _XI ** -(_PLACES + 0.5)
LOG_WEIGHTS = math.log(_XI - 1) - (_PLACES + 1) * math.log(_XI)


class Weights(NamedTuple):
    """How much more likely an action was under each policy than under the mixture."""

    incumbent: float
    candidate: float


class Evidence:
    """A confidence sequence for the mean of terms that are at least -bound.

    For a bet b > 0 and e = b x / bound, (1 + e) exp(-b mean / bound) has expectation at
    most 1, given all that was before. Its product over time, mixed over bets, exceeds
    1 / alpha with probability at most alpha, ever.
    """

    def __init__(self, bound: float) -> None:
        self.bets = BETS / bound
        self.sums = np.zeros(len(BETS))
        self.n = 0

    def add(self, x: float) -> None:
        """Add a term."""
        self.sums += np.log1p(self.bets * x)
        self.n += 1

    def log_wealth(self, mean: float) -> float:
        """The logarithm of what bets against this mean have won."""
        logs = self.sums - self.n * mean * self.bets + LOG_WEIGHTS
        most = float(logs.max())
        return most + math.log(float(np.exp(logs - most).sum()))

    def lower(self, alpha: float) -> float:
        """The smallest mean in [-1, 1] that is not ruled out."""
        limit = -math.log(alpha)
        if self.log_wealth(-1.0) <= limit:
            return -1.0
        if self.log_wealth(1.0) >= limit:
            return 1.0
        return float(optimize.brentq(lambda mean: self.log_wealth(mean) - limit, -1.0, 1.0))


class Stages:
    """The share of a candidate, moved by evidence.

    It begins at 0, and goes to the next stage after `least` outcomes, from the second
    stage on only if the candidate is better by more than `margin` at level `alpha`. If
    it is worse at level `alpha`, it goes back to 0 and stays there.
    """

    def __init__(
        self,
        holdback: float = 0.1,
        *,
        stages: Sequence[float] = STAGES,
        alpha: float = 0.05,
        margin: float = 0.0,
        least: int = 200,
    ) -> None:
        if not 0 < holdback < 1:
            raise SpecError(f"holdback must lie between 0 and 1, got {holdback!r}")
        if not 0 < alpha < 1:
            raise SpecError(f"alpha must lie between 0 and 1, got {alpha!r}")
        if not -1 < margin < 1:
            raise SpecError(f"margin must lie between -1 and 1, got {margin!r}")
        shares = [min(float(share), 1.0 - holdback) for share in stages]
        if shares[0] != 0 or sorted(set(shares)) != shares or len(shares) < 2:
            raise SpecError(f"stages must rise from 0, got {list(stages)!r}")
        self.shares, self.alpha, self.margin, self.least = shares, alpha, margin, least
        self.stage = self.outcomes = self.outcomes_here = 0
        self.is_stopped = False
        self.history: list[tuple[int, float]] = []  # outcomes so far, and the new share
        bound = max(1.0 / shares[1], 1.0 / (1.0 - shares[-1])) + abs(margin)
        self.better, self.worse = Evidence(bound), Evidence(bound)
        self._rewards = 0.5  # of one imaginary outcome
        self._differences = 0.0

    @property
    def share(self) -> float:
        """The candidate's share of the traffic."""
        return self.shares[self.stage]

    def add(self, weights: Weights | None, reward: float) -> None:
        """Add an outcome with a reward in [0, 1].

        A decision at share 0 has no weights: the candidate had no part in it. They
        cancel on average, so that the mean reward so far may be taken out of rewards.
        """
        if weights is not None and not self.is_stopped:
            baseline = self._rewards / (self.outcomes + 1)
            x = (weights.candidate - weights.incumbent) * (reward - baseline)
            self.better.add(x - self.margin)
            self.worse.add(self.margin - x)
            self._differences += x
        self.outcomes += 1
        self.outcomes_here += 1
        self._rewards += reward
        self._move()

    def _move(self) -> None:
        if self.is_stopped or self.outcomes_here < self.least:
            return
        limit = -math.log(self.alpha)
        if self.stage > 0 and self.worse.log_wealth(0.0) >= limit:
            self._go(0)
            self.is_stopped = True
        elif self.stage + 1 < len(self.shares) and (
            self.stage == 0 or self.better.log_wealth(0.0) >= limit
        ):
            self._go(self.stage + 1)

    def _go(self, stage: int) -> None:
        self.stage, self.outcomes_here = stage, 0
        self.history.append((self.outcomes, self.share))

    def report(self) -> dict[str, Any]:
        """Where the rollout is, and the difference candidate - incumbent."""
        n = self.better.n
        return {
            "share": self.share,
            "stopped": self.is_stopped,
            "outcomes": self.outcomes,
            "difference": self._differences / n if n else None,
            "low": self.better.lower(self.alpha) + self.margin,
            "high": self.margin - self.worse.lower(self.alpha),
            "history": list(self.history),
        }

    def state(self) -> dict[str, Any]:
        """All that has changed, for a file."""
        return {
            "counts": [self.stage, self.outcomes, self.outcomes_here, self.better.n],
            "stopped": self.is_stopped,
            "history": list(self.history),
            "sums": [self._rewards, self._differences],
            "better": self.better.sums.tolist(),
            "worse": self.worse.sums.tolist(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from what `state` returned."""
        self.stage, self.outcomes, self.outcomes_here, n = state["counts"]
        self.better.n = self.worse.n = n
        self.is_stopped = state["stopped"]
        self.history = [(outcomes, share) for outcomes, share in state["history"]]
        self._rewards, self._differences = state["sums"]
        self.better.sums[:], self.worse.sums[:] = state["better"], state["worse"]
