"""Updates on the action taken, feature by feature across columns (Algorithm 6).

What `reg_update` does for one column, for all columns side by side: the cells of a
feature are gathered into contiguous space, so that square roots and divisions are
computed as vectors, and scattered back. No column sees another, and the operations of
each are those of `reg_update` in the same order, so results are equal bit for bit.
"""

import math

import numpy as np

from bakeoff.core.jit import kernel, prefetch
from bakeoff.core.oracles.logistic import log_step
from bakeoff.core.oracles.regression import (
    BLOCK,
    FOUR,
    VECTOR,
    ZERO,
    Regressors,
    clip,
    cost_of_label,
    goes_across,
    has_log_loss,
    lies_far,
    log_error,
    place,
    reg_update,
    score,
    step,
    step_size,
    update_baseline,
    widen,
)
from bakeoff.core.types import Contexts, Event, Floats, Ints


@kernel
def update_chosen(
    f: Regressors,
    x: Contexts,
    event: Event,
    scores: Floats,
    action: Ints,
    loss: Floats,
    importance: Floats,
    repeats: Ints,
) -> None:
    """Regress each column on the loss of its lane's action, `repeats[c]` times.

    `scores` are those of the current weights; each column has its importance.
    """
    if goes_across(f):
        begin, end = x.start[event.row], x.start[event.row + 1]
        waiting, turn = _first_turn(f, action.shape[0], repeats), 0
        while waiting > 0:
            if turn > 0:
                _score_again(f, x, begin, end, scores, action, waiting)
            size = _select(f, scores, action, loss, importance, waiting)
            if size > 0:
                _step_sizes(f, x, begin, end, size)
                _moves(f, size, loss, importance)
                _move(f, x, begin, end, size)
            turn += 1
            waiting = _next_turn(f, repeats, waiting, turn)
    else:
        _update_one_by_one(f, x, event, scores, action, loss, importance, repeats)


@kernel
def predict_taken(f: Regressors, x: Contexts, event: Event, scores: Floats, action: Ints) -> None:
    """Write the scores of the actions taken, and of no others."""
    L = action.shape[0]
    if goes_across(f):
        for c in range(f.eta.shape[0]):
            f.picked[3, c], f.picked[4, c] = c, c % L
        begin, end = x.start[event.row], x.start[event.row + 1]
        _score_again(f, x, begin, end, scores, action, f.eta.shape[0])
    else:
        for c in range(f.eta.shape[0]):
            a = action[c % L]
            row, block = place(f, event, a)
            scores[a, c] = score(f, x, row, block, c)


@kernel
def _update_one_by_one(
    f: Regressors,
    x: Contexts,
    event: Event,
    scores: Floats,
    action: Ints,
    loss: Floats,
    importance: Floats,
    repeats: Ints,
) -> None:
    L = action.shape[0]
    for i in range(f.eta.shape[0] // L):
        for lane in range(L):
            c, a = i * L + lane, action[lane]
            row, block = place(f, event, a)
            for turn in range(repeats[c]):
                r = scores[a, c] if turn == 0 else score(f, x, row, block, c)
                reg_update(f, x, row, block, c, r, loss[lane], importance[c])


@kernel
def _first_turn(f: Regressors, lanes: int, repeats: Ints) -> int:
    """Note the columns that have an update to make, and their lanes; how many."""
    column, lane_of = f.picked[3], f.picked[4]
    n, c = 0, 0
    for _ in range(f.eta.shape[0] // lanes):
        for lane in range(lanes):
            if repeats[c] > 0:
                column[n], lane_of[n] = c, lane
                n += 1
            c += 1
    return n


@kernel
def _next_turn(f: Regressors, repeats: Ints, waiting: int, turn: int) -> int:
    """Keep the columns that have made `turn` updates and have another to make."""
    column, lane_of = f.picked[3], f.picked[4]
    n = 0
    for s in range(waiting):
        if turn < repeats[column[s]]:
            column[n], lane_of[n] = column[s], lane_of[s]
            n += 1
    return n


@kernel
def _score_again(
    f: Regressors, x: Contexts, begin: int, end: int, scores: Floats, action: Ints, waiting: int
) -> None:
    """Write the scores of the actions taken, after an update."""
    columns = f.eta.shape[0]
    cell, column, lane, r = f.picked[1], f.picked[3], f.picked[4], f.cells[0]
    for s in range(waiting):
        c = column[s]
        cell[s] = action[lane[s]] * columns + c
        r[s] = ZERO
        if f.w0.shape[0] > 0:
            r[s] = clip(f.w0[c], f.lo[c], f.hi[c])
    for i in range(begin, end):
        j, xi = x.feature[i], x.value[i]
        for s in range(waiting):
            r[s] = r[s] + xi * f.w[j, cell[s]]
    for s in range(waiting):
        scores[action[lane[s]], column[s]] = r[s]


@kernel
def _select(
    f: Regressors, scores: Floats, action: Ints, loss: Floats, importance: Floats, waiting: int
) -> int:
    """Note the columns that change, their cells, errors and gradients; how many."""
    columns = f.eta.shape[0]
    column, cell, lane = f.picked[0], f.picked[1], f.picked[2]
    error, g2, score_before = f.cells[0], f.cells[1], f.cells[5]
    size = 0
    for s in range(waiting):
        c, at = f.picked[3, s], f.picked[4, s]
        a, y, omega = action[at], loss[at], importance[c]
        if f.w0.shape[0] > 0:
            update_baseline(f, c, y, omega)
        widen(f, c, y)
        gap = y - clip(scores[a, c], f.lo[c], f.hi[c])
        if has_log_loss(f):
            gap = log_error(f, c, scores[a, c], y)
        gradient = omega * (FOUR * (gap * gap))
        if gradient != ZERO:
            column[size], cell[size], lane[size] = c, a * columns + c, at
            error[size], g2[size] = gap, gradient
            score_before[size] = scores[a, c]
            size += 1
    return size


@kernel
def _step_sizes(f: Regressors, x: Contexts, begin: int, end: int, size: int) -> None:
    """Advance A and N, write step sizes, and add up q and n.

    A few features at a time: vectors read right behind single stores would have to
    wait, and after too many the cells have left the first cache.
    """
    g2, q, n = f.cells[1], f.cells[2], f.cells[3]
    padded = size + -size % VECTOR  # loops over vectors without a rest
    for s in range(size, padded):
        g2[s] = ZERO
    for s in range(padded):
        q[s], n[s] = ZERO, ZERO
    far = lies_far(f)
    if far:
        _fetch_cells(f, x, begin, min(begin + BLOCK, end), size)
    for first in range(begin, end, BLOCK):
        last = min(first + BLOCK, end)
        if far:
            _fetch_cells(f, x, last, min(last + BLOCK, end), size)
        for i in range(first, last):
            _gather(f, x, i, f.A_taken[i - first], f.rho_taken[i - begin], size)
        for i in range(first, last):
            x2 = x.value[i] * x.value[i]
            A, N = f.A_taken[i - first], f.rho_taken[i - begin]
            for s in range(padded):
                A[s] = A[s] + g2[s] * x2
                rho = step_size(A[s], N[s])
                v = x2 * rho
                q[s] = q[s] + v
                n[s] = n[s] + v * (rho * A[s])
                N[s] = rho
        for i in range(first, last):
            _put_back(f, x.feature[i], f.A_taken[i - first], size)


@kernel
def _fetch_cells(f: Regressors, x: Contexts, first: int, last: int, size: int) -> None:
    """Ask for the cells of the next features."""
    for i in range(first, last):
        j = np.int64(x.feature[i])
        for s in range(size):
            prefetch(f.A, j, 4 * np.int64(f.picked[1, s]))
        for s in range(size):
            prefetch(f.N, j, 4 * np.int64(f.picked[1, s]))


@kernel
def _gather(f: Regressors, x: Contexts, i: int, A: Floats, N: Floats, size: int) -> None:
    """Copy the cells of a feature, and note where it is larger than ever."""
    j, magnitude = x.feature[i], abs(x.value[i])
    cell = f.picked[1]
    n_larger = 0
    for s in range(size):
        A[s] = f.A[j, cell[s]]
        N[s] = f.N[j, cell[s]]
        n_larger += magnitude > N[s]
    if n_larger > 0:
        for s in range(size):
            if magnitude > N[s]:
                f.w[j, cell[s]] = f.w[j, cell[s]] * (N[s] / magnitude)
                f.N[j, cell[s]] = magnitude
                N[s] = magnitude


@kernel
def _put_back(f: Regressors, j: int, A: Floats, size: int) -> None:
    cell = f.picked[1]
    for s in range(size):
        f.A[j, cell[s]] = A[s]


@kernel
def _moves(f: Regressors, size: int, loss: Floats, importance: Floats) -> None:
    """Advance the clocks, and write how far the weights move."""
    column, lane = f.picked[0], f.picked[2]
    error, q, n, change = f.cells[0], f.cells[2], f.cells[3], f.cells[4]
    m, kappa, decay = f.moves[0], f.moves[1], f.moves[2]
    for s in range(size):
        c = column[s]
        weight = np.float64(importance[c])
        f.T[0, c] = f.T[0, c] + weight
        f.S[0, c] = f.S[0, c] + weight * np.float64(n[s])
        m[s] = f.T[0, c] / f.S[0, c]
        decay[s] = np.float64(f.eta[c]) * weight
    for s in range(size):
        m[s] = math.sqrt(m[s])
        kappa[s] = np.float64(q[s]) * m[s]
    if has_log_loss(f):
        for s in range(size):
            cost = cost_of_label(f, column[s], loss[lane[s]])
            move = log_step(np.float64(f.cells[5, s]), cost, decay[s], kappa[s])
            change[s] = np.float32(move * m[s])
        return
    for s in range(size):
        eta = decay[s]
        z = eta * kappa[s]
        e = math.exp(-2.0 * z) if z < 20.0 else 0.0  # 1 - exp(-40) rounds to 1
        change[s] = np.float32(step(np.float64(error[s]), eta, kappa[s], e) * m[s])


@kernel
def _move(f: Regressors, x: Contexts, begin: int, end: int, size: int) -> None:
    """Move the weights."""
    cell, change = f.picked[1], f.cells[4]
    for first in range(begin, end, BLOCK):
        last = min(first + BLOCK, end)
        for i in range(first, last):
            xi = x.value[i]
            rho = f.rho_taken[i - begin]
            for s in range(size):
                rho[s] = change[s] * xi * rho[s]
        for i in range(first, last):
            j = x.feature[i]
            move = f.rho_taken[i - begin]
            for s in range(size):
                f.w[j, cell[s]] = f.w[j, cell[s]] + move[s]
