"""Repeats: whether events are draws of their own, or copies of earlier ones.

Where a context comes again, its action is drawn anew: 1{the action drawn there last} / p has an
expectation of 1 at most, given all that was before, also if the logger learns. Bets on more win
if events were copied, or if an assignment sticks to a user. Intervals would be too short then,
because they count every event as new.
"""

import math

import numpy as np
from scipy import sparse

from bakeoff.core.types import Doubles, Ints
from bakeoff.data import Log
from bakeoff.evaluation.checks import BETS, Check, p_value_of_bets

NAME = "repeats"
MANY = 0.05  # share of copies above which intervals are too short to be used
_SHARES = np.asarray(BETS[BETS < 1], np.float64)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_ROUNDS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))


def keys_of(log: Log) -> Ints:
    """(n,) numbers that are the same where contexts are."""
    if sparse.issparse(log.X):
        X = sparse.csr_array(log.X)
        cells = _mixed(_bits(X.data) ^ _mixed(X.indices.astype(np.uint64) + np.uint64(1)))
        rows = _sums(cells, X.indptr)
    else:
        rows = np.zeros(len(log.X), np.uint64)
        for column in np.asarray(log.X).T:
            rows = _mixed(rows ^ _bits(column))
    if log.first_row is not None:
        place = np.arange(len(rows)) - np.repeat(log.first_row[:-1], np.diff(log.first_row))
        rows = _sums(_mixed(rows ^ _mixed(place.astype(np.uint64))), log.first_row)
    return rows.view(np.int64)


def _bits(values: Doubles) -> np.ndarray:
    return np.ascontiguousarray(values + 0.0, np.float64).view(np.uint64)  # no negative zeros


def _mixed(values: np.ndarray) -> np.ndarray:
    """Splitmix64: numbers that look random, the same for the same ones."""
    mixed = values + _GAMMA
    for shift, factor in _ROUNDS:
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def _sums(values: np.ndarray, start: Ints) -> np.ndarray:
    """Sums of values[start[i] : start[i + 1]]; they wrap around."""
    total = np.concatenate((np.zeros(1, np.uint64), np.cumsum(values, dtype=np.uint64)))
    return np.asarray(total[start[1:]] - total[start[:-1]])


def repeats(keys: Ints, log: Log) -> Check:
    """Draws against the last one in the same context."""
    if log.is_estimated:
        text = "the log holds no probabilities to compare repeated draws with"
        return Check(NAME, text, math.nan)
    again, last = _again(keys)
    same = log.action[again] == log.action[last]
    won = same / log.probability[again]
    p_value = p_value_of_bets(np.log1p(np.outer(_SHARES, won - 1.0)).sum(axis=1))
    check = Check(NAME, "where contexts come again, actions are drawn anew", p_value)
    if not check.fails:
        return check
    text = (
        f"{int(same.sum()):,} of {len(again):,} events have the action that was drawn in the same "
        f"context before, and 1 / p of these adds up to {won.sum():,.0f}"
    )
    return Check(NAME, text, p_value)


def share_of_copies(keys: Ints, log: Log) -> float:
    """About how many events repeat an earlier draw, as a share of all.

    A copy has the same action, a draw of its own has 1{same action} / p of 1 in the mean.
    """
    again, last = _again(keys)
    won = (log.action[again] == log.action[last]) / log.probability[again]
    most = float((1.0 / log.probability).mean()) - 1.0
    if not len(again) or most <= 0:
        return 0.0
    return min(max(float(won.mean()) - 1.0, 0.0) / most, 1.0) * len(again) / log.n


def _again(keys: Ints) -> tuple[Ints, Ints]:
    """Events whose context came before, and the last event that had it."""
    order = np.argsort(keys, kind="stable")
    same = keys[order[1:]] == keys[order[:-1]]
    return order[1:][same], order[:-1][same]
