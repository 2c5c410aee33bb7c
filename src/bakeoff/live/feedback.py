"""Feedback: decisions that wait for what comes of them, and what if nothing comes."""

from collections.abc import Iterator
from dataclasses import dataclass

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles
from bakeoff.data import is_integer

LEARNED, GIVEN_UP = "learned", "given up"


@dataclass(frozen=True)
class Feedback:
    """How long decisions wait for their outcome, and what happens if none comes.

    `wait` is in seconds; the oldest decisions go when `limit` is reached. Those that
    have waited too long teach `default_reward`, or nothing. An outcome for a decision
    that has had one is ignored, or an error: `twice` is "ignore" or "refuse".
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
        if self.default_reward is not None and not 0 <= self.default_reward <= 1:
            raise SpecError(f"default_reward must lie between 0 and 1, got {self.default_reward}")
        if self.twice not in ("ignore", "refuse"):
            raise SpecError(f"twice must be 'ignore' or 'refuse', got {self.twice!r}")


class Waiting:
    """A decision without an outcome, as it is learned from."""

    __slots__ = ("action", "given", "is_active", "is_prepared", "number", "p", "t", "time")

    def __init__(
        self, given: Given, t: int, action: int, p: Doubles, number: int, time: float
    ) -> None:
        self.given, self.t, self.p = given, t, p
        self.action = action  # among those available
        self.number = number  # among all actions
        self.time = time
        self.is_active = True  # whether it was shown
        self.is_prepared = False  # whether the engine has its loss


class Pending:
    """Decisions that wait, oldest first, and what became of recent others."""

    def __init__(self, feedback: Feedback) -> None:
        self.feedback = feedback
        self.waiting: dict[str, Waiting] = {}
        self.ended: dict[str, str] = {}
        self.repeated = self.given_up = self.defaulted = 0

    def add(self, id: str, decision: Waiting) -> None:
        """Let a decision wait."""
        self.waiting[id] = decision

    def end(self, id: str, how: str) -> None:
        """Let a decision wait no more, if it does."""
        if id in self.waiting:
            self.ended[id] = how  # no call from here on: all of it, or nothing
            del self.waiting[id]
            self.given_up += how == GIVEN_UP
        while len(self.ended) > self.feedback.limit:
            del self.ended[next(iter(self.ended))]

    def knows(self, id: str) -> bool:
        """Whether an id was given to a decision not long ago."""
        return id in self.waiting or id in self.ended

    def refuse(self, id: str) -> None:
        """Count an outcome that teaches nothing; an error if there is reason to."""
        how = self.ended.get(id)
        if how is None:
            raise DataError(
                f"no decision {id!r} waits for an outcome: it is another learner's, "
                f"or older than the last {self.feedback.limit} outcomes"
            )
        self.repeat(f"decision {id!r} was {how} before")

    def repeat(self, why: str) -> None:
        """Count an outcome that came before, or refuse it."""
        self.repeated += 1
        if self.feedback.twice == "refuse":
            raise DataError(why)

    def overdue(self, now: float) -> Iterator[str]:
        """Ids of decisions that need wait no more, oldest first."""
        wait, limit = self.feedback.wait, self.feedback.limit
        while self.waiting:
            id, oldest = next(iter(self.waiting.items()))
            is_late = wait is not None and now - oldest.time > wait
            if not is_late and len(self.waiting) <= limit:
                return
            yield id  # the caller ends it
