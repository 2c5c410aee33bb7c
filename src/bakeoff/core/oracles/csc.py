"""Cost-sensitive classification by one regression per action (Eq. 1, Algorithm 7)."""

import math

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import (
    FEWEST,
    FOUR,
    ONE,
    ZERO,
    Regressors,
    blocks_apart,
    clip,
    comes_late,
    fetch_row,
    predict,
    predict_row,
    step,
    step_size,
)
from bakeoff.core.types import Contexts, Doubles, Event, Floats, Ints


@kernel
def best_score(scores: Floats, K: int, c: int) -> tuple[np.float32, int]:
    """The smallest score in column `c`, and how many actions share it."""
    best, n_tied = scores[0, c], 1
    for k in range(1, K):
        if scores[k, c] < best:
            best, n_tied = scores[k, c], 1
        elif scores[k, c] == best:
            n_tied += 1
    return best, n_tied


@kernel
def best_scores(bandit: Bandit, K: int) -> None:
    """Write the smallest score of each column, and how many actions share it."""
    scores, best, n_tied = bandit.scores, bandit.best, bandit.n_tied
    if best.shape[0] < FEWEST:
        for c in range(best.shape[0]):
            best[c], n_tied[c] = best_score(scores, K, c)
        return
    for c in range(best.shape[0]):
        best[c], n_tied[c] = scores[0, c], ONE
    for k in range(1, K):
        for c in range(best.shape[0]):
            score = scores[k, c]
            tied = n_tied[c] + (ONE if score == best[c] else ZERO)
            n_tied[c] = ONE if score < best[c] else tied
            best[c] = score if score < best[c] else best[c]


@kernel
def add_votes(bandit: Bandit, K: int, i: int, votes: Doubles) -> None:
    """Add the votes of policy `i`, each split among its tied-best actions.

    `best_scores` has been called for this event.
    """
    L = n_lanes(bandit)
    first, share = i * L, bandit.spare[0]
    for lane in range(L):
        share[lane] = 1.0 / np.float64(bandit.n_tied[first + lane])
    for k in range(K):
        for lane in range(L):
            is_best = bandit.scores[k, first + lane] == bandit.best[first + lane]
            votes[k, lane] = votes[k, lane] + (share[lane] if is_best else 0.0)


@kernel
def csc_update(
    f: Regressors, x: Contexts, event: Event, scores: Floats, targets: Floats, repeats: Ints
) -> None:
    """Regress each action's score on its target, action after action (Algorithm 7).

    `scores` are those of the current weights and are overwritten. Column c makes
    `repeats[c]` such updates, one after the other.
    """
    most = 0
    for c in range(repeats.shape[0]):
        most = max(most, repeats[c])
    for turn in range(most):
        if blocks_apart(f):
            if turn > 0:
                predict(f, x, event, scores)
            _update_row(f, x, event.row, 0, event.K, scores, targets, repeats, turn)
        else:
            for k in range(event.K):
                row = event.row + k
                if turn + k > 0:  # earlier updates moved the shared weights
                    predict_row(f, x, row, k, k + 1, scores)
                _update_row(f, x, row, k, k + 1, scores, targets, repeats, turn)


@kernel
def _update_row(
    f: Regressors,
    x: Contexts,
    row: int,
    first: int,
    last: int,
    scores: Floats,
    targets: Floats,
    repeats: Ints,
    turn: int,
) -> None:
    """Update the blocks of actions first..last-1, whose features are in `row`.

    Their weights are apart, so all blocks go through a feature at once; label range and
    clocks (T, S) pass from action to action as if one followed the other.
    """
    columns = f.eta.shape[0]
    cells = (last - first) * columns
    error, g2, active = f.cells[0], f.cells[1], f.cells[2]
    n, q, change = f.cells[3], f.cells[4], f.cells[5]
    for k in range(last - first):
        for c in range(columns):
            cell = k * columns + c
            n[cell], q[cell], error[cell], g2[cell] = ZERO, ZERO, ZERO, ZERO
            if turn < repeats[c]:
                y = targets[first + k, c]
                f.lo[c] = y if y < f.lo[c] else f.lo[c]
                f.hi[c] = y if y > f.hi[c] else f.hi[c]
                gap = y - clip(scores[first + k, c], f.lo[c], f.hi[c])
                error[cell] = gap
                g2[cell] = FOUR * (gap * gap)
            active[cell] = ZERO if g2[cell] == ZERO else ONE
    begin, end = x.start[row], x.start[row + 1]
    late = comes_late(f, end - begin)
    for i in range(begin, end):
        j, xi = x.feature[i], x.value[i]
        x2 = xi * xi
        if late and i + 1 < end:
            fetch_row(f.N, x.feature[i + 1])
            fetch_row(f.A, x.feature[i + 1])
        _rescale(f, j, abs(xi), cells, active)
        for c in range(cells):
            A = f.A[j, c] + g2[c] * x2
            f.A[j, c] = A
            rho = step_size(A, f.N[j, c])
            v = x2 * rho
            q[c] = q[c] + v
            n[c] = n[c] + v * (rho * A)
            f.rho[i - begin, c] = rho
    for k in range(last - first):
        _moves(f, k, k * columns, error, active, n, q, change)
    for i in range(begin, end):
        j, xi = x.feature[i], x.value[i]
        if late and i + 1 < end:
            fetch_row(f.w, x.feature[i + 1])
        for c in range(cells):
            f.w[j, c] = f.w[j, c] + change[c] * xi * f.rho[i - begin, c]


@kernel
def _rescale(f: Regressors, j: int, size: np.float32, cells: int, active: Floats) -> None:
    """Note where feature `j` is larger than ever before, in active cells."""
    n_larger = 0
    for c in range(cells):
        n_larger += size * active[c] > f.N[j, c]
    if n_larger > 0:
        for c in range(cells):
            if size * active[c] > f.N[j, c]:
                f.w[j, c] = f.w[j, c] * (f.N[j, c] / size)
                f.N[j, c] = size


@kernel
def _moves(
    f: Regressors,
    k: int,
    first_cell: int,
    error: Floats,
    active: Floats,
    n: Floats,
    q: Floats,
    change: Floats,
) -> None:
    """Advance the clocks past block `k`, and write how far its weights move."""
    clock = k if f.T.shape[0] > 1 else 0
    m, kappa, decay = f.moves[0], f.moves[1], f.moves[2]
    for c in range(f.eta.shape[0]):
        is_active = active[first_cell + c] == ONE
        T = f.T[clock, c] + (1.0 if is_active else 0.0)
        S = f.S[clock, c] + (np.float64(n[first_cell + c]) if is_active else 0.0)
        f.T[clock, c] = T
        f.S[clock, c] = S
        m[c] = math.sqrt(T / S)
        kappa[c] = np.float64(q[first_cell + c]) * m[c]
    for c in range(f.eta.shape[0]):
        z = np.float64(f.eta[c]) * kappa[c]
        decay[c] = math.exp(-2.0 * z) if z < 20.0 else 0.0  # 1 - exp(-40) rounds to 1
    for c in range(f.eta.shape[0]):
        cell = first_cell + c
        move = step(np.float64(error[cell]), np.float64(f.eta[c]), kappa[c], decay[c])
        change[cell] = np.float32(move * m[c]) if active[cell] == ONE else ZERO
