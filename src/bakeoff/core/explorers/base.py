"""What an explorer is: settings, and two kernels that read like the paper's box.

To add one, write one file in this folder. The rest (specs, grids, generic tests,
tables) finds every `Explorer` record in it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bakeoff.core.bandit import Bandit
from bakeoff.core.events import Contexts, Event, Revealed


class Name(NamedTuple):
    """What an algorithm is called, and how it looks in tables and plots."""

    label: str  # short, as in the paper's tables
    title: str
    place: int  # in tables
    colour: str  # Okabe and Ito's are safe for colour-blind readers
    dash: str = "-"  # matplotlib's names of dashes and markers
    marker: str = "o"


@dataclass(frozen=True)
class Explorer:
    """A way to explore, as everything else in the package sees it.

    `settings` is a frozen dataclass that checks its values on construction.
    """

    name: str
    settings: type[Any]
    new_state: Callable[[Sequence[Any], int, Revealed | None], NamedTuple]
    explore: Callable[[Any, Bandit, Contexts, Event], None]
    learn: Callable[[Any, Bandit, Contexts, Event], None]
    names: tuple[Name, ...]  # of its variants
    variant: Callable[[Any], int] = lambda _: 0  # which of them settings are
    reductions: tuple[str, ...] = ()  # those it admits; none: its own way to learn
    default_reduction: Callable[[Any], str | None] = lambda _: (
        None
    )  # the paper's choice
    n_policies: Callable[[Any], int] = lambda _: 1
    sees_all_costs: bool = False  # only the supervised skyline does
    objection: Callable[[Any, str | None], str] = lambda _settings, _reduction: (
        ""
    )  # why it does not take a reduction with these settings

    def label(self, settings: Any) -> str:
        """The paper's short name, as in its tables."""
        return self.names[self.variant(settings)].label

    @property
    def kernels(self) -> str:
        """A name for its pair of kernels: explorers that share both share loops.

        It is the name of their file if they are that file's `explore` and `learn`.
        """
        parts = (self.explore, self.learn)
        files = [part.__module__.rpartition(".")[2] for part in parts]
        names = [part.__name__ for part in parts]
        if names == ["explore", "learn"] and files[0] == files[1]:
            return files[0]
        return f"{files[0]}_{names[0]}_and_{files[1]}_{names[1]}"


def explore(state: Any, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Write p_t into `bandit.p`, given the policies' scores in `bandit.scores`."""
    raise NotImplementedError


def learn(state: Any, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Update the policies from action, probability and loss in `bandit`."""
    raise NotImplementedError
