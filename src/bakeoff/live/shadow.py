"""Shadow mode: a learner watches another policy before it takes traffic itself.

shadow = Shadow(learner)
shadow.watch(x, action="news", probability=0.8, reward=1.0)
shadow.report()
"""

import math
from collections.abc import Sequence
from typing import Any

from bakeoff.core.types import Doubles
from bakeoff.live.described import of_events
from bakeoff.live.learner import Learner


class Shadow:
    """Estimates how well a learner would have done in place of another policy.

    Parameters
    ----------
    learner
        The learner that watches.

    Examples
    --------
    >>> shadow = bakeoff.Shadow(bakeoff.Learner("greedy", actions=["a", "b"]))
    >>> _ = shadow.watch({"age": 31}, "a", 0.5, reward=1.0)
    >>> shadow.report()["events"]
    1
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.events = 0
        self._same = self._overlap = self._reward = 0.0
        self._weight = self._weight2 = self._weighted = 0.0
        self._squares = [0.0, 0.0, 0.0]  # of w r, of w^2 r, of w^2

    @of_events
    def watch(
        self,
        x: Any,
        action: int | str,
        probability: float,
        *,
        reward: float | None = None,
        cost: float | None = None,
        available: Any = None,
        actions: Sequence[Any] | None = None,
    ) -> Doubles:
        """Learn from what the other policy did; returns this learner's probabilities.

        `probability` is that of the other policy's action when it was drawn: 1 if that
        policy is deterministic. Estimates then say little where the two disagree.

        Returns
        -------
        Doubles
            A probability for each action.

        Raises
        ------
        DataError
            If the event does not fit the learner.
        """
        number, cost, p = self.learner.watch(
            x, action, probability, reward=reward, cost=cost, available=available,
            actions=actions,
        )  # fmt: skip
        r, w = 1.0 - cost, float(p[number]) / probability
        self.events += 1
        self._same += float(p[number] == p.max())
        self._overlap += float(p[number])
        self._reward += r
        self._weight += w
        self._weight2 += w * w
        self._weighted += w * r
        squares = (w * r * w * r, w * w * r, w * w)
        self._squares = [a + b for a, b in zip(self._squares, squares, strict=True)]
        return p

    def report(self) -> dict[str, float | int | None]:
        """Agreement, and the rewards of both policies.

        `agreement` is the share of events in which the other policy took this
        learner's most likely action. `estimate` is the mean reward that this learner
        would have had while it learned (self-normalised, with its standard error).

        Returns
        -------
        dict[str, float | int | None]
            A dictionary that JSON can hold.
        """
        n, rewards = max(1, self.events), self.learner.model.rewards
        value = self._weighted / self._weight if self._weight else None
        error = self._error(value)
        return {
            "events": self.events,
            "agreement": self._same / n,
            "probability_of_agreement": self._overlap / n,
            "incumbent_reward": rewards.in_units(self._reward / n) if self.events else None,
            "estimate": None if value is None else rewards.in_units(value),
            "standard_error": None if error is None else rewards.width * error,
            "effective_sample_size": (self._weight**2 / self._weight2 if self._weight2 else 0.0),
        }

    def _error(self, value: float | None) -> float | None:
        """The standard error by the delta method: the spread of w (r - value)."""
        if value is None:
            return None
        a, b, c = self._squares
        return math.sqrt(max(0.0, a - 2 * value * b + value * value * c)) / self._weight
