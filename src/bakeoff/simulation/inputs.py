"""Inputs: the contexts of a pass, as they are or with the means of the past taken out.

All lanes of a pass read the same rows. Mapped rows are made block by block, so that a
problem is never in memory twice.
"""

from typing import Any, Protocol

import numpy as np
from scipy import sparse

from bakeoff.core.inputs import STOP, longest_mapped, map_events, new_means
from bakeoff.core.types import Contexts, Sizes
from bakeoff.data import Facts, Problem
from bakeoff.runs import Run

_ENTRIES = 2**18  # of a block: two megabytes
_DENSE = 0.1  # from this share of nonzeros on, matrices are dense


class Inputs(Protocol):
    """Contexts from the first event to the last."""

    def block(self, first: int, last: int) -> tuple[Contexts, int]:
        """The contexts of events from `first` on, and the event before which they end."""
        ...


class Raw:
    """The contexts of a problem as they are."""

    def __init__(self, problem: Problem) -> None:
        self._contexts = problem.contexts

    def block(self, first: int, last: int) -> tuple[Contexts, int]:
        """All contexts."""
        return self._contexts, last


class Centred:
    """Contexts without the means of those before them (core/inputs.py)."""

    def __init__(self, problem: Problem) -> None:
        x = self._from = problem.contexts
        self._means = new_means(problem.n_features)
        entries = min(_ENTRIES, (problem.n_features + 1) * (len(x.start) - 1))
        self._to = self._with_room(np.zeros_like(x.start), entries)

    def _with_room(self, start: np.ndarray, entries: int) -> Contexts:
        feature, value = np.zeros(entries, np.int32), np.zeros(entries, np.float32)
        return Contexts(start, feature, value, self._from.first_row)

    def block(self, first: int, last: int) -> tuple[Contexts, int]:
        """Contexts of the next events, as many as there is room for."""
        end = map_events()(self._means, self._from, first, last, self._to)
        while end == first:  # not even one
            self._to = self._with_room(self._to.start, 2 * len(self._to.value) + 1)
            end = map_events()(self._means, self._from, first, last, self._to)
        return self._to, end


class Whole:
    """All contexts of other inputs, for rounds that are learned later."""

    def __init__(self, problem: Problem, run: Run) -> None:
        self._contexts = all_inputs(problem, run)

    def block(self, first: int, last: int) -> tuple[Contexts, int]:
        """All contexts."""
        return self._contexts, last


def inputs_of(problem: Problem, run: Run) -> Inputs:
    """What a run sees of a problem, as a pass reads it."""
    if run.inputs == "raw":
        return Raw(problem)
    return Centred(problem) if problem.schedule is None else Whole(problem, run)


def all_inputs(problem: Problem, run: Run) -> Contexts:
    """All contexts of a problem as a run sees them."""
    inputs: Inputs = Raw(problem) if run.inputs == "raw" else Centred(problem)
    first, parts = 0, []
    while first < problem.n:
        x, last = inputs.block(first, problem.n)
        rows = x.first_row[[first, last]]
        start = x.start[rows[0] : rows[1] + 1]
        entries = slice(start[0], start[-1])
        parts.append((np.diff(start), x.feature[entries].copy(), x.value[entries].copy()))
        first = last
    sizes, feature, value = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    start = np.concatenate(([0], np.cumsum(sizes)))
    return Contexts(start, feature, value, problem.contexts.first_row)


def contexts_of(problem: Problem) -> Any:
    """The features of all rows without the bias, dense unless most are zero."""
    return _matrix_of(problem.contexts, problem.n_features)


def seen_contexts(problem: Problem, run: Run) -> Any:
    """The same as a run sees them."""
    return _matrix_of(all_inputs(problem, run), problem.n_features)


def _matrix_of(x: Contexts, n_features: int) -> Any:
    """Rows without the bias, dense unless most of their values are zero."""
    rows = len(x.start) - 1
    is_feature = x.feature > 0  # index 0 is the bias, one in each row
    start = x.start - np.arange(rows + 1)
    entries = (x.value[is_feature].astype(np.float64), x.feature[is_feature] - 1, start)
    matrix = sparse.csr_array(entries, shape=(rows, n_features))
    return matrix.toarray() if matrix.nnz >= _DENSE * np.prod(matrix.shape) else matrix


def is_mostly_zero(facts: Problem | Facts) -> bool:
    """Whether centring leaves most features of a problem as they are."""
    if facts.shares_weights:  # the number of rows is not known
        return False
    return STOP * facts.nonzeros < facts.n * facts.n_features


def mapped_sizes(run: Run, sizes: Sizes) -> Sizes:
    """The sizes of what a run sees."""
    if run.inputs == "raw":
        return sizes
    longest = 1 + longest_mapped(sizes.n_features - 1, sizes.longest_row - 1)
    return sizes._replace(longest_row=longest)
