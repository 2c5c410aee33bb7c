"""Log: decisions of the past, with their probabilities and rewards.

    log = Log.from_arrays(X, action, probability, reward, n_actions=10)
    log = Log.from_run(problem, Run("cover:nu"), shuffle=1)   # simulated: truth known
    log = bakeoff.read_log("decisions.jsonl")                 # see docs/guide/evaluation.md

Inside, rewards lie in [0, 1]; `reward_range` says what 0 and 1 stand for.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.basics.notices import notify
from bakeoff.core.types import Bools, Doubles, Ints
from bakeoff.data.log_checks import (
    checked_actions,
    checked_available,
    checked_contexts,
    checked_distribution,
    checked_probability,
    checked_reward,
    checked_times,
)
from bakeoff.data.place import Place
from bakeoff.data.problem import Problem
from bakeoff.runs import Run


class Range(NamedTuple):
    """The smallest and the largest reward there can be."""

    low: float = 0.0
    high: float = 1.0

    @property
    def width(self) -> float:
        """Largest minus smallest."""
        return self.high - self.low

    def in_units(self, value: float) -> float:
        """A reward in [0, 1] as the user counts rewards."""
        return self.low + self.width * value

    def cost_of(self, reward: float) -> float:
        """A reward as a cost in [0, 1]."""
        return (self.high - reward) / (self.high - self.low)

    def reward_of(self, cost: float) -> float:
        """A cost in [0, 1] as a reward."""
        return self.high - cost * (self.high - self.low)


_UNIT = Range()


class Origin(NamedTuple):
    """Where the events of a log come from: who decided, and in which round."""

    ids: tuple[str, ...]
    seeds: Ints  # -1 if it was not logged
    rounds: Ints  # -1 if it was not logged
    spec: str | None = None  # of the learner that decided
    path: str | None = None  # of a log that can be replayed
    settings: Any = None  # of that learner, as the header has them

    def part(self, events: Ints) -> "Origin":
        """Some of the events."""
        ids = tuple(self.ids[e] for e in events)
        return self._replace(ids=ids, seeds=self.seeds[events], rounds=self.rounds[events])


@dataclass(frozen=True, eq=False)
class Log:
    """Events in the order of time: a context, a decision, a reward.

    An event has one row of features in `X`, or, if `first_row` is given, one row per
    action. `available` and `probabilities` have a column per action.

    Attributes
    ----------
    X
        Contexts, (rows, d), dense or CSR.
    action
        Numbers of the actions taken.
    probability
        The probabilities of the actions taken.
    reward
        The rewards, scaled to [0, 1]; `in_units` turns them back.
    n_actions
        The most that an event has.
    first_row
        Where an event's rows begin, if actions have features.
    available
        Which actions there were, (n, K).
    probabilities
        The probabilities of all actions, (n, K), if they were logged.
    time
        The times of the events, in seconds.
    action_names
        Names of the actions, in the order of their numbers.
    reward_range
        Where rewards lie.
    adaptive
        Whether a learner made the decisions.
    is_estimated
        Whether probabilities are estimates.
    columns, raw, origin
        The table, the contexts and the file that the log was made of.
    name, notes
        The name of the log, and notes on what was left out.
    true_rewards
        The rewards of all actions, if the log is simulated.

    Examples
    --------
    >>> bakeoff.Log.from_arrays([[1.0], [2.0]], [0, 1], [0.5, 0.5], [1, 0]).mean_reward
    0.5
    """

    X: Any  # (rows, d), dense or CSR
    action: Ints  # (n,)
    probability: Doubles  # (n,) of the action, when it was drawn
    reward: Doubles  # (n,) in [0, 1]
    n_actions: int  # the most that an event has
    first_row: Ints | None = None  # (n + 1,) if actions have features of their own
    available: Bools | None = None  # (n, K)
    probabilities: Doubles | None = None  # (n, K) of all actions, if they were logged
    time: Doubles | None = None  # (n,) in seconds
    action_names: tuple[str, ...] | None = None
    reward_range: Range = _UNIT
    adaptive: bool = False  # whether a learner made the decisions
    is_estimated: bool = False  # whether probabilities are guesses of ours
    columns: Any = None  # the table it came from, for policies that are columns
    raw: Any = field(default=None, repr=False)  # contexts as they were logged, if named
    name: str = "log"
    notes: tuple[str, ...] = ()  # what was left out, and why
    true_rewards: Doubles | None = field(default=None, repr=False)  # (n, K), simulated
    origin: Origin | None = field(default=None, repr=False)  # if decisions had ids

    @classmethod
    def from_arrays(
        cls,
        X: Any,
        action: Any,
        probability: Any,
        reward: Any,
        *,
        n_actions: int | None = None,
        available: Any = None,
        probabilities: Any = None,
        time: Any = None,
        action_names: Sequence[str] | None = None,
        reward_range: tuple[float, float] = (0.0, 1.0),
        adaptive: bool = False,
        name: str = "log",
        at: Place | None = None,
    ) -> "Log":
        """A log from arrays with an entry per event; `X` may be None.

        `action` holds integers from 0 to n_actions - 1, or names if `action_names` are
        given. With `probability=None`, probabilities are estimated: see
        guessed_propensities.py. Set `adaptive=True` if the policy was learning while it decided.

        Parameters
        ----------
        X
            Contexts, or None.
        action
            Numbers or names.
        probability
            The probabilities of the actions taken, or None.
        reward
            Rewards, in `reward_range`.
        n_actions
            How many actions there are.
        available
            Which actions there were, (n, K).
        probabilities
            The probabilities of all actions, (n, K).
        time
            The times of the events, in seconds.
        action_names
            Names of the actions, in the order of their numbers.
        reward_range
            Where rewards lie.
        adaptive
            Whether the logger was learning.
        name
            A name for the log.
        at
            Where the arrays come from, for messages.

        Returns
        -------
        Log
            The log.

        Raises
        ------
        DataError
            If an array has another length, or holds what cannot be.

        Examples
        --------
        >>> Log.from_arrays([[1.0], [2.0]], [0, 1], [0.5, 0.5], [1, 0], n_actions=2).n
        2
        """
        at = at or Place()
        names = None if action_names is None else tuple(str(a) for a in action_names)
        actions, K = checked_actions(action, n_actions, names, at)
        span = Range(*(float(x) for x in reward_range))
        log = cls(
            X=checked_contexts(X, len(actions), at),
            action=actions,
            probability=np.ones(len(actions)),
            reward=checked_reward(reward, len(actions), span, at),
            n_actions=K,
            available=checked_available(available, actions, K, at),
            time=checked_times(time, len(actions), at),
            action_names=names,
            reward_range=span,
            adaptive=adaptive,
            name=name,
        )
        return log.with_probabilities(probability, probabilities, at)

    def with_probabilities(
        self, probability: Any, probabilities: Any = None, at: Place | None = None
    ) -> "Log":
        """The same log with logged probabilities; None has them estimated.

        Parameters
        ----------
        probability
            The probabilities of the actions taken, or None.
        probabilities
            The probabilities of all actions.
        at
            Where they come from, for messages.

        Returns
        -------
        Log
            A new log.
        """
        at = at or Place()
        if probability is None and probabilities is None:
            return self._with_guesses()
        all_of_them = None
        if probabilities is not None:
            all_of_them = checked_distribution(probabilities, (self.n, self.n_actions), at)
            rows = np.arange(self.n)
            own = all_of_them[rows, self.action]
            probability = own if probability is None else probability
        found = checked_probability(probability, self.n, at)
        if all_of_them is not None:
            at.check(
                np.isclose(all_of_them[np.arange(self.n), self.action], found, 1e-6),
                lambda i: (
                    f"probability is {found[i]:g}, but the distribution gives action "
                    f"{self.action[i]} {all_of_them[i, self.action[i]]:g}"
                ),
            )
        return replace(self, probability=found, probabilities=all_of_them, is_estimated=False)

    def _with_guesses(self) -> "Log":
        """The log with estimated probabilities; a notice says so."""
        if self.first_row is not None:
            raise DataError(
                f"{self.name}: probabilities cannot be estimated where actions have "
                f"features of their own; log them"
            )
        notify(
            f"{self.name}: no probabilities were logged, so they are estimated from "
            f"the contexts; answers are only as good as that guess"
        )
        guessing = importlib.import_module("bakeoff.data.guessed_propensities")  # takes a while
        found = guessing.guessed(self.X, self.action, self.n_actions, self.available)
        return replace(self, probability=found, is_estimated=True)

    @classmethod
    def from_run(cls, problem: Problem, run: Run, shuffle: int = 0) -> "Log":
        """What a run would have logged on a problem, with all true rewards known.

        The draws are those of an experiment's row (`Run.for_job`); shuffle 0 is the
        order of the file.

        Parameters
        ----------
        problem
            What is played.
        run
            Which algorithm plays.
        shuffle
            The order of the rows.

        Returns
        -------
        Log
            The log.
        """
        return importlib.import_module("bakeoff.live.run_log").log_of_run(problem, run, shuffle)

    @property
    def n(self) -> int:
        """The number of events."""
        return len(self.action)

    @property
    def n_features(self) -> int:
        """The width of `X`."""
        return int(self.X.shape[1])

    @property
    def mean_reward(self) -> float:
        """The mean reward of the decisions logged, as the user counts rewards."""
        return self.in_units(float(self.reward.mean()))

    def in_units(self, value: float) -> float:
        """A mean reward in [0, 1] as the user counts rewards.

        Parameters
        ----------
        value
            A mean reward in [0, 1].

        Returns
        -------
        float
            The same in `reward_range`.
        """
        return self.reward_range.in_units(value)

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        kind = "adaptive" if self.adaptive else "fixed"
        return (
            f"Log({self.name!r}, n={self.n}, n_actions={self.n_actions}, "
            f"n_features={self.n_features}, {kind} logger)"
        )

    def part(self, events: Any) -> "Log":
        """Some events, by a slice or by ascending positions.

        Parameters
        ----------
        events
            A slice, or ascending positions.

        Returns
        -------
        Log
            A log of these events.
        """
        at = np.arange(self.n)[events]

        def of(values: Any) -> Any:
            return None if values is None else values[at]

        return replace(
            self,
            X=self.X[self.rows_of(at)],
            action=self.action[at],
            probability=self.probability[at],
            reward=self.reward[at],
            first_row=self._first_row_of(at),
            available=of(self.available),
            probabilities=of(self.probabilities),
            time=of(self.time),
            columns=of(self.columns),
            raw=None if self.raw is None else [self.raw[i] for i in at],
            true_rewards=of(self.true_rewards),
            origin=None if self.origin is None else self.origin.part(at),
        )

    def rows_of(self, events: Ints) -> Ints:
        """The rows of `X` that belong to some events.

        Parameters
        ----------
        events
            Positions of events.

        Returns
        -------
        Ints
            Positions of rows.
        """
        if self.first_row is None:
            return events
        sizes = np.diff(self.first_row)[events]
        begins = np.cumsum(sizes) - sizes
        within = np.arange(sizes.sum()) - np.repeat(begins, sizes)
        return np.repeat(self.first_row[events], sizes) + within

    def _first_row_of(self, events: Ints) -> Ints | None:
        if self.first_row is None:
            return None
        sizes = np.diff(self.first_row)[events]
        return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)

    def dense(self) -> Doubles:
        """`X` in double precision, dense.

        Returns
        -------
        Doubles
            An array of shape (rows, d).
        """
        X = self.X.toarray() if sparse.issparse(self.X) else self.X
        return np.asarray(X, np.float64)

    def with_notes(
        self, notes: Sequence[str], raw: Any = None, origin: Origin | None = None
    ) -> "Log":
        """The log with notes on what was left out, contexts as they were logged, and its origin.

        Parameters
        ----------
        notes
            More notes.
        raw
            Contexts as they were logged.
        origin
            Ids and file of the decisions.

        Returns
        -------
        Log
            A new log.
        """
        for note in notes:
            notify(f"{self.name}: {note}")
        return replace(self, notes=tuple(notes), raw=raw, origin=origin)

    def with_columns(self, columns: Any) -> "Log":
        """The log with the table it came from.

        Parameters
        ----------
        columns
            A table with a row per event.

        Returns
        -------
        Log
            A new log.
        """
        return replace(self, columns=columns)

    def action_name(self, a: int) -> str:
        """What an action is called, for people.

        Parameters
        ----------
        a
            The number of an action.

        Returns
        -------
        str
            Its name, or its number as text.
        """
        return str(a) if self.action_names is None else self.action_names[a]


def present(first_row: Ints | None, K: int) -> Bools | None:
    """Which actions an event has, if their number differs."""
    if first_row is None:
        return None
    sizes = np.diff(first_row)
    return np.arange(K) < sizes[:, None] if (sizes < K).any() else None


def log_of_rows(X: Any, first_row: Ints | None, **given: Any) -> Log:
    """A log whose actions may have features of their own: rows first_row[i] onwards."""
    if first_row is None:
        return Log.from_arrays(X, **given)
    at, K = given["at"], given["n_actions"]
    sizes = np.diff(first_row)
    actions = np.asarray(given["action"])
    at.check(actions < sizes, lambda i: f"unknown action {actions[i]}; the event has {sizes[i]}")
    at.check(sizes >= 1, lambda i: "the event has no actions")
    if given.get("available") is None:
        given["available"] = present(first_row, K)
    log = Log.from_arrays(None, **given)
    rows = at.of(np.repeat(np.arange(len(sizes)), sizes))
    return replace(log, X=checked_contexts(X, int(first_row[-1]), rows), first_row=first_row)
