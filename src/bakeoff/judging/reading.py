"""Reading a store for a report: first all losses, then the curves that are shown.

Files change, and algorithms are tried and dropped. A verdict is about the last
experiment. What else the store holds is kept and named, but not counted.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import polars as pl

from bakeoff.basics.text import counted
from bakeoff.experiment import progress_of
from bakeoff.judging.contest import Contest
from bakeoff.judging.losses import SKYLINE, Losses, labelled, losses_of, with_choice
from bakeoff.judging.variants import among_settings, codes_apart
from bakeoff.runs import RAW
from bakeoff.store import SCHEMA, Manifest, Store

CURVE = ["curve_rounds", "curve_loss"]
ERROR = "curve_error"  # the standard error of the means
UNUSED = {*CURVE, "offset", "job_seed", "run_seconds", "host", "worker", "code"}
MOST_FAULTS = 3  # that are named in a report
MOST_NAMES = 5  # of each kind in a notice
NEEDED = ["problem", "digest", "shuffle", "algorithm", "run"]  # to know the last experiment
LAST = "_last"  # a column: whether a row belongs to the last experiment
KEY = ["digest", "encoding", "baseline", "explorer", "reduction", "inputs", "learning_rate"]


def read_losses(store: Store, *, everything: bool = False) -> Losses:
    """The losses of the last experiment, or of everything; curves stay on the disk.

    The settings of an algorithm that was played alone compete with each other.
    """
    store.check()
    columns = [name for name in SCHEMA if name not in UNUSED]
    manifest = store.usable_manifest()
    rows, others = scoped(store.read(columns), None if everything else manifest)
    ids = manifest.openml_ids if manifest else None
    return replace(losses_of(_labelled(rows), ids), others=others)


def read_rows(
    store: Store, columns: Sequence[str] | None = None, *, everything: bool = False
) -> pl.DataFrame:
    """The rows of the last experiment, or all, with the labels that tables have."""
    manifest = None if everything else store.usable_manifest()
    wanted = None if columns is None else list(dict.fromkeys([*columns, *NEEDED]))
    rows = _labelled(scoped(store.read(wanted), manifest).rows)
    return rows if columns is None else rows.select(columns)


def _labelled(rows: pl.DataFrame) -> pl.DataFrame:
    return among_settings(with_choice(codes_apart(rows)), SKYLINE).drop("choice")


MANY_ROUNDS = 1000  # with fewer, what a run costs is mostly its start


def read_costs(
    store: Store, contest: Contest | None = None, *, everything: bool = False
) -> dict[str, float]:
    """For each algorithm, the median microseconds per round over its runs.

    With a contest, these are the runs of the settings that it shows, at any learning rate.
    Runs of one pass share its time equally. The first pass of a process also pays for
    loading the kernels, which a median passes over. Runs of fewer than MANY_ROUNDS rounds
    count if there are no longer ones.
    """
    return costs_of(read_times(store, everything=everything), contest)


def read_times(store: Store, *, everything: bool = False) -> pl.DataFrame:
    """For each run without an error, its setting and the microseconds of a round."""
    columns = [*KEY, "algorithm", "n", "run_seconds", "error"]
    rows = read_rows(store, columns, everything=everything)
    sound = rows.filter(pl.col("error").is_null() & (pl.col("n") > 0))
    return labelled(sound).with_columns(cost=pl.col("run_seconds") / pl.col("n") * 1e6)


def costs_of(times: pl.DataFrame, contest: Contest | None = None) -> dict[str, float]:
    """Median microseconds per round by algorithm, of `read_times`."""
    if contest is not None:
        key = [name for name in KEY if name != "learning_rate"]
        shown = pl.concat([
            table.select(key, algorithm=pl.lit(label))
            for label, table in zip(contest.labels, contest.chosen, strict=True)
        ] or [times.select(*key, "algorithm").clear()])  # fmt: skip
        times = times.join(shown.unique(), on=[*key, "algorithm"], how="semi", nulls_equal=True)
    is_long = pl.col("n") >= MANY_ROUNDS
    table = (
        times.drop_nulls("cost")
        .group_by("algorithm")
        .agg(long=pl.col("cost").filter(is_long).median(), every=pl.col("cost").median())
    )
    found = table.select("algorithm", pl.coalesce("long", "every"))
    return {label: value for label, value in found.rows() if value is not None}


def missing_of(store: Store) -> str:
    """Sentences on what a store lacks; empty if it is complete."""
    sentences = _unfinished_of(store)
    if store.faults:
        names = [fault.path.name for fault in store.faults]
        some = ", ".join(names[:MOST_FAULTS])
        more = ", ..." if len(names) > MOST_FAULTS else ""
        sentences.append(
            f"Files of the store that cannot be used are left out: "
            f"{counted(len(names), 'file')} ({some}{more}). `bakeoff status` says why; "
            f"the same `bakeoff run` computes their results anew."
        )
    return " ".join(sentences)


def _unfinished_of(store: Store) -> list[str]:
    store.check()
    if store.usable_manifest() is None:
        return []
    done = progress_of(store)
    if done.runs_done == done.runs:
        return []
    return [
        f"Only {done.runs_done:,} of the {done.runs:,} runs of the last experiment are "
        f"here, so all of this may change."
    ]


def read_curves(
    store: Store, chosen: Iterable[pl.DataFrame], *, everything: bool = False
) -> pl.DataFrame:
    """The curves of some settings: KEY, CURVE (means over orders and seeds), ERROR.

    Orders and seeds are those of the last experiment, or all.
    """
    tables = [table.select(KEY) for table in chosen]
    if not tables:
        schema = {name: SCHEMA[name] for name in (*KEY, *CURVE)}
        return pl.DataFrame(schema=schema | {ERROR: pl.List(pl.Float64)})
    loss = pl.col("curve_loss")
    wanted = pl.concat(tables).unique()
    columns = list(dict.fromkeys([*NEEDED, *KEY, *CURVE]))
    rows = store.read(columns, wanted.drop_nulls("explorer").drop("inputs").unique())
    rows = rows.with_columns(pl.col("inputs").fill_null(RAW)).join(
        wanted, on=KEY, how="semi", nulls_equal=True
    )
    manifest = None if everything else store.usable_manifest()
    return (
        scoped(rows, manifest)
        .rows.drop_nulls(CURVE)
        .explode(CURVE)
        .group_by(*KEY, "curve_rounds")
        .agg(loss.mean(), (loss.std() / loss.len().sqrt()).fill_null(0.0).alias(ERROR))
        .sort(*KEY, "curve_rounds")
        .group_by(KEY, maintain_order=True)
        .agg(*CURVE, ERROR)
    )


def curves_of(curves: pl.DataFrame, contest: Contest) -> pl.DataFrame:
    """The curves of a contest's chosen settings: digest, label, CURVE, ERROR."""
    return pl.concat(
        [
            table.select(KEY)
            .join(curves, on=KEY, nulls_equal=True)
            .select("digest", pl.lit(label).alias("label"), *CURVE, ERROR)
            for label, table in zip(contest.labels, contest.chosen, strict=True)
        ]
        or [curves.select("digest", pl.lit("").alias("label"), *CURVE, ERROR).clear()]
    ).sort("digest", "label")


# ---- the last experiment


class Scoped(NamedTuple):
    """The rows of the last experiment, and a sentence on all others."""

    rows: pl.DataFrame
    others: str  # empty if there is nothing else


def scoped(rows: pl.DataFrame, manifest: Manifest | None) -> Scoped:
    """The rows of the last experiment; all rows if it is unknown."""
    if manifest is None or not manifest.problems or not manifest.runs:
        return Scoped(rows, "")
    marked = rows.with_columns(in_last_experiment(manifest).alias(LAST))
    inside, outside = marked.filter(LAST), marked.filter(~pl.col(LAST))
    return Scoped(inside.drop(LAST), others_in_words(inside, outside))


def in_last_experiment(manifest: Manifest) -> pl.Expr:
    """Whether a row belongs to the last experiment; unreadable datasets always do."""
    streams = [
        f"{problem.digest} {shuffle}"
        for problem in manifest.problems
        for shuffle in problem.shuffles
    ]
    runs = [text for texts in manifest.runs.values() for text in texts]
    stream = pl.format("{} {}", "digest", "shuffle")
    both = stream.is_in(streams) & pl.col("run").is_in(runs)
    return pl.col("digest").is_null() | both.fill_null(False)


def others_in_words(inside: pl.DataFrame, outside: pl.DataFrame) -> str:
    """A sentence on what a store holds besides the last experiment; empty if nothing."""
    if outside.is_empty():
        return ""
    data = outside.filter(~pl.col("digest").is_in(inside["digest"].unique().to_list()))
    labels = set(outside["algorithm"].drop_nulls()) - set(inside["algorithm"])
    parts = []
    if data.height:
        names = set(data["problem"])
        old = names & set(inside["problem"])  # the same name, other contents
        parts += [
            _listed("dataset", sorted(names - old)),
            _listed("earlier version", sorted(old), "of "),
        ]
    parts.append(_listed("algorithm", sorted(labels)))
    contents = "; ".join(filter(None, parts)) or counted(outside.height, "run")
    return (
        f"The store also holds what the last experiment did not ask for, which is kept "
        f"and not counted: {contents}. `bakeoff report --all` (in Python, "
        f"everything=True) counts it, `bakeoff status` lists it, `bakeoff forget` "
        f"drops it."
    )


def _listed(what: str, names: list[str], link: str = "") -> str:
    if not names:
        return ""
    some = ", ".join(names[:MOST_NAMES])
    more = ", ..." if len(names) > MOST_NAMES else ""
    return f"{counted(len(names), what)} ({link}{some}{more})"
