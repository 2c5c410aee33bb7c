"""Small problems of each task, and the same events for tests/reference."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff import Problem
from bakeoff.data.problem import Task
from tests.reference.simulation import Event, events_from_arrays, events_from_ranking

Matrix = NDArray[np.float64]

N_FEATURES = 6
TASKS: tuple[Task, ...] = ("multiclass", "cost-sensitive", "ranking")
SCALES = np.array([1.0, 0.01, 100.0, 1.0, 1.0, 1.0])


class Sample(NamedTuple):
    """A problem, what it was made of, and its events as the reference wants them."""

    problem: Problem
    contexts: list[Matrix]  # of each event: a row, or one row per document
    costs: list[Matrix]  # of each event: of all its actions
    events: list[Event]


@lru_cache(maxsize=64)
def sample(task: Task, n: int, n_actions: int = 3, seed: int = 0) -> Sample:
    """A noisy problem that a linear policy can learn."""
    rng = np.random.default_rng([seed, n, n_actions])
    if task == "ranking":
        return _ranking(n, n_actions, rng)
    Z = rng.normal(size=(n, N_FEATURES))
    S = Z @ rng.normal(size=(N_FEATURES, n_actions)) + rng.normal(size=(n, n_actions))
    X = features(Z, rng)
    if task == "multiclass":
        y = S.argmin(axis=1)
        costs = (np.arange(n_actions) != y[:, None]).astype(np.float64)
        problem = Problem.from_classes(X, y, n_actions, name=task)
    elif task == "multilabel":
        costs = (S > -1.0).astype(np.float64)
        problem = Problem.from_labels(X, 1 - costs, name=task)
    else:
        low, high = S.min(axis=1, keepdims=True), S.max(axis=1, keepdims=True)
        costs = (S - low) / (high - low)
        problem = Problem.from_costs(X, costs, name=task)
    return Sample(problem, list(X), list(costs), events_from_arrays(X, costs))


def features(Z: Matrix, rng: np.random.Generator) -> Matrix:
    """`Z` with scales of its own for each column, one of them growing, and zeros."""
    X: Matrix = Z * SCALES
    X[:, 3] *= np.geomspace(0.1, 30.0, len(Z))
    X[rng.random(X.shape) < 0.3] = 0.0
    return X


def _ranking(n: int, most: int, rng: np.random.Generator) -> Sample:
    """Queries with one to `most` documents and grades from 0 to 4."""
    sizes = rng.integers(1, most + 1, size=n)
    sizes[:2] = 1, most
    Z = rng.normal(size=(sizes.sum(), N_FEATURES))
    noise = rng.normal(size=len(Z))
    grades = np.clip(np.rint(2 + Z @ rng.normal(size=N_FEATURES) + noise), 0, 4)
    X = features(Z, rng)
    problem = Problem.from_ranking(
        X, grades, np.repeat(np.arange(n), sizes), max_documents=most, name="ranking"
    )
    ends = np.cumsum(sizes)[:-1]
    contexts, costs = np.split(X, ends), np.split(1 - grades / 4, ends)
    events = events_from_ranking([(x, c) for x, c in zip(contexts, costs, strict=True)])
    return Sample(problem, contexts, costs, events)
