"""Options: what a user can say about a file that the file does not say itself."""

from dataclasses import dataclass
from typing import Literal, get_args

from bakeoff.errors import DataError
from bakeoff.problems.problem import Task

Features = Literal["codes", "one-hot"]


@dataclass(frozen=True, slots=True)
class Options:
    """How to read a file; the defaults suit a file that speaks for itself.

    `features="codes"` is what the paper did: a nominal value becomes the number of its
    category and a missing one is left out, so that the published figures can be met.
    `"one-hot"` gives each category a feature of its own, and missing values one too.
    """

    name: str | None = None  # of the problem; else of the file
    task: Task | None = None  # else what the file looks like
    target: str | int | None = None  # a column's name or index; else the last
    features: Features = "codes"
    categorical: tuple[str, ...] = ()  # columns whose values are names, even if numbers
    ignore: tuple[str, ...] = ()  # columns to leave out, such as row numbers
    header: bool | None = None  # whether a CSV file has one; else what it looks like
    max_documents: int | None = None  # of a query; else 10
    max_relevance: float | None = None  # the best grade; else the largest in the file

    def __post_init__(self) -> None:
        if self.features not in get_args(Features):
            raise DataError(
                f"features must be 'codes' or 'one-hot', got {self.features!r}"
            )
        if self.max_documents is not None and self.max_documents < 1:
            raise DataError(
                f"max_documents must be at least 1, got {self.max_documents}"
            )
        if self.max_relevance is not None and not self.max_relevance > 0:
            raise DataError(f"max_relevance must be positive, got {self.max_relevance}")
        if self.task is not None and self.task not in get_args(Task):
            raise DataError(
                f"task must be one of {', '.join(get_args(Task))}, got {self.task!r}"
            )
