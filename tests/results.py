"""Rows of results by hand, and what the statistics make of them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from bakeoff.judging.contest import Competitor, Contest
from bakeoff.judging.losses import Losses, losses_of
from bakeoff.store.rows import rows_of


def result(loss: float | None, **others: Any) -> dict[str, Any]:
    """A result of Greedy on iris, but for what is said."""
    usual: dict[str, Any] = {
        "problem": "iris",
        "digest": "d-" + others.get("problem", "iris"),
        "task": "multiclass",
        "n": 150,
        "n_features": 4,
        "n_actions": 3,
        "shuffle": 1,
        "algorithm": "G",
        "explorer": "greedy",
        "reduction": "iwr",
        "learning_rate": 0.5,
        "encoding": "-1/0",
        "baseline": False,
        "seed": 1,
        "pv_loss": loss,
        "error": "exploded" if loss is None else None,
    }
    return usual | others


def bag(loss: float | None, **others: Any) -> dict[str, Any]:
    """The same of Bag."""
    usual = {"algorithm": "B", "explorer": "bag:n_policies=4"}
    return result(loss, **(usual | others))


def skyline(loss: float | None, **others: Any) -> dict[str, Any]:
    """The same of the supervised learner."""
    usual = {
        "algorithm": "OAA",
        "explorer": "supervised",
        "reduction": None,
        "encoding": "0/1",
        "seed": 0,
    }
    return result(loss, **(usual | others))


def losses(*rows: dict[str, Any], openml_ids: Mapping[str, Sequence[int]] | None = None) -> Losses:
    """What some rows say."""
    return losses_of(rows_of(rows), openml_ids)


def algorithms(*labels: str) -> list[Competitor]:
    """Competitors that may choose any setting of an algorithm."""
    return [Competitor(label, pl.col("algorithm") == label) for label in labels]


def contest_by_hand(
    problems: Sequence[Sequence[float | list[float]]], *, n: int = 100, task: str = "multiclass"
) -> Contest:
    """The losses of A, B, ... on each problem: one number, or one for each order."""
    orders = [[np.atleast_1d(loss) for loss in problem] for problem in problems]
    longest = max(len(one) for problem in orders for one in problem)
    cube = np.full((len(orders), len(orders[0]), longest), np.nan)
    for i, problem in enumerate(orders):
        for a, one in enumerate(problem):
            cube[i, a, : len(one)] = one
    facts = pl.DataFrame({"n": [n] * len(orders), "task": [task] * len(orders)})
    labels = tuple("ABCDEFGH"[: len(orders[0])])
    return Contest(labels, facts, cube, [pl.DataFrame()] * len(labels))
