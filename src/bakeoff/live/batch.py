"""Batches: many events at once, decided by one model and learned together."""

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.live import Given
from bakeoff.core.types import Doubles, Ints
from bakeoff.live.engine import Room


class Batch:
    """Decisions about a batch of events, as arrays.

    `ids[i]`, `actions[i]`, `probability[i]` and `probabilities[i]` belong to event i.
    The learner that made a batch learns it as a whole, once.
    """

    def __init__(
        self, event: Given, t: int, actions: Ints, probabilities: Doubles, session: str
    ) -> None:
        self.event, self.t, self.session = event, t, session
        self.actions, self.probabilities = actions, probabilities
        self.is_learned = False

    def __len__(self) -> int:
        return len(self.actions)

    @property
    def probability(self) -> Doubles:
        """The probabilities of the actions taken."""
        return self.probabilities[np.arange(len(self)), self.actions]

    @property
    def ids(self) -> list[str]:
        """The ids of the decisions."""
        return [f"{self.session}-{self.t + i}" for i in range(len(self))]

    @property
    def rounds(self) -> Ints:
        """The rounds of the decisions."""
        return np.arange(self.t, self.t + len(self))

    def check_session(self, session: str) -> None:
        """Refuse a batch of another learner or process."""
        if self.session != session:
            raise DataError("the batch is from another learner, or from before a load")

    def check_actions(self, room: Room) -> None:
        """Refuse a batch that an engine of this size has no weights for."""
        K, n = self.probabilities.shape[1], room.n_actions
        if room.shared or (n < K if room.apart else n != K):
            raise DataError("the batch does not fit this learner's actions any more")
