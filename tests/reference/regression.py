"""Online regression and cost-sensitive classification (Algorithms 6 and 7).

Single precision (f32) is an `np.float32`, double precision (f64) a Python float. The
two are never mixed: NumPy would round the Python float to single precision.
The order of the operations is that of docs/reference/arithmetic.md.
"""

import math
from typing import TypeVar

import numpy as np

Row = list[tuple[int, np.float32]]
"""Features of one row: (index, value) pairs by ascending index, the bias last."""

Number = TypeVar("Number", float, np.float32)

ZERO = np.float32(0.0)
ONE = np.float32(1.0)
FOUR = np.float32(4.0)
TINY = np.float32(1e-36)


class Regressor:
    """f(x, a): a weight vector per block of weights, and an optional shared baseline.

    Where the context is one row that all actions share, action `a` has block `a`.
    Where every action has its own row (ranking), all of them use block 0.
    """

    def __init__(
        self,
        n_features: int,  # the bias included
        n_blocks: int,
        eta: float,
        per_class_clocks: bool = False,
        baseline: bool = False,
        least: float | None = None,  # the loss of cost 0, for the log loss
    ) -> None:
        self.n_blocks = n_blocks
        self.least = least
        self.eta = float(np.float32(eta))
        self.per_class_clocks = per_class_clocks
        self.baseline = baseline
        self.w = [[ZERO] * n_features for _ in range(n_blocks)]
        self.A = [[ZERO] * n_features for _ in range(n_blocks)]
        self.N = [[ZERO] * n_features for _ in range(n_blocks)]
        self.T = [0.0] * (n_blocks if per_class_clocks else 1)
        self.S = [0.0] * (n_blocks if per_class_clocks else 1)
        self.lo = ZERO
        self.hi = ZERO
        self.w0 = ZERO
        self.A0 = ZERO

    def n_actions(self, rows: list[Row]) -> int:
        """K: the number of blocks for a shared context, of rows for ranking."""
        return len(rows) if self.n_blocks == 1 else self.n_blocks

    def row_and_block(self, rows: list[Row], a: int) -> tuple[Row, int]:
        """What `score`, `learn` and `sensitivity` want to know about action `a`."""
        return (rows[a], 0) if self.n_blocks == 1 else (rows[0], a)

    def scores(self, rows: list[Row]) -> list[np.float32]:
        """f(x, a) for all actions."""
        K = self.n_actions(rows)
        return [self.score(*self.row_and_block(rows, k)) for k in range(K)]

    def score(self, row: Row, block: int) -> np.float32:
        """f(x, a): raw, not clipped to the range of the labels."""
        w = self.w[block]
        r = self.clip(self.w0) if self.baseline else ZERO
        for j, x in row:
            r = r + x * w[j]
        return r

    def clip(self, v: np.float32) -> np.float32:
        """`v` moved into the range of the labels seen so far."""
        return clip(v, self.lo, self.hi)

    def learn(self, row: Row, block: int, r: np.float32, y: np.float32, omega: np.float32) -> None:
        """reg_update: regress f(x, a) on `y` with importance `omega` (Algorithm 6).

        `r` is the score of this row and block just before.
        """
        clock = block if self.per_class_clocks else 0
        if self.baseline:
            self._learn_baseline(clock, y, omega)

        self.lo = min(self.lo, y)
        self.hi = max(self.hi, y)
        error = y - self.clip(r) if self.least is None else self.log_error(r, y)
        g2 = omega * (FOUR * (error * error))
        if g2 == 0:
            return

        w, A, N = self.w[block], self.A[block], self.N[block]
        n = q = ZERO
        rhos = []
        for j, x in row:
            size = abs(x)
            x2 = x * x
            A[j] = A[j] + g2 * x2
            if size > N[j]:
                w[j] = w[j] * (N[j] / size)
                N[j] = size
            rho = ONE / max(np.sqrt(A[j]) * N[j], TINY)
            v = x2 * rho
            q = q + v
            n = n + v * (rho * A[j])
            rhos.append(rho)

        self.T[clock] = self.T[clock] + float(omega)
        self.S[clock] = self.S[clock] + float(omega) * float(n)
        m = math.sqrt(self.T[clock] / self.S[clock])
        kappa = float(q) * m
        s = self.eta * float(omega)
        if self.least is None:
            u = step(float(error), s, kappa)
        else:
            u = self.log_step(float(r), self.cost(y), s, kappa)
        change = np.float32(u * m)
        for (j, x), rho in zip(row, rhos, strict=True):
            w[j] = w[j] + change * x * rho

    def expected(self, r: np.float32) -> float:
        """The loss that a score stands for, but for the loss of cost 0 of the log loss."""
        return float(r) if self.least is None else chance(float(r))

    def cost(self, y: np.float32) -> float:
        """The cost in [0, 1] of a label, for the log loss."""
        assert self.least is not None
        return clip(float(y) - float(np.float32(self.least)), 0.0, 1.0)

    def log_error(self, r: np.float32, y: np.float32) -> np.float32:
        """Half the slope of the log loss, downhill; none where the loss is about zero."""
        slope = self.cost(y) - chance(float(r))
        return np.float32(0.5 * slope) if abs(slope) > 2**-24 else ZERO

    def log_step(self, r: float, cost: float, s: float, kappa: float) -> float:
        """The importance-invariant step on the log loss: the mean of those of its ends."""
        if s * kappa < 1e-6:
            return s * (cost - chance(r))
        r = clip(r, -50.0, 50.0)
        return (cost * rise(r, s * kappa) - (1.0 - cost) * rise(-r, s * kappa)) / kappa

    def _learn_baseline(self, clock: int, y: np.float32, omega: np.float32) -> None:
        """Regress the baseline theta_0 on `y` (Shared baseline parameterization)."""
        self.lo = min(self.lo, y)
        self.hi = max(self.hi, y)
        error = y - self.clip(self.w0)
        g2 = omega * (FOUR * (error * error))
        if g2 == 0:
            return

        self.A0 = self.A0 + g2
        rho = ONE / max(np.sqrt(self.A0), TINY)
        self.T[clock] = self.T[clock] + float(omega)
        self.S[clock] = self.S[clock] + float(omega)
        m = math.sqrt(self.T[clock] / self.S[clock])
        kappa = float(rho) * m
        s = self.eta * self._scale() * float(omega)
        u = step(float(error), s, kappa)
        self.w0 = self.w0 + np.float32(u * m) * rho

    def _scale(self) -> float:
        """The largest magnitude of the labels seen, and at least 1e-4."""
        return max(abs(float(self.lo)), abs(float(self.hi)), 1e-4)

    def sensitivity(self, row: Row, block: int, f: np.float32, y: np.float32) -> float:
        """How fast the prediction `f` moves with omega in learn(x, y, omega).

        The derivative at omega = 0, without its sign. Nothing is changed.
        """
        clock = block if self.per_class_clocks else 0
        A, N = self.A[block], self.N[block]
        error = f - y
        g2 = FOUR * (error * error)
        n = q = ZERO
        for j, x in row:
            size = abs(x)
            x2 = x * x
            A_after = A[j] + g2 * x2
            N_after = size if size > N[j] else N[j]
            rho = ONE / max(np.sqrt(A_after) * N_after, TINY)
            v = x2 * rho
            q = q + v
            n = n + v * (rho * A_after)

        T, S = self.T[clock], self.S[clock]
        kappa = float(q) * math.sqrt((T + 1.0) / (S + float(n)))
        if self.baseline:
            rho0 = ONE / max(np.sqrt(self.A0 + g2), TINY)
            m0 = math.sqrt((T + 1.0) / (S + 1.0))
            kappa = kappa + self._scale() * (float(rho0) * m0)
        return 2.0 * abs(float(error)) * self.eta * kappa


def clip(v: Number, lo: Number, hi: Number) -> Number:
    """`v` moved into [lo, hi]."""
    if v < lo:
        return lo
    if v > hi:
        return hi
    return v


def step(error: float, s: float, kappa: float) -> float:
    """The importance-invariant step of size `s`, a first-order one where it is tiny."""
    z = s * kappa
    if z < 1e-6:
        return 2.0 * error * s
    return error * (1.0 - math.exp(-2.0 * z)) / kappa


def chance(r: float) -> float:
    """The probability that log-odds of r stand for; they are clipped to [-50, 50]."""
    return 1.0 / (1.0 + math.exp(-clip(r, -50.0, 50.0)))


def rise(m: float, z: float) -> float:
    """The root d of d + e^m (e^d - 1) = z, by Newton's method from above."""
    odds = math.exp(m)
    d = min(z / (1.0 + odds), math.log(1.0 + z / odds))
    for _ in range(6):
        grown = odds * math.exp(d)
        d = d - (d + (grown - odds) - z) / (1.0 + grown)
    return d


def csc_update(f: Regressor, rows: list[Row], targets: list[np.float32]) -> None:
    """Regress every action on its cost, in order of the actions (Algorithm 7)."""
    for k, target in enumerate(targets):
        row, block = f.row_and_block(rows, k)
        f.learn(row, block, f.score(row, block), target, ONE)
