"""Other forms of inputs, as changed copies of a problem: what was tried beside centring."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from bakeoff import Problem, Run, simulate
from bakeoff.runs import RATES
from benchmarks.inputs.arms import COLUMNS, Row, keep, known_in

Matrix = NDArray[np.float64]
FILE = "forms.csv"
ALGORITHMS = ("greedy", "regcb:c0=1e-3,optimistic", "cover:n_policies=4,psi=0.1,nu", "supervised")
WINDOW = 100  # events, of the exponential mean
CLIP = 3.0  # standard deviations
PAIRS = 500  # products of columns at most
WAVES = 128  # random Fourier features
LOCATIONS = "locations.csv"
RULE = "columns nonzero in half of the rows"
COUNTED = ("RO", "OAA")


def forms_of(X: Matrix) -> Iterator[tuple[str, Matrix]]:
    """A matrix in every form; what is taken out of a row comes from the rows before it."""
    past = np.arange(1, len(X))[:, None]
    mean = np.vstack([X[:1], np.cumsum(X, axis=0)[:-1] / past])
    centred = X - mean
    share = np.vstack([np.ones((1, X.shape[1])), np.cumsum(X != 0, axis=0)[:-1] / past])
    is_binary = np.array([len(np.unique(column)) <= 2 for column in X.T])
    square = np.cumsum(centred**2, axis=0)[:-1] / past
    deviation = np.sqrt(np.maximum(np.vstack([np.ones((1, X.shape[1])), square]), 1e-12))
    yield "raw", X
    yield "all columns", centred
    yield RULE, np.where(share >= 0.5, centred, X)
    yield "columns nonzero in a tenth of the rows", np.where(share >= 0.1, centred, X)
    yield "columns with three values or more", np.where(is_binary, X, centred)
    yield f"exponential mean of {WINDOW} rows", X - _exponential_mean(X)
    yield "scaled only", X / np.maximum(np.sqrt(square_mean(X)), 1e-6)
    scaled = np.clip(centred / deviation, -CLIP, CLIP)
    yield "centred, scaled and clipped", scaled
    yield "centred, and products of pairs", np.hstack([centred, _pairs(scaled)])
    waves = _waves(scaled)
    yield f"centred, and {WAVES} random Fourier features", np.hstack([centred, waves])
    yield f"{WAVES} random Fourier features alone", waves


def _pairs(X: Matrix) -> Matrix:
    """Products of all pairs of columns, or of some that are drawn."""
    first, second = np.triu_indices(X.shape[1])
    if len(first) > PAIRS:
        some = np.random.default_rng(0).choice(len(first), PAIRS, replace=False)
        first, second = first[some], second[some]
    return X[:, first] * X[:, second]


def _waves(X: Matrix) -> Matrix:
    """Cosines of random combinations of columns, for a Gaussian kernel as wide as the data."""
    rng = np.random.default_rng(0)
    W = rng.normal(size=(X.shape[1], WAVES)) / np.sqrt(X.shape[1])
    waves: Matrix = np.cos(X @ W + rng.uniform(0, 2 * np.pi, WAVES)) * np.sqrt(2 / WAVES)
    return waves


def location_of(X: Matrix) -> float:
    """How far columns lie from zero, in deviations: the median over those that vary."""
    varies = X.std(axis=0) > 0
    return float(np.median(np.abs(X.mean(axis=0))[varies] / X.std(axis=0)[varies]))


def square_mean(X: Matrix) -> Matrix:
    """The mean square of the rows before each row; of the first, its own."""
    past = np.arange(1, len(X))[:, None]
    mean: Matrix = np.vstack([X[:1] ** 2, np.cumsum(X**2, axis=0)[:-1] / past])
    return mean


def _exponential_mean(X: Matrix) -> Matrix:
    means, mean = np.empty_like(X), X[0].copy()
    for t, row in enumerate(X):
        means[t] = mean
        mean += max(1 / (t + 1), 1 / WINDOW) * (row - mean)
    return means


def rows_of(problem: Problem) -> Matrix:
    """The contexts of a problem as a matrix."""
    x = problem.contexts
    shape = (problem.n, problem.n_features + 1)
    X = sparse.csr_array((x.value, x.feature, x.start), shape=shape)[:, 1:].toarray()
    return np.asarray(X, np.float64)


def losses_of(problem: Problem, forms: Iterable[tuple[str, Matrix]]) -> Iterator[Row]:
    """The losses of a problem with its rows in several forms, in the order that it has."""
    for form, mapped in forms:
        right, K = problem.true_costs.right, problem.n_actions
        mapped_problem = Problem.from_classes(mapped.astype(np.float32), right, K)
        runs = [Run(spec, learning_rate=rate) for spec in ALGORITHMS for rate in RATES]
        for result in simulate(mapped_problem, runs, shuffle=0):
            run = result.run
            yield problem.name, form, "-1/0", run.label, run.learning_rate, result.pv_loss


def keep_location(problem: Problem, folder: Path) -> None:
    """Note how far the columns of a problem lie from zero, unless that is known."""
    path = folder / LOCATIONS
    if problem.name not in known_in(path):
        keep(path, ("problem", "location"), [(problem.name, location_of(rows_of(problem)))])


def play_forms(problem: Problem, folder: Path) -> None:
    """Play a problem in every form in one order of its rows, unless that has been done."""
    path = folder / FILE
    if problem.name not in known_in(path):
        shuffled = problem.shuffled(1)
        keep(path, COLUMNS, list(losses_of(shuffled, forms_of(rows_of(shuffled)))))
