"""Rollout: a candidate takes over from an incumbent step by step, as far as evidence goes.

    rollout = Rollout(incumbent, candidate, holdback=0.1)
    decision = rollout.choose(x)
    rollout.learn(decision.id, reward=1.0)  # may move the candidate's share
    rollout.report()

Decisions are drawn from one mixture of both policies, so each action has one exact
probability. The evidence is a confidence sequence: one may look after every outcome.
"""

import math
import secrets
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from scipy import optimize

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Doubles
from bakeoff.evaluation.intervals.sequences import BETS, LOG_WEIGHTS
from bakeoff.live import Decision, Learner

STAGES = (0.0, 0.05, 0.2, 1.0)
_MOST_PENDING = 100_000


class Policy(Protocol):
    """Anything that tells the probabilities of actions, such as a `Learner`."""

    def probabilities(self, x: Any, *, available: Any = None, actions: Any = None) -> Doubles:
        """How likely each action would be."""


class Evidence:
    """A confidence sequence for the mean of terms that are at least -bound.

    For a bet b > 0 and e = b x / bound, (1 + e) exp(-b mean / bound) has expectation at
    most 1, given all that was before. Its product over time, mixed over bets, exceeds
    1 / alpha with probability at most alpha, ever.
    """

    def __init__(self, bound: float, sums: Sequence[float] | None = None, n: int = 0) -> None:
        self.bets = BETS / bound
        self.sums = np.zeros(len(BETS)) if sums is None else np.array(sums, np.float64)
        self.n = n

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

    def add(self, incumbent: float, candidate: float, reward: float) -> None:
        """Add an outcome: weights p / p_mixture of its action under both policies."""
        if self.stage > 0 or self.is_stopped:
            baseline = self._rewards / (self.outcomes + 1)  # weights cancel on average
            if self.stage > 0:
                x = (candidate - incumbent) * (reward - baseline)
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


class Rollout:
    """A mixture of two policies whose shares move with what they earn.

    Both are learners, or objects with their method `probabilities`. Learners learn from
    all outcomes; the incumbent's log, if it has one, is the log of the rollout. The
    incumbent keeps the share `holdback` for ever, as a control.
    """

    def __init__(
        self,
        incumbent: Policy,
        candidate: Policy,
        holdback: float = 0.1,
        *,
        stages: Sequence[float] = STAGES,
        alpha: float = 0.05,
        margin: float = 0.0,
        least: int = 200,
        seed: int | None = None,
    ) -> None:
        self.incumbent, self.candidate = incumbent, candidate
        self.stages = Stages(holdback, stages=stages, alpha=alpha, margin=margin, least=least)
        self.seed = secrets.randbits(53) if seed is None else seed
        self._rng = np.random.default_rng(self.seed)
        self._session = secrets.token_hex(5)
        self._t = 0
        self._pending: dict[str, tuple[float, float]] = {}

    @property
    def share(self) -> float:
        """The candidate's share of the traffic."""
        return self.stages.share

    def probabilities(self, x: Any, *, available: Any = None, actions: Any = None) -> Doubles:
        """How likely each action is: those of both policies, by their shares."""
        mine, theirs = self._both(x, available, actions)
        return (1.0 - self.share) * mine + self.share * theirs

    def _both(self, x: Any, available: Any, actions: Any) -> tuple[Doubles, Doubles]:
        p = [
            np.asarray(policy.probabilities(x, available=available, actions=actions), np.float64)
            for policy in (self.incumbent, self.candidate)
        ]
        if p[0].shape != p[1].shape:
            raise DataError(
                f"both policies need the same actions: {len(p[0])} and {len(p[1])} probabilities"
            )
        return p[0], p[1]

    def choose(
        self, x: Any, *, available: Any = None, actions: Any = None, id: str | None = None
    ) -> Decision:
        """An action, drawn from the mixture with the probability it reports."""
        mine, theirs = self._both(x, available, actions)
        p = (1.0 - self.share) * mine + self.share * theirs
        p /= p.sum()
        possible = np.flatnonzero(p > 0)
        drawn = np.searchsorted(np.cumsum(p[possible]), self._rng.random(), side="right")
        action = int(possible[min(int(drawn), len(possible) - 1)])
        self._t += 1
        id = f"{self._session}-{self._t}" if id is None else id
        if id in self._pending:
            raise DataError(f"there is a decision {id!r} already")
        decision = Decision(
            action, p, context=x, id=id, name=self._name(action), seed=self.seed, t=self._t,
            available=self._numbers(available, p),
            actions=None if actions is None else list(actions),
        )  # fmt: skip
        for learner in self._learners():
            learner.admit(decision)
        self._pending[id] = (float(mine[action] / p[action]), float(theirs[action] / p[action]))
        if len(self._pending) > _MOST_PENDING:
            del self._pending[next(iter(self._pending))]
        return decision

    def learn(
        self, decision: Decision | str, *, reward: float | None = None, cost: float | None = None
    ) -> bool:
        """Learn what came of a decision; returns whether it counted."""
        id = decision.id if isinstance(decision, Decision) else decision
        value = reward if cost is None else 1.0 - cost
        if (reward is None) == (cost is None) or value is None or not 0 <= value <= 1:
            raise DataError("learn takes a reward or a cost between 0 and 1")
        weights = self._pending.pop(id, None)
        if weights is None:
            return False
        for learner in self._learners():
            learner.learn(id, reward=float(value))
        self.stages.add(*weights, float(value))
        return True

    def report(self) -> dict[str, Any]:
        """Where the rollout is: share, difference with its bounds, and moves so far."""
        return self.stages.report()

    def _learners(self) -> list[Learner]:
        both = (self.incumbent, self.candidate)
        return [one for one in both if isinstance(one, Learner) and one.ledger.learns]

    def _name(self, action: int) -> str | None:
        names = getattr(self.incumbent, "actions", None)
        return names[action] if names else None

    def _numbers(self, available: Any, p: Doubles) -> list[int] | None:
        if available is None:
            return None
        if isinstance(self.incumbent, Learner):
            return [int(a) for a in self.incumbent.model.actions.available(available)]
        return np.flatnonzero(p > 0).tolist()
