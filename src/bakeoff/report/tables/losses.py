"""Tables of losses: real-valued costs, learning rates, every dataset."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from bakeoff.judging import BINARY, Contest, Criteria, Losses, Numbers, contest_of, fixed, views_of
from bakeoff.report.tables.printed import printed
from bakeoff.report.tables.table import Grid, Panel, Table, figure, least

PRINTED = {  # of the paper's datasets with real-valued costs, by encoding
    ("rcv1-costs", "0/1"): ("rcv1cs_all", "all"),
    ("mslr30k", "0/1"): ("cost_sensitive", "MSLR"),
    ("mslr30k", "-1/0"): ("cost_sensitive", "MSLR, c = -1"),
    ("yahoo", "0/1"): ("cost_sensitive", "Yahoo"),
    ("yahoo", "-1/0"): ("cost_sensitive", "Yahoo, c = -1"),
}


# ---- real-valued costs


def cost_sensitive_table(losses: Losses, criteria: Criteria) -> Table:
    """Tables `cost_sensitive` and `rcv1cs_all`."""
    result: list[tuple[str, str, Panel]] = []  # problem, encoding
    for encoding in criteria.encodings(losses):
        competitors = fixed(losses, encoding, test=criteria.test)
        contest = contest_of(losses, competitors, criteria.condition)
        means, errors = contest.losses, contest.standard_errors
        for i, name in enumerate(names_of(contest) if contest.labels else []):
            if contest.problems["task"][i] not in BINARY:
                problem = contest.problems["problem"][i]
                title, paper = f"{name}, {encoding} encoding", _paper(problem, encoding)
                digest = contest.problems["digest"][i]
                ours = _means(contest.labels, means[i], errors[i])
                panel = Panel(title, ours, paper=paper, problems=(digest,))
                result.append((problem, encoding, panel))
    played = [(problem, encoding) for problem, encoding, _ in result]
    for problem, encoding in PRINTED:
        if (problem, encoding) not in played and criteria.encoding in (None, encoding):
            panel = Panel(
                f"{problem}, {encoding} encoding",
                None,
                f"needs runs on {problem} (bakeoff run paper-cost-sensitive -a fixed "
                f"--encoding={encoding} --shuffles 10)",
                _paper(problem, encoding),
            )
            result.append((problem, encoding, panel))
    caption = (
        "Progressive validation loss, mean +- standard error over shuffles (none where "
        "there is one shuffle). Fixed hyperparameters; the learning rate is the one "
        "with the least mean, where the paper chose it on one order and then "
        "shuffled. In bold the least mean as printed. The paper calls its own figures "
        "standard errors; its published script prints standard deviations, which are "
        "3.2 times as large with ten shuffles."
    )
    result.sort(key=lambda one: one[0])  # the encodings of a problem stay in order
    panels = tuple(panel for _, _, panel in result)
    return Table("cost-sensitive", "Datasets with real-valued costs", caption, panels)


def _means(labels: Sequence[str], means: Numbers, errors: Numbers) -> Grid:
    """A row with the losses on one problem."""
    known = {
        label: _mean_and_error(mean, error)
        for label, mean, error in zip(labels, means, errors, strict=True)
        if not math.isnan(mean)
    }
    cells = tuple(known.values())
    return Grid(tuple(known), (("loss", cells),), 1, least(tuple(known), cells))


def _mean_and_error(mean: float, error: float) -> str:
    text = figure(float(mean))
    return text if math.isnan(error) else f"{text} +- {figure(float(error), 4)}"


def _paper(problem: str, encoding: str) -> Grid | None:
    """The paper's figures for a problem, if it prints any."""
    if (problem, encoding) not in PRINTED:
        return None
    grid = printed(*PRINTED[problem, encoding])
    ((_, cells),) = grid.rows
    return replace(grid, best=least(grid.columns, cells))


# ---- every dataset


def all_losses_table(losses: Losses, criteria: Criteria) -> Table:
    """Facts and losses of every dataset, and the settings they were reached with."""
    panels = []
    for view in views_of(losses, criteria):
        contest = contest_of(losses, view.competitors, criteria.condition)
        if contest.n and contest.labels:
            title = view.title
            panels.append(Panel(title, _losses(contest), corner="dataset"))
            panels.append(Panel(f"{title}: settings", _settings(contest), corner="dataset"))
    caption = (
        "Progressive validation loss of every algorithm on every dataset, at the "
        "learning rate that is best there unless the title says otherwise; n "
        "examples, d features, K actions; the skyline loss is the supervised "
        "learner's."
    )
    if not panels:
        wanted = f" --encoding={criteria.encoding}" if criteria.encoding else ""
        panels = [Panel("all datasets", None, f"needs runs (-a fixed{wanted})")]
    return Table("all-losses", "All losses", caption, tuple(panels))


def _losses(contest: Contest) -> Grid:
    facts = contest.problems.select("n", "n_features", "n_actions", "skyline").rows()
    rows = [
        (
            name,
            (str(n), str(d), str(K), figure(skyline, 6),
             *(figure(float(loss), 6) for loss in losses)),
        )
        for name, (n, d, K, skyline), losses in zip(
            names_of(contest), facts, contest.losses, strict=True
        )
    ]  # fmt: skip
    columns = ("n", "d", "K", "skyline loss", *contest.labels)
    return Grid(columns, tuple(rows), contest.n)


def _settings(contest: Contest) -> Grid:
    texts = [
        table.select(
            pl.format("{}, learning rate {}", "choice", pl.col("learning_rate")).fill_null("")
        ).to_series()
        for table in contest.chosen
    ]
    rows = zip(names_of(contest), zip(*texts, strict=True), strict=True)
    return Grid(contest.labels, tuple(rows), contest.n)


def names_of(contest: Contest) -> list[str]:
    """Names of problems; equal names get a piece of their digest."""
    times = Counter(contest.problems["problem"])
    return [
        name if times[name] == 1 else f"{name} ({digest[:8]})"
        for name, digest in contest.problems.select("problem", "digest").rows()
    ]
