"""Bag and Bag-greedy: an online bootstrap of policies (Section 3.2, Algorithm 3)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes, n_policies
from bakeoff.core.explorers.base import REDUCTIONS, Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.csc import add_votes, best_scores
from bakeoff.core.random import POLICY, poisson, uniform
from bakeoff.core.reductions.off_policy import opl_update
from bakeoff.core.types import Bools, Contexts, Event, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class Bag(Settings):
    """Policies trained on bootstrap samples; Bag-greedy when `greedy` is set."""

    n_policies: int = setting(4, low=1, high=1000)  # bootstrap samples
    greedy: bool = False  # the first policy learns from each round exactly once
    exponential: bool = False  # one update of exponential weight, not a Poisson number of them
    logistic: bool = False  # regress on the log loss


class State(NamedTuple):
    """Settings of each lane."""

    greedy: Bools
    exponential: Bools


def new_state(settings: Sequence[Bag], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    return State(
        np.array([s.greedy for s in settings]), np.array([s.exponential for s in settings])
    )


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """p(a) is the share of policies that choose a."""
    N = n_policies(bandit)
    bandit.p[: event.K] = 0.0
    best_scores(bandit, event.K)
    for i in range(N):
        add_votes(bandit, event.K, i, bandit.p)
    for k in range(event.K):
        for lane in range(n_lanes(bandit)):
            bandit.p[k, lane] = bandit.p[k, lane] / N


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Policy i makes tau_i ~ Poisson(1) updates; the first of Bag-greedy makes one.

    If `exponential`, each makes one update, of weight -log(1 - u).
    """
    L = n_lanes(bandit)
    for i in range(n_policies(bandit)):
        for lane in range(L):
            tau, weight = 1, np.float32(1)
            if i > 0 or not state.greedy[lane]:
                u = uniform(bandit.key[lane], event.t, POLICY + i)
                if state.exponential[lane]:
                    weight = np.float32(-math.log(1.0 - u))
                else:
                    tau = poisson(u)
            bandit.repeats[i * L + lane] = tau
            bandit.weight[i * L + lane] = weight
    opl_update(bandit, x, event)


def _objection(settings: Bag, reduction: str | None) -> str:
    if settings.exponential and reduction != "iwr":
        return "weights its updates, so only reduction 'iwr' makes sense"
    return ""


BAG = Explorer(
    "bag", Bag, new_state, explore, learn,
    reductions=REDUCTIONS, default_reduction=lambda _: "iwr",
    names=(
        Name("B", "Bag", 4, "#BE8000", "--", "D"),
        Name("B-g", "Bag-greedy", 5, "#BE8000", "-", "D"),
    ),
    variant=lambda s: int(s.greedy), n_policies=lambda s: s.n_policies,
    objection=_objection,
)  # fmt: skip
