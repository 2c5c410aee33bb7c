"""What an explorer is: settings, and two kernels that read like the paper's box.

To add one, write one file in this folder. The rest (specs, grids, generic tests,
tables) finds every `Explorer` record in it.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypeVar

from bakeoff.core.bandit import Bandit
from bakeoff.core.jit import kernel, with_globals
from bakeoff.core.types import Contexts, Event, Revealed, Sizes

ESTIMATES = ("ips", "dr", "dr-unweighted")  # reductions that estimate the losses of all actions
REDUCTIONS = (*ESTIMATES, "iwr")


class Name(NamedTuple):
    """What an algorithm is called, and how it looks in tables and plots."""

    label: str  # short, as in the paper's tables
    title: str
    place: int  # in tables
    colour: str  # Okabe and Ito's are safe for colour-blind readers
    dash: str = "-"  # matplotlib's names of dashes and markers
    marker: str = "o"


class Range(NamedTuple):
    """The values a setting may have, with both ends unless `above` is set."""

    low: float
    high: float = math.inf
    above: bool = False  # strictly above `low`, and finite

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, int | float):
            return False
        if self.above:
            return self.low < value <= self.high and math.isfinite(value)
        return self.low <= value <= self.high

    def __str__(self) -> str:
        if not self.above:
            return f"lie between {self.low:g} and {self.high:g}"
        least = "be positive" if self.low == 0 else f"be above {self.low:g}"
        return least if self.high == math.inf else f"{least} and at most {self.high:g}"


T = TypeVar("T", int, float)


def setting(
    default: T, low: float, high: float = math.inf, above: bool = False, quiet: bool = False
) -> T:
    """A field of settings: its default, and the range of its values.

    Specs leave out a `quiet` setting that has its default: it came after results were
    stored under specs that lack it.
    """
    return field(default=default, metadata={"range": Range(low, high, above), "quiet": quiet})


def ranges_of(settings: Any) -> dict[str, Range]:
    """The range of each setting that has one, by name."""
    return {f.name: f.metadata["range"] for f in fields(settings) if f.metadata}


@dataclass(frozen=True, slots=True)
class Settings:
    """What explorers' settings have in common: each value lies in its range."""

    def __post_init__(self) -> None:
        for name, allowed in ranges_of(self).items():
            value = getattr(self, name)
            if value not in allowed:
                raise ValueError(f"{name} must {allowed}, got {value}")


@dataclass(frozen=True)
class Explorer:
    """A way to explore, as everything else in the package sees it.

    `settings` is a frozen dataclass, made of fields by `setting` and of flags.
    """

    name: str
    settings: type[Settings]
    new_state: Callable[[Sequence[Any], Sizes, Revealed | None], NamedTuple]
    explore: Callable[[Any, Bandit, Contexts, Event], None]
    learn: Callable[[Any, Bandit, Contexts, Event], None]
    names: tuple[Name, ...]  # of its variants
    variant: Callable[[Any], int] = lambda _: 0  # which of them settings are
    reductions: tuple[str, ...] = ()  # those it admits; none: its own way to learn
    default_reduction: Callable[[Any], str | None] = lambda _: None  # the paper's choice
    n_policies: Callable[[Any], int] = lambda _: 1
    asks_sensitivity: bool | Callable[[Any], bool] = False  # whether `explore` calls
    # `sensitivity`, always or with some settings
    counts_rounds: bool | Callable[[Any], bool] = False  # whether `explore` has a schedule
    # by `event.t`, which safeguards turn back
    learns_by_rounds: bool = False  # whether `learn` goes by that schedule, too
    state_numbers: int = 0  # in its state per lane and action, eight bytes each
    state_bytes: Callable[[Sizes], int] = lambda _: 0  # in its state per lane, besides
    own_oracle: bool = False  # it has a regression of its own: no rate, no baseline
    has_log_loss: Callable[[Any], bool] = lambda settings: getattr(settings, "logistic", False)
    sees_all_costs: bool = False  # only the supervised skyline does
    check: Callable[[Any], None] = lambda _: None  # raises if its state has gone wrong
    objection: Callable[[Any, str | None], str] = lambda _settings, _reduction: (
        ""
    )  # why it does not take a reduction with these settings

    @property
    def open_names(self) -> dict[str, Any]:
        """What is filled in for the open names of loops, and what counts as their code."""
        return {"explore": self.explore, "learn": self.learn, "new_state": self.new_state}

    def runnable(
        self, loop: Callable[..., None], plain: Callable[[], Callable[..., None]]
    ) -> Callable[..., None]:
        """A loop of it, or what stands for it; `plain` makes one that is not compiled."""
        return loop

    def looks_at_steps(self, settings: Any) -> bool:
        """Whether `explore` calls `sensitivity` with these settings."""
        return _holds(self.asks_sensitivity, settings)

    def has_schedule(self, settings: Any) -> bool:
        """Whether `explore` has a schedule by rounds with these settings."""
        return _holds(self.counts_rounds, settings)

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

    @property
    def form(self) -> str:
        """What tells its code from that of another explorer of its name."""
        return ""

    @property
    def innermost(self) -> "Explorer":
        """It, or the one that it is put around."""
        return self


@dataclass(frozen=True)
class Around(Explorer):
    """An explorer whose kernels have those of another within them."""

    own: Explorer = field(kw_only=True)  # the other
    prefix: str = field(kw_only=True)

    @property
    def kernels(self) -> str:
        """Those of the other, with a prefix."""
        return f"{self.prefix}_{self.own.kernels}"

    @property
    def form(self) -> str:
        """The prefix."""
        return f"-{self.prefix}"

    @property
    def open_names(self) -> dict[str, Any]:
        """Its kernels, and those that they call."""
        within = {f"own_{name}": one for name, one in self.own.open_names.items()}
        return {**super().open_names, **within}

    @property
    def innermost(self) -> Explorer:
        """The one that it is put around."""
        return self.own.innermost

    def runnable(
        self, loop: Callable[..., None], plain: Callable[[], Callable[..., None]]
    ) -> Callable[..., None]:
        """As the other's."""
        return self.own.runnable(loop, plain)


def _holds(always: bool | Callable[[Any], bool], settings: Any) -> bool:
    """Whether something is so, always or with these settings."""
    return always(settings) if callable(always) else always


def filled(function: Callable[..., None], **names: Any) -> Callable[..., None]:
    """A kernel with these kernels in it."""
    return kernel(with_globals(function, {**function.__globals__, **names}, function.__name__))


def explore(state: Any, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Write p_t into `bandit.p`, given the policies' scores in `bandit.scores`."""
    raise NotImplementedError


def learn(state: Any, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Update the policies from action, probability and loss in `bandit`."""
    raise NotImplementedError
