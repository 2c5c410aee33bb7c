"""Options: what a user can say about a log that the log does not say itself."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class LogOptions:
    """How to read a log; the defaults suit a log that speaks for itself."""

    n_actions: int | None = None
    action_names: tuple[str, ...] | None = None
    reward_range: tuple[float, float] | None = None
    cost_range: tuple[float, float] | None = None
    adaptive: bool | None = None
    columns: dict[str, str] = field(default_factory=dict)
    ignore: tuple[str, ...] = ()

    def is_adaptive(self, default: bool) -> bool:
        """Whether a learner made the decisions, as far as one knows."""
        return default if self.adaptive is None else self.adaptive

    def rewards(self, default: tuple[float, float] = (0.0, 1.0)) -> tuple[float, float]:
        """Where rewards lie."""
        return self.reward_range or default

    def costs(self, default: tuple[float, float] = (0.0, 1.0)) -> tuple[float, float]:
        """Where costs lie."""
        return self.cost_range or default


def options_of(
    n_actions: int | None = None,
    action_names: Any = None,
    reward_range: tuple[float, float] | None = None,
    cost_range: tuple[float, float] | None = None,
    adaptive: bool | None = None,
    columns: dict[str, str] | None = None,
    ignore: Any = (),
) -> LogOptions:
    """Options as users write them."""
    return LogOptions(
        n_actions=n_actions,
        action_names=None if action_names is None else tuple(map(str, action_names)),
        reward_range=reward_range,
        cost_range=cost_range,
        adaptive=adaptive,
        columns=columns or {},
        ignore=(ignore,) if isinstance(ignore, str) else tuple(ignore),
    )
