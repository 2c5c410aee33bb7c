"""The table of datasets: how many of which kind (Appendix B)."""

from collections.abc import Sequence

import polars as pl

from bakeoff.judging import Condition, Criteria, Losses
from bakeoff.report.tables.live import Bins
from bakeoff.report.tables.printed import panels, printed
from bakeoff.report.tables.table import Grid, Panel, Table, figure

BINS: dict[str, tuple[str, tuple[float, ...]]] = {  # upper ends, but for the last bin
    "actions": ("n_actions", (2, 9)),
    "examples": ("n", (1e2, 1e3, 1e5)),
    "features": ("n_features", (50, 100, 1000)),
    "skyline loss": ("skyline", (0.01, 0.1, 0.2, 0.5)),
}


def corpus_table(losses: Losses, criteria: Criteria) -> Table:
    """Tables `data_multiclass`, `data_multilabel` and `data_ltr`."""
    problems = losses.problems.filter(criteria.condition.holds(losses.problems))
    by_task = {
        task: problems.filter(pl.col("task") == task)
        for task in ("multiclass", "multilabel", "ranking", "cost-sensitive")
    }
    multiclass = by_task["multiclass"]
    counts = [_count(multiclass, name) for name in panels("data_multiclass")]
    lists = [
        _list(by_task["multilabel"], "multilabel", "paper-multilabel",
              printed("data_multilabel", "all")),
        _list(by_task["ranking"], "ranking", "paper-cost-sensitive",
              printed("data_ltr", "all")),
        _list(by_task["cost-sensitive"], "cost-sensitive", "paper-cost-sensitive"),
    ]  # fmt: skip
    caption = (
        "Multiclass datasets by actions, examples, features and skyline loss, which is "
        "the progressive validation loss of the supervised learner (the paper's OAA); "
        "then the others one by one."
    )
    unknown = multiclass["skyline"].null_count()
    if unknown:
        caption += f" {unknown:,} multiclass datasets have no skyline."
    return Table("corpus", "Datasets", caption, (*counts, *lists))


def _count(problems: pl.DataFrame, name: str) -> Panel:
    """How many datasets fall in each of the paper's bins."""
    paper = printed("data_multiclass", name)
    column, ends = BINS[name]
    counts = counts_in(problems[column].drop_nulls().to_list(), ends)
    rows = tuple(
        (label, (f"{count:,}",)) for (label, _), count in zip(paper.rows, counts, strict=True)
    )
    ours = Grid(paper.columns, rows, sum(counts)) if sum(counts) else None
    needs = "needs runs on multiclass datasets (-a fixed)"
    title = f"multiclass datasets by {name}"
    live = Bins(column, ends, Condition(tasks=("multiclass",)))
    return Panel(title, ours, needs, paper, name, live=live)


def counts_in(values: Sequence[float], ends: Sequence[float]) -> list[int]:
    """How many values lie in each bin; a bin holds its upper end.

    >>> counts_in([2, 3, 9, 10], [2, 9])
    [1, 2, 1]
    """
    counts = [0] * (len(ends) + 1)
    for value in values:
        counts[sum(value > end for end in ends)] += 1
    return counts


def _list(problems: pl.DataFrame, task: str, suite: str, paper: Grid | None = None) -> Panel:
    last = "documents" if task == "ranking" else "actions"
    rows = tuple(
        (name, (f"{n:,}", f"{d:,}", f"{K:,}", figure(skyline, 4)))
        for name, n, d, K, skyline in problems.select(
            "problem", "n", "n_features", "n_actions", "skyline"
        ).rows()
    )
    columns = ("examples", "features", last, "skyline loss")
    ours = Grid(columns, rows, len(rows)) if rows else None
    needs = f"needs runs on {task} datasets (bakeoff run {suite} -a fixed)"
    digests = tuple(problems["digest"])
    return Panel(f"{task} datasets", ours, needs, paper, "dataset", digests)
