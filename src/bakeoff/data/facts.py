"""Facts: what is known of a problem without its data."""

from dataclasses import dataclass
from typing import Annotated

from msgspec import Meta

from bakeoff.basics.text import encodable
from bakeoff.data.problem import Problem, Task
from bakeoff.data.streams.conditions import Lost, Noise, parse
from bakeoff.data.streams.schedule import Schedule, schedule_of

Count = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass(frozen=True)
class Facts:
    """Name, sizes and costs of a problem; the types say what values are possible."""

    name: str
    origin: str
    digest: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    task: Task
    n: Count
    n_features: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    n_actions: Annotated[int, Meta(ge=2, le=2**63 - 1)]
    nonzeros: Annotated[int, Meta(ge=0, le=2**63 - 1)]
    longest_row: Count  # nonzeros, with the bias
    constant_action_cost: Share
    uniform_cost: Share
    openml_id: Count | None = None
    stream: str = ""  # its conditions
    drawn_as: Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")] = ""  # the digest without them

    def __post_init__(self) -> None:
        if self.stream:
            parse(self.stream)

    @classmethod
    def of(cls, problem: Problem, origin: str = "") -> "Facts":
        """The facts of a problem."""
        return cls(
            encodable(problem.name),
            encodable(origin or problem.name),
            problem.digest,
            problem.task,
            problem.n,
            problem.n_features,
            problem.n_actions,
            problem.nonzeros,
            problem.longest_row,
            problem.constant_action_cost,
            problem.uniform_cost,
            problem.openml_id,
            problem.stream,
            problem.plain.digest if problem.conditions else "",
        )

    @property
    def draws(self) -> str:
        """The digest that random draws go by: those under all conditions are the same."""
        return self.drawn_as or self.digest

    @property
    def needs_stream(self) -> bool:
        """Whether feedback comes late, or is not the truth: loops of streams play it."""
        return self.schedule is not None or self._has_noise

    @property
    def _has_noise(self) -> bool:
        several = parse(self.stream)
        return any(
            isinstance(one, Noise) or (isinstance(one, Lost) and one.action is not None)
            for one in several
        )

    @property
    def schedule(self) -> Schedule | None:
        """When feedback comes; None if it always comes at once."""
        return schedule_of(parse(self.stream), self.n)

    @property
    def is_timed(self) -> bool:
        """Whether a condition has a column of time, in whose order rows come."""
        return any(getattr(one, "time", None) is not None for one in parse(self.stream))

    @property
    def shares_weights(self) -> bool:
        """Whether actions have features of their own and share one weight vector."""
        return self.task == "ranking"

    @property
    def bytes(self) -> int:
        """The memory of the data, about."""
        rows = self.n * (self.n_actions if self.shares_weights else 1)
        costs = 8 * self.n * self.n_actions if self.task == "cost-sensitive" else 0
        if self._has_noise:
            costs = 2 * costs + 12 * self.n
        return 8 * self.nonzeros + 24 * rows + 12 * self.n + costs
