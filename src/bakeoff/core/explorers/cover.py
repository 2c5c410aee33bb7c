"""Cover and Cover-NU: policies trained to disagree (Section 3.3, Algorithm 4)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes, n_policies
from bakeoff.core.explorers.base import ESTIMATES, Explorer, Name, Settings, setting
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.csc import add_votes, best_scores, csc_update
from bakeoff.core.reductions.off_policy import estimator
from bakeoff.core.types import Bools, Contexts, Doubles, Event, Revealed, Sizes


@dataclass(frozen=True, slots=True)
class Cover(Settings):
    """A cover of good policies; Cover-NU if `nu` is set."""

    n_policies: int = setting(4, low=1, high=1000)  # size of the cover
    # reward for choosing what earlier policies do not; losses would drown in more
    psi: float = setting(0.1, low=0, high=1e5)
    nu: bool = False  # no uniform exploration


class State(NamedTuple):
    """Settings of each lane, and scratch space."""

    psi: Doubles
    nu: Bools
    votes: Doubles  # (K, L) of the policies so far


def new_state(settings: Sequence[Cover], sizes: Sizes, revealed: Revealed | None) -> State:
    """One lane per entry of `settings`."""
    return State(
        np.array([s.psi for s in settings]),
        np.array([s.nu for s in settings]),
        np.zeros((sizes.n_actions, len(settings))),
    )


@kernel
def least_probability(K: int, t: int) -> float:
    """mu_t = min(1 / K, 1 / sqrt(K t)), the paper's epsilon_t."""
    return min(1.0 / K, 1.0 / math.sqrt(K * t))


@kernel
def explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """P = q, the share of policies that choose each action, or mu + (1 - K mu) q."""
    K, N = event.K, n_policies(bandit)
    mu = least_probability(K, event.t)
    bandit.p[:K] = 0.0
    best_scores(bandit, K)
    for i in range(N):
        add_votes(bandit, K, i, bandit.p)
    for k in range(K):
        for lane in range(n_lanes(bandit)):
            q = bandit.p[k, lane] / N
            bandit.p[k, lane] = q if state.nu[lane] else mu + (1.0 - K * mu) * q


@kernel
def learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Train policy i on the estimates less a bonus for what policies before it leave.

        target(a) = estimate(a) - psi mu / (mu + (1 - mu) q_i(a))

    q_i goes by choices made before this round's updates (deviation 8).
    """
    K, L = event.K, n_lanes(bandit)
    estimator(bandit, x, event)
    mu = least_probability(K, event.t)
    state.votes[:K] = 0.0
    best_scores(bandit, K)
    for k in range(K):
        for lane in range(L):
            bandit.targets[k, lane] = bandit.estimates[k, lane]
    for i in range(1, n_policies(bandit)):
        add_votes(bandit, K, i - 1, state.votes)
        for k in range(K):
            for lane in range(L):
                psi_mu = state.psi[lane] * mu
                bonus = psi_mu / (mu + (1.0 - mu) * (state.votes[k, lane] / i))
                target = np.float64(bandit.estimates[k, lane]) - bonus
                bandit.targets[k, i * L + lane] = np.float32(target)
    csc_update(bandit.policies, x, event, bandit.scores, bandit.targets, bandit.repeats)


COVER = Explorer(
    "cover", Cover, new_state, explore, learn,
    reductions=ESTIMATES, default_reduction=lambda s: "dr" if s.nu else "ips",
    names=(
        Name("C-u", "Cover", 7, "#009E73", "--", "^"),
        Name("C-nu", "Cover-NU", 3, "#009E73", "-", "^"),
    ),
    variant=lambda s: int(s.nu), n_policies=lambda s: s.n_policies, state_numbers=1,
    counts_rounds=True, learns_by_rounds=True,
)  # fmt: skip
