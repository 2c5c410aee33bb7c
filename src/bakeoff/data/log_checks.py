"""Checks: the arrays of a log as canonical ones, or one sentence why not."""

from typing import Any, NoReturn, TypeGuard

import numpy as np
from scipy import sparse

from bakeoff.basics.errors import DataError
from bakeoff.core.types import Bools, Doubles, Ints
from bakeoff.data.checks import LARGEST, as_array, as_floats, is_integer
from bakeoff.data.place import Place

MOST_ACTIONS = 100_000  # unless the user says that there are more
_ROUNDING = 1e-4  # of probabilities that were written with few digits


def is_number(value: Any) -> TypeGuard[float]:
    """Whether a value of JSON is a number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) < 1e300


def is_count(value: Any) -> TypeGuard[int]:
    """Whether a value of JSON is an integer from 0, of a size that occurs."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**31


def checked_actions(
    action: Any, n_actions: int | None, names: tuple[str, ...] | None, at: Place
) -> tuple[Ints, int]:
    """Actions as integers from 0, and how many there can be."""
    values = as_array(action, "action")
    if values.ndim != 1:
        raise DataError(f"{at.whole()}action must have one dimension")
    if not len(values):
        raise DataError(f"{at.whole()}a log needs at least one event, got none")
    K = number_of_actions(values, n_actions, names, at)
    if values.dtype.kind in "USO" and names is not None:
        places = {name: a for a, name in enumerate(names)}
        shown = [str(value) for value in values.tolist()]
        at.check(
            [value in places for value in shown],
            lambda i: f"unknown action {shown[i]!r}; known are {_listed(names)}",
        )
        return np.array([places[value] for value in shown], np.int64), K
    if values.dtype.kind not in "iuf":
        raise DataError(f"{at.whole()}action must hold integers from 0, or names with action_names")
    fine = (values >= 0) & (values < K) & (values == np.floor(values))
    at.check(fine, lambda i: f"unknown action {values[i]:.15g}; actions count from 0 to {K - 1}")
    return values.astype(np.int64), K


def number_of_actions(
    values: Any, n_actions: int | None, names: tuple[str, ...] | None, at: Place
) -> int:
    """How many actions there are: as many as the user says, has named, or took."""
    if n_actions is None and names is None and values.dtype.kind in "iuf":
        at.check(~(values >= MOST_ACTIONS), lambda i: unbelievable(values[i]))
        n_actions = int(values.max()) + 1 if np.isfinite(values).all() else 2
    elif n_actions is None and names is not None:
        n_actions = len(names)
    if not (is_integer(n_actions) and n_actions is not None):
        raise DataError(f"{at.whole()}n_actions must be an integer, got {n_actions!r}")
    if n_actions < 2:
        raise DataError(
            f"{at.whole()}the log has one action only; with no choice there is nothing "
            f"to evaluate (n_actions says how many there are)"
        )
    if names is not None and len(names) != n_actions:
        raise DataError(f"{at.whole()}action_names has {len(names)} names for {n_actions} actions")
    return int(n_actions)


def unbelievable(action: float) -> str:
    """Why the number of an action is taken for a mistake."""
    return (
        f"unknown action {action:.15g}; more than {MOST_ACTIONS:,} actions are not "
        f"believed unless n_actions says so"
    )


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:8])
    return shown + (", ..." if len(names) > 8 else "")


def _column(values: Any, n: int, what: str, at: Place) -> Doubles:
    column = as_floats(values, what)
    if column.shape != (n,):
        raise DataError(
            f"{at.whole()}{what} must hold one number per event, got shape "
            f"{column.shape} for {n} events"
        )
    return column


def checked_probability(values: Any, n: int, at: Place) -> Doubles:
    """Probabilities of the actions taken, above 0 and at most 1."""
    probabilities = _column(values, n, "probability", at)
    at.check(
        (probabilities > 0) & (probabilities <= 1 + 1e-6),
        lambda i: (
            f"probability must lie above 0 and be at most 1, got {probabilities[i]:g}; "
            f"it is the chance that this action had when it was drawn"
        ),
    )
    return np.minimum(probabilities, 1.0)


def checked_reward(values: Any, n: int, span: Any, at: Place) -> Doubles:
    """Rewards, from the user's range to [0, 1]."""
    if not (np.isfinite(span).all() and span[0] < span[1]):
        raise DataError(f"reward_range must be (low, high), got {tuple(span)}")
    rewards = _column(values, n, "reward", at)
    at.check(
        (rewards >= span[0]) & (rewards <= span[1]),
        lambda i: (
            f"reward must lie between {span[0]:g} and {span[1]:g}, got {rewards[i]:g}; "
            f"give reward_range=(low, high) if rewards have another range"
        ),
    )
    return (rewards - span[0]) / (span[1] - span[0])


def checked_distribution(values: Any, shape: tuple[int, int], at: Place) -> Doubles:
    """A distribution over all actions for each event."""
    probabilities = as_floats(values, "probabilities")
    if probabilities.shape != shape:
        raise DataError(
            f"{at.whole()}probabilities must have shape {shape} "
            f"(events, actions), got {probabilities.shape}"
        )
    at.check(
        ((probabilities >= 0) & (probabilities <= 1 + 1e-6)).all(axis=1),
        lambda i: "probabilities must lie between 0 and 1",
    )
    sums = probabilities.sum(axis=1)
    at.check(
        np.abs(sums - 1) <= _ROUNDING,
        lambda i: f"probabilities must add up to 1, but add up to {sums[i]:.6g}",
    )
    return probabilities


def checked_available(values: Any, action: Ints, K: int, at: Place) -> Bools | None:
    """Which actions could be chosen, among them the one that was."""
    if values is None:
        return None
    flags = np.asarray(values)
    if flags.shape != (len(action), K) or flags.dtype.kind not in "biu":
        raise DataError(
            f"{at.whole()}available must be flags of shape {(len(action), K)}, got "
            f"{flags.dtype} of shape {flags.shape}"
        )
    flags = flags.astype(np.bool_)
    at.check(
        flags[np.arange(len(action)), action],
        lambda i: f"action {action[i]} was chosen, but is not among those available",
    )
    return None if flags.all() else flags


def checked_times(values: Any, n: int, at: Place) -> Doubles | None:
    """Times in seconds, if there are any."""
    if values is None:
        return None
    times = _column(values, n, "time", at)
    at.check(np.isfinite(times), lambda i: f"time must be finite, got {times[i]}")
    return times


def checked_contexts(X: Any, n: int, at: Place) -> Any:
    """Features as a dense array or a CSR matrix, finite; None stands for no features."""
    if X is None:
        return np.zeros((n, 0))
    if sparse.issparse(X):
        matrix = sparse.csr_array(X)
        _check_rows(matrix, n, at)
        at.check(_finite_rows(matrix), lambda i: "X must hold finite numbers of at most 1e18")
        return matrix
    dense = as_floats(X, "X")
    if dense.ndim != 2:
        raise DataError(f"{at.whole()}X must have two dimensions, got shape {dense.shape}")
    _check_rows(dense, n, at)
    fine = (np.abs(dense) <= LARGEST).all(axis=1)
    at.check(
        fine,
        lambda i: (
            f"X must hold finite numbers of at most {LARGEST:g}, got "
            f"{dense[i][~(np.abs(dense[i]) <= LARGEST)][0]}"
        ),
    )
    return dense


def _check_rows(X: Any, n: int, at: Place) -> None:
    if X.shape[0] != n:
        raise DataError(f"{at.whole()}X has {X.shape[0]} rows for {n} events")


def _finite_rows(matrix: Any) -> Bools:
    bad = ~(np.abs(matrix.data) <= LARGEST)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    fine = np.ones(matrix.shape[0], np.bool_)
    fine[rows[bad]] = False
    return fine


def refuse(where: str, what: str) -> NoReturn:
    """Raise a `DataError` with its place."""
    raise DataError(f"{where}: {what}")
