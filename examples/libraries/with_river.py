"""River's LinUCB: python:examples.libraries.with_river.River.

It takes the largest mu + sigma of one Bayesian linear regression per action. River draws
among ties and says nothing of probabilities; the one reported here is 1 over their number.
"""

from typing import Any

from river import bandit


class River:
    """Disjoint LinUCB."""

    tasks = ("multiclass", "multilabel", "cost-sensitive")

    def __init__(self, n_actions: int, seed: int, alpha: float = 1.0, beta: float = 1.0) -> None:
        self.policy = bandit.LinUCBDisjoint(alpha=alpha, beta=beta, seed=seed)
        self.arms = list(range(n_actions))

    def choose(self, x: Any) -> tuple[int, float]:
        """River's choice."""
        context = _named(x)
        models = self.policy._bayes_lin_regs
        beliefs = [models[arm].predict_one(context, with_dist=True) for arm in self.arms]
        bounds = [belief.mu + belief.sigma for belief in beliefs]
        return int(self.policy.pull(self.arms, context)), 1.0 / bounds.count(max(bounds))

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        """Tell it the reward, minus the loss."""
        self.policy.update(action, _named(x), -loss)


def _named(x: Any) -> dict[int, float]:
    """Features by number, and a bias."""
    return {**dict(enumerate(x.tolist())), -1: 1.0}
