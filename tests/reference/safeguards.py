"""Safeguards: an explorer whose oracle fades or starts anew, and which keeps a uniform share."""

import math

import numpy as np

from tests.reference.explorers import Cover, Explorer
from tests.reference.linear import Ridge
from tests.reference.regcb import RegCB
from tests.reference.regression import TINY, ZERO, Regressor, Row
from tests.reference.today import FastCB, RandRegCB, SquareCB


class Safe:
    """An explorer, and the regressors that it learns with.

    Sums of squared gradients lose a factor exp(-B / forget) after every B outcomes, and
    B = forget / 50, rounded down, but 1 at least. In a ridge regression D grows by that
    factor, up to 1 / ridge.

    Schedules go by a clock: the rounds since the last start, and no more than `forget`.
    """

    def __init__(
        self,
        own: Explorer,
        regressors: list[Regressor],
        forget: int,
        explore: float,
        restart: float,
        least: np.float32,
    ) -> None:
        self.own, self.regressors = own, regressors
        self.forget, self.share, self.restart, self.least = forget, explore, restart, least
        self.outcomes = 0
        self.costs: list[float] = []  # since the last start
        self.rise = 0.0
        self.started = 0

    def clock(self, t: int) -> int:
        """The round as schedules count it; RegCB's log(K t) is none."""
        if isinstance(self.own, RegCB | RandRegCB):
            return t
        since = max(1, t - self.started)
        return min(since, self.forget) if self.forget else since

    def explore(self, rows: list[Row], t: int) -> list[float]:
        """A share of the probability is uniform."""
        p = self.own.explore(rows, self.clock(t))
        if self.share == 0:
            return p
        return [(1.0 - self.share) * one + self.share / len(p) for one in p]

    def learn(self, rows: list[Row], a: int, loss: np.float32, p: list[float], t: int) -> None:
        """Learn, then fade, then perhaps start anew."""
        self.own.learn(rows, a, loss, p, self.clock(t) if isinstance(self.own, Cover) else t)
        self.outcomes += 1
        B = max(1, self.forget // 50)
        if self.forget and self.outcomes % B == 0:
            self.fade(math.exp(-B / self.forget))
        if self.restart and self.has_risen(float(loss) - float(self.least)):
            self.costs, self.rise = [], 0.0
            self.started = max(self.started, t)
            self.start_anew()

    def has_risen(self, cost: float) -> bool:
        """Page and Hinkley's test with a slack of 0.05."""
        self.costs.append(cost)
        total = 0.0
        for one in self.costs:
            total = total + one
        self.rise = max(0.0, self.rise + (cost - total / len(self.costs) - 0.05))
        return self.rise > self.restart

    def fade(self, left: float) -> None:
        """Let sums count less."""
        if isinstance(self.own, SquareCB | FastCB):
            self.own.cost = self.own.cost * left
        if isinstance(self.own, Ridge):
            for block, D in sorted(self.own.D.items()):
                for j in self.own.known(block):
                    before = D[j]
                    after = min(before / left, 1.0 / self.own.ridge)
                    if after > before:
                        D[j] = after
                        self.own.log_det = self.own.log_det - math.log(after / before)
        for f in self.regressors:
            f.A = [[self.faded(A, left) for A in block] for block in f.A]
            f.A0 = self.faded(f.A0, left)

    def faded(self, A: np.float32, left: float) -> np.float32:
        """One sum; it does not fall far below the least that counts."""
        return A * np.float32(left) if A > TINY else A

    def start_anew(self) -> None:
        """The oracle knows nothing, and SquareCB's gamma begins anew."""
        if isinstance(self.own, SquareCB | FastCB):
            self.own.cost = 0.0
        if isinstance(self.own, Ridge):
            self.own.U.clear()
            self.own.D.clear()
            self.own.theta.clear()
            self.own.log_det = 0.0
        for f in self.regressors:
            zeros = [[ZERO for _ in block] for block in f.w]
            f.w, f.A, f.N = ([list(block) for block in zeros] for _ in range(3))
            f.T, f.S = [0.0] * len(f.T), [0.0] * len(f.S)
            f.lo = f.hi = f.w0 = f.A0 = ZERO
