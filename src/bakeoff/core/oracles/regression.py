"""Online regression: scores, updates, sensitivities (Eq. 2, Algorithm 6, Section C.3).

Adaptive, normalised, importance-weight-aware steps on the squared loss, or on the log
loss (logistic.py). THE hot file.

A *lane* is one run; runs of one structure share a pass over the data. A *column* is one
regressor: policy i of a lane is column i * n_lanes + lane, the last and contiguous axis
of every array, so that loops over columns vectorise and no column sees another. An
event's actions have blocks of their own side by side in a row of weights, or share one
block (ranking); a *cell* is a column of a block. Order and precision of every operation
are those of docs/reference/arithmetic.md: single precision throughout, but for T, S and what is
computed once per column.
"""

import math
from typing import NamedTuple

import numpy as np

from bakeoff.core.jit import kernel, prefetch
from bakeoff.core.oracles.logistic import FLAT, chance, log_step
from bakeoff.core.types import Contexts, Doubles, Event, Floats, Places

ZERO, ONE, FOUR = np.float32(0), np.float32(1), np.float32(4)
TINY = np.float32(1e-36)
VECTOR = 16  # scratch space of columns has room for vectors of so many
FEWEST = 8  # columns that are worth vectors; a single run is quicker one by one
BLOCK = 8  # features that chosen.py takes at a time
LINE = 64  # bytes that a cache moves at a time
NEAR = 2**20  # bytes of weights that stay in a core's own caches
AHEAD = 2**19  # bytes that can be fetched ahead without crowding out the others


class Regressors(NamedTuple):
    """Linear regressors side by side, and the scratch space of their updates."""

    w: Floats  # (features, cells) weights theta
    A: Floats  # (features, cells) sums of squared gradients
    N: Floats  # (features, cells) largest |x| seen
    T: Doubles  # (1 or blocks, columns) sums of importance
    S: Doubles  # (1 or blocks, columns) sums of importance times normalised |x|^2
    lo: Floats  # (columns,) smallest label seen, or 0
    hi: Floats  # (columns,) largest label seen, or 0
    eta: Floats  # (columns,) learning rates
    w0: Floats  # (columns,) the shared baseline theta_0; empty without one
    A0: Floats  # (columns,) its sum of squared gradients
    least: Floats  # (columns,) the loss of cost 0, for the log loss; empty for the squared loss
    rho: Floats  # (most nonzeros in a row, cells) step sizes of all actions
    steps: Floats  # (most nonzeros in a row,) step sizes of one action
    cells: Floats  # (6, cells) see csc.py and chosen.py
    moves: Doubles  # (3, columns) see csc.py
    picked: Places  # (5, columns) see chosen.py
    A_taken: Floats  # (a few, columns) see chosen.py
    rho_taken: Floats  # (most nonzeros in a row, columns) see chosen.py


def new_regressors(
    n_features: int,
    n_blocks: int,
    eta: Floats,
    longest_row: int,
    baseline: bool = False,
    clock_per_block: bool = False,
    least: Doubles | None = None,
) -> Regressors:
    """Regressors that predict zero; one column per learning rate.

    `least` is the loss of cost 0 in each column, if they regress on the log loss.
    """
    columns = len(eta)
    weights = (n_features, n_blocks * columns)
    clocks = (n_blocks if clock_per_block else 1, columns)
    extra = columns if baseline else 0
    return Regressors(
        w=np.zeros(weights, np.float32),
        A=np.zeros(weights, np.float32),
        N=np.zeros(weights, np.float32),
        T=np.zeros(clocks),
        S=np.zeros(clocks),
        lo=np.zeros(columns, np.float32),
        hi=np.zeros(columns, np.float32),
        eta=eta.astype(np.float32),
        w0=np.zeros(extra, np.float32),
        A0=np.zeros(extra, np.float32),
        least=np.zeros(0, np.float32) if least is None else least.astype(np.float32),
        rho=np.zeros((longest_row, weights[1]), np.float32),
        steps=np.zeros(longest_row, np.float32),
        cells=np.zeros((6, weights[1] + VECTOR), np.float32),
        moves=np.zeros((3, columns)),
        picked=np.zeros((5, columns), np.uint32),
        A_taken=np.zeros((BLOCK, columns + VECTOR), np.float32),
        rho_taken=np.zeros((longest_row, columns + VECTOR), np.float32),
    )


@kernel
def blocks_apart(f: Regressors) -> bool:
    """Whether each action has a block of weights; when ranking, they share one."""
    return f.w.shape[1] > f.eta.shape[0]


@kernel
def goes_across(f: Regressors) -> bool:
    """Whether an update on the action taken goes across columns (chosen.py)."""
    return blocks_apart(f) and f.eta.shape[0] >= FEWEST


@kernel
def has_log_loss(f: Regressors) -> bool:
    """Whether scores are log-odds."""
    return f.least.shape[0] > 0


@kernel
def expected_loss(f: Regressors, r: np.float32) -> float:
    """The loss that a score stands for, but for the loss of cost 0 if it is log-odds."""
    return chance(np.float64(r)) if has_log_loss(f) else np.float64(r)


@kernel
def cost_of_label(f: Regressors, c: int, y: np.float32) -> float:
    """The cost in [0, 1] that a label of the log loss stands for."""
    return min(max(np.float64(y) - np.float64(f.least[c]), 0.0), 1.0)


@kernel
def log_error(f: Regressors, c: int, r: np.float32, y: np.float32) -> np.float32:
    """Half the slope of the log loss, as the error is half that of the squared loss.

    It is zero where a loss would be, in single precision: VW learns nothing there, either.
    """
    slope = cost_of_label(f, c, y) - chance(np.float64(r))
    return np.float32(0.5 * slope) if abs(slope) > FLAT else ZERO


@kernel
def step_size(A: np.float32, N: np.float32) -> np.float32:
    """The step size of a weight: rho = 1 / (sqrt(A) N), and never infinite."""
    scale = np.sqrt(A) * N
    return ONE / (scale if scale > TINY else TINY)


@kernel
def clip(v: np.float32, lo: np.float32, hi: np.float32) -> np.float32:
    """The number nearest to `v` in [lo, hi]."""
    if v < lo:
        return lo
    if v > hi:
        return hi
    return v


@kernel
def lies_far(f: Regressors) -> bool:
    """Whether the weights are too many for the near caches."""
    return 3 * f.w.nbytes > NEAR


@kernel
def fits_ahead(f: Regressors, nonzeros: int) -> bool:
    """Whether the weights of an event are few enough to be fetched ahead."""
    return 12 * f.w.shape[1] * nonzeros <= AHEAD


@kernel
def fetch(f: Regressors, x: Contexts, e: int, steps: bool) -> None:
    """Ask for what event `e` will need, while the one before it is worked on.

    Without that, wide problems spend most of their time waiting for memory. A and N of
    all actions are asked for only if `steps` is set.
    """
    begin, end = x.start[x.first_row[e]], x.start[x.first_row[e + 1]]
    if not fits_ahead(f, end - begin):
        return
    for i in range(begin, end):
        fetch_row(f.w, x.feature[i])
        if steps:
            fetch_row(f.A, x.feature[i])
            fetch_row(f.N, x.feature[i])


@kernel
def fetch_row(weights: Floats, j: int) -> None:
    """Ask for the weights of a feature."""
    for byte in range(0, 4 * weights.shape[1], LINE):
        prefetch(weights, np.int64(j), byte)


@kernel
def comes_late(f: Regressors, nonzeros: int) -> bool:
    """Whether weights are far away, and too many to be fetched an event ahead."""
    return lies_far(f) and not fits_ahead(f, nonzeros)


@kernel
def predict(f: Regressors, x: Contexts, event: Event, scores: Floats) -> None:
    """Write the score of each action and column into `scores` (K, columns).

    Never clipped; the baseline, if any, is.
    """
    if blocks_apart(f):
        predict_row(f, x, event.row, 0, event.K, scores)
    else:
        for k in range(event.K):
            predict_row(f, x, event.row + k, k, k + 1, scores)


@kernel
def predict_row(
    f: Regressors, x: Contexts, row: int, first: int, last: int, scores: Floats
) -> None:
    """Write the scores of actions first..last-1, whose features are in `row`."""
    columns = f.eta.shape[0]
    out = scores[first:last].reshape((last - first) * columns)
    for c in range(out.shape[0]):
        out[c] = ZERO
    if f.w0.shape[0] > 0:
        for k in range(last - first):
            for c in range(columns):
                out[k * columns + c] = clip(f.w0[c], f.lo[c], f.hi[c])
    i, end = x.start[row], x.start[row + 1]
    while i + 4 <= end:  # four features a pass: the sums stay in registers
        j0, j1, j2, j3 = (x.feature[i], x.feature[i + 1], x.feature[i + 2], x.feature[i + 3])
        x0, x1, x2, x3 = x.value[i], x.value[i + 1], x.value[i + 2], x.value[i + 3]
        for c in range(out.shape[0]):
            r = out[c] + x0 * f.w[j0, c]
            r = r + x1 * f.w[j1, c]
            r = r + x2 * f.w[j2, c]
            out[c] = r + x3 * f.w[j3, c]
        i += 4
    while i < end:
        j0, x0 = x.feature[i], x.value[i]
        for c in range(out.shape[0]):
            out[c] = out[c] + x0 * f.w[j0, c]
        i += 1


@kernel
def score(f: Regressors, x: Contexts, row: int, block: int, c: int) -> np.float32:
    """The score of one action in one column."""
    cell = block * f.eta.shape[0] + c
    r = ZERO
    if f.w0.shape[0] > 0:
        r = clip(f.w0[c], f.lo[c], f.hi[c])
    for i in range(x.start[row], x.start[row + 1]):
        r = r + x.value[i] * f.w[x.feature[i], cell]
    return r


@kernel
def step(error: float, s: float, kappa: float, decay: float) -> float:
    """How far to move for a step s: importance-weight aware, so it never overshoots.

        step = error (1 - decay) / kappa,  decay = exp(-2 s kappa)

    with kappa the change of the prediction per unit moved.
    """
    small = 2.0 * error * s
    full = error * (1.0 - decay) / kappa
    return small if s * kappa < 1e-6 else full


@kernel
def reg_update(
    f: Regressors,
    x: Contexts,
    row: int,
    block: int,
    c: int,
    r: np.float32,
    y: np.float32,
    omega: np.float32,
) -> None:
    """Regress column `c` on label `y` with importance `omega` (Algorithm 6).

    `r` is the score just before. Nothing changes where the clipped score equals `y`.
    """
    if f.w0.shape[0] > 0:
        update_baseline(f, c, y, omega)
    widen(f, c, y)
    error = y - clip(r, f.lo[c], f.hi[c])
    if has_log_loss(f):
        error = log_error(f, c, r, y)
    g2 = omega * (FOUR * (error * error))
    if g2 == ZERO:
        return
    cell = block * f.eta.shape[0] + c
    n, q = ZERO, ZERO
    begin, end = x.start[row], x.start[row + 1]
    for i in range(begin, end):
        j, xi = x.feature[i], x.value[i]
        size, x2 = abs(xi), xi * xi
        A = f.A[j, cell] + g2 * x2
        f.A[j, cell] = A
        N = f.N[j, cell]
        if size > N:
            f.w[j, cell] = f.w[j, cell] * (N / size)
            f.N[j, cell] = size
            N = size
        rho = step_size(A, N)
        v = x2 * rho
        q = q + v
        n = n + v * (rho * A)
        f.steps[i - begin] = rho
    weight = np.float64(omega)
    f.T[0, c] = f.T[0, c] + weight
    f.S[0, c] = f.S[0, c] + weight * np.float64(n)
    m = math.sqrt(f.T[0, c] / f.S[0, c])
    s = np.float64(f.eta[c]) * weight
    kappa = np.float64(q) * m
    decay = math.exp(-2.0 * (s * kappa))
    move = step(np.float64(error), s, kappa, decay)
    if has_log_loss(f):
        move = log_step(np.float64(r), cost_of_label(f, c, y), s, kappa)
    change = np.float32(move * m)
    for i in range(begin, end):
        j = x.feature[i]
        f.w[j, cell] = f.w[j, cell] + change * x.value[i] * f.steps[i - begin]


@kernel
def widen(f: Regressors, c: int, y: np.float32) -> None:
    """Let the label range include `y`."""
    if y < f.lo[c]:
        f.lo[c] = y
    if y > f.hi[c]:
        f.hi[c] = y


@kernel
def baseline_scale(f: Regressors, c: int) -> float:
    """The largest magnitude of a loss seen: it scales steps of the baseline."""
    return max(-np.float64(f.lo[c]), np.float64(f.hi[c]), 1e-4)


@kernel
def update_baseline(f: Regressors, c: int, y: np.float32, omega: np.float32) -> None:
    """Regress the shared baseline, a lone feature of value 1, on `y` (Section C.3)."""
    widen(f, c, y)
    error = y - clip(f.w0[c], f.lo[c], f.hi[c])
    g2 = omega * (FOUR * (error * error))
    if g2 == ZERO:
        return
    f.A0[c] = f.A0[c] + g2
    rho = step_size(f.A0[c], ONE)
    weight = np.float64(omega)
    f.T[0, c] = f.T[0, c] + weight
    f.S[0, c] = f.S[0, c] + weight
    m = math.sqrt(f.T[0, c] / f.S[0, c])
    s = np.float64(f.eta[c]) * baseline_scale(f, c) * weight
    kappa = np.float64(rho) * m
    decay = math.exp(-2.0 * (s * kappa))
    change = np.float32(step(np.float64(error), s, kappa, decay) * m)
    f.w0[c] = f.w0[c] + change * rho


@kernel
def sensitivity(
    f: Regressors, x: Contexts, event: Event, scores: Floats, labels: Floats, out: Doubles
) -> None:
    """Write how fast each score would move towards a label into `out` (K, columns).

        out = 2 |score - label| eta kappa'

    the slope in the importance weight of an update on (x, a, label), at weight zero
    (Eq. 10). `labels` has one entry per column; nothing changes.
    """
    if blocks_apart(f):
        _sensitivity_row(f, x, event.row, 0, event.K, scores, labels, out)
    else:
        for k in range(event.K):
            _sensitivity_row(f, x, event.row + k, k, k + 1, scores, labels, out)


@kernel
def _sensitivity_row(
    f: Regressors,
    x: Contexts,
    row: int,
    first: int,
    last: int,
    scores: Floats,
    labels: Floats,
    out: Doubles,
) -> None:
    columns = f.eta.shape[0]
    cells = (last - first) * columns
    g2, n, q = f.cells[0], f.cells[1], f.cells[2]
    for k in range(last - first):
        for c in range(columns):
            error = scores[first + k, c] - labels[c]
            g2[k * columns + c] = FOUR * (error * error)
    n[:cells] = ZERO
    q[:cells] = ZERO
    for i in range(x.start[row], x.start[row + 1]):
        j, xi = x.feature[i], x.value[i]
        size, x2 = abs(xi), xi * xi
        for c in range(cells):
            A = f.A[j, c] + g2[c] * x2
            N = size if size > f.N[j, c] else f.N[j, c]
            rho = step_size(A, N)
            v = x2 * rho
            q[c] = q[c] + v
            n[c] = n[c] + v * (rho * A)
    for k in range(last - first):
        for c in range(columns):
            cell = k * columns + c
            T, S = f.T[0, c] + 1.0, f.S[0, c]
            kappa = np.float64(q[cell]) * math.sqrt(T / (S + np.float64(n[cell])))
            if f.w0.shape[0] > 0:
                rho = step_size(f.A0[c] + g2[cell], ONE)
                slope = np.float64(rho) * math.sqrt(T / (S + 1.0))
                kappa = kappa + baseline_scale(f, c) * slope
            error = np.float64(abs(scores[first + k, c] - labels[c]))
            out[first + k, c] = 2.0 * error * np.float64(f.eta[c]) * kappa


@kernel
def place(f: Regressors, event: Event, k: int) -> tuple[int, int]:
    """The row of features and the block of weights of action `k`."""
    if blocks_apart(f):
        return event.row, k
    return event.row + k, 0
