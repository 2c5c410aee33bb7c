"""Active epsilon-greedy: explore what may still be the best (Algorithm 10)."""

import math

import numpy as np

from tests.reference.explorers import tied_best
from tests.reference.reductions import Reduction, opl_update
from tests.reference.regression import Regressor, Row, clip


class Active:
    """Active epsilon-greedy; epsilon > 0, losses in [c_min, c_max]."""

    def __init__(
        self, policy: Regressor, reduction: Reduction, epsilon: float, c0: float, offset: float
    ) -> None:
        self.policy = policy
        self.reduction = reduction
        self.epsilon = epsilon
        self.c0 = c0
        self.c_min = np.float32(offset)
        self.c_max = np.float32(offset + 1.0)

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """Put epsilon / K on the allowed actions, the rest shared by the tied best."""
        scores = self.policy.scores(rows)
        K = len(scores)
        e = self.c0 * K * math.log(t) / (self.epsilon * t)
        Delta = math.sqrt(e) + e
        tied = tied_best(scores)
        if self.reduction.name == "iwr":
            taus = self.weights_for_iwr(rows, scores)
        else:
            taus = self.weights_for_csc(rows, scores)
        allowed = [k for k in range(K) if k in tied or taus[k] / t <= Delta]

        p = [0.0] * K
        for k in allowed:
            p[k] = self.epsilon / K
        for k in tied:
            p[k] = p[k] + (1.0 - self.epsilon * len(allowed) / K) / len(tied)
        return p

    def weights_for_iwr(self, rows: list[Row], scores: list[np.float32]) -> list[float]:
        """tau_a: the importance of an example (x, a, c_min) that makes `a` the best.

        None does if its score is at c_min or below: the example would raise it.
        """
        best = float(min(scores))
        taus = []
        for a, f in enumerate(scores):
            s = self.sensitivity(rows, a, f, self.c_min)
            if f <= self.c_min or s == 0.0 or not math.isfinite(s):
                taus.append(math.inf)
            else:
                taus.append((float(f) - best) / s)
        return taus

    def weights_for_csc(self, rows: list[Row], scores: list[np.float32]) -> list[float]:
        """tau_a: the importance of a CSC example for `a` that makes `a` the best.

        The scores are clipped to [c_min, c_max] first (D11).
        """
        K = len(scores)
        f = [clip(score, self.c_min, self.c_max) for score in scores]
        down = [self.sensitivity(rows, k, f[k], self.c_min) for k in range(K)]
        up = [self.sensitivity(rows, k, f[k], self.c_max) for k in range(K)]
        taus = [0.0] * K
        for a in range(K):
            for j in range(K):
                if f[j] < f[a]:
                    s = down[a] + up[j]
                    gap = float(f[a]) - float(f[j])
                    taus[a] = max(taus[a], gap / s if s != 0.0 else math.inf)
        return taus

    def sensitivity(self, rows: list[Row], k: int, f: np.float32, y: np.float32) -> float:
        """The sensitivity of prediction `f` to label `y`, 0 where they are equal."""
        if f == y:
            return 0.0
        row, block = self.policy.row_and_block(rows, k)
        return self.policy.sensitivity(row, block, f, y)

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """One off-policy update; IPS and DR impute c_max to actions not allowed."""
        targets = self.reduction.estimates(rows, len(p), a, loss, p[a])
        if targets is not None:
            targets = [self.c_max if p[k] == 0.0 else targets[k] for k in range(len(p))]
        opl_update(self.policy, rows, a, loss, p[a], targets)
