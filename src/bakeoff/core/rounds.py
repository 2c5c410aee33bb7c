"""Rounds: Algorithm 1 in a compiled loop over a stream (live rounds: live.py)."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, count_not_finite, draw_actions, n_lanes, new_regressors
from bakeoff.core.code_hash import loop_hash, record_place
from bakeoff.core.explorers.base import Explorer, explore, learn
from bakeoff.core.inputs import map_events, new_means
from bakeoff.core.jit import bind, kernel, loop_name, short_name, with_globals
from bakeoff.core.oracles.regression import blocks_apart, fetch, goes_across, lies_far, predict
from bakeoff.core.random import job_seed, key_of
from bakeoff.core.types import Contexts, Costs, Doubles, Event, Ints
from bakeoff.core.waiting import Waiting, let_wait, recall


class Sums(NamedTuple):
    """Sums over the rounds so far, and the record if one is wanted."""

    cost: Doubles  # (L,)
    ips_loss: Doubles  # (L,)
    ips_reward: Doubles  # (L,)
    failed_at: Ints  # (L,) the round in which scores stopped being finite, or 0
    rounds: Ints  # (points,) of the learning curve
    curve: Doubles  # (points, L) cost sums after those rounds
    actions: Ints  # (n or 0, L)
    probabilities: Doubles  # (n or 0, L)
    costs: Doubles  # (n or 0, L)


STREAM: bool = False  # filled in: whether feedback comes late, or is not the truth


def _rounds(
    state: Any,
    bandit: Bandit,
    x: Contexts,
    costs: Costs,
    waiting: Waiting,
    sums: Sums,
    first: int,
    last: int,
) -> None:
    """Play events first..last-1 in all lanes (Algorithm 1).

    `waiting` is looked at in streams alone (waiting.py).
    """
    apart = blocks_apart(bandit.policies)
    far = lies_far(bandit.policies)
    steps = bandit.needs_steps or not goes_across(bandit.policies)
    point = 0
    while sums.rounds[point] <= first:
        point += 1
    for e in range(first, last):
        row = x.first_row[e]
        K = bandit.p.shape[0] if apart else x.first_row[e + 1] - row
        event = Event(row, K, e + 1)
        if far and e + 1 < last:
            fetch(bandit.policies, x, e + 1, steps)
            fetch(bandit.estimator, x, e + 1, True)
        predict(bandit.policies, x, event, bandit.scores)
        if count_not_finite(bandit.scores, K) > 0:
            _mark_failures(bandit, sums, event)
        explore(state, bandit, x, event)
        draw_actions(bandit, event)
        for lane in range(n_lanes(bandit)):
            cost = cost_of(costs, e, bandit.action[lane])
            bandit.loss[lane] = np.float32(cost + bandit.offset[lane])
            _count(sums, bandit, event, lane, cost)
        if event.t == sums.rounds[point]:
            for lane in range(n_lanes(bandit)):
                sums.curve[point, lane] = sums.cost[lane]
            point += 1
        if not STREAM:
            learn(state, bandit, x, event)
            continue
        let_wait(waiting, bandit, event)
        for i in range(waiting.begin[e], waiting.begin[e + 1]):
            past = waiting.order[i]
            row = x.first_row[past]
            K = bandit.p.shape[0] if apart else x.first_row[past + 1] - row
            event = Event(row, K, past + 1)
            if past < e or i > waiting.begin[e]:  # scores are older than what was learned
                recall(waiting, bandit, x, event)
            for lane in range(n_lanes(bandit)):
                told = cost_of(waiting.told, past, bandit.action[lane])
                bandit.loss[lane] = np.float32(told + bandit.offset[lane])
            learn(state, bandit, x, event)


@kernel
def cost_of(costs: Costs, event: int, a: int) -> float:
    """The true cost c_t(a), all that a simulation reveals to a bandit."""
    start, end = costs.start[event], costs.start[event + 1]
    if costs.value.shape[0] > 0:
        return costs.value[start + a]
    for i in range(start, end):
        if costs.right[i] == a:
            return 0.0
    return 1.0


@kernel
def _count(sums: Sums, bandit: Bandit, event: Event, lane: int, cost: float) -> None:
    """Add this round to the sums, and to the record."""
    p = bandit.probability[lane]
    sums.cost[lane] += cost
    sums.ips_loss[lane] += cost / (event.K * p)
    sums.ips_reward[lane] += (1.0 - cost) / (event.K * p)
    if sums.actions.shape[0] > 0:
        sums.actions[event.t - 1, lane] = bandit.action[lane]
        sums.probabilities[event.t - 1, lane] = p
        sums.costs[event.t - 1, lane] = cost


@kernel
def _mark_failures(bandit: Bandit, sums: Sums, event: Event) -> None:
    """Remember in which lanes a score is not finite."""
    L = n_lanes(bandit)
    for k in range(event.K):
        for c in range(bandit.scores.shape[1]):
            if not np.isfinite(bandit.scores[k, c]) and sums.failed_at[c % L] == 0:
                sums.failed_at[c % L] = event.t


class Loops(NamedTuple):
    """What Python calls: each compiles when it is first called."""

    rounds: Callable[..., None]
    streams: Callable[..., None]  # the same with feedback that comes late, or is wrong


_known: dict[str, Loops] = {}


def loops_of(explorer: Explorer) -> Loops:
    """The loops of an explorer; those that share kernels share loops."""
    name = rounds_name(explorer)
    if name not in _known:
        _known[name] = Loops(_loop(explorer, stream=False), _loop(explorer, stream=True))
    return _known[name]


def _loop(explorer: Explorer, stream: bool) -> Callable[..., None]:
    inside, name = _inside(explorer, stream), short_name(rounds_name(explorer, stream))
    return explorer.runnable(
        bind(_rounds, name, **inside),
        lambda: with_globals(_rounds, {**_rounds.__globals__, **inside}, name),
    )


@cache
def rounds_name(explorer: Explorer, stream: bool = False) -> str:
    """The name of an explorer's loop in the cache."""
    kind = "streams" if stream else "rounds"
    return loop_name(f"{kind}_{explorer.kernels}", _rounds, _inside(explorer, stream))


def _inside(explorer: Explorer, stream: bool) -> dict[str, Any]:
    """What is filled in for the open names of a loop."""
    return {**explorer.open_names, "STREAM": stream}


@cache
def code_of(explorer: Explorer, centred: bool = False) -> str:
    """The name of an explorer, and a hash of the code that its results depend on."""
    parts = [_rounds, *explorer.open_names.values(), explorer.settings,
             new_regressors, job_seed, key_of]  # fmt: skip
    record = record_place(explorer.name, explorer.settings)
    parts += [map_events, new_means] if centred else []
    form = f"{explorer.form}{'-centred' if centred else ''}"
    return f"{explorer.name}{form}:{loop_hash(*parts, *([record] if record else []))}"
