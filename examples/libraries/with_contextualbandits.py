"""contextualbandits: python:examples.libraries.with_contextualbandits.ContextualBandits.

`policy` is the name of a class of `contextualbandits.online` that needs no base algorithm:
LinUCB or LinTS. The library does not say how likely a choice was. LinUCB chooses for certain;
for LinTS the probability reported here, 1, is wrong.
"""

from typing import Any

import numpy as np
from contextualbandits import online


class ContextualBandits:
    """LinUCB or LinTS, updated after each event; one regression per action."""

    tasks = ("multiclass", "multilabel", "cost-sensitive")

    def __init__(
        self, n_actions: int, seed: int, policy: str = "LinUCB", alpha: float = 1.0
    ) -> None:
        spread = {"alpha": alpha} if policy == "LinUCB" else {"v_sq": alpha}
        self.policy = getattr(online, policy)(n_actions, random_state=seed, **spread)
        self.n_actions = n_actions
        self.rng = np.random.default_rng(seed)
        self.is_fitted = False

    def choose(self, x: Any) -> tuple[int, float]:
        """The library's choice; the first is random, as it has no features yet."""
        if not self.is_fitted:
            return int(self.rng.integers(self.n_actions)), 1.0 / self.n_actions
        return int(self.policy.predict(_row(x))[0]), 1.0

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        """Tell it the reward, minus the loss."""
        self.policy.partial_fit(_row(x), np.array([action]), np.array([-loss], np.float64))
        self.is_fitted = True


def _row(x: Any) -> Any:
    """A matrix of one row, in double precision."""
    return np.asarray(x, np.float64).reshape(1, -1)
