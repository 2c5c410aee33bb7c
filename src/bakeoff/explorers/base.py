"""What an explorer is: settings, and two kernels that read like the paper's box.

To add one, write one file in this folder. The rest (specs, grids, generic tests,
tables) finds every `Explorer` record in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bakeoff.bandit import Bandit
from bakeoff.oracles.regression import Event
from bakeoff.problems.problem import Contexts, Problem


@dataclass(frozen=True)
class Explorer:
    """A way to explore, as everything else in the package sees it.

    `settings` is a frozen dataclass that checks its values on construction.
    """

    name: str
    settings: type[Any]
    new_state: Callable[[Sequence[Any], int, Problem | None], NamedTuple]
    explore: Callable[[Any, Bandit, Contexts, Event], None]
    learn: Callable[[Any, Bandit, Contexts, Event], None]
    label: Callable[[Any], str]  # the paper's short name, as in its tables
    reductions: tuple[str, ...] = ()  # those it admits; none: its own way to learn
    default_reduction: Callable[[Any], str | None] = lambda _: (
        None
    )  # the paper's choice
    n_policies: Callable[[Any], int] = lambda _: 1
    sees_all_costs: bool = False  # only the supervised skyline does

    @property
    def kernels(self) -> str:
        """The name of the explorer's file: explorers that share it share kernels."""
        return self.explore.__module__.rpartition(".")[2]


def explore(state: Any, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Write p_t into `bandit.p`, given the policies' scores in `bandit.scores`."""
    raise NotImplementedError


def learn(state: Any, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Update the policies from action, probability and loss in `bandit`."""
    raise NotImplementedError
