"""Greedy, epsilon-greedy, Bag, Cover (Algorithms 2 to 4) and the supervised skyline.

RegCB is in regcb.py, active epsilon-greedy in active.py. Actions count from 0, rounds
from 1.
"""

import math
from typing import Protocol

import numpy as np

from tests.reference.draws import FIRST_POLICY_STREAM, poisson, uniform
from tests.reference.reductions import Reduction, opl_update
from tests.reference.regression import Regressor, Row, csc_update


class Explorer(Protocol):
    """What Algorithm 1 asks of a contextual bandit algorithm."""

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """p_t: the probability of every action."""
        ...

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """Learn from the loss of action `a`, which was drawn from `p`."""
        ...


def tied_best(scores: list[np.float32]) -> list[int]:
    """The actions whose score is exactly the smallest (D9)."""
    best = min(scores)
    return [k for k in range(len(scores)) if scores[k] == best]


def votes(scores_of_policies: list[list[np.float32]], K: int) -> list[float]:
    """q: the share of the policies that choose each action, tied votes split."""
    counts = [0.0] * K
    for scores in scores_of_policies:
        tied = tied_best(scores)
        for k in tied:
            counts[k] = counts[k] + 1.0 / len(tied)
    return [count / len(scores_of_policies) for count in counts]


class EpsilonGreedy:
    """epsilon-greedy, or greedy where epsilon is 0 (Algorithm 2)."""

    def __init__(self, policy: Regressor, reduction: Reduction, epsilon: float) -> None:
        self.policy = policy
        self.reduction = reduction
        self.epsilon = epsilon

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """Give all epsilon / K, and 1 - epsilon shared by the tied best."""
        K = self.policy.n_actions(rows)
        tied = tied_best(self.policy.scores(rows))
        p = [self.epsilon / K] * K
        for k in tied:
            p[k] = p[k] + (1.0 - self.epsilon) / len(tied)
        return p

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """One off-policy update."""
        estimates = self.reduction.estimates(rows, len(p), a, loss, p[a])
        opl_update(self.policy, rows, a, loss, p[a], estimates)


class Bag:
    """Bag, or Bag-greedy where `greedy` is set (Algorithm 3)."""

    def __init__(
        self,
        policies: list[Regressor],
        reduction: Reduction,
        greedy: bool,
        key: int,
        exponential: bool = False,
    ) -> None:
        self.exponential = exponential
        self.policies = policies
        self.reduction = reduction
        self.greedy = greedy
        self.key = key

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """The share of the policies that choose each action."""
        K = self.policies[0].n_actions(rows)
        return votes([policy.scores(rows) for policy in self.policies], K)

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """tau_i ~ Poisson(1) off-policy updates of policy i, all on one estimate."""
        estimates = self.reduction.estimates(rows, len(p), a, loss, p[a])
        for i, policy in enumerate(self.policies):
            u = uniform(self.key, t, FIRST_POLICY_STREAM + i)
            tau, weight = poisson(u), np.float32(1.0)
            if self.exponential:
                tau, weight = 1, np.float32(-math.log(1.0 - u))
            if self.greedy and i == 0:
                tau, weight = 1, np.float32(1.0)
            for _ in range(tau):
                opl_update(policy, rows, a, loss, p[a], estimates, weight)


class Cover:
    """Cover, or Cover-NU where `nu` is set (Algorithm 4); IPS or DR."""

    def __init__(
        self, policies: list[Regressor], reduction: Reduction, psi: float, nu: bool
    ) -> None:
        self.policies = policies
        self.reduction = reduction
        self.psi = psi
        self.nu = nu

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """The votes of the policies; for Cover mixed with mu on every action (D8)."""
        K = self.policies[0].n_actions(rows)
        q = votes([policy.scores(rows) for policy in self.policies], K)
        if self.nu:
            return q
        mu = smallest_probability(K, t)
        return [mu + (1.0 - K * mu) * q[k] for k in range(K)]

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """Train policy i on the estimates less a bonus for what 0..i-1 do not choose.

        Their choices are those before this round's update (D8).
        """
        K = len(p)
        mu = smallest_probability(K, t)
        scores = [policy.scores(rows) for policy in self.policies]
        estimates = self.reduction.estimates(rows, K, a, loss, p[a])
        assert estimates is not None, "Cover has no IWR"

        csc_update(self.policies[0], rows, estimates)
        for i in range(1, len(self.policies)):
            q = votes(scores[:i], K)
            targets = []
            for k in range(K):
                bonus = self.psi * mu / (mu + (1.0 - mu) * q[k])
                targets.append(np.float32(float(estimates[k]) - bonus))
            csc_update(self.policies[i], rows, targets)


def smallest_probability(K: int, t: int) -> float:
    """epsilon_t of Algorithm 4."""
    return min(1.0 / K, 1.0 / math.sqrt(K * t))


class Supervised:
    """The skyline, which sees the costs of all actions (D17).

    Multiclass: one against all on +1 and -1. Otherwise: regression on the costs.
    """

    def __init__(self, policy: Regressor, multiclass: bool) -> None:
        self.policy = policy
        self.multiclass = multiclass

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """The best action; the lowest of tied ones."""
        scores = self.policy.scores(rows)
        if self.multiclass:
            clipped = [self.policy.clip(f) for f in scores]
            best = clipped.index(max(clipped))
        else:
            best = scores.index(min(scores))
        p = [0.0] * len(scores)
        p[best] = 1.0
        return p

    def learn(self, rows: list[Row], costs: list[float]) -> None:
        """Regress every action on its own target."""
        if self.multiclass:
            targets = [np.float32(1.0 if cost == 0.0 else -1.0) for cost in costs]
        else:
            targets = [np.float32(cost) for cost in costs]
        csc_update(self.policy, rows, targets)
