"""Clocks: how an explorer with safeguards counts the rounds of its schedule.

What falls or grows with rounds (a falling epsilon, SquareCB's gamma, Cover's smallest
probability) begins anew when the oracle does, and goes no further than the memory. Each
lane has a clock of its own, and an explorer is called once for each that differs. Draws
go by rounds, as ever, and so does RegCB's log(K t): it is a bound on all rounds at once.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes, n_policies
from bakeoff.core.explorers.base import Explorer
from bakeoff.core.jit import kernel
from bakeoff.core.types import Doubles, Event, Ints


class Clocks(NamedTuple):
    """The clock of each lane."""

    runs: Ints  # (L,) 1 if there is a schedule and what turns it back, or 0
    memory: Ints  # (L,) the most rounds that are counted; 0: all
    start: Ints  # (L,) the round after which the oracle last started anew
    learns: bool  # whether learning goes by it, too
    p: Doubles  # (K, L) probabilities of lanes that are done; no rows where no clock runs


def new_clocks(own: Explorer, settings: Sequence[Any], n_actions: int) -> Clocks:
    """One clock per entry of `settings`, which have safeguards."""
    lanes = len(settings)
    turned_back = [one.forget > 0 or one.restart > 0 for one in settings]
    counts = [own.has_schedule(one) for one in settings]
    runs = np.array([*map(min, counts, turned_back)], np.int64)
    return Clocks(
        runs,
        np.array([one.forget for one in settings], np.int64),
        np.zeros(lanes, np.int64),
        bool(own.learns_by_rounds and runs.any()),
        np.zeros((n_actions if runs.any() else 0, lanes)),
    )


@kernel
def time_of(clocks: Clocks, event: Event, lane: int) -> int:
    """The round of an event by the clock of a lane, from 1."""
    if clocks.runs[lane] == 0:
        return event.t
    t = max(1, event.t - clocks.start[lane])
    return min(t, clocks.memory[lane]) if clocks.memory[lane] > 0 else t


@kernel
def is_first(clocks: Clocks, event: Event, lane: int) -> bool:
    """Whether no lane before it has its time."""
    for other in range(lane):
        if time_of(clocks, event, other) == time_of(clocks, event, lane):
            return False
    return True


@kernel
def count_times(clocks: Clocks, event: Event) -> int:
    """How many times there are."""
    n = 0
    for lane in range(clocks.start.shape[0]):
        n += is_first(clocks, event, lane)
    return n


@kernel
def keep_probabilities(clocks: Clocks, bandit: Bandit, event: Event, t: int) -> None:
    """Keep the probabilities of lanes whose time is `t`."""
    for lane in range(n_lanes(bandit)):
        if time_of(clocks, event, lane) == t:
            for k in range(event.K):
                clocks.p[k, lane] = bandit.p[k, lane]


@kernel
def give_probabilities(clocks: Clocks, bandit: Bandit, K: int) -> None:
    """Give all lanes what was kept of them."""
    for k in range(K):
        for lane in range(n_lanes(bandit)):
            bandit.p[k, lane] = clocks.p[k, lane]


@kernel
def let_learn(clocks: Clocks, bandit: Bandit, event: Event, t: int) -> None:
    """Lanes whose time is `t` learn, and no others; 0: all lanes."""
    for lane in range(n_lanes(bandit)):
        learns = 1 if t == 0 or time_of(clocks, event, lane) == t else 0
        bandit.once[lane] = learns
        for i in range(n_policies(bandit)):
            bandit.repeats[i * n_lanes(bandit) + lane] = learns
