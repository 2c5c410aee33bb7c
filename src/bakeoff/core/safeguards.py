"""Safeguards: what helps an explorer when the world changes, around its own kernels.

An explorer with safeguards explores and learns as it always does. Around that, its
probabilities keep a uniform share (`explore`), what its oracle has learned fades (`forget`),
and the oracle starts anew when costs rise (`restart`); its schedule by rounds follows (see
clocks.py). Explorers without safeguards play the loops that they would play if there were none.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, make_dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.bandit import Bandit, n_lanes
from bakeoff.core.clocks import (
    Clocks,
    count_times,
    give_probabilities,
    is_first,
    keep_probabilities,
    let_learn,
    new_clocks,
    time_of,
)
from bakeoff.core.explorers.base import Around, Explorer, Settings, filled, setting
from bakeoff.core.explorers.base import explore as explore  # filled in: the explorer's own
from bakeoff.core.explorers.base import learn as learn
from bakeoff.core.explorers.squarecb import learn as growing
from bakeoff.core.jit import kernel
from bakeoff.core.oracles.regression import TINY, ZERO, Regressors
from bakeoff.core.oracles.ridge import Ridge, is_full
from bakeoff.core.types import Contexts, Doubles, Event, Ints, Revealed, Sizes

_NUMBERS = 14  # of a lane, clocks and all, besides the explorer's state
STEPS = 50  # in which a memory fades; so many touches of all weights in each
SLACK = 0.05  # by how much costs may lie above their mean and count as no rise


@dataclass(frozen=True, slots=True)
class Safeguards(Settings):
    """Each is off at 0."""

    forget: int = setting(0, low=0, high=10**9, quiet=True)  # the memory, in outcomes
    explore: float = setting(0.0, low=0, high=1, quiet=True)  # share of uniform actions
    restart: float = setting(0.0, low=0, quiet=True)  # the rise of costs that is too much


class State(NamedTuple):
    """The explorer's own state, and for each lane its safeguards and what they keep."""

    own: Any
    forget: Ints  # (L,)
    explore: Doubles  # (L,)
    restart: Doubles  # (L,)
    step: Ints  # (L,) outcomes from one fading to the next
    fade: Doubles  # (L,) what is left of sums then
    prior: Doubles  # (L,) variance of a ridge regression that knows nothing
    outcomes: Ints  # (L,) learned so far
    since: Doubles  # (L,) outcomes since the last start
    total: Doubles  # (L,) of their costs
    rise: Doubles  # (L,) of costs above their mean, as of now
    restarts: Ints  # (L,)
    clocks: Clocks


def new_state(
    own: Explorer, settings: Sequence[Any], sizes: Sizes, revealed: Revealed | None
) -> State:
    """One lane per entry of `settings`, around an explorer."""
    lanes = len(settings)
    forget = np.array([one.forget for one in settings], np.int64)
    step = np.maximum(1, forget // STEPS)
    fade = [math.exp(-float(n) / M) if M else 1.0 for n, M in zip(step, forget, strict=True)]
    return State(
        own.new_state([one.plain for one in settings], sizes, revealed),
        forget,
        np.array([float(one.explore) for one in settings]),
        np.array([float(one.restart) for one in settings]),
        step,
        np.array(fade),
        np.array([1.0 / float(getattr(one, "ridge", 1.0)) for one in settings]),
        np.zeros(lanes, np.int64),
        np.zeros(lanes),
        np.zeros(lanes),
        np.zeros(lanes),
        np.zeros(lanes, np.int64),
        new_clocks(own, settings, sizes.n_actions),
    )


@kernel
def safe_explore(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Explore by the clock of each lane; a share of the probabilities becomes uniform."""
    clocks = state.clocks
    several = count_times(clocks, event) > 1
    for lane in range(n_lanes(bandit)):
        if is_first(clocks, event, lane):
            t = time_of(clocks, event, lane)
            explore(state.own, bandit, x, Event(event.row, event.K, t))
            if several:
                keep_probabilities(clocks, bandit, event, t)
    if several:
        give_probabilities(clocks, bandit, event.K)
    for lane in range(n_lanes(bandit)):
        share = state.explore[lane]
        if share > 0.0:
            for k in range(event.K):
                bandit.p[k, lane] = (1.0 - share) * bandit.p[k, lane] + share / event.K


@kernel
def safe_learn(state: State, bandit: Bandit, x: Contexts, event: Event) -> None:
    """Learn, by the clock of each lane if the explorer's learning has one.

    Then let the sums fade, or start anew.
    """
    clocks = state.clocks
    several = clocks.learns and count_times(clocks, event) > 1
    for lane in range(n_lanes(bandit)):
        if lane == 0 or (several and is_first(clocks, event, lane)):
            t = time_of(clocks, event, lane) if clocks.learns else event.t
            if several:
                let_learn(clocks, bandit, event, t)
            learn(state.own, bandit, x, Event(event.row, event.K, t))
    if several:
        let_learn(clocks, bandit, event, 0)
    for lane in range(n_lanes(bandit)):
        state.outcomes[lane] = state.outcomes[lane] + 1
        if state.forget[lane] > 0 and state.outcomes[lane] % state.step[lane] == 0:
            fade(state, bandit, lane)
        if state.restart[lane] > 0.0 and has_risen(state, bandit, lane):
            start_anew(state, bandit, lane)
            clocks.start[lane] = max(clocks.start[lane], event.t)


@kernel
def has_risen(state: State, bandit: Bandit, lane: int) -> bool:
    """Page and Hinkley's test: whether costs have risen above their mean for too long."""
    cost = np.float64(bandit.loss[lane]) - np.float64(bandit.c_min[lane])
    state.since[lane] = state.since[lane] + 1.0
    state.total[lane] = state.total[lane] + cost
    above = cost - state.total[lane] / state.since[lane] - SLACK
    state.rise[lane] = max(0.0, state.rise[lane] + above)
    if state.rise[lane] <= state.restart[lane]:
        return False
    state.since[lane], state.total[lane], state.rise[lane] = 0.0, 0.0, 0.0
    state.restarts[lane] = state.restarts[lane] + 1
    return True


def fade(state: State, bandit: Bandit, lane: int) -> None:
    """Let what the oracle of a lane has summed up count less: filled in."""
    raise NotImplementedError


def start_anew(state: State, bandit: Bandit, lane: int) -> None:
    """Let the oracle of a lane know nothing: filled in."""
    raise NotImplementedError


# ---- regressors with adaptive steps


@kernel
def fade_regressors(state: State, bandit: Bandit, lane: int) -> None:
    """Sums of squared gradients shrink, so that steps grow."""
    _fade(bandit.policies, lane, n_lanes(bandit), np.float32(state.fade[lane]))
    _fade(bandit.estimator, lane, n_lanes(bandit), np.float32(state.fade[lane]))


@kernel
def _fade(f: Regressors, lane: int, lanes: int, left: np.float32) -> None:
    for j in range(f.A.shape[0]):
        for c in range(lane, f.A.shape[1], lanes):
            if f.A[j, c] > TINY:
                f.A[j, c] = f.A[j, c] * left
    for c in range(lane, f.A0.shape[0], lanes):
        if f.A0[c] > TINY:
            f.A0[c] = f.A0[c] * left


@kernel
def clear_regressors(state: State, bandit: Bandit, lane: int) -> None:
    """Weights, sums and clocks become zero."""
    _clear(bandit.policies, lane, n_lanes(bandit))
    _clear(bandit.estimator, lane, n_lanes(bandit))


@kernel
def _clear(f: Regressors, lane: int, lanes: int) -> None:
    for j in range(f.w.shape[0]):
        for c in range(lane, f.w.shape[1], lanes):
            f.w[j, c], f.A[j, c], f.N[j, c] = ZERO, ZERO, ZERO
    for c in range(lane, f.eta.shape[0], lanes):
        f.lo[c], f.hi[c] = ZERO, ZERO
        for b in range(f.T.shape[0]):
            f.T[b, c], f.S[b, c] = 0.0, 0.0
    for c in range(lane, f.w0.shape[0], lanes):
        f.w0[c], f.A0[c] = ZERO, ZERO


@kernel
def fade_growing(state: State, bandit: Bandit, lane: int) -> None:
    """The costs that gamma grows with are sums, too."""
    fade_regressors(state, bandit, lane)
    state.own.cost[lane] = state.own.cost[lane] * state.fade[lane]


@kernel
def clear_growing(state: State, bandit: Bandit, lane: int) -> None:
    """Gamma begins anew, too."""
    clear_regressors(state, bandit, lane)
    state.own.cost[lane] = 0.0


# ---- ridge regression


@kernel
def fade_ridge(state: State, bandit: Bandit, lane: int) -> None:
    """A^-1 grows, but D no further than where it began."""
    r = state.own
    variance = r.weight if is_full(r) else r.diagonal
    for b in range(variance.shape[1]):
        for j in range(variance.shape[2]):
            before = variance[lane, b, j]
            after = min(before / state.fade[lane], state.prior[lane])
            if after > before:
                variance[lane, b, j] = after
                r.log_det[lane] = r.log_det[lane] - math.log(after / before)


@kernel
def clear_ridge(state: State, bandit: Bandit, lane: int) -> None:
    """Each A is the penalty alone, and each theta zero."""
    r: Ridge = state.own
    r.weight[lane] = state.prior[lane]
    r.diagonal[lane] = state.prior[lane]
    r.theta[lane] = 0.0
    r.log_det[lane] = 0.0
    r.factor[lane] = 0.0
    for b in range(r.factor.shape[1]):
        for j in range(r.factor.shape[2]):
            r.factor[lane, b, j, j] = 1.0


# ---- records


@dataclass(frozen=True)
class SafeExplorer(Around):
    """An explorer with safeguards; its settings have theirs behind its own."""

    @property
    def open_names(self) -> dict[str, Any]:
        """Kernels, and those that they call."""
        fading, clearing = _oracle(self.own)
        return {
            **super().open_names,
            "new_state": new_state,
            "fade": fading,
            "start_anew": clearing,
        }

    def label(self, settings: Any) -> str:
        """The explorer's, and which safeguards it has.

        Their strengths compete under one label, as those of other settings do.
        """
        return " ".join([self.own.label(settings), *used(settings)])


def used(settings: Any) -> list[str]:
    """The names of the safeguards that are on."""
    return [one.name for one in fields(Safeguards) if getattr(settings, one.name)]


def _oracle(own: Explorer) -> tuple[Callable[..., None], Callable[..., None]]:
    """How an explorer's oracle fades, and how it starts anew."""
    if own.own_oracle:
        return fade_ridge, clear_ridge
    if own.learn.__module__ == growing.__module__:
        return fade_growing, clear_growing
    return fade_regressors, clear_regressors


_known: dict[type, SafeExplorer] = {}


@cache
def with_safeguards(own: Explorer) -> Explorer:
    """An explorer with safeguards; a skyline stays as it is."""
    if own.sees_all_costs:
        return own
    more = [(one.name, one.type, setting_like(one)) for one in fields(Safeguards)]
    names = [one.name for one in fields(own.settings)]
    settings: Any = make_dataclass(
        own.settings.__name__, more, bases=(own.settings,), frozen=True, slots=True,
        namespace={
            "plain": property(lambda one: own.settings(**{n: getattr(one, n) for n in names})),
            "__post_init__": lambda one: _check(own.settings, one),
        },
    )  # fmt: skip
    fading, clearing = _oracle(own)
    values = {one.name: getattr(own, one.name) for one in fields(Explorer)}
    values |= {
        "settings": settings,
        "new_state": lambda *given: new_state(own, *given),
        "explore": filled(safe_explore, explore=own.explore),
        "learn": filled(safe_learn, learn=own.learn, fade=fading, start_anew=clearing),
        "state_numbers": own.state_numbers + 1,
        "state_bytes": lambda sizes: own.state_bytes(sizes) + 8 * _NUMBERS,
        "check": lambda state: own.check(state.own),
    }
    record = _known[settings] = SafeExplorer(**values, own=own, prefix="safe")
    return record


def _check(own: type[Settings], settings: Any) -> None:
    """Refuse values out of range, and a memory in which exploring first never ends."""
    own.__post_init__(settings)
    if 0 < settings.forget <= getattr(settings, "tau", 0):
        raise ValueError(
            f"forget must be larger than tau={settings.tau}, or all rounds would explore, "
            f"got {settings.forget}"
        )


def setting_like(one: Any) -> Any:
    """A field of its own with the default and the range of another."""
    return field(default=one.default, metadata=one.metadata)


def safe_explorer_of(settings: Any) -> SafeExplorer | None:
    """The record of settings with safeguards; None if they have none."""
    return _known.get(type(settings))
