"""Players: the contract between kinds of runs and everything that plays them.

A run names its player (`Run.player`); `simulate.PLAYERS` finds it by that name. Jobs,
engines, estimates and simulations ask the player, and none of them asks what kind of
run it is. A new kind of run is one player, and one entry of that table.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol

from bakeoff.core.types import Sizes
from bakeoff.data import Facts, Problem
from bakeoff.simulation.result import Result

Progress = Callable[[int, int], object]  # run-examples done, and how many in all
Report = Callable[[int], object]  # events of one pass that are done


class Player(Protocol):
    """How runs group, what they cost, and how they are played."""

    @property
    def apart(self) -> bool:
        """Whether experiments play it in a process of its own: it may go wrong."""
        ...

    def group(self, run: Any) -> Hashable:
        """Runs of equal groups may share a pass."""
        ...

    def cost(self, run: Any, facts: Facts) -> float:
        """Nanoseconds to play one such run on a problem, roughly."""
        ...

    def bytes_per_run(self, run: Any, sizes: Sizes) -> int:
        """The memory that one such run takes, about."""
        ...

    def width(self, run: Any, sizes: Sizes, memory: int) -> int:
        """How many runs of its group can share a pass; 0 if memory allows none."""
        ...

    def kernels(self, run: Any, stream: bool = False) -> str | None:
        """The compiled loop it needs, or None if it needs none.

        A `stream` has feedback that comes late, or is not the truth.
        """
        ...

    def play(
        self, problem: Problem, runs: Sequence[Any], record: bool, report: Report
    ) -> list[Result]:
        """Play the runs of one pass, from the first event to the last.

        `record` keeps what happened round by round.
        """
        ...
