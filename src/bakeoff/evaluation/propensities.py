"""Propensities: whether logged probabilities fit the actions drawn, whatever policy is judged.

Where distributions were logged, drawn actions are counted against them. In any log, 1{a} / p adds
up to at most the number of events, for each action, and so does its sum over a feature in [0, 1],
weighted by it: a logger that favours an action in some contexts and logs the same probability
everywhere is noticed there. Both hold for loggers that learn.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import sparse, special

from bakeoff.core.types import Doubles
from bakeoff.data import Log
from bakeoff.evaluation.checks import BETS, Check, p_value_of_gap

NAME = "propensities"
_SHARES = np.asarray(BETS[(BETS < 1) & (BETS > 1e-4)], np.float64)
_FEW_SHARES = 2.0 ** -np.arange(1.0, 9.0, 2.0)
_FEATURES = 8  # with the largest variance
_EVENTS = 20_000  # the first ones, of those that contexts are looked at in


class Drawn(NamedTuple):
    """Sums over the events of a log, by action."""

    times: Doubles  # how often each action was drawn; or how often weighted by 1 / p
    expected: Doubles  # how often its probabilities say, or the number of events
    variance: Doubles  # of the difference; 0 without distributions
    wealth: Doubles  # (K, bets) logs of what bets on too many draws have won; (K, 0) with them

    def widened(self, K: int) -> "Drawn":
        """The same sums among K actions, of which the last were never drawn."""
        more = K - len(self.times)
        has_bets = self.wealth.shape[1] > 0
        n = self.expected.max() if has_bets else 0.0
        lost = n * np.log1p(-_SHARES[: self.wealth.shape[1]])
        zeros = np.zeros(more)
        return Drawn(
            np.concatenate((self.times, zeros)),
            np.concatenate((self.expected, np.full(more, n))),
            np.concatenate((self.variance, zeros)),
            np.concatenate((self.wealth, np.tile(lost, (more, 1)))),
        )


def drawn_in(log: Log) -> Drawn | None:
    """Sums over a log; None if its probabilities are guesses."""
    K = log.n_actions
    if log.probabilities is not None:
        p = log.probabilities
        times = np.bincount(log.action, minlength=K).astype(np.float64)
        return Drawn(times, p.sum(axis=0), (p * (1 - p)).sum(axis=0), np.zeros((K, 0)))
    if log.is_estimated:
        return None
    w, n = 1.0 / log.probability, float(log.n)
    wealth = _wealth(log, w, np.ones(log.n), _SHARES)
    times = np.bincount(log.action, weights=w, minlength=K).astype(np.float64)
    return Drawn(times, np.full(K, n), np.zeros(K), wealth)


def _wealth(log: Log, w: Doubles, f: Doubles, shares: Doubles) -> Doubles:
    """Logs of prod(1 + b f (1{a} / p - 1)) over events, for each action and bet b."""
    wealth = np.zeros((log.n_actions, len(shares)))
    for i, b in enumerate(shares.tolist()):
        lost = np.log1p(-b * f)
        won = np.log1p(b * f * (w - 1.0)) - lost
        wealth[:, i] = lost.sum() + np.bincount(log.action, won, minlength=log.n_actions)
    return wealth


def _p_values(wealth: Doubles) -> Doubles:
    """The p-value of each action: wealth exceeds x with probability 1 / x at most (Ville)."""
    logs = special.logsumexp(wealth, axis=1) - math.log(wealth.shape[1])
    return np.exp(-np.maximum(logs, 0.0))


def propensities(drawn: Drawn | None, log: Log) -> Check:
    """Drawn actions against logged probabilities: by action, and then by context."""
    if drawn is None:
        text = "the log holds no probabilities to compare drawn actions with"
        return Check(NAME, text, math.nan)
    check = _one_of_two(_by_weight(drawn, log) if drawn.wealth.shape[1] else _by_count(drawn, log))
    if not check.fails and not log.is_estimated:
        in_contexts = _by_context(log)
        if in_contexts is not None and _one_of_two(in_contexts).fails:
            return _one_of_two(in_contexts)
    return check


def _one_of_two(check: Check) -> Check:
    """A check that is made beside another."""
    return check._replace(p_value=min(1.0, 2.0 * check.p_value))


def _by_count(drawn: Drawn, log: Log) -> Check:
    """Draws against distributions, action by action.

    Per action, the sum of [a = k] - p(k) is a martingale with variance sum of p (1 - p), also if
    the logger learns. The normal distribution would not do: few draws are Poisson's.
    """
    sums = np.stack((drawn.times - drawn.expected, drawn.variance), axis=1).tolist()
    values = [p_value_of_gap(gap, variance, 1.0, 1.0) for gap, variance in sums]
    if not drawn.variance.sum() > 0:
        return Check(NAME, "the logger does not explore", math.nan)
    worst = int(np.argmin(values))
    text = (
        f"action {log.action_name(worst)} was drawn {drawn.times[worst]:,.0f} times, "
        f"and its probabilities add up to {drawn.expected[worst]:,.1f}"
    )
    return Check(NAME, text, min(1.0, values[worst] * len(values)))


def _by_weight(drawn: Drawn, log: Log) -> Check:
    """Without distributions: 1 / p of an action adds up to the number of events at most."""
    values = _p_values(drawn.wealth)
    worst = int(values.argmin())
    text = (
        f"1 / p of action {log.action_name(worst)} adds up to {drawn.times[worst]:,.0f}, and "
        f"{drawn.expected[worst]:,.0f} is expected at most"
    )
    return Check(NAME, text, min(1.0, float(values[worst]) * len(values)))


def _by_context(log: Log) -> Check | None:
    """1 / p of each action where a feature is large, and where it is small."""
    if log.first_row is not None or not log.n_features or log.n < 2 * _FEATURES:
        return None
    part = log if log.n <= _EVENTS else log.part(slice(_EVENTS))
    features = _scaled(part)
    w = 1.0 / part.probability
    worst = 1.0
    found: tuple[int, str, Doubles, int] | None = None
    for j, column in features.items():
        for how, f in (("large", column), ("small", 1.0 - column)):
            values = _p_values(_wealth(part, w, f, _FEW_SHARES))
            k = int(values.argmin())
            if values[k] < worst:
                worst, found = float(values[k]), (j, how, f, k)
    if found is None:
        return None
    j, how, f, k = found
    mean = float((f * w)[part.action == k].sum() / f.sum())
    text = (
        f"where feature {j} is {how}, 1 / p of action {log.action_name(k)} adds up to {mean:.2f} "
        f"per event, and 1 is expected at most"
    )
    return Check(NAME, text, min(1.0, 2 * len(features) * log.n_actions * worst))


def _scaled(log: Log) -> dict[int, Doubles]:
    """Features between 0 and 1, by number: those that vary most."""
    X, n = log.X, log.n
    if sparse.issparse(X):
        low = np.minimum(X.min(axis=0).toarray().ravel(), 0.0)
        high = X.max(axis=0).toarray().ravel()
        mean = np.asarray(X.mean(axis=0)).ravel()
        square = np.asarray(X.multiply(X).sum(axis=0)).ravel() / n
    else:
        low, high, mean, square = X.min(axis=0), X.max(axis=0), X.mean(axis=0), (X * X).mean(axis=0)
    span = high - low
    varies = np.isfinite(square) & (span > 0)
    spread = np.zeros(len(span))
    spread[varies] = (square - mean * mean)[varies] / span[varies] ** 2
    found: dict[int, Doubles] = {}
    for j in np.argsort(-spread, kind="stable")[:_FEATURES].tolist():
        if spread[j] > 0:
            column = X[:, [j]].toarray().ravel() if sparse.issparse(X) else X[:, j]
            found[j] = np.clip((column - low[j]) / span[j], 0.0, 1.0)
    return found
