"""Replay: what a *learning* algorithm would have scored on a log.

Rejection sampling (Dudik et al. 2012): the algorithm sees the events one by one, and
event t counts, and is learned from, with probability m pi(a|x) / p. What counts then is
distributed as if the algorithm itself had decided, if the multiplier m is at most p/pi
for every event. A larger one keeps more events, and is biased: where m pi / p exceeds
1, rewards of likely actions are missing. `capped` says how often that happened.

The doubly robust value uses every event, whether it counted or not:

    mean(sum_a pi q + w (r - q)),   pi the algorithm's distribution at that moment
"""

from typing import NamedTuple

import numpy as np

from bakeoff.core.arrays import Doubles
from bakeoff.core.live import Given
from bakeoff.errors import SpecError
from bakeoff.evaluation.evaluate import within_reach
from bakeoff.evaluation.intervals.base import Bounds, Streams, two_sided
from bakeoff.evaluation.intervals.robust import lower
from bakeoff.evaluation.models import Model, fit
from bakeoff.evaluation.training import given_of, new_engine
from bakeoff.evaluation.weights import pieces
from bakeoff.live.engine import Engine
from bakeoff.logs.log import Log
from bakeoff.runs.run import Run


class Replayed(NamedTuple):
    """What a run scored on a log."""

    run: Run
    n: int  # events in the log
    accepted: int  # events that counted
    value: float  # their mean reward
    low: float
    high: float
    dr_value: float  # by all events
    multiplier: float
    capped: float  # share of events whose chance to count was cut at 1
    rewards: Doubles  # of the events that counted, in their order

    @property
    def pv_loss(self) -> float:
        """Progressive validation loss: 1 - value, for rewards in [0, 1]."""
        return 1.0 - self.value


def replay(
    log: Log,
    run: Run | str,
    *,
    multiplier: float | None = None,
    alpha: float = 0.05,
    seed: int = 0,
) -> Replayed:
    """Play a run on a log by rejection.

    The default multiplier is the smallest logged probability: unbiased, whatever the
    algorithm does. With a uniform log of K actions that is 1 / K, and about one event
    in K counts.
    """
    run = Run(run) if isinstance(run, str) else run
    m = float(log.probability.min()) if multiplier is None else float(multiplier)
    if not m > 0:
        raise SpecError(f"multiplier must be positive, got {m}")
    model = fit(log)
    kept, capped, doubly = _played(log, run, m, model, seed)
    rewards = log.reward[kept]
    value = float(rewards.mean()) if len(kept) else float("nan")
    bounds = Bounds(0.0, 1.0)
    if len(kept):
        bounds = within_reach(
            two_sided(Streams(rewards, 1.0 - rewards), alpha, lower), 0.0
        )
    units = [log.in_units(x) for x in (value, *bounds, float(doubly.mean()))]
    return Replayed(
        run, log.n, len(kept), units[0], units[1], units[2], units[3], m,
        capped / log.n, rewards,
    )  # fmt: skip


def _played(
    log: Log, run: Run, m: float, model: Model, seed: int
) -> tuple[list[int], int, Doubles]:
    """Positions of the events that counted, how many were capped, and DR terms."""
    engine = new_engine(log, run)
    coins = np.random.default_rng(seed).random(log.n)
    kept: list[int] = []
    capped, doubly = 0, np.zeros(log.n)
    for first, last in pieces(log):
        guesses = model.table(log, first, last)
        for e in range(first, last):
            given = given_of(log, np.array([e]))
            p = _distribution(engine, log, e, given, len(kept) + 1)
            a, q = int(log.action[e]), guesses[e - first, : len(p)]
            weight = p[a] / log.probability[e]
            doubly[e] = float(p @ q) + weight * (log.reward[e] - q[a])
            capped += m * weight > 1 + 1e-9
            if coins[e] < m * weight:
                loss = 1.0 - float(log.reward[e]) + run.offset
                engine.learn(given, len(kept) + 1, a, p, loss)
                kept.append(e)
    return kept, capped, doubly


def _distribution(engine: Engine, log: Log, e: int, given: Given, t: int) -> Doubles:
    """What the algorithm would do in round t, among the actions there are."""
    p = np.zeros(log.n_actions if log.first_row is None else int(given.first[1]))
    engine.choose(given, t, p)
    if log.available is None or log.first_row is not None:
        return p
    there = log.available[e]
    p *= there
    return p / p.sum() if p.sum() > 0 else there / there.sum()
