"""Losses: what a store says, by problem and by setting (Section 4).

A setting is everything that can be chosen for an algorithm: its hyperparameters and
reduction and inputs (together a choice), baseline, encoding and learning rate. Seeds are draws,
not settings: losses are averaged over them. A setting that ended in an error in any
order of a problem's rows has no loss on that problem. What is found does not depend on
the order of the results.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar

import polars as pl

from bakeoff.core.explorers import NAMES
from bakeoff.reading.catalog import tuning_ids, uci_ids
from bakeoff.runs import ENCODINGS, PREFIX, RAW, Run, without_inputs
from bakeoff.store import FACTS as ROW_FACTS

T = TypeVar("T")

SKYLINE = "OAA"  # the label of the supervised learner
SETTING = ["algorithm", "encoding", "baseline", "choice", "learning_rate"]
ERRORS = ["ips_reward_error", "ips_loss_error"]  # squared, of the uniform policy's cost
FACTS = [name for name in ROW_FACTS if name != "digest"]


@dataclass(frozen=True, eq=False)
class Losses:
    """The problems of a store, and the loss of every setting on each of them."""

    problems: pl.DataFrame  # digest, FACTS, shuffles, skyline, tuning, uci
    settings: pl.DataFrame  # digest, SETTING, explorer, reduction, shuffles,
    # by_shuffle (losses in these orders), loss (their mean), ERRORS (lists as well)
    errors: pl.DataFrame  # problem, run, error
    versions: list[str]  # of the package that made the results
    seeds: list[int]  # of exploration
    n_runs: int = 0  # that losses are means of
    others: str = ""  # what else the store holds, in words

    @cached_property
    def known(self) -> dict[Hashable, Any]:
        """A cache of values computed from these losses."""
        return {}

    def once(self, key: Hashable, compute: Callable[[], T]) -> T:
        """Compute a value when it is first needed, and remember it."""
        if key not in self.known:
            self.known[key] = compute()
        result: T = self.known[key]
        return result

    @cached_property
    def encodings(self) -> list[str]:
        """The encodings of competitors, the paper's favourite first."""
        competitors = self.settings.filter(pl.col("algorithm") != SKYLINE)
        result = competitors["encoding"].unique().to_list()
        return sorted(result, key=lambda name: (_rank(name, tuple(ENCODINGS)), name))

    @cached_property
    def has_several_rates(self) -> bool:
        """Whether competitors were played at several learning rates."""
        competitors = self.settings.filter(pl.col("algorithm") != SKYLINE)
        return competitors["learning_rate"].n_unique() > 1

    @cached_property
    def rateless(self) -> set[str]:
        """The labels of users' learners that take no learning rate."""
        users = self.settings.filter(pl.col("explorer").str.starts_with(PREFIX))
        rates = users.group_by("algorithm").agg(pl.col("learning_rate").unique())
        return {label for label, played in rates.rows() if played == [Run.learning_rate]}

    @cached_property
    def algorithms(self) -> list[str]:
        """The labels of competitors: the paper's in its order, then all others."""
        result = set(self.settings["algorithm"].unique()) - {SKYLINE}
        return sorted(result, key=lambda label: (_rank(without_inputs(label), ALGORITHMS), label))


def in_order(losses: Losses, shuffle: int) -> Losses:
    """What one order of rows says; settings and problems without it are left out."""
    lists = ["shuffles", "by_shuffle", *ERRORS]
    settings = (
        losses.settings.explode(lists)
        .filter(pl.col("shuffles") == shuffle)
        .with_columns(pl.col("by_shuffle").alias("loss"))
        .with_columns(pl.concat_list(name).alias(name) for name in lists)
    )
    problems = losses.problems.join(settings, on="digest", how="semi", maintain_order="left")
    problems = problems.drop("skyline").join(
        _skylines(settings), on="digest", how="left", maintain_order="left"
    )
    return replace(losses, problems=problems, settings=settings)


def orders_of(losses: Losses) -> list[int]:
    """The orders of rows that were played, by their seeds."""
    return losses.settings["shuffles"].explode().unique().sort().to_list()


ALGORITHMS = tuple(label for label in NAMES if label != SKYLINE)


def _rank(name: str, known: tuple[str, ...]) -> int:
    return known.index(name) if name in known else len(known)


def losses_of(
    results: pl.DataFrame, openml_ids: Mapping[str, Sequence[int]] | None = None
) -> Losses:
    """Compute losses from the rows of a store (`Store.read`).

    `openml_ids` are OpenML's numbers by digest, of names under which a content was not
    played, too.
    """
    failed = pl.col("error").is_not_null()
    errors = results.filter(failed).select("problem", "digest", "run", "error")
    named = labelled(with_choice(results.filter(pl.col("digest").is_not_null())))
    settings = _settings(named)
    return Losses(
        _problems(named, settings, openml_ids or {}),
        settings,
        errors,
        sorted(named["version"].drop_nulls().unique()),
        _seeds(named),
        named["error"].null_count(),
    )


def _seeds(rows: pl.DataFrame) -> list[int]:
    """The seeds of exploration; users' learners without one do not count beside others."""
    explored = rows.filter(pl.col("algorithm") != SKYLINE)
    ours = explored.filter(~pl.col("explorer").str.starts_with(PREFIX))
    return sorted((explored if ours.is_empty() else ours)["seed"].drop_nulls().unique())


def with_choice(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows with the column `choice`: the text of a `Choice`; inputs are raw unless known."""
    inputs = pl.col("inputs").fill_null(RAW) if "inputs" in rows.columns else pl.lit(RAW)
    reduction = pl.format(" reduction={}", "reduction").fill_null("")
    form = pl.when(inputs == RAW).then(pl.lit("")).otherwise(pl.format(" inputs={}", inputs))
    return rows.with_columns(
        choice=pl.concat_str("explorer", reduction, form), inputs=inputs.alias("inputs")
    )


def labelled(rows: pl.DataFrame) -> pl.DataFrame:
    """Rows where a user's learner cannot be taken for one of the paper's."""
    label = pl.col("algorithm")
    is_taken = pl.col("explorer").str.starts_with(PREFIX) & label.is_in((*ALGORITHMS, SKYLINE))
    own = pl.format("{} (own)", label)
    return rows.with_columns(pl.when(is_taken).then(own).otherwise(label))


def _settings(rows: pl.DataFrame) -> pl.DataFrame:
    key = ["digest", *SETTING]
    has_loss = pl.col("pv_loss").is_finite().fill_null(False)
    return (
        rows.select(
            *key, "explorer", "reduction", "inputs", "shuffle", "seed", "pv_loss", "error",
            _squared_error("ips_reward"), _squared_error("ips_loss"),
        )
        .sort(*key, "shuffle", "seed")  # sums of floats depend on their order
        .group_by(*key, "shuffle", maintain_order=True)
        .agg(
            pl.col("explorer", "reduction", "inputs").first(),
            pl.col("pv_loss", *ERRORS).mean(),
            is_sound=(has_loss & pl.col("error").is_null()).all(),
        )
        .group_by(key, maintain_order=True)
        .agg(
            pl.col("explorer", "reduction", "inputs").first(),
            pl.col("shuffle").alias("shuffles"),
            pl.col("pv_loss").alias("by_shuffle"),
            pl.col("pv_loss").mean().alias("loss"),
            pl.col(ERRORS),
            pl.col("is_sound").all(),
        )
        .filter("is_sound")
        .drop("is_sound")
        .with_columns(pl.col("choice").cast(pl.Categorical))  # compared quickly
    )  # fmt: skip


def _squared_error(estimate: str) -> pl.Expr:
    """The squared error of an estimate from one log; errors of several must not cancel."""
    difference = pl.col(estimate) - pl.col("uniform_cost")
    return (difference**2).alias(f"{estimate}_error")


def _problems(
    rows: pl.DataFrame, settings: pl.DataFrame, openml_ids: Mapping[str, Sequence[int]]
) -> pl.DataFrame:
    """Facts of the problems; if one content has several names, the first counts.

    Its OpenML ids count all: content that the paper tuned on is not held out, whatever
    else it is called.
    """
    skyline = _skylines(settings)
    listed = {"tuning": set(tuning_ids()), "uci": set(uci_ids())}
    twins = {
        name: [digest for digest, some in openml_ids.items() if ids & set(some)]
        for name, ids in listed.items()
    }
    return (
        rows.group_by("digest")
        .agg(
            pl.col(FACTS).sort_by("problem", "openml_id", nulls_last=True).first(),
            pl.col("shuffle").n_unique().alias("shuffles"),
            *(
                pl.col("openml_id").is_in(list(ids)).any().alias(name)
                for name, ids in listed.items()
            ),
        )
        .with_columns(
            pl.col(name) | pl.col("digest").is_in(digests) for name, digests in twins.items()
        )
        .join(skyline, on="digest", how="left")
        .sort("problem", "digest")
    )


def _skylines(settings: pl.DataFrame) -> pl.DataFrame:
    """digest, skyline: the least loss of the supervised learner."""
    own = settings.filter(pl.col("algorithm") == SKYLINE)
    return own.group_by("digest").agg(pl.col("loss").min().alias("skyline"))
