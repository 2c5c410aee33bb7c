"""Sensitivity: the range of SNIPS if probabilities are wrong by up to a factor."""

import numpy as np

from bakeoff.core.types import Doubles

FACTOR = 1.5  # each probability may be this many times too large or too small


def snips_range(weight: Doubles, reward: Doubles, factor: float) -> tuple[float, float]:
    """The least and the largest SNIPS with each weight off by up to `factor`.

    At the extremes, all rewards above some threshold have their weights at one end and all
    others at the other end, so it tries every threshold.
    """
    order = np.argsort(reward, kind="stable")
    w, r = weight[order], reward[order]
    if w.sum() <= 0:
        return 0.0, 1.0
    return (_extreme(w[::-1], r[::-1], factor, np.min), _extreme(w, r, factor, np.max))


def _extreme(w: Doubles, r: Doubles, factor: float, pick: object) -> float:
    """The extreme when the first k weights are divided and the others multiplied."""
    divided = np.concatenate(([0.0], np.cumsum(w)))
    divided_r = np.concatenate(([0.0], np.cumsum(w * r)))
    below = divided / factor + factor * (divided[-1] - divided)
    above = divided_r / factor + factor * (divided_r[-1] - divided_r)
    assert callable(pick)
    return float(pick(above / below))
