"""Weights of a policy on a log, event by event, in pieces that fit memory."""

from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.types import Bools, Doubles
from bakeoff.data import Log
from bakeoff.evaluation.estimators.base import Events
from bakeoff.evaluation.intervals.base import Streams
from bakeoff.evaluation.models import Model, fit
from bakeoff.evaluation.policies import Policy

_CELLS = 2**21  # probabilities in memory at a time
FLOOR = 1.0  # how far below 0 the terms of truncated DR may go


class Weighted(NamedTuple):
    """A policy on a log: its weights, and what it would do itself."""

    weight: Doubles  # (n,) pi(a|x) / p
    taken: Doubles  # (n,) pi(a|x) of the action taken
    mass: Doubles  # (K,) how much the policy plays each action, on average
    unseen: float  # share of its mass where the logger gives no probability
    truth: float | None  # its true value, if the log is simulated
    favourites: Any  # (n,) its likeliest action
    expected_square: float | None = None  # E w^2 by the logger's whole distributions


def pieces(log: Log) -> list[tuple[int, int]]:
    """Ranges of events that are processed at a time."""
    size = max(1, _CELLS // log.n_actions)
    return [(top, min(top + size, log.n)) for top in range(0, log.n, size)]


def weigh(log: Log, policy: Policy) -> Weighted:
    """The weights of a policy, in one pass over the log."""
    if policy.is_logged and log.probabilities is None:
        return _as_logged(log)
    taken, favourites = np.zeros(log.n), np.zeros(log.n, np.int64)
    mass, unseen, truth, square = np.zeros(log.n_actions), 0.0, 0.0, 0.0
    ever = _ever_tried(log)
    for first, last in pieces(log):
        table = policy.probabilities(log, first, last)
        taken[first:last] = table[np.arange(last - first), log.action[first:last]]
        favourites[first:last] = table.argmax(axis=1)
        mass += table.sum(axis=0)
        tried = ever if log.probabilities is None else log.probabilities[first:last] > 0
        unseen += float((table * ~tried).sum())
        if log.probabilities is not None:
            square += _expected_square(table, log.probabilities[first:last])
        if log.true_rewards is not None:
            truth += float((table * log.true_rewards[first:last]).sum())
    known = None if log.true_rewards is None else truth / log.n
    return Weighted(
        taken / log.probability, taken, mass / log.n, unseen / log.n, known, favourites,
        None if log.probabilities is None else square / log.n,
    )  # fmt: skip


def _expected_square(table: Doubles, p: Doubles) -> float:
    """The sum of pi^2 / p: the expected sum of the squared weights."""
    ratio = np.divide(table**2, p, out=np.zeros_like(p), where=p > 0)
    return float(ratio.sum())


def _ever_tried(log: Log) -> Bools:
    """Whether each action occurs in the log."""
    return np.bincount(log.action, minlength=log.n_actions) > 0


def _as_logged(log: Log) -> Weighted:
    counts = np.bincount(log.action, minlength=log.n_actions) / log.n
    ones = np.ones(log.n)
    truth = None if log.true_rewards is None else float(log.reward.mean())
    return Weighted(ones, log.probability, counts, 0.0, truth, log.action)


def model_for(log: Log, kind: str, weighted: Weighted, regressor: Any) -> Model:
    """The reward model of DR, or of MRDR for a policy."""
    if kind != "mrdr":
        return fit(log, None, regressor)
    p = log.probability
    importance = weighted.taken * (1 - p) / p**2
    return fit(log, importance, regressor)


class Inputs(NamedTuple):
    """What estimators and intervals work on: events, and the terms that sequences bet on."""

    events: Events
    streams: Streams


def without_model(log: Log, weighted: Weighted) -> Inputs:
    """The inputs of estimators without a reward model."""
    zero = np.zeros(log.n)
    w, r = weighted.weight, log.reward
    return Inputs(Events(r, w, zero, zero), Streams(w * r, w * (1 - r)))


def with_model(log: Log, policy: Policy, weighted: Weighted, model: Model) -> Inputs:
    """The inputs of estimators with a reward model.

    The terms that sequences bet on use guesses cut at FLOOR / w(x, a), which keeps them
    above -FLOOR without a bias. That needs the logger's whole distribution; without it
    they are the terms of IPS.
    """
    w, r, n = weighted.weight, log.reward, log.n
    q, q_pi = np.zeros(n), np.zeros(n)
    up, down = np.zeros(n), np.zeros(n)
    if policy.is_logged and log.probabilities is None:
        return without_model(log, weighted)
    for first, last in pieces(log):
        part = slice(first, last)
        table = policy.probabilities(log, first, last)
        guesses = model.table(log, first, last)
        rows, a = np.arange(last - first), log.action[part]
        q[part] = guesses[rows, a]
        q_pi[part] = (table * guesses).sum(axis=1)
        if log.probabilities is None:
            continue
        p = log.probabilities[part]
        most = np.divide(FLOOR * p, table, out=np.full_like(p, np.inf), where=table > 0)
        for terms, guess, value in ((up, guesses, r[part]), (down, 1.0 - guesses, 1.0 - r[part])):
            cut = np.minimum(guess, most)
            residual = w[part] * (value - cut[rows, a])
            terms[part] = (table * cut).sum(axis=1) + residual
    if log.probabilities is None:
        return Inputs(Events(r, w, q, q_pi), Streams(w * r, w * (1 - r)))
    return Inputs(Events(r, w, q, q_pi), Streams(up, down, FLOOR))
