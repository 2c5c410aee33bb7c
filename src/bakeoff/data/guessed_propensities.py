"""Propensities: a guess at probabilities that were not logged.

A classifier guesses the action from the context, cross-fitted over blocks of time. That
is right only if the logger saw nothing that the log does not hold.
"""

from itertools import pairwise
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler

from bakeoff.core.types import Bools, Doubles, Ints

_FOLDS = 5
_LEAST = 1e-3  # the smallest probability that is believed


def guessed(X: Any, action: Ints, K: int, available: Bools | None) -> Doubles:
    """The chance of the actions taken, each guessed by a model of other events."""
    table = _table(X, action, K)
    if available is not None:
        table = table * available
        table /= table.sum(axis=1, keepdims=True)
    return np.maximum(table[np.arange(len(action)), action], _LEAST)


def _table(X: Any, action: Ints, K: int) -> Doubles:
    """The chance of every action in every event."""
    n = len(action)
    frequencies = (np.bincount(action, minlength=K) + 1.0) / (n + K)
    table = np.tile(frequencies, (n, 1))
    if n < 2 * _FOLDS or X.shape[1] == 0:
        return table
    for low, high in pairwise(np.linspace(0, n, _FOLDS + 1).astype(np.int64)):
        others = np.concatenate((np.arange(low), np.arange(high, n)))
        _guess(X, action, others, slice(int(low), int(high)), table)
    return table / table.sum(axis=1, keepdims=True)


def _guess(X: Any, action: Ints, others: Ints, own: slice, table: Doubles) -> None:
    """Write a block's guesses, by a model of the other events, into `table`."""
    if len(np.unique(action[others])) < 2:
        return
    model = make_pipeline(MaxAbsScaler(), LogisticRegression(max_iter=500))
    model.fit(X[others], action[others])
    seen = model.classes_
    rare = np.setdiff1d(np.arange(table.shape[1]), seen)
    left = 1.0 - table[own][:, rare].sum(axis=1, keepdims=True)
    table[own, seen] = left * model.predict_proba(X[own])
