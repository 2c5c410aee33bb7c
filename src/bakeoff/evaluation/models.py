"""The reward model q(x, a): a ridge regression per action, cross-fitted.

The events are cut into blocks of time. If the logger did not learn, a block is predicted by a
model of all other blocks. If it did, the model sees only the blocks before it (`forward`), so that
no guess depends on what was drawn later.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import Ridge

from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Log
from bakeoff.evaluation.encoded import Rows, rows_of

FOLDS = 5
_PENALTY = 1.0
_CELLS = 3 * 10**7  # most numbers in the matrices of all blocks and actions


class Blocks(NamedTuple):
    """Where the blocks of events begin, and whether models see only earlier ones."""

    starts: Ints  # (blocks + 1,)
    forward: bool

    @property
    def number(self) -> int:
        """The number of blocks."""
        return len(self.starts) - 1

    def teachers(self, block: int) -> list[int]:
        """The blocks that a block's model is fitted on."""
        others = range(block) if self.forward else range(self.number)
        return [other for other in others if other != block]


def blocks_of(n: int, forward: bool, folds: int = FOLDS) -> Blocks:
    """Blocks of equal length; if forward, each as long as all before it together."""
    if not forward:
        starts = np.linspace(0, n, min(folds, n) + 1).astype(np.int64)
        return Blocks(np.unique(starts), forward)
    ends = [n]
    while ends[-1] > max(16, n // 256):
        ends.append(ends[-1] // 2)
    return Blocks(np.array([0, *reversed(ends)], np.int64), forward)


class Model(NamedTuple):
    """A guess of the reward of every action, block by block."""

    blocks: Blocks
    rows: Rows
    guess: Callable[[int, Any], Doubles]  # (block, X) -> (m, K), or (m, 1) by rows

    def table(self, log: Log, first: int, last: int) -> Doubles:
        """q(x, a) for events first..last-1, in [0, 1]; rows differ in their model."""
        table = np.zeros((last - first, log.n_actions))
        for block in range(self.blocks.number):
            low = max(first, int(self.blocks.starts[block]))
            high = min(last, int(self.blocks.starts[block + 1]))
            if low < high and self.blocks.teachers(block):
                events = np.arange(low, high)
                parts = self.rows.parts(log.rows_of(events))
                guesses = np.concatenate([self.guess(block, part) for part in parts])
                table[low - first : high - first] = _spread(log, events, guesses)
        return np.clip(table, 0.0, 1.0, out=table)


def _spread(log: Log, events: Ints, guesses: Doubles) -> Doubles:
    """Guesses of rows as a table with a column per action."""
    if log.first_row is None:
        return guesses
    sizes = np.diff(log.first_row)[events]
    table = np.zeros((len(events), log.n_actions))
    table[np.arange(log.n_actions) < sizes[:, None]] = guesses.ravel()
    return table


def fit(log: Log, weight: Doubles | None = None, regressor: Any = None) -> Model:
    """A cross-fitted model; `weight` weights the events.

    `regressor` is an object like scikit-learn's, fitted once per block and action.
    """
    blocks = blocks_of(log.n, log.adaptive)
    rows = rows_of(log)
    n_models = 1 if log.first_row is not None else log.n_actions
    cells = blocks.number * n_models * (rows.n_features + 1) ** 2
    if regressor is None and cells <= _CELLS:
        return _ridge(log, rows, blocks, weight)
    return _by_regressor(log, rows, blocks, weight, regressor)


def taken_rows(log: Log) -> Ints:
    """The row of `X` that describes what was chosen, for each event."""
    if log.first_row is None:
        return np.arange(log.n)
    return log.first_row[:-1] + log.action


def _model_of(log: Log) -> Ints:
    """Which regression an event belongs to: its action's, or the only one."""
    return log.action if log.first_row is None else np.zeros(log.n, np.int64)


# ---- ridge regression, from sums over blocks


class _Sums(NamedTuple):
    """Sums over the events of each block and action: what ridge regression needs."""

    square: Doubles  # (blocks, models, d + 1, d + 1)
    cross: Doubles  # (blocks, models, d + 1)
    reward: Doubles  # (blocks,)
    weight: Doubles  # (blocks,)


def _ridge(log: Log, rows: Rows, blocks: Blocks, weight: Doubles | None) -> Model:
    scale = _scales(rows)
    sums = _sum_up(log, rows, blocks, weight, scale)
    models = [_solve(sums, blocks.teachers(b)) for b in range(blocks.number)]

    def guess(block: int, X: Any) -> Doubles:
        mean, coefficients = models[block]
        return mean + np.asarray(X @ (coefficients[:, :-1] / scale).T) + coefficients[:, -1]

    return Model(blocks, rows, guess)


def _scales(rows: Rows) -> Doubles:
    """The root mean square of each feature; 1 if it is always zero."""
    total = np.zeros(rows.n_features)
    for X in rows.parts(np.arange(rows.number)):
        squares = X.multiply(X) if sparse.issparse(X) else X * X
        total += np.asarray(squares.sum(axis=0)).ravel()
    mean = total / max(1, rows.number)
    return np.where(mean > 0, np.sqrt(mean), 1.0)


def _sum_up(log: Log, rows: Rows, blocks: Blocks, weight: Doubles | None, scale: Doubles) -> _Sums:
    d = rows.n_features + 1
    n_models = 1 if log.first_row is not None else log.n_actions
    sums = _Sums(
        np.zeros((blocks.number, n_models, d, d)),
        np.zeros((blocks.number, n_models, d)),
        np.zeros(blocks.number),
        np.zeros(blocks.number),
    )
    taken, models = taken_rows(log), _model_of(log)
    for b in range(blocks.number):
        inside = slice(int(blocks.starts[b]), int(blocks.starts[b + 1]))
        v = np.ones(log.n)[inside] if weight is None else weight[inside]
        sums.reward[b] = float((v * log.reward[inside]).sum())
        sums.weight[b] = float(v.sum())
        order = np.argsort(models[inside], kind="stable")
        ends = np.searchsorted(models[inside][order], np.arange(n_models + 1))
        Z = _with_one(rows.of(taken[inside][order]), scale)
        r = log.reward[inside][order]
        for a in range(n_models):
            part = slice(ends[a], ends[a + 1])
            weighted = Z[part] * v[order][part][:, None]
            sums.square[b, a] = weighted.T @ Z[part]
            sums.cross[b, a] = weighted.T @ r[part]
    return sums


def _with_one(X: Any, scale: Doubles) -> Doubles:
    """Scaled features and a one."""
    dense = X.toarray() if sparse.issparse(X) else X
    return np.hstack((dense / scale, np.ones((dense.shape[0], 1))))


def _solve(sums: _Sums, teachers: Sequence[int]) -> tuple[float, Doubles]:
    """The mean reward and, for each action, the coefficients of what is left.

    min sum v (r - mean - c z)^2 + penalty |c|^2: an action that was never seen gets the
    mean.
    """
    square, cross = sums.square[teachers].sum(axis=0), sums.cross[teachers].sum(axis=0)
    total = float(sums.weight[teachers].sum())
    mean = float(sums.reward[teachers].sum()) / total if total > 0 else 0.0
    size = total / max(1.0, float(square[:, -1, -1].sum())) if total > 0 else 1.0
    rest = cross - mean * square[:, :, -1]  # the last column sums the features
    penalty = _PENALTY * size * np.eye(square.shape[1])
    return mean, np.linalg.solve(square + penalty, rest[..., None])[..., 0]


# ---- any other regression


def _by_regressor(
    log: Log, rows: Rows, blocks: Blocks, weight: Doubles | None, regressor: Any
) -> Model:
    """A copy of `regressor`, fitted for each block and action that needs one."""
    like = Ridge(_PENALTY, solver="lsqr") if regressor is None else regressor
    taken, models = taken_rows(log), _model_of(log)
    n_models = 1 if log.first_row is not None else log.n_actions
    block_of = np.searchsorted(blocks.starts, np.arange(log.n), side="right") - 1
    fitted: list[list[Any]] = []
    means: list[float] = []
    for b in range(blocks.number):
        teaches = np.isin(block_of, blocks.teachers(b))
        means.append(float(log.reward[teaches].mean()) if teaches.any() else 0.0)
        fitted.append([])
        for a in range(n_models):
            own = np.flatnonzero(teaches & (models == a))
            if len(own) < 2:
                fitted[b].append(None)
                continue
            v = {} if weight is None else {"sample_weight": weight[own]}
            fitted[b].append(clone(like).fit(rows.of(taken[own]), log.reward[own], **v))

    def guess(block: int, X: Any) -> Doubles:
        mean = np.full(X.shape[0], means[block])
        columns = [mean if m is None else m.predict(X) for m in fitted[block]]
        return np.column_stack(columns)

    return Model(blocks, rows, guess)
