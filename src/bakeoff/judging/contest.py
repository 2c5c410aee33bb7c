"""Contest: competitors on problems, each with its best setting on each problem.

Every comparison of the paper is a contest. A competitor is a label and a condition on
settings; what the condition leaves open (always the learning rate, often more) is
chosen for each problem, by the least mean loss over the orders of its rows. A competitor
that chooses `across` orders takes, in each order, the setting that is best in the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
import polars as pl
from numpy.typing import NDArray

from bakeoff.judging.losses import ERRORS, SETTING, SKYLINE, Losses

Numbers: TypeAlias = NDArray[np.float64]

BINARY = ("multiclass", "multilabel")  # tasks whose costs are 0 or 1


class Competitor(NamedTuple):
    """A label, and which settings it may choose from."""

    label: str
    where: pl.Expr
    across: bool = False  # in each order, the setting with the least mean loss in the others


class Condition(NamedTuple):
    """A condition that selects problems."""

    held_out: bool = False  # not one of those the paper chose hyperparameters on
    tuning: bool = False  # one of those
    uci: bool = False
    tasks: tuple[str, ...] = ()
    least_n: int = 0
    least_d: int = 0
    least_k: int = 0
    greatest_skyline: float | None = None

    def holds(self, problems: pl.DataFrame) -> pl.Series:
        """For each problem, whether the condition holds."""
        wanted = [
            pl.col("n") >= self.least_n,
            pl.col("n_features") >= self.least_d,
            pl.col("n_actions") >= self.least_k,
        ]
        if self.held_out:
            wanted.append(~pl.col("tuning"))
        if self.tuning:
            wanted.append(pl.col("tuning"))
        if self.uci:
            wanted.append(pl.col("uci"))
        if self.tasks:
            wanted.append(pl.col("task").is_in(self.tasks))
        if self.greatest_skyline is not None:
            wanted.append(pl.col("skyline").fill_null(2) <= self.greatest_skyline)
        return problems.select(pl.all_horizontal(wanted)).to_series()

    def __str__(self) -> str:
        parts = [
            "held-out" if self.held_out else "",
            "tuning" if self.tuning else "",
            "UCI" if self.uci else "",
            " and ".join(self.tasks),
            f"K >= {self.least_k:,}" if self.least_k else "",
            f"d >= {self.least_d:,}" if self.least_d else "",
            f"n >= {self.least_n:,}" if self.least_n else "",
        ]
        if self.greatest_skyline is not None:
            parts.append(f"skyline loss <= {self.greatest_skyline:g}")
        return ", ".join(filter(None, parts)) or "all"


@dataclass(frozen=True)
class Contest:
    """The losses of A competitors on D problems; nan where there is none.

    All of them, and the skylines of the problems, come from the same orders of rows.
    """

    labels: tuple[str, ...]
    problems: pl.DataFrame  # D rows
    by_shuffle: Numbers  # (D, A, S); nan behind the orders that a problem has
    chosen: list[pl.DataFrame]  # for each competitor D rows: settings, or nulls

    @property
    def n(self) -> int:
        """The number of problems."""
        return self.problems.height

    @property
    def losses(self) -> Numbers:
        """(D, A) mean over the orders."""
        has = ~np.isnan(self.by_shuffle)
        count = has.sum(axis=2)
        total = np.where(has, self.by_shuffle, 0.0).sum(axis=2)
        return np.where(count > 0, total / np.maximum(count, 1), np.nan)

    @property
    def skylines(self) -> Numbers:
        """(D,) losses of the skyline; nan where it was not played."""
        column = self.problems["skyline"].cast(pl.Float64).fill_null(np.nan)
        return column.to_numpy()

    @property
    def normalised(self) -> Numbers:
        """(D, A) how much worse than the skyline, in its units; nan if that is 0."""
        skyline = self.skylines[:, None]
        known = np.where(skyline > 0, skyline, np.nan)
        return (self.losses - known) / known

    @property
    def standard_errors(self) -> Numbers:
        """(D, A) of the means over the orders; nan where there is one order."""
        count = (~np.isnan(self.by_shuffle)).sum(axis=2)
        several = count > 1
        spread = np.full(count.shape, np.nan)
        spread[several] = np.nanstd(self.by_shuffle[several], axis=1, ddof=1)
        return spread / np.sqrt(np.maximum(count, 1))

    def differences(self, label: str, other: str) -> Numbers:
        """Losses of one competitor minus another's, on problems that both have played."""
        a, b = self.labels.index(label), self.labels.index(other)
        every = self.losses[:, a] - self.losses[:, b]
        return every[~np.isnan(every)]

    def squared_errors(self, source: str) -> dict[str, Numbers]:
        """Each competitor's squared errors of estimates, on problems that have one.

        `source` is "ips_reward" or "ips_loss". Both estimate the uniform policy's cost:
        the one from rewards is one minus the mean reward.
        """
        columns = {
            label: chosen[f"{source}_error"].cast(pl.Float64).drop_nulls().drop_nans()
            for label, chosen in zip(self.labels, self.chosen, strict=True)
        }
        return {label: errors.to_numpy() for label, errors in columns.items() if len(errors)}

    @property
    def is_common(self) -> NDArray[np.bool_]:
        """(D,) whether all competitors have a loss on a problem."""
        return np.all(~np.isnan(self.losses), axis=1)

    def compared(self) -> "Contest":
        """The same without competitors and problems that offer no comparison."""
        has = ~np.isnan(self.losses)
        meets = has.sum(axis=1) >= 2
        plays = np.flatnonzero(has[meets].any(axis=0)).tolist()
        keep = pl.Series(meets)
        return replace(
            self,
            labels=tuple(self.labels[a] for a in plays),
            problems=self.problems.filter(keep),
            by_shuffle=self.by_shuffle[meets][:, plays],
            chosen=[self.chosen[a].filter(keep) for a in plays],
        )

    def only(self, condition: Condition) -> "Contest":
        """The same on some of the problems."""
        return self.where(condition.holds(self.problems))

    def where(self, keep: pl.Series) -> "Contest":
        """The same on the problems for which `keep` is true."""
        return replace(
            self,
            problems=self.problems.filter(keep),
            by_shuffle=self.by_shuffle[keep.to_numpy()],
            chosen=[table.filter(keep) for table in self.chosen],
        )


def contest_of(
    losses: Losses, competitors: Sequence[Competitor], condition: Condition | None = None
) -> Contest:
    """The best of each competitor on the problems that any of them has a loss on."""
    condition = condition or Condition()
    parts = [candidates_of(losses, competitor.where) for competitor in competitors]
    orders = pl.concat([part.orders for part in parts] or [NOBODY]).unique()
    if orders["digest"].is_duplicated().any():
        every = pl.concat([part.settings for part in parts])
        same = in_same_orders(every.unique(KEY, maintain_order=True))
        best = [_chosen(same.filter(one.where), one) for one in competitors]
    else:
        best = [
            _across_orders(part.settings) if one.across else part.best
            for one, part in zip(competitors, parts, strict=True)
        ]
    played = pl.concat([table.select(NOBODY.columns) for table in best] or [NOBODY])
    problems = _with_skylines(losses, played.unique("digest"))
    problems = problems.filter(condition.holds(problems))
    chosen = [
        problems.select("digest")
        .join(table, on="digest", how="left", maintain_order="left")
        .with_columns(pl.col(ERRORS).list.mean())
        for table in best
    ]
    labels = tuple(one.label for one in competitors)
    return Contest(labels, problems, _cube(chosen, problems.height), chosen)


def _with_skylines(losses: Losses, orders: pl.DataFrame) -> pl.DataFrame:
    """Problems that are played, with their skyline in the orders they are played in.

    `orders` has the digest and shuffles of each. A supervised learner that was not
    played in all of these is no skyline.
    """
    problems = losses.problems.join(orders, on="digest", how="semi", maintain_order="left")
    known = candidates_of(losses, pl.col("algorithm") == SKYLINE)
    text = pl.col("shuffles").cast(pl.List(pl.String)).list.join(",")
    wanted = orders.select("digest", "shuffles", text.alias("as_text"))
    differs = (
        known.orders.select("digest", text.alias("own_text"))
        .join(wanted, on="digest")
        .filter(pl.col("own_text") != pl.col("as_text"))
        .unique("digest")
    )
    if differs.is_empty():
        return problems
    n_wanted = pl.col("wanted").list.len()
    own = (
        known.settings.join(
            differs.select("digest", wanted="shuffles"), on="digest", maintain_order="left"
        )
        .explode("shuffles", "by_shuffle")
        .filter(pl.col("shuffles").is_in(pl.col("wanted")))
        .group_by(KEY, maintain_order=True)
        .agg(pl.col("by_shuffle").mean(), is_whole=pl.len() == n_wanted.first())
        .filter("is_whole")
        .group_by("digest")
        .agg(pl.col("by_shuffle").min().alias("own"))
    )
    is_other = pl.col("digest").is_in(differs["digest"].implode())
    skyline = pl.when(is_other).then("own").otherwise("skyline").alias("skyline")
    return (
        problems.join(own, on="digest", how="left", maintain_order="left")
        .with_columns(skyline)
        .drop("own")
    )


class Candidates(NamedTuple):
    """The settings that a competitor may choose from."""

    settings: pl.DataFrame
    orders: pl.DataFrame  # digest, shuffles: each once
    best: pl.DataFrame  # the setting with the least loss on each problem


KEY = ["digest", *SETTING]
NOBODY = pl.DataFrame(schema={"digest": pl.String, "shuffles": pl.List(pl.Int64)})


def candidates_of(losses: Losses, where: pl.Expr) -> Candidates:
    """The settings under a condition; cached, as many contests need them."""

    def find() -> Candidates:
        settings = losses.settings.filter(where)
        orders = settings.select("digest", "shuffles").unique()
        return Candidates(settings, orders, _best(settings))

    return losses.once(("candidates", where.meta.serialize()), find)


def _best(settings: pl.DataFrame) -> pl.DataFrame:
    """The setting with the lowest loss on each problem; the first if several are equal."""
    return (
        settings.sort("loss", maintain_order=True).group_by("digest", maintain_order=True).first()
    )


def _chosen(settings: pl.DataFrame, one: Competitor) -> pl.DataFrame:
    return _across_orders(settings) if one.across else _best(settings)


def _across_orders(settings: pl.DataFrame) -> pl.DataFrame:
    """On each problem, the losses of settings chosen in each order by all other orders.

    No loss has a say in the choice that it is reported for. Problems with one order have
    none. The columns of a setting are those of the one chosen most often.
    """
    several = in_same_orders(settings).filter(pl.col("shuffles").list.len() > 1)
    rows = [_across(own) for own in several.partition_by("digest", maintain_order=True)]
    return pl.concat(rows) if rows else settings.clear()


def _across(own: pl.DataFrame) -> pl.DataFrame:
    """The row of one problem, whose settings have all been played in the same orders."""
    losses = np.array(own["by_shuffle"].to_list())  # (settings, orders)
    others = losses.sum(axis=1, keepdims=True) - losses
    picks = others.round(12).argmin(axis=0)
    by_order = losses[picks, np.arange(len(picks))]
    lists = {name: own[name].to_list() for name in ERRORS}
    errors = {name: [lists[name][pick][s] for s, pick in enumerate(picks)] for name in ERRORS}
    return own[int(np.bincount(picks).argmax())].with_columns(
        pl.Series("by_shuffle", [by_order.tolist()], own.schema["by_shuffle"]),
        pl.lit(float(by_order.mean())).alias("loss"),
        *(pl.Series(name, [errors[name]], own.schema[name]) for name in ERRORS),
    )


def _cube(chosen: Sequence[pl.DataFrame], n_problems: int) -> Numbers:
    columns = [table["by_shuffle"] for table in chosen]
    lengths = [column.list.len().fill_null(0).to_numpy() for column in columns]
    longest = max((int(some.max(initial=1)) for some in lengths), default=1)
    cube = np.full((n_problems, len(columns), longest), np.nan)
    for a, column in enumerate(columns):
        has_loss = np.arange(longest) < lengths[a][:, None]
        cube[:, a][has_loss] = column.drop_nulls().explode().to_numpy()
    return cube


def in_same_orders(settings: pl.DataFrame) -> pl.DataFrame:
    """For each problem, the row orders that most settings have.

    Settings without them are left out, so that all losses stem from the same orders.
    """
    orders = settings.group_by("digest").agg(pl.col("shuffles").n_unique())
    mixed = orders.filter(pl.col("shuffles") > 1).select("digest")
    if mixed.is_empty():
        return settings
    rows = settings.join(mixed, on="digest", how="semi").explode("shuffles", "by_shuffle", *ERRORS)
    times = pl.len().over("digest", "shuffles")
    common = rows.filter(times == times.max().over("digest"))
    wanted = pl.col("shuffles").n_unique().over("digest")
    kept = (
        common.with_columns(wanted=wanted)
        .group_by(KEY, maintain_order=True)
        .agg(
            pl.col("explorer", "reduction", "inputs", "wanted").first(),
            pl.col("shuffles", "by_shuffle", *ERRORS),
            pl.col("by_shuffle").mean().alias("loss"),
        )
        .filter(pl.col("shuffles").list.len() == pl.col("wanted"))
        .select(settings.columns)
    )
    others = settings.join(mixed, on="digest", how="anti")
    return pl.concat([others, kept])
