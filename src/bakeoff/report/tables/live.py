"""What the page needs to compute a panel itself, so that the panel follows its filters.

A table attaches one of these to a panel. page/live.py turns it into data, and
assets/paper_tables.js computes the rows from that.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from bakeoff.judging import Competitor, Condition, WinPanel


class Duels(NamedTuple):
    """Wins and losses of the first competitor against the second, by label."""

    pairs: Mapping[str, Sequence[Competitor]]
    condition: Condition


class Bins(NamedTuple):
    """How many problems fall into each bin of one of their facts."""

    column: str  # of Losses.problems
    ends: Sequence[float]  # upper ends, but for the last bin
    condition: Condition


class Elections(NamedTuple):
    """What problems elect: a row per algorithm, a column per encoding."""

    encodings: Sequence[str]
    condition: Condition  # on the voters


Live: TypeAlias = WinPanel | Duels | Bins | Elections
