"""Problem: contexts and costs of a simulated bandit (Section 2.4, Eq. 7 at offset 0).

Four constructors, one per kind of supervised data; each checks its arrays and says in
one sentence what is wrong with them.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Real
from typing import Any, Literal

import numpy as np

from bakeoff.basics.docstrings import completed
from bakeoff.basics.errors import DataError
from bakeoff.core.types import Contexts, Costs, Doubles, Ints
from bakeoff.data.checks import (
    SMALLEST,
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
from bakeoff.data.contexts import features_of, kept, one_row_per_event, with_bias
from bakeoff.data.features import Features
from bakeoff.data.streams.conditions import (
    BAR,
    Condition,
    Lost,
    condition,
    in_order,
    named,
    parse,
    text_of,
)
from bakeoff.data.streams.schedule import (
    Schedule,
    arrivals,
    is_late,
    phases,
    schedule_of,
    scheduled,
)
from bakeoff.data.streams.settled import settled
from bakeoff.data.streams.stream import Rows, matrix_of, played, reordered_contexts, reordered_costs

Task = Literal["multiclass", "multilabel", "cost-sensitive", "ranking"]

_of_data = completed(
    {
        "X": "The contexts.",
        "class_names": "Names of the actions.",
        "name": "What tables call the problem.",
    },
    returns={"Problem": "The problem."},
    raises={"DataError": "If shapes or values do not fit."},
)
_condition = completed(
    {
        "share": "The share of the rounds.",
        "after": "When the condition begins: a share of the rounds, or from 1 on their number, or "
        "a date.",
        "until": "When it ends, in the same units.",
        "seed": "Seed of the random draws.",
        "time": "The column of dates, if moments are dates.",
    },
    returns={"Problem": "The problem under this condition."},
    raises={"SpecError": "If a number is out of range."},
)


@dataclass(frozen=True, eq=False)
class Problem:
    """A stream of events: a context, and a cost for each action.

    Under conditions such as drift or delay (`with_drift`, `with_delay`, ...) its rows and
    costs are those that are played, and `plain` is the problem without conditions.

    Attributes
    ----------
    contexts, true_costs
        The data, in the form of the kernels.
    task
        "multiclass", "multilabel", "cost-sensitive" or "ranking".
    n
        How many events.
    n_actions
        The most that an event has.
    n_features
        How many features a context or a document has.
    name
        The name in tables.
    class_names
        The names of the actions.
    openml_id
        If it is a dataset of OpenML.
    features
        How columns became features.
    conditions
        Drift, delay and the like.
    without
        The problem without its conditions.
    told_costs
        The costs that are learned, where they are not the true ones.
    hours
        When each event is, where feedback goes by that.

    Examples
    --------
    >>> problem = Problem.from_classes([[1.0], [2.0]], ["no", "yes"])
    >>> problem.with_delay(100).plain.n
    2
    """

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
    conditions: tuple[Condition, ...] = ()
    without: "Problem | None" = None  # the problem without its conditions, if it has any
    told_costs: Costs | None = None  # what is learned, where that is not the true costs
    hours: Doubles | None = None  # when each event is, where feedback goes by that

    def __post_init__(self) -> None:
        if self.features.n != self.n_features:  # nothing is known of them
            object.__setattr__(self, "features", Features(self.n_features))

    @classmethod
    @_of_data
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

        Parameters
        ----------
        y
            The right action of each.
        n_actions
            How many actions there are.
        class_names
            The names of the actions.

        Examples
        --------
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
        contexts, features = one_row_per_event(X, len(labels), "y")
        right = Costs(
            np.arange(len(labels) + 1, dtype=np.int64), codes.astype(np.int32), np.empty(0)
        )
        return cls(
            contexts, right, "multiclass", len(labels), n_actions, features.n,
            name, found, features=features,
        )._checked()  # fmt: skip

    @classmethod
    @_of_data
    def from_labels(
        cls, X: Any, Y: Any, *, class_names: Sequence[str] | None = None, name: str = "problem"
    ) -> "Problem":
        """Multilabel data: cost 0 for each label of the row, 1 for the others.

        `Y` is a 0/1 matrix, dense or sparse, a frame whose columns name the labels, or
        a list with each row's labels as integers from 0. A row may have no label.

        Parameters
        ----------
        Y
            The labels.
        """
        start, right, n_actions = label_sets(Y)
        n = len(start) - 1
        contexts, features = one_row_per_event(X, n, "Y")
        costs = Costs(start, right, np.empty(0))
        return cls(
            contexts, costs, "multilabel", n, n_actions, features.n, name,
            action_names(class_names, Y, n_actions),
            features=features,
        )._checked()  # fmt: skip

    @classmethod
    @_of_data
    def from_costs(
        cls, X: Any, C: Any, *, class_names: Sequence[str] | None = None, name: str = "problem"
    ) -> "Problem":
        """Cost-sensitive data: `C` (n, K) holds the cost in [0, 1] of each action.

        If it is a frame, its columns name the actions.

        Parameters
        ----------
        C
            The costs, (n, K).
        """
        values = as_floats(C, "C")
        if values.ndim != 2:
            raise DataError(f"C must have two dimensions, got shape {values.shape}")
        check_range(values, 0.0, 1.0, "costs in C")
        n, n_actions = values.shape
        contexts, features = one_row_per_event(X, n, "C")
        start = np.arange(n + 1, dtype=np.int64) * n_actions
        own = values.ravel() + 0.0  # a copy, and no negative zeros
        costs = Costs(start, np.empty(0, np.int32), own)
        return cls(
            contexts, costs, "cost-sensitive", n, n_actions, features.n, name,
            action_names(class_names, C, n_actions),
            features=features,
        )._checked()  # fmt: skip

    @classmethod
    @_of_data
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

        Parameters
        ----------
        X
            One row for each document.
        relevance
            The grade of each document.
        qid
            Which query a document belongs to.
        max_documents
            How many documents of a query are kept.
        max_relevance
            The best grade.
        """
        grades = as_floats(relevance, "relevance")
        check_one_dimension(grades, "relevance")
        if not (isinstance(max_relevance, Real) and 0 < max_relevance < np.inf):
            raise DataError(f"max_relevance must be a positive number, got {max_relevance!r}")
        check_range(grades, 0.0, max_relevance, f"relevance (max_relevance={max_relevance:g})")
        check_lengths(as_pieces(X).shape[0], len(grades), "relevance")
        return cls.from_action_costs(X, 1.0 - grades / max_relevance, qid, max_documents, name=name)

    @classmethod
    @_of_data
    def from_action_costs(
        cls, X: Any, cost: Any, qid: Any, max_documents: int | None = None, *, name: str = "problem"
    ) -> "Problem":
        """Actions with features of their own: a row of `X` and a cost for each.

        The actions of an event stand together (equal `qid`) and share one weight
        vector, as the documents of a query do; `max_documents` keeps the first ones.

        Parameters
        ----------
        X
            One row for each action of each event.
        cost
            The cost of each row, in [0, 1].
        qid
            Which event a row belongs to.
        max_documents
            How many actions of an event are kept.
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
        which = np.repeat(begins[:-1], sizes) + within
        return cls(
            with_bias(kept(pieces, which), first_row),
            Costs(first_row, np.empty(0, np.int32), costs[which] + 0.0),
            "ranking", len(sizes), int(sizes.max(initial=0)), pieces.shape[1], name,
            features=features_of(pieces),
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
        content.update(self.stream.encode())
        return content.hexdigest()

    def shuffled(self, seed: int) -> "Problem":
        """The same events in the order `default_rng(seed).permutation(n)`.

        Conditions apply to the order played: what drifts in the second half drifts in
        the second half of every order.

        Parameters
        ----------
        seed
            The seed of the order.

        Returns
        -------
        Problem
            The problem in that order.
        """
        if not is_integer(seed) or seed < 0:
            raise DataError(f"seed must be an integer from 0, got {seed!r}")
        if self.without is not None:
            return _under(self.without.shuffled(seed), self.conditions, self.name)
        return self.events(np.random.default_rng(seed).permutation(self.n))

    def events(self, order: Ints) -> "Problem":
        """Some events as they are played, in the given order, without conditions.

        Parameters
        ----------
        order
            Positions of events.

        Returns
        -------
        Problem
            A problem of these events.
        """
        return replace(
            self,
            contexts=reordered_contexts(self.contexts, order),
            true_costs=reordered_costs(self.true_costs, order),
            n=len(order),
            conditions=(),
            without=None,
            told_costs=None,
            hours=None,
        )

    # Conditions: docs/guide/streams.md has them all

    @property
    def plain(self) -> "Problem":
        """The problem without conditions."""
        return self if self.without is None else self.without

    @property
    def draws(self) -> str:
        """The digest that random draws go by: those under all conditions are the same."""
        return self.plain.digest

    @property
    def stream(self) -> str:
        """The conditions as text, such as "delay(100) | noise(0.1)"; empty if none."""
        return text_of(self.conditions)

    @cached_property
    def schedule(self) -> Schedule | None:
        """When feedback comes; None if it always comes at once."""
        if self.hours is None:
            return schedule_of(self.conditions, self.n)
        if not is_late(self.conditions):
            return None
        return scheduled(arrivals(self._settled, self.n, self.hours))

    @cached_property
    def _settled(self) -> tuple[Condition, ...]:
        """The conditions with numbers for names of actions and dates."""
        names, columns = self.plain.class_names, self.plain.features.columns or ()
        return settled(self.conditions, names, columns, self.hours)

    @property
    def needs_stream(self) -> bool:
        """Whether feedback comes late, or is not the truth: loops of streams play it."""
        return self.schedule is not None or self.told_costs is not None

    @cached_property
    def has_gaps(self) -> bool:
        """Whether the feedback of some actions never comes."""
        return any(isinstance(one, Lost) and one.action is not None for one in self.conditions)

    @property
    def revealed_costs(self) -> Costs:
        """What the skyline learns: the costs that are told, and the true ones in gaps."""
        told = self.true_costs if self.told_costs is None else self.told_costs
        if not self.has_gaps:
            return told
        is_gap = np.isnan(told.value)
        true = self.true_costs.value
        if not true.size:
            true = matrix_of(self.true_costs, self.n_actions).ravel()
        return told._replace(value=np.where(is_gap, true, told.value))

    @property
    def phases(self) -> list[tuple[int, int]]:
        """Stretches in which true costs follow one rule: the first event, and the last + 1."""
        return phases(self._settled, self.n)

    def with_conditions(self, *conditions: str | Condition) -> "Problem":
        """The problem under more conditions, as texts or as values.

        Parameters
        ----------
        *conditions
            Texts or values.

        Returns
        -------
        Problem
            The problem under these conditions.

        Raises
        ------
        SpecError
            If a condition is not valid.

        Examples
        --------
        >>> problem = Problem.from_classes([[1.0], [2.0]], ["no", "yes"], name="two")
        >>> problem.with_conditions("noise(.1) | delay(3)").name
        'two | delay(3) | noise(0.1)'
        """
        more: list[Condition] = []
        for one in conditions:
            more += parse(one) if isinstance(one, str) else [one]
        together = in_order([*self.conditions, *more])
        name = self.name.removesuffix(f"{BAR}{self.stream}")
        return _under(self.plain, together, named(name, together))

    @_condition
    def with_delay(
        self,
        rounds: int | str | None = None,
        *,
        mean: float | None = None,
        every: int | None = None,
        hours: float | None = None,
        time: int | str | None = None,
        seed: int | None = None,
    ) -> "Problem":
        """Feedback comes late: with_delay(100), or with_delay("exponential", mean=100).

        With a delay of 1, the feedback of a round comes after the next decision. In
        batches, with_delay("batch", every=100), it comes after every 100th. By a column
        of dates or hours, with_delay(hours=24, time="date"), it comes a day later, and
        with_delay("batch", hours=24, time="date") at the end of each day.

        Parameters
        ----------
        rounds
            How many, "exponential" or "batch"; nothing, with hours.
        mean
            The mean of an exponential delay.
        every
            How many rounds a batch has.
        hours
            How much later feedback comes, or how long a batch is.
        time
            The column of times that hours need.
        """
        given = {"mean": mean, "every": every, "hours": hours, "time": time, "seed": seed}
        return self._with("delay", *([] if rounds is None else [rounds]), **given)

    @_condition
    def with_lost(
        self,
        share: float,
        *,
        action: int | str | None = None,
        after: float | str | None = None,
        until: float | str | None = None,
        seed: int | None = None,
        time: int | str | None = None,
    ) -> "Problem":
        """For a share of the rounds, or of those that take one action, no feedback ever comes.

        Parameters
        ----------
        action
            The only action whose feedback is lost.
        """
        return self._with(
            "lost", share, action=action, after=after, until=until, seed=seed, time=time
        )

    @_condition
    def with_noise(
        self,
        share: float,
        *,
        after: float | str | None = None,
        until: float | str | None = None,
        seed: int | None = None,
        time: int | str | None = None,
    ) -> "Problem":
        """In a share of the rounds what is learned is wrong; reported costs stay true.

        with_noise(1, after=0.4, until=0.5) poisons a stretch.
        """
        return self._with("noise", share, after=after, until=until, seed=seed, time=time)

    @_condition
    def with_drift(
        self,
        *,
        after: float | str | None = None,
        over: float | None = None,
        every: float | None = None,
        turn: int | None = None,
        seed: int | None = None,
        time: int | str | None = None,
    ) -> "Problem":
        """Costs move on to the next action `after` a moment: with_drift(after=0.5).

        A moment is a share of the rounds, or from 1 on a number of them. The change takes
        place gradually `over` a stretch, or comes and goes `every` so many rounds.

        Parameters
        ----------
        after
            When costs change.
        over
            How long the change takes.
        every
            How often costs change there and back.
        turn
            By how many actions costs move on.
        """
        return self._with(
            "drift", after=after, over=over, every=every, turn=turn, seed=seed, time=time
        )

    @_condition
    def with_price(
        self,
        action: int | str,
        by: float,
        *,
        after: float | str | None = None,
        time: int | str | None = None,
    ) -> "Problem":
        """One action costs more from a moment on; costs are divided by their new range.

        with_price("discount", 0.3, after="2026-06-01", time="date") goes by a column of dates.

        Parameters
        ----------
        action
            The number or name of the action.
        by
            How much more it costs.
        after
            When.
        """
        return self._with("price", action=action, by=by, after=after, time=time)

    @_condition
    def with_shift(
        self, feature: int | str, *, mix: float | None = None, seed: int | None = None
    ) -> "Problem":
        """Rows come sorted by a feature, but for a share `mix` of all that they may stray.

        Parameters
        ----------
        feature
            The name or number of the feature.
        mix
            The share of the rows that may stray.

        Raises
        ------
        SpecError
            If a number is out of range.
        DataError
            If there is no such feature.
        """
        return self._with("shift", feature, mix=mix, seed=seed)

    @_condition
    def with_lives(self, share: float, *, seed: int | None = None) -> "Problem":
        """A share of the actions is born late or dies early.

        Parameters
        ----------
        share
            The share of the actions.
        """
        return self._with("lives", share, seed=seed)

    @_condition
    def with_available(self, share: float, *, seed: int | None = None) -> "Problem":
        """In each round every action is available with this chance.

        Parameters
        ----------
        share
            How likely an action is available.
        """
        return self._with("available", share, seed=seed)

    def _with(self, word: str, *values: Any, **settings: Any) -> "Problem":
        given = {name: value for name, value in settings.items() if value is not None}
        return self.with_conditions(condition(word, *values, **given))

    def __reduce_ex__(self, protocol: Any) -> Any:
        if self.without is None:
            return super().__reduce_ex__(protocol)
        return _under, (self.without, self.conditions, self.name)


def _under(plain: Problem, conditions: tuple[Condition, ...], name: str) -> Problem:
    """A problem under conditions."""
    if not conditions:
        return plain
    names, columns = plain.features.names, plain.features.columns or ()
    rows = Rows(
        plain.contexts,
        plain.true_costs,
        plain.n_actions,
        plain.n_features,
        plain.shares_weights,
        names,
        columns,
        plain.class_names,
    )
    rows, told, hours = played(rows, conditions)
    task = plain.task
    if rows.shares_weights:
        task = "ranking"
    elif rows.costs.value.size:
        task = "cost-sensitive"
    return replace(
        plain,
        contexts=rows.contexts,
        true_costs=rows.costs,
        told_costs=told,
        hours=hours,
        task=task,
        n_actions=rows.n_actions,
        n_features=rows.n_features,
        class_names=None if task == "ranking" else plain.class_names,
        name=name,
        conditions=conditions,
        without=plain,
    )
