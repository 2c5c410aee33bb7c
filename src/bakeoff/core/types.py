"""Types: arrays, and contexts and costs as kernels see them, round by round."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float32]  # features, weights, scores, losses
Doubles: TypeAlias = NDArray[np.float64]  # probabilities, sums, settings
Ints: TypeAlias = NDArray[np.int64]  # positions and counts
Indices: TypeAlias = NDArray[np.int32]  # feature indices
Places: TypeAlias = NDArray[np.uint32]  # indices that are never negative: no checks
Keys: TypeAlias = NDArray[np.uint64]  # keys of random streams
Bools: TypeAlias = NDArray[np.bool_]  # flags


class Contexts(NamedTuple):
    """Rows of features, compressed; the bias (index 0, value 1) comes last in a row.

    Feature j of the user's matrix has index j + 1. An event owns one row, or in a
    ranking problem one row per action.
    """

    start: Ints  # (rows + 1,) where each row begins in `feature` and `value`
    feature: Indices
    value: Floats
    first_row: Ints  # (n + 1,) the first row of each event


class Given(NamedTuple):
    """Events as Python gives them to a live learner: rows of features without a bias.

    An event has one row, or one per action if actions have features of their own. A
    *paired* event has the rows of its actions, and the context in the last row; kernels
    make the products of both. Its `actions` are numbers of rows, and its `first` is 0,
    the number of actions, and the number of places for products (0: no products).
    """

    start: Ints  # (rows + 1,) where each row begins in `value`
    place: Ints  # of the features; empty if all are there in order
    value: Doubles
    first: Ints  # (n + 1,) where each event's actions begin, if they vary
    actions: Ints  # numbers of the available actions, if actions have numbers


class Costs(NamedTuple):
    """True costs in [0, 1]: 0/1 by sets of right actions, or given one by one."""

    start: Ints  # (n + 1,) where each event begins in `right` or `value`
    right: Indices  # the right actions (cost 0), ascending; empty if values are given
    value: Doubles  # the cost of each action in turn; empty if right actions are given


class Event(NamedTuple):
    """Round t: where its rows of features begin, and how many actions it has."""

    row: int
    K: int
    t: int


class Revealed(NamedTuple):
    """What only the supervised skyline may see of a problem."""

    costs: Costs
    is_multiclass: bool


class Sizes(NamedTuple):
    """What a learner's arrays must have room for."""

    n_features: int  # with the bias
    n_actions: int
    n_blocks: int  # weight vectors per policy: one per action, or one in all
    longest_row: int
    nonzeros: float = 0.0  # of an event on average, without the bias; 0: not known
    waiting: int = 0  # rounds whose feedback has not come, at most
    stride: int = 0  # features of an action, if actions lie one behind the other in one block
