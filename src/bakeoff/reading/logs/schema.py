"""The schema of decision logs: names of records and fields (docs/reference/decision-log.md).

A log is a text file of JSON objects, one a line: a header, then decisions and outcomes
in the order in which the learner dealt with them.
"""

from typing import Any, NotRequired, TypedDict

FORMAT = 1  # of the schema; a reader refuses a newer one
HEADER, DECISION, OUTCOME = "bakeoff-log", "decision", "outcome"
LEFT_OUT = "left_out"  # of a header: names of features that contexts lack
FORGOTTEN = "forgotten"  # of a header: how many decisions were deleted from its file
ACTIVATION = "activation"  # a decision that was not shown at first is shown
ACTIONS = "actions"  # a learner's actions with features came or went


class Header(TypedDict):
    """The first line of a file: who decides, and among what."""

    kind: str
    format: int
    actions: list[str] | None  # names in order of their numbers
    n_actions: int | None  # none: it differs from event to event
    n_features: int | None  # none: contexts are named features
    spec: str | None  # str(run) of the learner
    arithmetic: NotRequired[int]  # of the learner; none: that of version 0.2
    adaptive: bool  # whether the policy learns while it decides
    reward_range: NotRequired[list[float]]  # [0, 1] if it is missing
    left_out: NotRequired[list[str]]
    forgotten: NotRequired[int]
    settings: NotRequired[dict[str, Any]]  # of the learner, beyond its run


class DecisionRecord(TypedDict):
    """One decision: enough to evaluate another policy, and to decide again."""

    kind: str
    id: str
    time: float  # Unix seconds
    version: int  # of the model: how many outcomes it had learned
    seed: int
    round: NotRequired[int]  # t: with the seed it fixes the draw
    context: Any  # see the page
    available: list[int] | None  # numbers of the actions there were; none: all
    action: int
    name: str | None
    probability: float
    probabilities: list[float]  # of all K actions, or of the event's own actions
    active: NotRequired[bool]  # false: not shown, until its activation


class OutcomeRecord(TypedDict):
    """What came of a decision. A later one of the same id does not count."""

    kind: str
    id: str
    time: float
    reward: float  # in [0, 1]: 1 - cost


PARQUET_COLUMNS = (
    "id", "time", "version", "seed", "round", "context", "available", "action",
    "name", "probability", "probabilities", "reward", "reward_time",
)  # fmt: skip
"""Columns of the Parquet form, one row a decision; `context` is JSON text, the reward
is missing where no outcome has come. The header is in the file's metadata."""
