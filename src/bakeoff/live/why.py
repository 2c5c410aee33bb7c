"""Why: the reasons of a decision, in numbers."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class Why:
    """The score of the chosen action, feature by feature, and against the runner-up.

    `contributions` are in the order in which the kernels add them. `against` is what
    each feature contributed to the chosen action less what it contributed to the
    runner-up, largest first. With several policies, as in bagging, all numbers are
    means over the policies.

    Attributes
    ----------
    action, name, probability
        The action of the decision, its name and its probability.
    score
        The expected loss of the action.
    contributions
        What each feature adds to the score.
    runner_up, runner_up_name, runner_up_score
        The best of the other actions.
    against
        The contributions less those to the runner-up.
    explored
        Whether another action had a better score.

    Examples
    --------
    >>> learner = bakeoff.Learner("greedy", actions=["a", "b"])
    >>> why = learner.choose({"age": 31}).why()
    >>> list(why.contributions)[0]
    'age'
    """

    action: int
    name: str | None
    probability: float
    score: float  # the expected loss
    contributions: dict[str, float]
    runner_up: int | None  # the best of the other actions
    runner_up_name: str | None
    runner_up_score: float | None
    against: dict[str, float]
    explored: bool  # whether another action had a better score

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON.

        Returns
        -------
        dict[str, Any]
            A dictionary that JSON can hold.
        """
        return asdict(self)
