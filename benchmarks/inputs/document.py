"""docs/evidence/inputs.md, from the results in a store."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy import stats

from bakeoff import grid
from bakeoff.judging import Results
from bakeoff.judging.reading import read_rows
from bakeoff.reproduction.markdown import folded, lined
from bakeoff.runs import CENTRED, INPUTS, RAW, with_inputs, without_inputs
from bakeoff.store import opened
from benchmarks.inputs import columns, feedback, forms, text
from benchmarks.inputs.arms import MUCH, arm_lines

Numbers = NDArray[np.float64]
COLUMNS = [
    "problem", "digest", "task", "n", "n_features", "n_actions", "shuffle", "algorithm", "explorer",
    "reduction", "inputs", "encoding", "learning_rate", "pv_loss", "error",
]  # fmt: skip
SKYLINE = "OAA"
RESAMPLES = 2_000
MOST = 6  # rows of a table that is shown at once


class Table(NamedTuple):
    """Losses of one encoding: (datasets, orders, inputs, algorithms, rates)."""

    losses: Numbers
    problems: pl.DataFrame
    algorithms: list[str]
    rates: list[float]

    @property
    def mean(self) -> Numbers:
        """Means over the orders of rows."""
        return np.asarray(self.losses.mean(axis=1))


def table_of(rows: pl.DataFrame, encoding: str) -> Table:
    """The losses of datasets on which everything was played; the skyline has no encoding."""
    is_skyline = pl.col("algorithm") == SKYLINE
    some = rows.filter((pl.col("encoding") == encoding) | is_skyline)
    axes = [sorted(some[name].unique()) for name in ("shuffle", "algorithm", "learning_rate")]
    shuffles, algorithms, rates = axes
    whole = len(shuffles) * len(INPUTS) * len(algorithms) * len(rates)
    full = some.group_by("digest").len().filter(pl.col("len") == whole)["digest"]
    some = some.filter(pl.col("digest").is_in(full.implode()))
    problems = some.unique("digest").sort("problem", "digest")
    order = {digest: i for i, digest in enumerate(problems["digest"])}
    shape = (len(order), len(shuffles), len(INPUTS), len(algorithms), len(rates))
    losses = np.full(shape, np.nan)
    names = ("digest", "shuffle", "inputs", "algorithm", "learning_rate", "pv_loss")
    for digest, shuffle, inputs, algorithm, rate, loss in some.select(names).iter_rows():
        place = (shuffles.index(shuffle), INPUTS.index(inputs), algorithms.index(algorithm))
        losses[order[digest], *place, rates.index(rate)] = loss
    return Table(losses, problems, algorithms, rates)


# ---- which rate


def hindsight(losses: Numbers) -> Numbers:
    """The best rate of each dataset."""
    return np.asarray(losses.min(axis=1))


def elsewhere(losses: Numbers) -> Numbers:
    """The rate that has the least mean loss on all other datasets."""
    others = losses.sum(axis=0) - losses
    return losses[np.arange(len(losses)), others.argmin(axis=1)]


def one_for_all(losses: Numbers) -> Numbers:
    """The rate that has the least mean loss."""
    return np.asarray(losses[:, losses.mean(axis=0).argmin()])


def at(rates: list[float], rate: float) -> Callable[[Numbers], Numbers]:
    """One rate."""
    return lambda losses: losses[:, rates.index(rate)]


# ---- tables


def interval(values: Numbers) -> tuple[float, float]:
    """95 % of the means of datasets drawn with replacement."""
    rng = np.random.default_rng(0)
    draws = rng.integers(len(values), size=(RESAMPLES, len(values)))
    low, high = np.quantile(values[draws].mean(axis=1), (0.025, 0.975))
    return float(low), float(high)


def wins(table: Table, raw: Numbers, centred: Numbers) -> tuple[int, int]:
    """Significant wins and losses of centred inputs by the paper's rule."""
    n = table.problems["n"].to_numpy()
    error = 1e-6 + np.sqrt((raw * (1 - raw) + centred * (1 - centred)) / n)
    z = (raw - centred) / error
    return int((z > 1.386).sum()), int((z < -1.386).sum())


def view_lines(table: Table, choose: Callable[[Numbers], Numbers]) -> list[str]:
    """A row for each algorithm: raw against centred losses, by a choice of rates."""
    lines = [
        "| algorithm | raw | centred | difference | 95 % | better / worse by .01 | wins / losses | "
        "Wilcoxon p |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for a, label in enumerate(table.algorithms):
        raw, centred = (choose(table.mean[:, form, a]) for form in range(len(INPUTS)))
        change = centred - raw
        low, high = interval(change)
        better, worse = int((change < -MUCH).sum()), int((change > MUCH).sum())
        won, lost = wins(table, raw, centred)
        p = stats.wilcoxon(change).pvalue if change.any() else 1.0
        lines.append(
            f"| {label} | {raw.mean():.4f} | {centred.mean():.4f} | {change.mean():+.4f} | "
            f"{low:+.4f} to {high:+.4f} | {better} / {worse} | {won} / {lost} | {p:.2g} |"
        )
    return lines


def verdict_lines(results: Results, encoding: str, names: list[str]) -> list[str]:
    """Centred against raw inputs by the calibrated verdict, for each algorithm."""
    lines = ["| algorithm | verdict | grade |", "|---|---|---|"]
    for label in dict.fromkeys(run.label for run in grid("fixed")):
        if label == SKYLINE:  # it has one label for both
            continue
        pair = [label, with_inputs(label, CENTRED)]
        found = results.verdict(algorithms=pair, datasets=names, encoding=encoding)
        lines.append(f"| {label} | {found} | {found.grade} |")
    return lines


def share_lines(table: Table) -> list[str]:
    """The share of the variance of losses that each factor explains by itself."""
    bandits = [a for a, label in enumerate(table.algorithms) if label != SKYLINE]
    losses = table.losses[:, :, :, bandits]
    names = ("dataset", "order of rows", "inputs", "algorithm", "learning rate")
    rng = np.random.default_rng(0)
    draws = [shares(losses[rng.integers(len(losses), size=len(losses))]) for _ in range(200)]
    low, high = np.quantile(draws, (0.025, 0.975), axis=0)
    lines = ["| factor | share of the variance | 95 % |", "|---|---|---|"]
    for axis, (name, share) in enumerate(zip(names, shares(losses), strict=True)):
        if losses.shape[axis] == 1:
            continue
        a, b = low[axis], high[axis]
        lines.append(f"| {name} | {100 * share:.2f} % | {100 * a:.2f} to {100 * b:.2f} |")
    return lines


def shares(losses: Numbers) -> list[float]:
    """For each axis, the variance of its means as a share of all variance."""
    axes = range(losses.ndim)
    return [
        float(losses.mean(axis=tuple(other for other in axes if other != axis)).var())
        / float(losses.var())
        for axis in axes
    ]


def loser_lines(table: Table, folder: Path, number: int = 8) -> list[str]:
    """The datasets that lose most by centring, and those that gain most; then why."""
    bandits = [a for a, label in enumerate(table.algorithms) if label != SKYLINE]
    best = table.mean[:, :, bandits].min(axis=3).mean(axis=2)
    change = best[:, INPUTS.index(CENTRED)] - best[:, INPUTS.index(RAW)]
    order = np.argsort(-change)
    lines = [
        "| dataset | n | d | K | location | raw | centred | difference |",
        "|---|---|---|---|---|---|---|---|",
    ]
    known = dict(pl.read_csv(folder / forms.LOCATIONS).rows())
    names = table.problems["problem"].to_list()
    known = {name.split(" (")[0]: value for name, value in known.items()} | known
    location = np.array([known.get(name, known.get(name.split(" (")[0], np.nan)) for name in names])
    for i in [*order[:number], *order[-number:]]:
        name, n, d, K = table.problems.select("problem", "n", "n_features", "n_actions").row(int(i))
        raw, centred = best[i]
        lines.append(
            f"| {name} | {n} | {d} | {K} | {location[i]:.2f} | {raw:.4f} | {centred:.4f} "
            f"| {change[i]:+.4f} |"
        )
    return [*lines, "", *_reasons(location, change)]


def _reasons(location: Numbers, change: Numbers) -> list[str]:
    """How the change goes with the location of columns."""
    has = ~np.isnan(location)
    rank = stats.spearmanr(location[has], change[has])
    lines = [
        f"The rank correlation of location and difference is {rank.statistic:.2f} "
        f"(p = {rank.pvalue:.2g})."
    ]
    for low, high in ((0.0, 0.5), (0.5, 1.5), (1.5, np.inf)):
        some = change[has & (location >= low) & (location < high)]
        if some.size:
            to = "more" if np.isinf(high) else f"{high:g}"
            lines.append(
                f"Location {low:g} to {to}: {some.size} datasets, mean difference "
                f"{some.mean():+.4f}, {(some > MUCH).sum()} of them worse by .01."
            )
    return lines


def document(folder: Path, least: int, most: int, widest: int, before: str = "") -> str:
    """The whole document; datasets have `least` to `most` rows and up to `widest` features.

    The store may hold more, such as that of `bakeoff reproduce DIR --stage today`. Sections on
    other forms that were not played are those of the document of before.
    """
    rows = read_rows(opened(folder), COLUMNS, everything=True)
    rows = rows.filter(
        pl.col("error").is_null()
        & pl.col("n").is_between(least, most)
        & (pl.col("n_features") <= widest)
        & (pl.col("task") == "multiclass")
    )
    rows = rows.with_columns(
        pl.col("inputs").fill_null(RAW), pl.col("algorithm").map_elements(without_inputs, pl.String)
    ).filter(pl.col("algorithm").is_in([run.label for run in grid("fixed")]))
    results = Results(folder, everything=True)
    parts = [text.ABOUT, text.RULE]
    for encoding in ("-1/0", "0/1"):
        table = table_of(rows, encoding)
        size = table.losses.shape
        views = {
            "the best rate of each dataset": hindsight,
            "the rate that was best on the other datasets": elsewhere,
            "one rate for all": one_for_all,
            "rate 0.3": at(table.rates, 0.3),
            "rate 1": at(table.rates, 1.0),
        }
        parts.append(text.TABLES.format(encoding=encoding, datasets=size[0], orders=size[1]))
        for name, choose in views.items():
            parts.append(
                "\n".join([f"**{name[0].upper()}{name[1:]}**\n", *view_lines(table, choose)])
            )
        names = table.problems["problem"].to_list()
        parts += [text.VERDICTS, "\n".join(verdict_lines(results, encoding, names))]
        if encoding == "-1/0":
            shown = table
    parts += [
        text.SHARES,
        "\n".join(share_lines(shown)),
        text.LOSERS,
        "\n".join(loser_lines(shown, folder)),
    ]
    parts += arm_parts(folder, before)
    return folded(lined("\n\n".join(part.strip("\n") for part in parts) + "\n"), MOST)


def arm_parts(folder: Path, before: str) -> list[str]:
    """What was tried beside the rule, as far as it was played or stands in a document."""
    counted = forms.COUNTED
    tables = (
        (text.FORMS, forms.FILE, forms.RULE, counted, ("best",)),
        (text.DRIFTS, columns.DRIFTS, "all columns", counted, ("best",)),
        (text.CODES, columns.CODES, "codes, centred", ("G", "RO"), ("best", "elsewhere")),
        (text.FEEDBACK, feedback.FILE, feedback.USUAL, ("G", "RO"), ("best", "elsewhere")),
    )
    parts = []
    for words, name, usual, some, shown in tables:
        if (folder / name).exists():
            parts += [words, "\n".join(arm_lines(folder / name, usual, some, shown))]
        else:
            parts += section_of(before, words.strip().splitlines()[0])
    return parts


def section_of(document: str, title: str) -> list[str]:
    """A section of a document; none if it has none of that title."""
    _, has, rest = document.partition(f"{title}\n")
    return [title + "\n" + rest.partition("\n## ")[0]] if has else []
