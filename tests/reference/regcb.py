"""RegCB: confidence bounds from the sensitivity of a regressor (Algorithm 5)."""

import math

import numpy as np

from tests.reference.regression import ONE, Regressor, Row, clip


class RegCB:
    """RegCB-elim, or RegCB-opt where `optimistic` is set; losses in [c_min, c_max]."""

    def __init__(self, f: Regressor, c0: float, optimistic: bool, offset: float) -> None:
        self.f = f
        self.c0 = c0
        self.optimistic = optimistic
        self.c_min = float(np.float32(offset))
        self.c_max = float(np.float32(offset + 1.0))

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """Uniform over the smallest lower bounds, or over what may be the best."""
        K = self.f.n_actions(rows)
        Delta = self.c0 * math.log(K * t)
        lower = [self.lcb(rows, k, Delta) for k in range(K)]
        if self.optimistic:
            least = min(lower)
            kept = [k for k in range(K) if lower[k] == least]
        else:
            least = min(self.ucb(rows, k, Delta) for k in range(K))
            kept = [k for k in range(K) if lower[k] <= least]
        return [1.0 / len(kept) if k in kept else 0.0 for k in range(K)]

    def lcb(self, rows: list[Row], k: int, Delta: float) -> float:
        """l_t(a): how far an example with label c_min - 1 can pull f(x, a) down."""
        row, block = self.f.row_and_block(rows, k)
        score = self.f.score(row, block)
        f = float(score)
        if f < self.c_min:
            return self.c_min
        s = self.f.sensitivity(row, block, score, np.float32(self.c_min - 1.0))
        if not math.isfinite(s):
            return self.c_min
        F = f - (self.c_min - 1.0)
        return clip(f - width(F, Delta * s), self.c_min, self.c_max)

    def ucb(self, rows: list[Row], k: int, Delta: float) -> float:
        """u_t(a): how far an example with label c_max + 1 can pull f(x, a) up."""
        row, block = self.f.row_and_block(rows, k)
        score = self.f.score(row, block)
        f = float(score)
        if f > self.c_max:
            return self.c_max
        s = self.f.sensitivity(row, block, score, np.float32(self.c_max + 1.0))
        if not math.isfinite(s):
            return self.c_max
        F = (self.c_max + 1.0) - f
        return clip(f + width(F, Delta * s), self.c_min, self.c_max)

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """Regress on the observed loss, unweighted (D3)."""
        row, block = self.f.row_and_block(rows, a)
        self.f.learn(row, block, self.f.score(row, block), loss, ONE)


def width(F: float, D: float) -> float:
    """The z = s omega* in [0, F] with z^2 (2 F - z) = D, where D = Delta s (D7).

    F if D is too large for that. Four Newton steps on v = z / F.
    """
    if D <= 0.0:
        return 0.0
    ratio = D / (F * F * F)
    if ratio >= 1.0:
        return F
    v = math.sqrt(ratio / (2.0 - math.sqrt(ratio)))
    for _ in range(4):
        v = v - (v * v * (2.0 - v) - ratio) / (v * (4.0 - 3.0 * v))
    return F * v
