"""Learners as somebody else would write them, good ones and bad ones."""

import os
from typing import Any, ClassVar

import numpy as np

from bakeoff import Decision, Learner


class Turns:
    """Takes the actions in turn with probability 1/2, and remembers what it sees."""

    latest: ClassVar["Turns"]  # the last one that was made

    def __init__(self, n_actions: int) -> None:
        self.n_actions = n_actions
        self.contexts: list[Any] = []
        self.feedback: list[tuple[int, float, float]] = []
        Turns.latest = self

    def choose(self, x: Any) -> tuple[int, float]:
        self.contexts.append(x)
        return len(self.feedback) % self.n_actions, 0.5

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        assert x is self.contexts[-1]
        self.feedback.append((action, loss, probability))


class SparseTurns(Turns):
    """The same, with sparse contexts."""

    takes_sparse = True


class First(Turns):
    """Takes the first action, and remembers what it sees."""

    def choose(self, x: Any) -> tuple[int, float]:
        self.contexts.append(x)
        return 0, 1.0


class SparseFirst(First):
    """The same, with sparse contexts."""

    takes_sparse = True


class Told(Turns):
    """Remembers what it was told when it was made."""

    def __init__(
        self,
        n_actions: int,
        n_features: int,
        task: str,
        learning_rate: float,
        seed: int,
        **parameters: Any,
    ) -> None:
        super().__init__(n_actions)
        known = (n_actions, n_features, task, learning_rate, seed)
        self.told = known, parameters


class Uniform:
    """Chooses uniformly, and learns nothing."""

    def __init__(self, n_actions: int, seed: int) -> None:
        self.n_actions = n_actions
        self.rng = np.random.default_rng(seed)

    def choose(self, x: Any) -> tuple[Any, float]:
        return self.rng.integers(self.n_actions), 1 / self.n_actions

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        pass


class Ours:
    """One of the paper's algorithms in the clothes of a stranger."""

    def __init__(
        self, n_actions: int, task: str, learning_rate: float, seed: int, offset: float
    ) -> None:
        self.learner = Learner(
            "epsilon-greedy:epsilon=0.1",
            None if task == "ranking" else n_actions,
            learning_rate=learning_rate,
            offset=offset,
            seed=seed,
        )
        self.decision: Decision

    def choose(self, x: Any) -> tuple[int, float]:
        self.decision = self.learner.choose(x)
        return self.decision.action, self.decision.probability

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        self.learner.learn(self.decision, loss=loss)


class Vandal(First):
    """Writes into what it is given."""

    def choose(self, x: Any) -> tuple[int, float]:
        (x.data if hasattr(x, "indptr") else x)[:] = 7.0
        return 0, 1.0

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        self.choose(x)


class SparseVandal(Vandal):
    """The same, with sparse contexts."""

    takes_sparse = True


class Breaks:
    """Does something wrong in round 3, unless it has been mended."""

    def __init__(self, how: str) -> None:
        self.is_mended = "MENDED" in os.environ  # known in other processes, too
        self.how = how
        self.t = 0

    def choose(self, x: Any) -> Any:
        self.t += 1
        if self.t < 3 or self.is_mended:
            return 0, 1.0
        if self.how == "choose":
            raise KeyError("no\nsuch   key")
        if self.how == "exit":
            raise SystemExit(3)
        return WRONG.get(self.how, (0, 1.0))

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        if self.t == 3 and self.how == "learn" and not self.is_mended:
            raise RuntimeError


WRONG: dict[str, Any] = {
    "none": None,
    "action": 1,
    "three": (0, 1.0, 2),
    "text": ("0", 1.0),
    "fraction": (0.5, 1.0),
    "beyond": (2, 1.0),
    "negative": (-1, 1.0),
    "nothing": (0, None),
    "zero": (0, 0.0),
    "two": (0, 2.0),
    "undefined": (0, float("nan")),
}


class Unborn:
    """Cannot be made."""

    def __init__(self) -> None:
        raise OSError("no model file")


class Mute:
    """Cannot learn."""

    def choose(self, x: Any) -> tuple[int, float]:
        return 0, 1.0


class RoundedUp(Uniform):
    """Has probabilities in single precision."""

    def choose(self, x: Any) -> tuple[int, Any]:
        return 0, np.float32(1.0000001)


def rounded_up(n_actions: int) -> RoundedUp:
    """A function that makes a learner."""
    return RoundedUp(n_actions, seed=0)


NOT_CALLABLE = 3
