"""Decision: an action, its probability, and everything needed to repeat the decision."""

import json
import math
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Doubles
from bakeoff.data import is_integer
from bakeoff.live.contexts import from_json, is_text, to_json
from bakeoff.live.why import Why

LEAST_PROBABILITY = 1e-12  # an outcome is weighted by 1 / p, which must not overflow


class Decision:
    """An action and its probability. Log both: evaluation needs them.

    A decision is a function of the model's `version`, the context, the `seed` and the
    round `t`. `probabilities` has one entry per action, 0 for those not `available`.
    `actions` are the features of the event's own actions, if it brought any.

    Parameters
    ----------
    action
        The number of the action taken.
    probabilities
        The probabilities of all actions.
    context
        The context that was decided on.
    id
        The id under which the outcome is learned.
    name
        The name of the action.
    probability
        The probability of the action taken.
    seed
        The seed of the learner.
    version
        How many outcomes the model had learned.
    t
        The round.
    available
        The numbers of the available actions, or None for all.
    actions
        Features of the event's own actions.

    Examples
    --------
    >>> learner = bakeoff.Learner("epsilon-greedy:epsilon=0.3", n_actions=2, n_features=1)
    >>> float(learner.choose([1.0]).probabilities.sum())
    1.0
    """

    __slots__ = (
        "_explain", "action", "actions", "available", "context", "id", "name",
        "probabilities", "probability", "seed", "t", "version",
    )  # fmt: skip

    def __init__(
        self,
        action: int,
        probabilities: Any,
        *,
        context: Any,
        id: str,
        name: str | None = None,
        probability: float | None = None,
        seed: int = 0,
        version: int = 0,
        t: int = 1,
        available: list[int] | None = None,
        actions: list[Any] | None = None,
    ) -> None:
        self._explain: Callable[[Decision], Why] | None = None
        self.actions = actions
        if not (name is None or isinstance(name, str)):
            raise DataError(f"name of decision {id!r:.80} must be a string, got {name!r:.80}")
        if not (actions is None or isinstance(actions, list)):
            raise DataError(f"actions of decision {id!r:.80} must be a list, got {actions!r:.80}")
        try:
            self.probabilities: Doubles = np.array(probabilities, np.float64)
        except (TypeError, ValueError, OverflowError):
            raise DataError(f"probabilities of decision {id!r:.80} must be numbers") from None
        self.action: int = action
        self.available, self.context = available, context
        self.id, self.name = id, name
        self.seed, self.version, self.t = seed, version, t
        _check(action, self.probabilities, id)
        _check_numbers(id, t=t, version=version, seed=seed)
        _check_available(id, available, len(self.probabilities))
        self.probability = float(self.probabilities[action])
        if probability is not None and probability != self.probability:
            raise DataError(
                f"probability {probability!r} of decision {id!r} contradicts its "
                f"probabilities, which give action {action} {self.probability!r}"
            )

    def __repr__(self) -> str:
        what = self.action if self.name is None else self.name
        return f"Decision({what!r}, probability={self.probability:.4g}, id={self.id!r})"

    def why(self) -> Why:
        """What each feature contributed to the score of the action, exactly.

        Ask before the learner learns again: its weights are those of the decision only
        until then.

        Returns
        -------
        Why
            A `Why`.

        Raises
        ------
        DataError
            If the learner has learned since, or cannot explain itself.
        """
        if self._explain is None:
            raise DataError(
                f"decision {self.id!r} was not made by a learner of this process, which alone "
                f"can explain it"
            )
        return self._explain(self)

    def to_json(self) -> str:
        """The decision as one line of JSON.

        Returns
        -------
        str
            A text without line breaks.
        """
        names = [name for name in self.__slots__ if name not in ("_explain", "actions")]
        record = {name: getattr(self, name) for name in names}
        record["context"] = to_json(self.context)
        if self.actions is not None:
            record["actions"] = [to_json(features) for features in self.actions]
        record["probabilities"] = self.probabilities.tolist()
        return json.dumps(record)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Decision":
        """The decision that `to_json` wrote; an invalid one is refused.

        Parameters
        ----------
        text
            What `to_json` wrote.

        Returns
        -------
        Decision
            The decision.

        Raises
        ------
        DataError
            If the text is not a decision.
        """
        try:
            record = json.loads(text)
            record["context"] = from_json(record["context"])
            if record.get("actions") is not None:
                record["actions"] = [from_json(features) for features in record["actions"]]
            return cls(**record)
        except DataError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError, RecursionError) as error:
            raise DataError(f"this is not a decision in JSON: {error}") from None


def id_of(decision: Any) -> str:
    """The id of a decision, or the id itself."""
    id = decision.id if isinstance(decision, Decision) else decision
    if not isinstance(id, str):
        raise DataError(f"decision must be a Decision or its id, got {decision!r:.80}")
    return id


def _check(action: Any, p: Doubles, id: Any) -> None:
    """Refuse an impossible decision."""
    if not isinstance(id, str) or not id or not is_text(id):
        raise DataError(
            f"the id of a decision must be a string that UTF-8 can encode, got {id!r:.80}"
        )
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise DataError(f"probabilities of decision {id!r} must lie between 0 and 1")
    if not math.isclose(p.sum(), 1.0, abs_tol=1e-6):  # sums of many entries are rounded
        raise DataError(f"probabilities of decision {id!r} sum to {p.sum()}, not to 1")
    if not (is_integer(action) and 0 <= action < len(p)):
        raise DataError(
            f"action of decision {id!r} must be an integer from 0 to {len(p) - 1}, got {action!r}"
        )
    check_probability(p[action], f"the probability of action {action} of decision {id!r}")


def check_probability(probability: Any, what: str = "probability") -> None:
    """Refuse a probability of a taken action that is too small to learn from."""
    is_number = isinstance(probability, Real)
    if not is_number or not LEAST_PROBABILITY <= probability <= 1:
        raise DataError(
            f"{what} must lie between {LEAST_PROBABILITY:g} and 1, got {probability!r:.80}"
        )


def _check_numbers(id: str, **numbers: Any) -> None:
    """Refuse a round, version or seed that is out of range."""
    for name, value in numbers.items():
        least = int(name == "t")
        if not (is_integer(value) and least <= value < 2**63):
            raise DataError(
                f"{name} of decision {id!r} must be an integer from {least}, got {value!r:.80}"
            )


def _check_available(id: str, available: Any, n_actions: int) -> None:
    """Refuse an invalid list of available actions."""
    if available is not None and not (
        isinstance(available, list) and all(is_integer(a) and 0 <= a < n_actions for a in available)
    ):
        raise DataError(
            f"available of decision {id!r} must be a list of integers from 0 to "
            f"{n_actions - 1}, got {available!r:.80}"
        )
