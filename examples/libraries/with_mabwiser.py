"""MABWiser's linear policies: python:examples.libraries.with_mabwiser.MABWiser,policy=LinUCB.

MABWiser does not say how likely its choice was. LinUCB and LinGreedy with `epsilon=0` choose
for certain (probability 1); for LinTS and LinGreedy the probability reported here, 1, is wrong,
and no log of theirs can be evaluated.
"""

from typing import Any

import numpy as np
from mabwiser.mab import MAB, LearningPolicy


class MABWiser:
    """One of LinUCB, LinTS and LinGreedy; one regression per action."""

    tasks = ("multiclass", "multilabel", "cost-sensitive")

    def __init__(
        self, n_actions: int, seed: int, policy: str = "LinUCB", alpha: float = 1.0
    ) -> None:
        make = getattr(LearningPolicy, policy)
        chosen = make(epsilon=alpha) if policy == "LinGreedy" else make(alpha=alpha)
        self.mab = MAB(list(range(n_actions)), chosen, seed=seed)
        self.n_actions = n_actions
        self.rng = np.random.default_rng(seed)
        self.is_fitted = False

    def choose(self, x: Any) -> tuple[int, float]:
        """MABWiser's choice; it predicts nothing before it was fitted."""
        if not self.is_fitted:
            return int(self.rng.integers(self.n_actions)), 1.0 / self.n_actions
        return int(self.mab.predict([self._row(x)])), 1.0

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        """Tell it the reward, minus the loss."""
        fit = self.mab.partial_fit if self.is_fitted else self.mab.fit
        fit([action], [-loss], [self._row(x)])
        self.is_fitted = True

    def _row(self, x: Any) -> list[float]:
        """The context with a bias, which its regressions lack."""
        return [*x.tolist(), 1.0]
