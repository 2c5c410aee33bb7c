"""Pairs: scores and sensitivities of actions with features, paired with those of a context.

The products of an event are never written down. Features of its actions lie side by side, the
first of all actions, then the second; those that share a place share a *slot*. For each feature
of the context, weights are fetched once per slot, and then worked on for all actions at once.
Each action adds its products in the order of its row, so sums are those of `predict` and
`sensitivity` to the last bit.
"""

import math
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.explorers.base import filled
from bakeoff.core.jit import KERNELS, kernel
from bakeoff.core.oracles.regression import (
    FOUR,
    ONE,
    ZERO,
    Regressors,
    baseline_scale,
    clip,
    sensitivity,
    step_size,
)
from bakeoff.core.types import Doubles, Event, Floats, Given, Indices, Ints, Places

SPREAD = 0x9E3779B1  # odd: spreads products of places over the space


class Pairs(NamedTuple):
    """The features of an event's actions, side by side, and scratch space."""

    sizes: Ints  # (3,) the features of an action, at most; slots in use; events so far
    slot: Places  # (features * K,) by feature, then by action
    value: Doubles  # of the same; 0 in the slot behind the last, if an action has fewer features
    place: Ints  # (slots,) of each slot
    slot_of: Places  # (D,) of each place that this event has
    met: Ints  # (D,) the number of the last event that had a place
    weights: Floats  # (2, slots + 1) of products with one feature of the context
    near: Floats  # (2, K) the same, action by action
    sums: Floats  # (3, K)


def new_pairs(n_features: int, n_actions: int, entries: int) -> Pairs:
    """Room for so many places, actions, and features of all actions of an event."""
    return Pairs(
        sizes=np.zeros(3, np.int64),
        slot=np.zeros(entries, np.uint32),
        value=np.zeros(entries),
        place=np.zeros(entries, np.int64),
        slot_of=np.zeros(n_features, np.uint32),
        met=np.zeros(n_features, np.int64),
        weights=np.zeros((2, entries + 1), np.float32),
        near=np.zeros((2, n_actions), np.float32),
        sums=np.zeros((3, n_actions), np.float32),
    )


class LiveContexts(NamedTuple):
    """Contexts of one event of a live learner: rows, or pairs that are not written down."""

    start: Ints
    feature: Indices
    value: Floats
    first_row: Ints
    is_paired: bool
    pairs: Pairs
    context: Ints  # places of the context's features
    factor: Doubles  # their values
    places: int  # for products


@kernel
def pair_place(context: int, action: int, places: int) -> int:
    """The place of the product of two features; `context` has been spread."""
    place = (context ^ action) * SPREAD
    return ((place >> 16) ^ place) & (places - 1)


@kernel
def lay_out(pairs: Pairs, given: Given, K: int) -> None:
    """Write the features of an event's actions side by side."""
    pairs.sizes[2] += 1
    event, longest, slots = pairs.sizes[2], 0, 0
    for k in range(K):
        begin, end = given.start[given.actions[k]], given.start[given.actions[k] + 1]
        longest = max(longest, end - begin)
        for j in range(end - begin):
            place = given.place[begin + j]
            if pairs.met[place] != event:
                pairs.met[place] = event
                pairs.slot_of[place] = slots
                pairs.place[slots] = place
                slots += 1
            pairs.slot[j * K + k] = pairs.slot_of[place]
            pairs.value[j * K + k] = given.value[begin + j]
    for k in range(K):
        begin, end = given.start[given.actions[k]], given.start[given.actions[k] + 1]
        for j in range(end - begin, longest):
            pairs.slot[j * K + k], pairs.value[j * K + k] = slots, 0.0
    pairs.sizes[0], pairs.sizes[1] = longest, slots


@kernel
def _fetch_weights(weights: Floats, c: int, x: LiveContexts, i: int, to: Floats) -> float:
    """Fetch the weights of products with feature i of the context; returns its value.

    Those of the actions' own features come before them, with i = -1. Zeros have no weight.
    """
    slots, place = x.pairs.sizes[1], x.pairs.place
    to[slots] = ZERO
    if i < 0:
        for d in range(slots):
            to[d] = weights[place[d] + 1, c]
        return 1.0
    context = x.context[i] * SPREAD
    for d in range(slots):
        to[d] = weights[pair_place(context, place[d], x.places) + 1, c]
    return x.factor[i]


@kernel
def _n_factors(x: LiveContexts) -> int:
    """How many features of the context there are to multiply with."""
    return x.context.shape[0] if x.places > 0 else 0


@kernel
def score_pairs(f: Regressors, x: LiveContexts, K: int, scores: Floats) -> None:
    """The scores of a paired event, as `predict` would compute them from its rows."""
    pairs = x.pairs
    weights, near, r = pairs.weights[0], pairs.near[0], pairs.sums[0]
    for c in range(f.eta.shape[0]):
        r[:K] = clip(f.w0[c], f.lo[c], f.hi[c]) if f.w0.shape[0] > 0 else ZERO
        for i in range(-1, _n_factors(x)):
            factor = _fetch_weights(f.w, c, x, i, weights)
            for j in range(pairs.sizes[0]):
                slot, value = pairs.slot[j * K : (j + 1) * K], pairs.value[j * K : (j + 1) * K]
                for k in range(K):  # apart from the sums, which become vectors
                    near[k] = weights[slot[k]]
                for k in range(K):
                    r[k] = r[k] + np.float32(factor * value[k]) * near[k]
        for k in range(K):
            scores[k, c] = r[k] + f.w[0, c]


@kernel
def _pair_sensitivity(
    f: Regressors, x: LiveContexts, K: int, scores: Floats, labels: Floats, out: Doubles
) -> None:
    """What `sensitivity` writes, for a paired event."""
    pairs = x.pairs
    of_A, of_N, near_A, near_N = pairs.weights[0], pairs.weights[1], pairs.near[0], pairs.near[1]
    g2, n, q = pairs.sums[0], pairs.sums[1], pairs.sums[2]
    for c in range(f.eta.shape[0]):
        for k in range(K):
            error = scores[k, c] - labels[c]
            g2[k] = FOUR * (error * error)
        n[:K] = ZERO
        q[:K] = ZERO
        for i in range(-1, _n_factors(x)):
            factor = _fetch_weights(f.A, c, x, i, of_A)
            _fetch_weights(f.N, c, x, i, of_N)
            for j in range(pairs.sizes[0]):
                slot, value = pairs.slot[j * K : (j + 1) * K], pairs.value[j * K : (j + 1) * K]
                for k in range(K):
                    near_A[k], near_N[k] = of_A[slot[k]], of_N[slot[k]]
                for k in range(K):
                    xi = np.float32(factor * value[k])
                    _add_step(k, xi, near_A[k], near_N[k], g2[k], n, q)
        for k in range(K):
            _add_step(k, ONE, f.A[0, c], f.N[0, c], g2[k], n, q)
            T, S = f.T[0, c] + 1.0, f.S[0, c]
            kappa = np.float64(q[k]) * math.sqrt(T / (S + np.float64(n[k])))
            if f.w0.shape[0] > 0:
                rho = step_size(f.A0[c] + g2[k], ONE)
                kappa = kappa + baseline_scale(f, c) * (np.float64(rho) * math.sqrt(T / (S + 1.0)))
            error = np.float64(abs(scores[k, c] - labels[c]))
            out[k, c] = 2.0 * error * np.float64(f.eta[c]) * kappa


@kernel
def _add_step(
    k: int, xi: np.float32, A: np.float32, N: np.float32, g2: np.float32, n: Floats, q: Floats
) -> None:
    """Add a feature of action k to its sums; one of value 0 adds nothing."""
    size, x2 = abs(xi), xi * xi
    A = A + g2 * x2
    N = size if size > N else N
    rho = step_size(A, N)
    v = x2 * rho
    added = v * (rho * A)
    q[k] = q[k] + v
    n[k] = n[k] + (added if size > ZERO else ZERO)


@kernel
def live_sensitivity(
    f: Regressors, x: LiveContexts, event: Event, scores: Floats, labels: Floats, out: Doubles
) -> None:
    """What `sensitivity` writes, also for a paired event."""
    if x.is_paired:
        _pair_sensitivity(f, x, event.K, scores, labels, out)
    else:
        sensitivity(f, x, event, scores, labels, out)  # type: ignore[arg-type]


@cache
def for_pairs(explore: Any) -> Any:
    """The kernel of an explorer, or one that it calls, with sensitivities of paired events."""
    if explore is sensitivity:
        return live_sensitivity
    names: dict[str, Any] = {}
    for name in explore.__code__.co_names:
        used = explore.__globals__.get(name)
        if isinstance(used, FunctionType) and used in KERNELS:
            changed = for_pairs(used)
            if changed is not used:
                names[name] = changed
    return filled(explore, **names) if names else explore
