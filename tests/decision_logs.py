"""Logs to evaluate on: small, with everything about them known."""

from typing import NamedTuple

import numpy as np

from bakeoff.core.types import Doubles
from bakeoff.data.log import Log


class Made(NamedTuple):
    """A log, the policy to judge on it, and the chance of a reward by action."""

    log: Log
    policy: Doubles  # (n, K)
    means: Doubles  # (n, K)

    @property
    def truth(self) -> float:
        return float((self.policy * self.means).sum(axis=1).mean())


def softmax(scores: Doubles) -> Doubles:
    shifted = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shifted / shifted.sum(axis=1, keepdims=True)


def made_log(n: int = 400, K: int = 4, d: int = 3, *, spread: float = 1.0, seed: int = 0) -> Made:
    """A softmax logger, a softmax policy, and rewards that are 0 or 1."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    logger, policy, world = (rng.normal(size=(d, K)) for _ in range(3))
    p = 0.9 * softmax(spread * X @ logger) + 0.1 / K
    means = 1 / (1 + np.exp(-X @ world))
    rows = np.arange(n)
    action = (rng.random((n, 1)) >= p.cumsum(axis=1)[:, :-1]).sum(axis=1)
    reward = (rng.random(n) < means[rows, action]).astype(np.float64)
    log = Log.from_arrays(X, action, p[rows, action], reward, n_actions=K, probabilities=p)
    return Made(log, softmax(X @ policy), means)
