"""Rollout: a candidate takes over from an incumbent step by step, as far as evidence goes.

    rollout = Rollout(incumbent, candidate, holdback=0.1)
    decision = rollout.choose(x)
    rollout.learn(decision.id, reward=1.0)  # may move the candidate's share
    rollout.report()

Decisions are drawn from one mixture of both policies, so each action has one exact
probability.
"""

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from bakeoff.basics.errors import BakeoffError, DataError
from bakeoff.core.rules import ROUNDING
from bakeoff.core.types import Doubles
from bakeoff.data import Range
from bakeoff.live.costs import cost_of
from bakeoff.live.decision import Decision
from bakeoff.live.described import of_events
from bakeoff.live.learner import Learner
from bakeoff.live.stages import STAGES, Stages, Weights
from bakeoff.live.steps import Steps

_MOST_PENDING = 100_000


class Policy(Protocol):
    """Anything that tells the probabilities of actions, such as a `Learner`."""

    def probabilities(self, x: Any, *, available: Any = None, actions: Any = None) -> Doubles:
        """How likely each action would be."""


class Draw(NamedTuple):
    """An action drawn from a mixture of two policies."""

    action: int
    p: Doubles  # of all actions under the mixture
    weights: Weights | None  # None if the candidate had no share


class Mixture:
    """Two policies, of which the second has a share."""

    def __init__(self, incumbent: Policy, candidate: Policy, seed: int) -> None:
        self.incumbent, self.candidate = incumbent, candidate
        self._rng = np.random.default_rng(seed)

    def probabilities(
        self, share: float, x: Any, available: Any = None, actions: Any = None
    ) -> tuple[Doubles, Doubles, Doubles]:
        """How likely each action is under the mixture, the incumbent and the candidate."""
        policies = {"incumbent": self.incumbent, "candidate": self.candidate}
        mine, theirs = (
            _checked(name, policy.probabilities(x, available=available, actions=actions))
            for name, policy in policies.items()
        )
        if mine.shape != theirs.shape:
            raise DataError(
                f"both policies need the same actions: {len(mine)} and {len(theirs)} probabilities"
            )
        return (1.0 - share) * mine + share * theirs, mine, theirs

    def draw(self, share: float, x: Any, available: Any = None, actions: Any = None) -> Draw:
        """Draw an action."""
        p, mine, theirs = self.probabilities(share, x, available, actions)
        p /= p.sum()
        possible = np.flatnonzero(p > 0)
        drawn = np.searchsorted(np.cumsum(p[possible]), self._rng.random(), side="right")
        action = int(possible[min(int(drawn), len(possible) - 1)])
        if share == 0:
            return Draw(action, p, None)
        weights = Weights(float(mine[action] / p[action]), float(theirs[action] / p[action]))
        return Draw(action, p, weights)


def _checked(name: str, p: Any) -> Doubles:
    """What a policy says, which may be anybody's code, if it is a distribution."""
    try:
        given: Doubles = np.asarray(p, np.float64)
    except (TypeError, ValueError):
        given = np.zeros(0)
    fits = given.ndim == 1 and ((given >= 0) & (given < 2)).all()  # the sum cannot overflow
    if not fits or not abs(given.sum() - 1.0) <= ROUNDING:
        raise DataError(
            f"the {name}'s probabilities must be numbers of 0 or more that sum to 1, got {p!r:.80}"
        )
    return given


class Rollout:
    """A mixture of two policies whose shares move with what they earn.

    Both are learners, or objects with their method `probabilities`. Learners learn from
    all outcomes; the incumbent's log, if it has one, is the log of the rollout. The
    incumbent keeps the share `holdback` for ever, as a control.

    Parameters
    ----------
    incumbent
        The policy that decides now.
    candidate
        The policy that may take over.
    holdback
        The share that stays with the incumbent.
    stages
        Shares of the rest that the candidate gets, one after the other.
    alpha
        How often a candidate that is no better may go on.
    margin
        By how much it must be better.
    least
        Outcomes before each move.
    seed
        The seed of the draws.

    Raises
    ------
    SpecError
        If a number is out of range, or the policies do not fit together.

    Examples
    --------
    >>> old, new = (bakeoff.Learner("greedy", n_actions=2, n_features=1) for _ in range(2))
    >>> rollout = bakeoff.Rollout(old, new)
    >>> rollout.learn(rollout.choose([1.0]), reward=1.0)
    True
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
        self._mixture = Mixture(incumbent, candidate, self.seed)
        self._session = secrets.token_hex(5)
        self._t = 0
        self._pending: dict[str, Weights | None] = {}
        self._steps = Steps(is_outer=True)
        self._steps.call_after_fork(self._after_fork)

    def _after_fork(self) -> None:
        """Use ids and draws of our own."""
        self.seed, self._session = secrets.randbits(53), secrets.token_hex(5)
        self._mixture = Mixture(self.incumbent, self.candidate, self.seed)

    @property
    def share(self) -> float:
        """The candidate's share of the traffic."""
        return self.stages.share

    @of_events
    def probabilities(self, x: Any, *, available: Any = None, actions: Any = None) -> Doubles:
        """How likely each action is: those of both policies, by their shares.

        Returns
        -------
        Doubles
            A probability for each action.
        """
        return self._mixture.probabilities(self.share, x, available, actions)[0]

    @of_events
    def choose(
        self, x: Any, *, available: Any = None, actions: Any = None, id: str | None = None
    ) -> Decision:
        """An action, drawn from the mixture with the probability it reports.

        Returns
        -------
        Decision
            A `Decision`.

        Raises
        ------
        DataError
            If the context or the actions do not fit.
        """
        with self._steps.lock:
            self._steps.settle()
            action, p, weights = self._mixture.draw(self.share, x, available, actions)
            t = self._t + 1
            id = f"{self._session}-{t}" if id is None else id
            decision = Decision(
                action, p, context=x, id=id, name=self._name(action), seed=self.seed, t=t,
                available=self._numbers(available, p),
                actions=None if actions is None else list(actions),
            )  # fmt: skip
            for learner in self._learners():
                learner.ledger.pending.new_id(id)
            if id in self._pending:
                raise DataError(f"there is a decision {id!r} already")
            self._steps.do(self._choose, decision, weights)
            return decision

    def _choose(self, decision: Decision, weights: Weights | None) -> None:
        """Let a decision wait for its outcome, here and in both learners."""
        learners = self._learners()
        try:
            for learner in learners:
                if not self._waits(learner, decision.id):
                    learner.admit(decision)
        except BakeoffError:
            for learner in learners:
                learner.give_up(decision.id)
            raise
        self._t = decision.t
        self._pending[decision.id] = weights
        if len(self._pending) > _MOST_PENDING:
            del self._pending[next(iter(self._pending))]

    @of_events
    def learn(
        self, decision: Decision | str, *, reward: float | None = None, cost: float | None = None
    ) -> bool:
        """Learn what came of a decision; returns whether it counted.

        Returns
        -------
        bool
            Whether the outcome counted.

        Raises
        ------
        DataError
            If the outcome is out of range.
        """
        id = decision.id if isinstance(decision, Decision) else decision
        learners = self._learners()
        rewards = learners[0].model.rewards if learners else Range()
        cost = cost_of(None, cost, reward, 0.0, rewards)
        with self._steps.lock:
            self._steps.settle()
            if id not in self._pending:
                return False
            self._steps.do(self._learn, id, cost, self._pending[id], self.stages.state())
            return True

    def _learn(self, id: str, cost: float, weights: Weights | None, stages: dict[str, Any]) -> None:
        """Learn an outcome; `stages` were the stages before it."""
        for learner in self._learners():
            if self._waits(learner, id):
                learner.learn(id, cost=cost)
        self.stages.restore(stages)
        self.stages.add(weights, 1.0 - cost)
        self._pending.pop(id, None)

    @staticmethod
    def _waits(learner: Learner, id: str) -> bool:
        """Whether a decision waits in a learner, once that has finished what was cut short."""
        with learner.steps.lock:
            learner.steps.settle()
            return id in learner.ledger.pending.waiting

    def report(self) -> dict[str, Any]:
        """Where the rollout is: share, difference with its bounds, and moves so far.

        Returns
        -------
        dict[str, Any]
            A dictionary that JSON can hold.
        """
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
