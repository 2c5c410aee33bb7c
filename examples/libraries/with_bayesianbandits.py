"""bayesianbandits: python:examples.libraries.with_bayesianbandits.BayesianBandits.

Thompson sampling, or upper confidence bounds with `ucb`, on Bayesian linear regressions. The
library does not say how likely a choice was. The probability reported here is the share of
`draws` pulls that agree with the choice, which counts itself; with `draws=1` it is 1.
"""

from typing import Any

import bayesianbandits as bb
import numpy as np


class BayesianBandits:
    """One normal regression per action."""

    tasks = ("multiclass", "multilabel", "cost-sensitive")

    def __init__(
        self,
        n_actions: int,
        seed: int,
        alpha: float = 1.0,
        beta: float = 1.0,
        ucb: bool = False,
        draws: int = 1,
    ) -> None:
        arms = [
            bb.Arm(action, learner=bb.NormalRegressor(alpha=alpha, beta=beta))
            for action in range(n_actions)
        ]
        policy = bb.UpperConfidenceBound() if ucb else bb.ThompsonSampling()
        self.agent = bb.ContextualAgent(arms, policy, random_seed=seed)
        self.draws = draws

    def choose(self, x: Any) -> tuple[int, float]:
        """The first of its pulls."""
        pulls = [self.agent.pull(_row(x))[0] for _ in range(self.draws)]
        return int(pulls[0]), pulls.count(pulls[0]) / self.draws

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        """Tell the arm its reward, minus the loss."""
        self.agent.select_for_update(action).update(_row(x), np.array([-loss]))


def _row(x: Any) -> Any:
    """A matrix of one row, with a bias."""
    return np.append(np.asarray(x, np.float64), 1.0).reshape(1, -1)
