"""A learner that fails. Stores hold a hash of this file: leave it as it is."""

from typing import Any


class Fails:
    """Takes the first action for three rounds, and then raises."""

    def __init__(self, n_actions: int) -> None:
        self.t = 0

    def choose(self, x: Any) -> tuple[int, float]:
        self.t += 1
        if self.t > 3:
            raise ValueError("the fourth round is one too many")
        return 0, 1.0

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        pass
