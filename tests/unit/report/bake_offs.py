"""Results of all fixed choices, at random, and what figures made of them show."""

from itertools import product
from typing import Any

import numpy as np
import polars as pl
from matplotlib.axes import Axes

from bakeoff import Run
from bakeoff.judging.losses import Losses
from bakeoff.runs.grids import FIXED
from tests.results import losses, result, skyline

NO_CURVES = pl.DataFrame(
    schema={
        "digest": pl.String,
        "label": pl.String,
        "curve_rounds": pl.List(pl.Int64),
        "curve_loss": pl.List(pl.Float64),
        "curve_error": pl.List(pl.Float64),
    }
)


def played(spec: str, loss: float, problem: str, **others: Any) -> dict[str, Any]:
    """A result of an algorithm in the words of a store."""
    run = Run.from_text(spec)
    return result(
        loss,
        problem=problem,
        algorithm=run.label,
        explorer=run.explorer,
        reduction=run.reduction,
        **others,
    )


def bake_off(n_problems: int = 25, n_orders: int = 1, **others: Any) -> Losses:
    """All fixed choices on problems of 1,000 rows, with losses at random."""
    rng = np.random.default_rng(7)
    rows = []
    for i in range(n_problems):
        facts = {"n": 1000, "n_actions": 2 + i % 8, "uniform_cost": 0.5} | others
        name, least = f"data-{i:02}", rng.uniform(0.1, 0.5)
        sky = 0.0 if i in (3, 8) else least
        rows += [skyline(sky, problem=name, shuffle=s + 1, **facts) for s in range(n_orders)]
        for spec in FIXED[-1.0]:
            for rate, s in product((0.1, 1.0), range(n_orders)):
                loss = round(least * rng.uniform(1, 1.4), 3)
                estimates = rng.uniform(0.3, 0.7, 2)
                rows.append(played(
                    spec, loss, name, learning_rate=rate, shuffle=s + 1, ips_reward=estimates[0],
                    ips_loss=estimates[1], **facts,
                ))  # fmt: skip
    return losses(*rows)


def curves_by_hand(store: Losses) -> pl.DataFrame:
    """Curves that fall from 1 to a half."""
    return pl.DataFrame(
        [
            (digest, label, [1, 10, 100, 1000], [1.0, 0.8, 0.6, 0.5], [0.0, 0.01, 0.01, 0.01])
            for digest in store.problems["digest"]
            for label in store.algorithms
        ],
        schema=NO_CURVES.schema,
        orient="row",
    )


def panels_of(figure: Any) -> list[Axes]:
    return [axes for axes in figure.axes if axes.get_title()]
