"""Policies: what the user gives, as a distribution over actions per event.

"uniform"            the same probability for every available action
"logged"             the logger itself
"constant:3"         always the same action, by number or name
"column:choice"      the action named in a column of the log's table
"model.bakeoff"      a saved learner as it explores; "greedy:model.bakeoff" without;
                     it is judged by events that it has not learned from
"progressive:model.bakeoff", "progressive:greedy:model.bakeoff"
                     the learner that wrote the log, as it was before each event
a callable           X -> (n, K), or x -> (K,)
an array             (n, K) probabilities, or (n,) actions
a Learner, a scikit-learn classifier, or a policy of `train`
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError, SpecError
from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Log, Place, checked_distribution
from bakeoff.live import Learner, events_learned, objection_to_replay

_ROUNDING = 1e-6


class Policy(NamedTuple):
    """A name, and the probabilities of events first..last-1 of a log: (m, K)."""

    name: str
    probabilities: Callable[[Log, int, int], Doubles]
    is_logged: bool = False  # whether it is the logger itself
    learned: Callable[[Log], int] | None = None  # events from the beginning that taught it

    def after(self, log: Log, events: int) -> "Policy":
        """The policy on what is left of a log without its first events."""

        def probabilities(_rest: Log, first: int, last: int) -> Doubles:
            return self.probabilities(log, first + events, last + events)

        return self._replace(probabilities=probabilities, learned=None)


def policy_of(policy: Any, log: Log) -> Policy:
    """The policy that the user gives."""
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, str):
        return _named(policy, log)
    if isinstance(policy, Path):
        return _saved(str(policy), greedy=False)
    if hasattr(policy, "choose") and hasattr(policy, "probabilities"):
        return learner_policy(policy)
    if hasattr(policy, "predict") and hasattr(policy, "classes_"):
        return _classifier(policy, log)
    if callable(policy):
        return _callable(policy)
    return _array(policy, log)


def uniform_over(log: Log, first: int, last: int) -> Doubles:
    """The same probability for every available action."""
    if log.available is None:
        return np.full((last - first, log.n_actions), 1.0 / log.n_actions)
    present = log.available[first:last]
    return present / present.sum(axis=1, keepdims=True)


def deterministic(actions: Ints, K: int) -> Doubles:
    """All probability on one action per event."""
    table = np.zeros((len(actions), K))
    table[np.arange(len(actions)), actions] = 1.0
    return table


def greedy_of(probabilities: Doubles) -> Doubles:
    """All probability on the likeliest action; ties share it."""
    best = probabilities >= probabilities.max(axis=1, keepdims=True)
    return best / best.sum(axis=1, keepdims=True)


# ---- names


def _named(text: str, log: Log) -> Policy:
    kind, _, rest = text.partition(":")
    if text == "uniform":
        return Policy("uniform", uniform_over)
    if text == "logged":
        return Policy("logged", _logged, is_logged=True)
    if kind == "constant" and rest:
        return _constant(text, _action_of(rest, log, text))
    if kind == "column" and rest:
        return _column(text, rest, log)
    if kind == "greedy" and rest:
        return _saved(rest, greedy=True)
    if kind == "progressive" and rest:
        return _progressive(text, rest, log)
    if Path(text).suffix or Path(text).exists():
        return _saved(text, greedy=False)
    raise SpecError(
        f"unknown policy {text!r}; give uniform, logged, constant:ACTION, "
        f"column:NAME, the file of a saved learner, or progressive:FILE"
    )


def _logged(log: Log, first: int, last: int) -> Doubles:
    if log.probabilities is not None:
        return log.probabilities[first:last]
    raise SpecError(
        f"{log.name}: the policy 'logged' needs the logger's whole distributions, and the log "
        f"holds only the probabilities of the chosen actions"
    )


def _action_of(text: str, log: Log, policy: str) -> int:
    """An action by name or number."""
    if log.action_names is not None and text in log.action_names:
        return log.action_names.index(text)
    if text.isdecimal() and int(text) < log.n_actions:
        return int(text)
    known = log.action_names or tuple(str(a) for a in range(log.n_actions))
    shown = ", ".join(known[:8]) + (", ..." if len(known) > 8 else "")
    raise SpecError(f"{policy!r}: the log has no action {text!r}; it has {shown}")


def _constant(name: str, a: int) -> Policy:
    def probabilities(log: Log, first: int, last: int) -> Doubles:
        return deterministic(np.full(last - first, a), log.n_actions)

    return Policy(name, probabilities)


def _column(name: str, column: str, log: Log) -> Policy:
    if log.columns is None or column not in log.columns.columns:
        has = [] if log.columns is None else log.columns.columns
        raise SpecError(
            f"{name!r}: the log has no column {column!r}"
            + (f"; it has {', '.join(has)}" if has else "")
        )
    values = [str(value) for value in log.columns[column].to_list()]
    actions = np.array([_action_of(value, log, name) for value in values], np.int64)
    return _array(actions, log, name)


# ---- objects


def _saved(path: str, greedy: bool) -> Policy:
    return learner_policy(Learner.load(path), path, greedy)


def _progressive(name: str, rest: str, log: Log) -> Policy:
    """The learner that wrote the log, as it was before each event.

    Its decisions are made again from the log. If all of them turn out the same, the logged
    distributions are those of the learner before it learned from the event.
    """
    greedy, path = rest.startswith("greedy:"), rest.removeprefix("greedy:")
    learner = Learner.load(path)
    why_not = "only a log of ours that is read whole from .jsonl can be replayed"
    if log.origin is not None and log.origin.path is not None and log.probabilities is not None:
        why_not = objection_to_replay(log.origin.path, learner)
    if why_not:
        raise DataError(
            f"{log.name}: does not tell what {path} would have done before each event: {why_not}"
        )

    def probabilities(log: Log, first: int, last: int) -> Doubles:
        table = _logged(log, first, last)
        return greedy_of(table) if greedy else table

    return Policy(name, probabilities)


def learner_policy(learner: Any, name: str = "", greedy: bool = False) -> Policy:
    """A learner as it would decide now; it does not learn from the log."""

    def probabilities(log: Log, first: int, last: int) -> Doubles:
        places = _places(learner, log)
        table = np.zeros((last - first, log.n_actions))
        for e in range(first, last):
            p = np.asarray(_learner_probabilities(learner, log, e), np.float64)
            if places is not None:
                table[e - first, places] = p
            else:
                table[e - first, : len(p)] = p
        return greedy_of(table) if greedy else table

    label = name or type(learner).__name__.lower()
    learned = partial(events_learned, learner) if isinstance(learner, Learner) else None
    return Policy(f"greedy:{label}" if greedy else label, probabilities, learned=learned)


def _places(learner: Any, log: Log) -> Ints | None:
    """The numbers in the log of a learner's actions, if both have names."""
    names, known = getattr(learner, "actions", None), log.action_names
    K = getattr(learner, "n_actions", None)
    if K is not None and log.first_row is None and log.n_actions != K:
        raise DataError(f"the learner has {K} actions, but the log {log.name} has {log.n_actions}")
    if not names or known is None:
        return None
    unknown = [name for name in names if name not in known]
    if unknown:
        raise DataError(f"the log {log.name} has no action {unknown[0]!r}")
    return np.array([known.index(name) for name in names], np.int64)


def _learner_probabilities(learner: Any, log: Log, e: int) -> Any:
    """The probabilities that a learner gives to the actions of an event."""
    context = context_of(log, e)
    if isinstance(context, dict) and isinstance(context.get("actions"), list):
        return learner.probabilities(context.get("shared"), actions=context["actions"])
    if isinstance(context, dict) and {"indices", "values"} <= context.keys():
        context = log.X[[e]]
    if log.available is None or log.first_row is not None:
        return learner.probabilities(context)
    available: list[Any] = np.flatnonzero(log.available[e]).tolist()
    names = getattr(learner, "actions", None)
    if names and log.action_names is not None:
        available = [log.action_names[a] for a in available]
    return learner.probabilities(context, available=available)


def context_of(log: Log, e: int) -> Any:
    """The features of an event: one row, or a row per action."""
    if log.raw is not None:
        return log.raw[e]
    if log.first_row is not None:
        return log.X[log.first_row[e] : log.first_row[e + 1]]
    return log.X[[e]] if sparse.issparse(log.X) else log.X[e]


def _classifier(model: Any, log: Log) -> Policy:
    """A classifier plays the class it predicts."""
    places = {value: _action_of(str(value), log, type(model).__name__) for value in model.classes_}

    def probabilities(log: Log, first: int, last: int) -> Doubles:
        predicted = model.predict(log.X[first:last])
        actions = np.array([places[value] for value in predicted], np.int64)
        return deterministic(actions, log.n_actions)

    return Policy(type(model).__name__, probabilities)


def _callable(function: Callable[[Any], Any]) -> Policy:
    name = getattr(function, "__name__", type(function).__name__)

    def probabilities(log: Log, first: int, last: int) -> Doubles:
        shape = (last - first, log.n_actions)
        table = _call_at_once(function, log, first, last)
        if table is None or table.shape != shape or not _adds_up(table):
            table = _call_one_by_one(function, log, first, last, table)
        if table.shape != shape:
            raise DataError(
                f"policy {name!r} must return probabilities of shape {shape} for "
                f"{shape[0]} contexts, got {table.shape}"
            )
        return checked_policy(table, log, first, name)

    return Policy(name, probabilities)


def _adds_up(table: Doubles) -> bool:
    return bool((np.abs(table.sum(axis=1) - 1) < 1e-3).all())


def _call_at_once(
    function: Callable[[Any], Any], log: Log, first: int, last: int
) -> Doubles | None:
    """The result for all contexts at once; None if the callable cannot take them."""
    if log.first_row is not None or log.raw is not None:
        return None
    try:
        return np.asarray(function(log.X[first:last]), np.float64)
    except (TypeError, ValueError, IndexError, KeyError):
        return None


def _call_one_by_one(
    function: Callable[[Any], Any], log: Log, first: int, last: int, at_once: Any
) -> Doubles:
    """The results for one context after the other; `at_once` if their shape differs from its."""
    rows = [np.atleast_1d(function(context_of(log, e))) for e in range(first, last)]
    if log.first_row is None and at_once is not None and rows[0].shape != at_once.shape[1:]:
        return np.asarray(at_once)
    table = np.zeros((len(rows), max(len(row) for row in rows)))
    for i, row in enumerate(rows):
        table[i, : len(row)] = row
    return table


def _array(array: Any, log: Log, name: str = "array") -> Policy:
    try:
        values = np.asarray(array)
    except ValueError as error:
        raise DataError(f"the policy is not an array: {error}") from None
    if values.shape == (log.n,) and values.dtype.kind in "iu":
        if (values < 0).any() or (values >= log.n_actions).any():
            raise DataError(f"a policy of actions must hold integers from 0 to {log.n_actions - 1}")
        values = deterministic(values, log.n_actions)
    if values.dtype.kind not in "fiub" or values.shape != (log.n, log.n_actions):
        raise DataError(
            f"a policy must be a name, a callable, a Learner or an array of shape "
            f"{(log.n, log.n_actions)}, got {type(array).__name__} of shape "
            f"{values.shape}"
        )
    table = checked_policy(values.astype(np.float64), log, 0, name)
    return Policy(name, lambda _log, first, last: table[first:last])


def checked_policy(table: Doubles, log: Log, first: int, name: str) -> Doubles:
    """Check that rows are distributions, with no probability on unavailable actions."""
    at = Place()
    checked = checked_distribution(table, (len(table), log.n_actions), at)
    if log.available is not None:
        forbidden = ~log.available[first : first + len(table)] & (checked > _ROUNDING)
        at.check(
            ~forbidden.any(axis=1),
            lambda i: (
                f"policy {name!r} gives probability to action "
                f"{int(np.flatnonzero(forbidden[i])[0])}, which is not available there"
            ),
        )
    return checked
