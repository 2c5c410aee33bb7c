"""Coba's learners: python:examples.libraries.with_coba.Coba,learner=LinUCBLearner.

Coba says how likely a choice was, except for LinTSLearner, which reports 1 for what it drew.
Its linear learners share one regression whose features are those of actions, of contexts and
their products, so that a step takes time quadratic in actions times features.
"""

from typing import Any

from coba import learners


class Coba:
    """Any of Coba's contextual learners that work on plain vectors."""

    tasks = ("multiclass", "multilabel", "cost-sensitive")

    def __init__(self, n_actions: int, seed: int, learner: str = "LinUCBLearner") -> None:
        self.learner = getattr(learners, learner)(seed=seed)
        self.actions = [tuple(float(i == k) for i in range(n_actions)) for k in range(n_actions)]

    def choose(self, x: Any) -> tuple[int, float]:
        """Coba's choice and its probability."""
        action, probability, *_ = self.learner.predict(x.tolist(), self.actions)
        return self.actions.index(tuple(action)), float(probability)

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        """Tell it the reward, minus the loss."""
        self.learner.learn(x.tolist(), self.actions[action], -loss, probability)
