"""Centred losses, baselines and memories: forms that depend on what a learner did and paid.

Each is played event by event on the live engine, on contexts that are mapped already.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bakeoff import Problem, Run
from bakeoff.core.live import Given
from bakeoff.live.engine import NONE, Engine, Room
from bakeoff.runs import RATES
from benchmarks.inputs.arms import COLUMNS, Row, keep, known_in
from benchmarks.inputs.forms import RULE, Matrix, forms_of, rows_of

FILE = "feedback.csv"
ALGORITHMS = (
    "greedy",
    "epsilon-greedy:epsilon=0.02",
    "regcb:c0=1e-3,optimistic",
    "cover:n_policies=4,psi=0.1,nu",
)
OFFSETS = {"-1/0": -1.0, "0/1": 0.0}
USUAL = "centred"


class World(NamedTuple):
    """A problem as arrays: mapped contexts, costs, and which rows come near which."""

    X: Matrix
    costs: Matrix
    nearest: Callable[[], NDArray[np.int64]]  # (n, n): earlier rows, the nearest first


def nearest_rows(scaled: Matrix) -> NDArray[np.int64]:
    """For each row, the rows before it in the order of their distance, then -1."""
    square = (scaled**2).sum(axis=1)
    order = np.full((len(scaled), len(scaled)), -1, np.int64)
    for t in range(1, len(scaled)):
        distance = square[:t] - 2 * scaled[:t] @ scaled[t]
        order[t, :t] = np.argsort(distance, kind="stable")
    return order


# ---- one run


def loss_of_blocks(world: World, run: Run, centres: bool) -> float:
    """The mean cost of a run whose actions have weights of their own.

    With `centres`, the mean of the costs that were paid before is taken out of losses.
    """
    (n, d), K = world.X.shape, world.costs.shape[1]
    engine = Engine([run], Room(d + 1, K, d + 1, apart=False, shared=False))
    start, p, paid = np.array([0, d]), np.empty(K), 0.0
    for t in range(n):
        offset = run.offset
        if centres:
            offset = -paid / t if t else -0.5
            bandit = engine.bandit
            bandit.offset[:], bandit.c_min[:], bandit.c_max[:] = offset, offset, offset + 1
        event = Given(start, NONE, world.X[t].copy(), NONE, NONE)
        action = engine.choose(event, t + 1, p)
        cost = float(world.costs[t, action])
        engine.learn(event, t + 1, action, p, cost + offset)
        paid += cost
    return paid / n


def loss_with_memory(world: World, run: Run, neighbours: int) -> float:
    """The mean cost of a run that sees, for each action, what it led to in similar events.

    Each action has a row: its own constant, the context in places of its own, and the mean
    loss of the `neighbours` nearest events in which it was taken. With 0 it has no memory.
    """
    (n, d), K = world.X.shape, world.costs.shape[1]
    width = d + 1  # of an action: context and constant
    size = K * width + 1
    engine = Engine([run], Room(size + 1, K, width + 2, apart=False, shared=True))
    order = world.nearest() if neighbours else None
    start = np.arange(K + 1) * (width + 1)
    place = np.empty((K, width + 1), np.int64)
    place[:, :width] = np.arange(K)[:, None] * width + np.arange(width)
    place[:, width] = size - 1
    taken, losses = np.full(n, -1), np.zeros(n)
    first, p, paid = np.array([0, K]), np.empty(K), 0.0
    for t in range(n):
        value = np.empty((K, width + 1))
        value[:, :d], value[:, d], value[:, width] = world.X[t], 1.0, 0.0
        if order is not None and t:
            near = order[t, :t]
            actions = taken[near]
            for k in range(K):
                some = near[np.flatnonzero(actions == k)[:neighbours]]
                if len(some):
                    value[k, width] = losses[some].mean()
        event = Given(start, place.ravel(), value.ravel(), first, NONE)
        action = engine.choose(event, t + 1, p)
        cost = float(world.costs[t, action])
        engine.learn(event, t + 1, action, p, cost + run.offset)
        taken[t], losses[t] = action, cost + run.offset
        paid += cost
    return paid / n


# ---- all arms


def play_feedback(problem: Problem, to: Path) -> None:
    """Play a problem in every form in one order of its rows, unless that has been done."""
    path = to / FILE
    if problem.name in known_in(path):
        return
    problem = problem.shuffled(1)
    raw = rows_of(problem)
    forms = dict(forms_of(raw))
    mapped, scaled = forms[RULE], forms["centred, scaled and clipped"]
    costs = np.ones((problem.n, problem.n_actions))
    costs[np.arange(problem.n), problem.true_costs.right] = 0.0
    order: list[NDArray[np.int64]] = []

    def nearest() -> NDArray[np.int64]:
        if not order:
            order.append(nearest_rows(scaled))
        return order[0]

    seen, plain = World(mapped, costs, nearest), World(raw, costs, nearest)
    rows: list[Row] = []
    for encoding, offset in OFFSETS.items():
        for spec in ALGORITHMS:
            for rate in RATES:
                run = Run(spec, learning_rate=rate, offset=offset, seed=1)
                based = Run(spec, learning_rate=rate, offset=offset, seed=1, baseline=True)
                arms = {
                    "raw": partial(loss_of_blocks, plain, run, False),
                    "raw, baseline": partial(loss_of_blocks, plain, based, False),
                    "raw, losses centred": partial(loss_of_blocks, plain, run, True),
                    USUAL: partial(loss_of_blocks, seen, run, False),
                    "centred, baseline": partial(loss_of_blocks, seen, based, False),
                    "centred, losses centred": partial(loss_of_blocks, seen, run, True),
                    "centred, a row for each action": partial(loss_with_memory, seen, run, 0),
                    "the same, 1 similar event": partial(loss_with_memory, seen, run, 1),
                    "the same, 5 similar events": partial(loss_with_memory, seen, run, 5),
                }
                for form, loss in arms.items():
                    rows.append((problem.name, form, encoding, run.label, rate, loss()))
    keep(path, COLUMNS, rows)
