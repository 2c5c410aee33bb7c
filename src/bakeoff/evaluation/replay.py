"""Replay: what a *learning* algorithm would have scored on a log.

Rejection sampling (Dudik et al. 2012): the algorithm sees the events one by one, and
event t counts, and is learned from, with probability m pi(a|x) / p. What counts then is
distributed as if the algorithm itself had decided, if the multiplier m is at most p/pi
for every event. A larger one keeps more events, and is biased: where m pi / p exceeds
1, rewards of likely actions are missing. `capped` is the share of such events.

The doubly robust value uses every event, whether it counted or not:

    mean(sum_a pi q + w (r - q)),   pi the algorithm's distribution at that moment

A user's learner does not tell its distribution: pi is 1 for the action it has drawn.
"""

from typing import Any, NamedTuple

import numpy as np

from bakeoff.basics.errors import SpecError
from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation.agents import Agent, agent_of
from bakeoff.evaluation.intervals.base import Bounds, Streams, two_sided
from bakeoff.evaluation.intervals.sequences import robust_lower
from bakeoff.evaluation.models import Model, fit
from bakeoff.evaluation.weights import pieces
from bakeoff.runs import Run


class Replayed(NamedTuple):
    """The score of a run on a log."""

    run: Run
    n: int  # events in the log
    accepted: int  # events that counted
    value: float  # the mean reward of these
    low: float
    high: float
    dr_value: float  # the doubly robust value, from all events
    multiplier: float
    capped: float  # share of events whose chance to count was cut at 1
    rewards: Doubles  # of the events that counted, in their order

    @property
    def pv_loss(self) -> float:
        """Progressive validation loss: 1 - value, for rewards in [0, 1]."""
        return 1.0 - self.value


def replay(
    log: Log, run: Any, *, multiplier: float | None = None, alpha: float = 0.05, seed: int = 0
) -> Replayed:
    """Play a run on a log by rejection.

    `run` is a spec, a `Run`, the spec of a learner of your own ("python:module.Name"),
    or such a learner itself (docs/guide/own-learner.md).

    The default multiplier is the smallest logged probability, which is unbiased for every
    algorithm. With a uniform log of K actions that is 1 / K, and about one event in K counts.

    Parameters
    ----------
    log
        The log.
    run
        A spec, a `Run`, or a learner of your own.
    multiplier
        How often events count; more than the default is biased.
    alpha
        One minus the confidence of the interval.
    seed
        The seed of the rejections.

    Returns
    -------
    Replayed
        A `Replayed`: its estimates, and how many events counted.

    Raises
    ------
    SpecError
        If the run or the multiplier is not valid.

    Examples
    --------
    >>> X = [[1.0], [2.0]] * 50
    >>> log = bakeoff.Log.from_arrays(X, [0, 1] * 50, [0.5] * 100, [1, 0] * 50)
    >>> bakeoff.replay(log, "greedy").n
    100
    """
    agent = agent_of(run, log)
    m = float(log.probability.min()) if multiplier is None else float(multiplier)
    if not m > 0:
        raise SpecError(f"multiplier must be positive, got {m}")
    model = fit(log)
    kept, capped, doubly = _play(log, agent, m, model, seed)
    rewards = log.reward[kept]
    value = float(rewards.mean()) if len(kept) else float("nan")
    bounds = Bounds(0.0, 1.0)
    if len(kept):
        bounds = two_sided(Streams(rewards, 1.0 - rewards), alpha, robust_lower).within
    units = [log.in_units(x) for x in (value, *bounds, float(doubly.mean()))]
    return Replayed(
        agent.run, log.n, len(kept), units[0], units[1], units[2], units[3], m,
        capped / log.n, rewards,
    )  # fmt: skip


def _play(
    log: Log, agent: Agent, m: float, model: Model, seed: int
) -> tuple[list[int], int, Doubles]:
    """Positions of the events that counted, how many were capped, and DR terms."""
    coins = np.random.default_rng(seed).random(log.n)
    kept: list[int] = []
    capped, doubly = 0, np.zeros(log.n)
    for first, last in pieces(log):
        guesses = model.table(log, first, last)
        for e in range(first, last):
            p = agent.distribution(e)
            a, q = int(log.action[e]), guesses[e - first, : len(p)]
            weight = p[a] / log.probability[e]
            doubly[e] = float(p @ q) + weight * (log.reward[e] - q[a])
            capped += int(m * weight > 1 + 1e-9)
            if coins[e] < m * weight:
                agent.learn(e)
                kept.append(e)
    return kept, capped, doubly
