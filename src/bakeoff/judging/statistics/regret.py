"""Regret: how much higher a loss is than the best algorithm's on the same dataset."""

import numpy as np

from bakeoff.judging.contest import Numbers

CLOSE = 0.02  # a loss within this of the best is as good for most purposes
DIGITS = 9  # decimals in which losses that are equal but for rounding errors agree


def in_digits(values: Numbers) -> Numbers:
    """Losses, or differences of losses, ready to be compared: 0.50 - 0.48 is 0.02."""
    rounded: Numbers = np.round(values, DIGITS)
    return rounded


def regrets_of(losses: Numbers) -> Numbers:
    """(D, A) losses minus the least of each dataset; `losses` has no gaps."""
    if losses.size == 0:
        return np.zeros_like(losses)
    return in_digits(losses - losses.min(axis=1, keepdims=True))


def shares_within(regrets: Numbers, limits: Numbers) -> Numbers:
    """(limits, A) of how many datasets the regret is at most a limit, as a share."""
    ordered = np.sort(regrets, axis=0)
    counts = [np.searchsorted(column, limits, side="right") for column in ordered.T]
    return np.stack(counts, axis=1) / max(1, len(regrets))


def share_of_best(regrets: Numbers) -> Numbers:
    """(A,) the share of datasets with the lowest loss; equal ones divide a dataset."""
    is_best = regrets == 0
    shares: Numbers = (is_best / is_best.sum(axis=1, keepdims=True)).mean(axis=0)
    return shares
