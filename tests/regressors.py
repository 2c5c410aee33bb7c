"""Regressors to drive from Python: a kernel has no entry of its own."""

import numpy as np

from bakeoff.core.jit import bind
from bakeoff.core.oracles.regression import (
    Regressors,
    clip,
    predict,
    reg_update,
    score,
    sensitivity,
)
from bakeoff.core.types import Contexts, Doubles, Event, Floats, Ints
from bakeoff.data.problem import Problem


class Stream:
    """Rows of features, each with a label, an importance and a block of weights."""

    def __init__(self, X: Doubles, y: Doubles, omega: Doubles, blocks: Ints) -> None:
        self.X = X
        self.contexts = Problem.from_costs(X, np.zeros((len(X), 2))).contexts
        self.n, self.n_features = X.shape
        self.y = y.astype(np.float32)
        self.omega = omega.astype(np.float32)
        self.blocks = blocks

    def row(self, i: int) -> list[tuple[int, np.float32]]:
        """The features of a row by their index, the bias last, as the reference's."""
        part = slice(self.contexts.start[i], self.contexts.start[i + 1])
        index, value = self.contexts.feature[part], self.contexts.value[part]
        return list(zip(index.tolist(), value, strict=True))


def _regress(
    f: Regressors, x: Contexts, blocks: Ints, y: Floats, omega: Floats, predictions: Floats
) -> None:
    """Learn rows in turn in each column, and write the clipped scores just before."""
    for i in range(y.shape[0]):
        for c in range(f.eta.shape[0]):
            r = score(f, x, i, blocks[i], c)
            reg_update(f, x, i, blocks[i], c, r, y[i], omega[i])
            predictions[i, c] = clip(r, f.lo[c], f.hi[c])


def _scores(f: Regressors, x: Contexts, event: Event, scores: Floats) -> None:
    predict(f, x, event, scores)


def _sensitivities(
    f: Regressors, x: Contexts, event: Event, scores: Floats, labels: Floats, out: Doubles
) -> None:
    sensitivity(f, x, event, scores, labels, out)


_call_regress = bind(_regress, "tests_regress")
_call_scores = bind(_scores, "tests_scores")
_call_sensitivities = bind(_sensitivities, "tests_sensitivities")


def regress(f: Regressors, stream: Stream) -> Floats:
    """Learn a stream; the predictions (n, columns) made on the way."""
    predictions = np.zeros((stream.n, len(f.eta)), np.float32)
    _call_regress(f, stream.contexts, stream.blocks, stream.y, stream.omega, predictions)
    return predictions


def scores_of(f: Regressors, x: Contexts, row: int) -> Floats:
    """The scores (blocks, columns) of a row."""
    columns = len(f.eta)
    scores = np.zeros((f.w.shape[1] // columns, columns), np.float32)
    _call_scores(f, x, Event(row, len(scores), 1), scores)
    return scores


def sensitivities_of(f: Regressors, x: Contexts, row: int, labels: Floats) -> Doubles:
    """The sensitivities (blocks, columns) of a row to a label per column."""
    scores = scores_of(f, x, row)
    out = np.zeros(scores.shape)
    _call_sensitivities(f, x, Event(row, len(scores), 1), scores, labels, out)
    return out


def copy_of(f: Regressors) -> Regressors:
    """The same regressors in arrays of their own."""
    return Regressors._make(array.copy() for array in f)
