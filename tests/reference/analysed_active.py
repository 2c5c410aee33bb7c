"""Active epsilon-greedy as the appendix analyses it (Algorithm 11).

Exact oracles over a finite class of policies, a biased sample, and the threshold of
Eq. `threshold`. Losses are 0 or 1. Sums are fractions, so nothing is ever rounded.
"""

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt


class AnalysedActive:
    """`policies[i, x]` is the action of policy i in context x; actions count from 0."""

    def __init__(
        self, policies: npt.NDArray[np.int64], K: int, epsilon: Fraction, delta: float
    ) -> None:
        self.policies = policies
        self.K = K
        self.epsilon = epsilon
        self.delta = delta
        self.loss = [Fraction(0)] * len(policies)  # on the biased sample, added up

    def threshold(self, t: int) -> float:
        """Delta_t, infinite in the first round."""
        if t == 1:
            return math.inf
        n = t - 1
        e = math.log(2 * len(self.policies) * (n * n + n) / self.delta) / n
        K_over_epsilon = self.K / float(self.epsilon)
        return (math.sqrt(2 * K_over_epsilon) + 1) * math.sqrt(e) + (K_over_epsilon + 3) * e

    def explore(self, x: int, t: int) -> list[Fraction]:
        """p_t: epsilon / K on what may be the best policy's action, else on pi_t's."""
        best = [self.least_loss(x, a) for a in range(self.K)]
        chosen = best.index(min(best))
        allowed = [
            a
            for a in range(self.K)
            if a == chosen or (best[a] - best[chosen]) / max(t - 1, 1) <= self.threshold(t)
        ]
        p = [Fraction(0)] * self.K
        for a in allowed:
            p[a] = self.epsilon / self.K
        p[chosen] = 1 - (len(allowed) - 1) * self.epsilon / self.K
        return p

    def least_loss(self, x: int, a: int) -> Fraction | float:
        """What the best policy that chooses `a` in `x` has lost; infinite if none does.

        The constrained oracle of Eq. `csc_constraint`.
        """
        losses = [
            loss for loss, actions in zip(self.loss, self.policies, strict=True) if actions[x] == a
        ]
        return min(losses, default=math.inf)

    def learn(self, x: int, a: int, loss: int, p: list[Fraction]) -> None:
        """IPS for actions that were allowed; a loss of 1 for the others."""
        estimates = [Fraction(0) if p[k] > 0 else Fraction(1) for k in range(self.K)]
        estimates[a] = loss / p[a]
        for i, actions in enumerate(self.policies):
            self.loss[i] += estimates[actions[x]]
