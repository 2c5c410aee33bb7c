"""Feedback: decisions that wait for their outcomes, and what happens if none comes."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles
from bakeoff.data import is_integer
from bakeoff.live.contexts import is_text
from bakeoff.live.decision import Decision
from bakeoff.live.paired import Paired

LEARNED, GIVEN_UP = "learned", "given up"


@dataclass(frozen=True)
class Feedback:
    """How long decisions wait for their outcomes, and what happens if none comes.

    `wait` is in seconds. If more than `limit` decisions wait, the oldest are overdue,
    too. Overdue decisions teach `default_reward`, or nothing. `twice` says what happens
    to a second outcome of the same decision: "ignore" or "refuse".

    Parameters
    ----------
    wait
        Seconds that a decision waits.
    limit
        How many decisions may wait.
    default_reward
        What overdue decisions teach.
    twice
        "ignore" or "refuse".

    Raises
    ------
    SpecError
        If a value makes no sense.

    Examples
    --------
    >>> feedback = bakeoff.Feedback(wait=600, default_reward=0.0)
    >>> learner = bakeoff.Learner("greedy", n_actions=2, n_features=1, feedback=feedback)
    """

    wait: float | None = None
    limit: int = 100_000
    default_reward: float | None = None
    twice: str = "ignore"

    def __post_init__(self) -> None:
        if self.wait is not None and not self.wait > 0:
            raise SpecError(f"wait must be positive, got {self.wait}")
        if not (is_integer(self.limit) and self.limit >= 1):
            raise SpecError(f"limit must be an integer from 1, got {self.limit!r}")
        if self.default_reward is not None and not math.isfinite(self.default_reward):
            raise SpecError(f"default_reward must be a number, got {self.default_reward}")
        if self.twice not in ("ignore", "refuse"):
            raise SpecError(f"twice must be 'ignore' or 'refuse', got {self.twice!r}")


UNLIMITED = Feedback(limit=2**62)  # for replays: the log says what was learned


class Waiting:
    """A decision without an outcome, with everything needed to learn from it."""

    __slots__ = ("action", "event", "is_active", "is_prepared", "number", "p", "t", "time")

    def __init__(
        self, event: Given | Paired, t: int, action: int, p: Doubles, number: int, time: float
    ) -> None:
        self.event, self.t, self.p = event, t, p
        self.action = action  # its position among the available actions
        self.number = number  # among all actions
        self.time = time
        self.is_active = True  # whether it was shown
        self.is_prepared = False  # whether the engine knows its loss

    def check_same(self, decision: Decision) -> None:
        """Refuse a decision that differs from the one that was made."""
        probability = self.p.item(self.action)
        if decision.action != self.number or decision.probability != probability:
            raise DataError(
                f"decision {decision.id!r} was action {self.number} with probability "
                f"{probability}, not action {decision.action} with probability "
                f"{decision.probability}"
            )


class Pending:
    """Decisions that wait, oldest first, and how recent other decisions ended."""

    def __init__(self, feedback: Feedback) -> None:
        self.feedback = feedback
        self.waiting: dict[str, Waiting] = {}
        self.ended: dict[str, str] = {}
        self.repeated = self.given_up = self.defaulted = 0

    def end(self, id: str, how: str) -> None:
        """Let a decision wait no longer, if it does."""
        if id in self.waiting:
            self.ended[id] = how  # no call from here on: all of it, or nothing
            del self.waiting[id]
            self.given_up += how == GIVEN_UP
        while len(self.ended) > self.feedback.limit:
            del self.ended[next(iter(self.ended))]

    def knows(self, id: str) -> bool:
        """Whether a recent decision has this id."""
        return id in self.waiting or id in self.ended

    def new_id(self, id: Any) -> str:
        """An id as a plain string; refused if it is invalid or not new."""
        if not isinstance(id, str) or not id or not is_text(id):
            raise DataError(f"id must be a string that UTF-8 can encode, got {id!r:.80}")
        id = str.__str__(id)  # a subclass may redefine equality
        if self.knows(id):
            raise DataError(f"there is a decision {id!r} already")
        return id

    def refuse(self, id: str) -> None:
        """Count an outcome of a decision that no longer waits, or raise an error."""
        how = self.ended.get(id)
        if how is None:
            raise DataError(
                f"no decision {id!r} waits for an outcome: it belongs to another learner, "
                f"or is older than the last {self.feedback.limit} outcomes"
            )
        self.repeat(f"decision {id!r} was {how} before")

    def repeat(self, why: str) -> None:
        """Count a repeated outcome, or refuse it."""
        self.repeated += 1
        if self.feedback.twice == "refuse":
            raise DataError(why)

    def overdue(self, now: float) -> Iterator[str]:
        """Ids of overdue decisions, oldest first; the caller ends each before the next."""
        wait, limit = self.feedback.wait, self.feedback.limit
        while self.waiting:
            id, oldest = next(iter(self.waiting.items()))
            is_late = wait is not None and now - oldest.time > wait
            if not is_late and len(self.waiting) <= limit:
                return
            yield id
