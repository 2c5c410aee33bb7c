"""Explorers that came after the paper, or that it left out, from their formulas."""

import math

import numpy as np

from tests.reference.explorers import EpsilonGreedy, tied_best
from tests.reference.reductions import Reduction, opl_update
from tests.reference.regcb import RegCB
from tests.reference.regression import ONE, Regressor, Row, clip


class Decaying(EpsilonGreedy):
    """epsilon-greedy whose epsilon falls as t^-decay."""

    def __init__(
        self, policy: Regressor, reduction: Reduction, epsilon: float, decay: float
    ) -> None:
        super().__init__(policy, reduction, epsilon)
        self.most, self.decay = epsilon, decay

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """As epsilon-greedy with the epsilon of this round."""
        self.epsilon = self.most
        if self.decay > 0:
            self.epsilon = self.most * math.pow(float(t), -self.decay)
        return super().explore(rows, t)


class OffPolicy:
    """One policy that learns by a reduction."""

    def __init__(self, policy: Regressor, reduction: Reduction) -> None:
        self.policy = policy
        self.reduction = reduction

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """One off-policy update."""
        estimates = self.reduction.estimates(rows, len(p), a, loss, p[a])
        opl_update(self.policy, rows, a, loss, p[a], estimates)


class Softmax(OffPolicy):
    """p(a) proportional to exp(-lambda t^exponent f(a))."""

    def __init__(
        self, policy: Regressor, reduction: Reduction, sharpness: float, exponent: float
    ) -> None:
        super().__init__(policy, reduction)
        self.sharpness, self.exponent = sharpness, exponent

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """Gaps to the best keep exponentials from overflowing."""
        f = [self.policy.expected(score) for score in self.policy.scores(rows)]
        sharpness = self.sharpness * math.pow(float(t), self.exponent)
        weights = [math.exp(-sharpness * (score - min(f))) for score in f]
        total = 0.0
        for weight in weights:
            total = total + weight
        return [weight / total for weight in weights]


class First(OffPolicy):
    """Uniform up to round tau, then greedy."""

    def __init__(self, policy: Regressor, reduction: Reduction, tau: int) -> None:
        super().__init__(policy, reduction)
        self.tau = tau

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """Ties are shared."""
        scores = self.policy.scores(rows)
        best = range(len(scores)) if t <= self.tau else tied_best(scores)
        return [1.0 / len(best) if k in best else 0.0 for k in range(len(scores))]


class SynthCover(OffPolicy):
    """p(a) = max(0, (level - f(a)) / psi), f in the range of losses."""

    def __init__(self, policy: Regressor, reduction: Reduction, psi: float, offset: float) -> None:
        super().__init__(policy, reduction)
        self.psi = psi
        self.c_min, self.c_max = np.float32(offset), np.float32(offset + 1.0)

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """The level at which the m lowest scores share all, for the m that fits."""
        f = [self._filled(score) for score in self.policy.scores(rows)]
        among = list(range(len(f)))
        while True:
            total = 0.0
            for k in among:
                total = total + f[k]
            level = (self.psi + total) / len(among)
            fewer = [k for k in among if f[k] < level]
            if fewer == among:
                return [min(max(0.0, (level - x) / self.psi), 1.0) for x in f]
            among = fewer

    def _filled(self, score: np.float32) -> float:
        """An expected loss in the range of losses."""
        if self.policy.least is not None:
            return self.policy.expected(score)
        return float(clip(score, self.c_min, self.c_max))


class SquareCB:
    """Inverse gap weighting among all actions, or among RegCB-elim's plausible ones."""

    def __init__(
        self,
        f: Regressor,
        gamma: float,
        exponent: float,
        c0: float,
        elim: bool,
        by_cost: bool,
        offset: float,
    ) -> None:
        self.f = f
        self.gamma, self.exponent = gamma, exponent
        self.by_cost = by_cost
        self.cost = 0.0
        self.bounds = RegCB(f, c0, False, offset)
        self.elim = elim

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """p(a) = 1 / (m + gamma gap), and the tied best share what is left."""
        f = [self.f.expected(score) for score in self.f.scores(rows)]
        K = len(f)
        among = list(range(K))
        if self.elim:
            Delta = self.bounds.c0 * math.log(K * t)
            least = min(self.bounds.ucb(rows, k, Delta) for k in range(K))
            among = [k for k in range(K) if self.bounds.lcb(rows, k, Delta) <= least]
        n = self.cost if self.by_cost else float(t - 1)
        gamma = self.gamma * math.pow(n, self.exponent) if n > 0 else 0.0
        best = min(f[k] for k in among)
        p = [0.0] * K
        rest = 1.0
        for k in among:
            if f[k] > best:
                p[k] = 1.0 / (len(among) + gamma * (f[k] - best))
                rest = rest - p[k]
        tied = [k for k in among if f[k] == best]
        for k in tied:
            p[k] = rest / len(tied)
        return p

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """Regress on the observed loss, unweighted."""
        self.cost = self.cost + (float(loss) - self.bounds.c_min)
        self.bounds.learn(rows, a, loss, p, t)


class FastCB:
    """Inverse gap weighting by gaps relative to the expected cost of the best."""

    def __init__(
        self, f: Regressor, gamma: float, exponent: float, by_cost: bool, offset: float
    ) -> None:
        self.f = f
        self.gamma, self.exponent = gamma, exponent
        self.by_cost = by_cost
        self.cost = 0.0
        self.c_min = float(np.float32(offset))

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """p(a) = f(b) / (K f(b) + gamma gap), and the tied best share what is left."""
        f = [self.f.expected(score) for score in self.f.scores(rows)]
        n = self.cost if self.by_cost else float(t - 1)
        gamma = self.gamma * math.pow(n, self.exponent) if n > 0 else 0.0
        best = min(f)
        others = {k: best / (len(f) * best + gamma * (f[k] - best)) for k in range(len(f))}
        rest = 1.0
        for k in range(len(f)):
            if f[k] > best:
                rest = rest - others[k]
        return [others[k] if f[k] > best else rest / f.count(best) for k in range(len(f))]

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """Regress on the observed loss, unweighted."""
        self.cost = self.cost + (float(loss) - self.c_min)
        row, block = self.f.row_and_block(rows, a)
        self.f.learn(row, block, self.f.score(row, block), loss, ONE)


class RandRegCB:
    """Scores f(a) - |z| w(a) with one normal z, or with z itself if `symmetric`."""

    def __init__(self, f: Regressor, c0: float, symmetric: bool, offset: float) -> None:
        self.f = f
        self.symmetric = symmetric
        self.bounds = RegCB(f, c0, True, offset)

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """Between two crossings of lines one of them is the lowest, and so its mass."""
        K = self.f.n_actions(rows)
        Delta = self.bounds.c0 * math.log(K * t)
        f = [clip(float(s), self.bounds.c_min, self.bounds.c_max) for s in self.f.scores(rows)]
        w = [f[k] - self.bounds.lcb(rows, k, Delta) for k in range(K)]
        return envelope(f, w, self.symmetric)

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """Regress on the observed loss, unweighted."""
        row, block = self.f.row_and_block(rows, a)
        self.f.learn(row, block, self.f.score(row, block), loss, ONE)


def envelope(f: list[float], w: list[float], symmetric: bool) -> list[float]:
    """How likely each line f - w z is the lowest, for z normal or half normal."""
    K = len(f)
    z = -math.inf if symmetric else 0.0
    if symmetric:
        at = min(range(K), key=lambda k: (w[k], f[k]))
    else:
        at = min(range(K), key=lambda k: (f[k], -w[k]))
    p = [0.0] * K
    while True:
        steeper = [k for k in range(K) if w[k] > w[at]]
        crossings = {k: max((f[k] - f[at]) / (w[k] - w[at]), z) for k in steeper}
        end = min(crossings.values(), default=math.inf)
        same = [k for k in range(K) if (f[k], w[k]) == (f[at], w[at])]
        mass = (below(end) - below(z)) * (1.0 if symmetric else 2.0)
        for k in same:
            p[k] = mass / len(same)
        if not steeper:
            return p
        nearest = [k for k in steeper if crossings[k] == end]
        at = max(nearest, key=lambda k: (w[k], -k))
        z = end


def below(z: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-z * math.sqrt(0.5))
