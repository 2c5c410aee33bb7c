"""Strata: weights that give our datasets the paper's mix of n, d and K.

The paper prints how many of its datasets have how many examples, features and actions.
Weights are raked until ours have the same shares in all three.
"""

from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bakeoff.judging import Numbers
from bakeoff.report import printed

HELD_OUT = 322  # datasets of the paper's tables of held-out ones; 317 are multiclass
ROUNDS = 200


class Margin(NamedTuple):
    """The paper's shares of datasets by one fact."""

    column: str
    least: tuple[int, ...]  # of the fact, in each stratum
    shares: tuple[float, ...]


def margins(n_datasets: int) -> list[Margin]:
    """Of the held-out datasets, or of all if a table is about more."""
    return _held_out() if n_datasets <= HELD_OUT else _every()


def _held_out() -> list[Margin]:
    """From the sizes of the paper's subsets."""
    result = []
    for column, name, limits in (
        ("n", "n", (1000, 10_000)),
        ("n_features", "d", (100, 10_000)),
        ("n_actions", "K", (3, 10)),
    ):
        counts = [printed("breakdown", f"{name} >= {limit:,}").datasets or 0 for limit in limits]
        edges = np.array([HELD_OUT, *counts, 0])
        shares = -np.diff(edges) / HELD_OUT
        result.append(Margin(column, (0, *limits), tuple(shares.tolist())))
    return result


def _every() -> list[Margin]:
    """From the paper's table of its multiclass datasets."""
    result = []
    for column, panel, least in (
        ("n", "examples", (0, 101, 1001, 100_001)),
        ("n_features", "features", (0, 51, 101, 1001)),
        ("n_actions", "actions", (0, 3, 10)),
    ):
        counts = np.array([int(cells[0]) for _, cells in printed("data_multiclass", panel).rows])
        result.append(Margin(column, least, tuple((counts / counts.sum()).tolist())))
    return result


def weights_of(problems: pl.DataFrame, wanted: list[Margin]) -> Numbers:
    """(D,) weights that add up to 1; strata that we do not have are left out."""
    strata = [stratum_of(problems[one.column].to_numpy(), one) for one in wanted]
    weights = np.full(problems.height, 1 / max(1, problems.height))
    for _ in range(ROUNDS):
        for own, margin in zip(strata, wanted, strict=True):
            here = np.bincount(own, weights, minlength=len(margin.shares))
            target = np.where(here > 0, margin.shares, 0.0)
            total = target.sum()
            if total > 0:
                factor = np.divide(target / total, here, out=np.zeros_like(here), where=here > 0)
                weights = weights * factor[own]
    return weights


def missing_share(problems: pl.DataFrame, wanted: list[Margin]) -> float:
    """The largest share of the paper's datasets that lie in strata that we do not have."""
    shares = [0.0]
    for margin in wanted:
        own = set(stratum_of(problems[margin.column].to_numpy(), margin).tolist())
        shares.append(sum(s for k, s in enumerate(margin.shares) if k not in own))
    return max(shares)


def stratum_of(values: NDArray[np.int64], margin: Margin) -> NDArray[np.int64]:
    """(D,) the number of the stratum of each value."""
    result: NDArray[np.int64] = np.searchsorted(margin.least, values, side="right") - 1
    return result
