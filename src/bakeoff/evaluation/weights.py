"""Weights of a policy on a log, event by event, in pieces that fit memory."""

from typing import Any, NamedTuple

import numpy as np

from bakeoff.core.types import Bools, Doubles
from bakeoff.data import Log
from bakeoff.evaluation.bounds import Inputs, inputs_of
from bakeoff.evaluation.estimators.base import Events
from bakeoff.evaluation.intervals.base import Streams
from bakeoff.evaluation.models import Model, fit
from bakeoff.evaluation.policies import Policy

_CELLS = 2**21  # probabilities in memory at a time
FLOOR = 1.0  # how far below 0 the terms of truncated DR may go


class Surplus(NamedTuple):
    """How far weights are from what logged distributions expect, summed over events."""

    gap: float  # sum of w - E w
    variance: float  # sum of their variances
    largest: float  # the largest w that could have come up

    def __add__(self, other: tuple[Any, ...]) -> "Surplus":
        """Sums over the events of both."""
        gap, variance, largest = other
        return Surplus(self.gap + gap, self.variance + variance, max(self.largest, largest))


class Weighted(NamedTuple):
    """A policy on a log: its weights, and what it would do itself."""

    weight: Doubles  # (n,) pi(a|x) / p
    taken: Doubles  # (n,) pi(a|x) of the action taken
    mass: Doubles  # (K,) how much the policy plays each action, on average
    unseen: float  # share of its mass where the logger gives no probability
    truth: float | None  # its true value, if the log is simulated
    favourites: Any  # (n,) its likeliest action; -1 if several are
    squares: Doubles | None = None  # (n,) E w^2 by the logger's whole distributions
    surplus: Surplus | None = None  # against the same distributions
    fourths: Doubles | None = None  # (n,) E w^4 by them
    certain: Doubles | None = None  # (K,) without them: mass beside actions of probability 1

    @property
    def expected_square(self) -> float | None:
        """The mean of E w^2; None without the logger's distributions."""
        return None if self.squares is None else float(self.squares.mean())


def pieces(log: Log) -> list[tuple[int, int]]:
    """Ranges of events that are processed at a time."""
    size = max(1, _CELLS // log.n_actions)
    return [(top, min(top + size, log.n)) for top in range(0, log.n, size)]


def weigh(log: Log, policy: Policy) -> Weighted:
    """The weights of a policy, in one pass over the log."""
    if policy.is_logged and log.probabilities is None:
        return _as_logged(log)
    taken, favourites = np.zeros(log.n), np.zeros(log.n, np.int64)
    mass, unseen, truth = np.zeros(log.n_actions), 0.0, 0.0
    squares, fourths, surplus = np.zeros(log.n), np.zeros(log.n), Surplus(0.0, 0.0, 0.0)
    certain = np.zeros(log.n_actions)
    for first, last in pieces(log):
        table = policy.probabilities(log, first, last)
        taken[first:last] = table[np.arange(last - first), log.action[first:last]]
        is_tied = (table == table.max(axis=1, keepdims=True)).sum(axis=1) > 1
        favourites[first:last] = np.where(is_tied, -1, table.argmax(axis=1))
        mass += table.sum(axis=0)
        tried = _tried(log, first, last)
        expected = table.sum(axis=1)
        if not tried.all():
            hidden = table * ~tried
            unseen, expected = unseen + float(hidden.sum()), expected - hidden.sum(axis=1)
            if log.probabilities is None:
                certain += hidden[log.probability[first:last] == 1].sum(axis=0)
        if log.probabilities is not None:
            p = log.probabilities[first:last]
            weights = np.divide(table, p, out=np.zeros_like(p), where=p > 0)
            squares[first:last] = np.einsum("ij,ij->i", weights, table)
            fourths[first:last] = np.einsum("ij,ij->i", weights**3, table)
            gap = taken[first:last] / log.probability[first:last] - expected
            variance = np.maximum(squares[first:last] - expected**2, 0.0)
            surplus += (float(gap.sum()), float(variance.sum()), float(weights.max()))
        if log.true_rewards is not None:
            truth += float((table * log.true_rewards[first:last]).sum())
    has_all, is_simulated = log.probabilities is not None, log.true_rewards is not None
    return Weighted(
        taken / log.probability, taken, mass / log.n, unseen / log.n,
        truth / log.n if is_simulated else None, favourites,
        squares if has_all else None, surplus if has_all else None,
        fourths if has_all else None, None if has_all else certain / log.n,
    )  # fmt: skip


def _tried(log: Log, first: int, last: int) -> Bools:
    """Which actions the logger tries: those with a probability, or those that occur.

    If the action taken has all probability, no other has any.
    """
    if log.probabilities is not None:
        return log.probabilities[first:last] > 0
    tried = np.tile(np.bincount(log.action, minlength=log.n_actions) > 0, (last - first, 1))
    is_certain = log.probability[first:last] == 1
    if is_certain.any() and not log.is_estimated:
        tried[is_certain] = False
        tried[np.arange(last - first), log.action[first:last]] = True
    return tried


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


def without_model(log: Log, weighted: Weighted) -> Inputs:
    """The inputs of estimators without a reward model."""
    zero = np.zeros(log.n)
    w, r = weighted.weight, log.reward
    events = Events(r, w, zero, zero, weighted.squares, weighted.fourths)
    return inputs_of(events, Streams(w * r, w * (1 - r)), weighted.unseen, zero)


def with_model(log: Log, policy: Policy, weighted: Weighted, model: Model) -> Inputs:
    """The inputs of estimators with a reward model.

    The terms that sequences bet on use guesses cut at FLOOR / w(x, a), which keeps them
    above -FLOOR without a bias. That needs the logger's whole distribution; without it
    they are the terms of IPS.
    """
    w, r, n = weighted.weight, log.reward, log.n
    q, q_pi, q_pi_tried = np.zeros(n), np.zeros(n), np.zeros(n)
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
        if weighted.unseen > 0:
            q_pi_tried[part] = (table * guesses * _tried(log, first, last)).sum(axis=1)
        if log.probabilities is None:
            continue
        p = log.probabilities[part]
        most = np.divide(FLOOR * p, table, out=np.full_like(p, np.inf), where=table > 0)
        for terms, guess, value in ((up, guesses, r[part]), (down, 1.0 - guesses, 1.0 - r[part])):
            cut = np.minimum(guess, most)
            residual = w[part] * (value - cut[rows, a])
            terms[part] = (table * cut).sum(axis=1) + residual
    streams = Streams(up, down, FLOOR)
    if log.probabilities is None:
        streams = Streams(w * r, w * (1 - r))
    events = Events(r, w, q, q_pi, weighted.squares, weighted.fourths)
    return inputs_of(events, streams, weighted.unseen, q_pi_tried)
