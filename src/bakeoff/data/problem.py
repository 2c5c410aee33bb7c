"""Problem: contexts and costs of a simulated bandit (Section 2.4, Eq. 7 at offset 0).

Four constructors, one per kind of supervised data; each checks its arrays and says in
one sentence what is wrong with them.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Real
from typing import Any, Literal

import numpy as np

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Contexts, Costs, Ints
from bakeoff.data.checks import (
    SMALLEST,
    Pieces,
    action_names,
    as_codes,
    as_count,
    as_floats,
    as_labels,
    as_names,
    as_pieces,
    check_lengths,
    check_one_dimension,
    check_range,
    is_integer,
    label_sets,
    query_starts,
    warn_of_tiny,
)
from bakeoff.data.features import Features

Task = Literal["multiclass", "multilabel", "cost-sensitive", "ranking"]


@dataclass(frozen=True, eq=False)
class Problem:
    """A stream of events: a context, and a cost for each action."""

    contexts: Contexts
    true_costs: Costs
    task: Task
    n: int
    n_actions: int
    n_features: int
    name: str = "problem"
    class_names: tuple[str, ...] | None = None
    openml_id: int | None = None  # if it is a dataset of OpenML
    features: Features = field(default=Features(0))  # how its columns were coded

    def __post_init__(self) -> None:
        if self.features.n != self.n_features:  # nothing is known of them
            object.__setattr__(self, "features", Features(self.n_features))

    @classmethod
    def from_classes(
        cls,
        X: Any,
        y: Any,
        n_actions: int | None = None,
        class_names: Sequence[str] | None = None,
        *,
        name: str = "problem",
    ) -> "Problem":
        """Multiclass data: cost 0 for the class `y`, 1 for the others.

        Here as below, `X` is an array, a sparse matrix, or a frame whose columns are
        coded as those of a file would be. The actions are the classes that occur, in
        sorted order; with `n_actions`, `y` holds integers from 0 to n_actions - 1.

        >>> Problem.from_classes([[1.0], [2.0]], ["no", "yes"]).n_actions
        2
        """
        labels = as_labels(y, "y")
        if n_actions is None:
            names, codes = np.unique(labels, return_inverse=True)
            n_actions, found = len(names), tuple(str(name) for name in names)
        else:
            n_actions = as_count(n_actions, "n_actions")
            codes, found = as_codes(labels, n_actions), None
        if class_names is not None:
            found = as_names(class_names, n_actions)
        contexts, features = _one_row_per_event(X, len(labels), "y")
        right = Costs(
            np.arange(len(labels) + 1, dtype=np.int64), codes.astype(np.int32), np.empty(0)
        )
        return cls(
            contexts, right, "multiclass", len(labels), n_actions, features.n,
            name, found, features=features,
        )._checked()  # fmt: skip

    @classmethod
    def from_labels(
        cls, X: Any, Y: Any, *, class_names: Sequence[str] | None = None, name: str = "problem"
    ) -> "Problem":
        """Multilabel data: cost 0 for each label of the row, 1 for the others.

        `Y` is a 0/1 matrix, dense or sparse, a frame whose columns name the labels, or
        a list with each row's labels as integers from 0. A row may have no label.
        """
        start, right, n_actions = label_sets(Y)
        n = len(start) - 1
        contexts, features = _one_row_per_event(X, n, "Y")
        costs = Costs(start, right, np.empty(0))
        return cls(
            contexts, costs, "multilabel", n, n_actions, features.n, name,
            action_names(class_names, Y, n_actions),
            features=features,
        )._checked()  # fmt: skip

    @classmethod
    def from_costs(
        cls, X: Any, C: Any, *, class_names: Sequence[str] | None = None, name: str = "problem"
    ) -> "Problem":
        """Cost-sensitive data: `C` (n, K) holds the cost in [0, 1] of each action.

        If it is a frame, its columns name the actions.
        """
        values = as_floats(C, "C")
        if values.ndim != 2:
            raise DataError(f"C must have two dimensions, got shape {values.shape}")
        check_range(values, 0.0, 1.0, "costs in C")
        n, n_actions = values.shape
        contexts, features = _one_row_per_event(X, n, "C")
        start = np.arange(n + 1, dtype=np.int64) * n_actions
        own = values.ravel() + 0.0  # a copy, and no negative zeros
        costs = Costs(start, np.empty(0, np.int32), own)
        return cls(
            contexts, costs, "cost-sensitive", n, n_actions, features.n, name,
            action_names(class_names, C, n_actions),
            features=features,
        )._checked()  # fmt: skip

    @classmethod
    def from_ranking(
        cls,
        X: Any,
        relevance: Any,
        qid: Any,
        max_documents: int = 10,
        max_relevance: float = 4,
        *,
        name: str = "problem",
    ) -> "Problem":
        """Ranking data: an event is a query, its actions are its first documents.

        `X` has one row per document, the documents of a query stand together (equal
        `qid`), and a document costs 1 - relevance / max_relevance.
        """
        grades = as_floats(relevance, "relevance")
        check_one_dimension(grades, "relevance")
        if not (isinstance(max_relevance, Real) and 0 < max_relevance < np.inf):
            raise DataError(f"max_relevance must be a positive number, got {max_relevance!r}")
        check_range(grades, 0.0, max_relevance, f"relevance (max_relevance={max_relevance:g})")
        check_lengths(as_pieces(X).shape[0], len(grades), "relevance")
        return cls.from_action_costs(X, 1.0 - grades / max_relevance, qid, max_documents, name=name)

    @classmethod
    def from_action_costs(
        cls, X: Any, cost: Any, qid: Any, max_documents: int | None = None, *, name: str = "problem"
    ) -> "Problem":
        """Actions with features of their own: a row of `X` and a cost for each.

        The actions of an event stand together (equal `qid`) and share one weight
        vector, as the documents of a query do; `max_documents` keeps the first ones.
        """
        costs = as_floats(cost, "costs")
        check_one_dimension(costs, "costs")
        check_range(costs, 0.0, 1.0, "costs")
        queries = as_labels(qid, "qid")
        pieces = as_pieces(X)
        check_lengths(pieces.shape[0], len(costs), "costs")
        check_lengths(pieces.shape[0], len(queries), "qid")
        begins = query_starts(queries)
        sizes = np.diff(begins)
        if max_documents is not None:
            sizes = np.minimum(sizes, as_count(max_documents, "max_documents"))
        first_row = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        within = np.arange(first_row[-1]) - np.repeat(first_row[:-1], sizes)
        kept = np.repeat(begins[:-1], sizes) + within
        return cls(
            with_bias(_kept(pieces, kept), first_row),
            Costs(first_row, np.empty(0, np.int32), costs[kept] + 0.0),
            "ranking", len(sizes), int(sizes.max(initial=0)), pieces.shape[1], name,
            features=_features(pieces),
        )._checked()  # fmt: skip

    def _checked(self) -> "Problem":
        if self.n == 0:
            raise DataError("a problem needs at least one row, got none")
        if self.n_actions < 2:
            raise DataError(f"a problem needs at least two actions, got {self.n_actions}")
        value = self.contexts.value  # without zeros
        if ((value < SMALLEST) & (value > -SMALLEST)).any():
            warn_of_tiny(self.name)
        return self

    def __repr__(self) -> str:
        return (
            f"Problem({self.name!r}, {self.task}, n={self.n}, "
            f"n_features={self.n_features}, n_actions={self.n_actions})"
        )

    @property
    def shares_weights(self) -> bool:
        """Whether actions have features of their own and share one weight vector."""
        return self.task == "ranking"

    @property
    def nonzeros(self) -> int:
        """How many feature values are not zero, without the bias."""
        return len(self.contexts.feature) - (len(self.contexts.start) - 1)

    @cached_property
    def longest_row(self) -> int:
        """The most nonzeros in a row of features, with the bias."""
        return int(np.diff(self.contexts.start).max())

    @cached_property
    def uniform_cost(self) -> float:
        """The mean cost of choosing uniformly at random."""
        sizes = np.diff(self.contexts.first_row)
        if self.true_costs.value.size:
            sums = np.add.reduceat(self.true_costs.value, self.true_costs.start[:-1])
            n_actions = sizes if self.shares_weights else self.n_actions
            return float(np.mean(sums / n_actions))
        return 1.0 - float(np.mean(np.diff(self.true_costs.start))) / self.n_actions

    @cached_property
    def constant_action_cost(self) -> float:
        """The mean cost of the best constant action (of a position, when ranking)."""
        if self.true_costs.value.size and self.shares_weights:
            sizes = np.diff(self.true_costs.start)
            always = range(int(sizes.min()))
            starts = self.true_costs.start[:-1]
            return float(min(self.true_costs.value[starts + k].mean() for k in always))
        if self.true_costs.value.size:
            return float(self.true_costs.value.reshape(self.n, -1).mean(axis=0).min())
        counts = np.bincount(self.true_costs.right, minlength=self.n_actions)
        return 1.0 - float(counts.max()) / self.n

    @cached_property
    def digest(self) -> str:
        """A hash of the content: features, costs and their order; not of names."""
        sizes = f"{self.task} {self.n} {self.n_actions} {self.n_features}"
        content = hashlib.sha256(sizes.encode())
        for array in (*self.contexts, *self.true_costs):
            content.update(np.ascontiguousarray(array).data)
        return content.hexdigest()

    def shuffled(self, seed: int) -> "Problem":
        """The same events in the order `default_rng(seed).permutation(n)`."""
        if not is_integer(seed) or seed < 0:
            raise DataError(f"seed must be an integer from 0, got {seed!r}")
        order = np.random.default_rng(seed).permutation(self.n)
        contexts, costs = self.contexts, self.true_costs
        rows, first_row = _ranges(contexts.first_row, order)
        kept, start = _ranges(contexts.start, rows)
        items, cost_start = _ranges(costs.start, order)
        return replace(
            self,
            contexts=Contexts(start, contexts.feature[kept], contexts.value[kept], first_row),
            true_costs=Costs(
                cost_start,
                costs.right[items] if costs.right.size else costs.right,
                costs.value[items] if costs.value.size else costs.value,
            ),
        )


def _ranges(start: Ints, order: Ints) -> tuple[Ints, Ints]:
    """The positions of the given ranges one after the other, and where each begins."""
    sizes = np.diff(start)[order]
    begins = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    shift = np.repeat(start[:-1][order] - begins[:-1], sizes)
    return np.arange(begins[-1], dtype=np.int64) + shift, begins


def _one_row_per_event(X: Any, n: int, what: str) -> tuple[Contexts, Features]:
    pieces = as_pieces(X)
    check_lengths(pieces.shape[0], n, what)
    contexts = with_bias(pieces, np.arange(n + 1, dtype=np.int64))
    return contexts, _features(pieces)


def _features(pieces: Pieces) -> Features:
    return pieces.features or Features(pieces.shape[1])


def _kept(pieces: Pieces, rows: Ints) -> Pieces:
    """Some rows of a matrix, in ascending order."""

    def parts() -> Iterator[Any]:
        top = 0
        for piece in pieces.rows():
            low, high = np.searchsorted(rows, (top, top + piece.shape[0]))
            yield piece[rows[low:high] - top]
            top += piece.shape[0]

    nnz = sum(part.nnz for part in parts())
    return Pieces(parts, (len(rows), pieces.shape[1]), nnz, pieces.features)


def with_bias(pieces: Pieces, first_row: Ints) -> Contexts:
    """Rows with their features moved up by one index, and the bias put last."""
    n_rows = pieces.shape[0]
    start = np.zeros(n_rows + 1, np.int64)
    feature = np.zeros(pieces.nnz + n_rows, np.int32)
    value = np.ones(pieces.nnz + n_rows, np.float32)
    top = 0
    for piece in pieces.rows():
        end = top + piece.shape[0]
        start[top : end + 1] = start[top] + piece.indptr + np.arange(end - top + 1)
        inner = np.ones(start[end] - start[top], np.bool_)
        inner[start[top + 1 : end + 1] - 1 - start[top]] = False
        feature[start[top] : start[end]][inner] = piece.indices + 1
        value[start[top] : start[end]][inner] = piece.data
        top = end
    return Contexts(start, feature, value, first_row)
