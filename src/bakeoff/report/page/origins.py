"""Origins: how the results of a page were made."""

import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata
from types import MappingProxyType
from typing import Any, NamedTuple

import polars as pl

from bakeoff.basics.text import counted
from bakeoff.judging import Criteria, Losses, fixed_choices, full_name
from bakeoff.report.page.schema import Failure, Made
from bakeoff.runs import RATES
from bakeoff.store import Session


class About(NamedTuple):
    """What a page shows of its store besides results."""

    store: str  # its name
    options: Mapping[str, Any]  # of `bakeoff run`
    times: pl.DataFrame | None  # of runs (`read_times`)
    files: Sequence[str]  # in the folder beside the page
    notice: str = ""  # what the store lacks, and what else it holds
    history: Sequence[Session] = ()  # when, where and with what it was computed
    sources: Mapping[str, str] = MappingProxyType({})  # where data came from, by digest


ABOUT_NOTHING = About("", {}, None, ())


def made(losses: Losses, twins: Mapping[str, str], criteria: Criteria, about: About) -> Made:
    """Facts, failures, and lists of what is treated in a special way."""
    return {
        "command": _command(about.options),
        "facts": [
            [name, text]
            for name, text in (*_sessions(about.history), *_facts(losses))
            if text and not (name == VERSION and about.history)  # which names it
        ],
        "seeds": losses.seeds or [0],
        "failures": _failures(losses.errors),
        "lists": [
            {"title": f"{title} ({len(lines):,})", "lines": lines}
            for title, lines in _lists(losses, twins, criteria)
            if lines
        ],
    }


OPTIONS = {  # of `bakeoff run`, by their names in a manifest
    "algorithms": "--algorithms",
    "learning_rate": "--learning-rate",
    "encoding": "--encoding",
    "baseline": "--baseline",
    "inputs": "--inputs",
    "shuffles": "--shuffles",
    "seeds": "--seeds",
}


def _command(options: Mapping[str, Any]) -> str:
    """The command of the last experiment; empty if it was run from Python."""
    if "sources" not in options:
        return ""
    words = ["bakeoff", "run", *map(str, options["sources"])]
    for name, option in OPTIONS.items():
        values = options.get(name)
        for value in values if isinstance(values, (list, tuple)) else [values]:
            if value is not None and list(RATES) != values:
                words.append(f"{option}={value}")
    return shlex.join(words)


def _sessions(history: Sequence[Session]) -> list[tuple[str, str]]:
    """When, where and with what the results were computed, and this page was made."""
    facts = [(
        "Computed" if place == 0 else "and",
        f"{_times(one)}, on {one.machine} with {counted(one.cores, 'core')}; "
        f"Python {one.python}, "
        + ", ".join(f"{name} {version}" for name, version in one.versions.items())
        + (f"; commit {one.commit[:12]}{'-dirty' * one.commit.endswith('-dirty')}"
           if one.commit else ""),
    ) for place, one in enumerate(history)]  # fmt: skip
    now = datetime.now(UTC)
    page = f"{now:%Y-%m-%d %H:%M} UTC, with bakeoff {metadata.version('bakeoff')}"
    return [*facts, ("This page", page)]


def _times(one: Session) -> str:
    """When a session was; the part that does not change is said once."""
    first, last = (f"{time[:10]} {time[11:16]}" for time in (one.first, one.last))
    if first == last:
        return f"{first} UTC"
    return f"{first} to {last[11:] if first[:10] == last[:10] else last} UTC"


VERSION = "Version of bakeoff"


def _facts(losses: Losses) -> list[tuple[str, str]]:
    problems, settings = losses.problems, losses.settings
    with_rate = ~pl.col("algorithm").is_in([*losses.rateless])
    rates = sorted(settings.filter(with_rate)["learning_rate"].drop_nulls().unique())
    tasks = problems["task"].value_counts(sort=True)
    shuffles = problems["shuffles"].value_counts(sort=True)
    choices = settings["choice"].n_unique()
    return [
        (VERSION, ", ".join(losses.versions)),
        ("Datasets", f"{problems.height:,}: "
         + ", ".join(f"{count:,} {task}" for task, count in tasks.iter_rows())),
        ("Of the paper's tuning list", f"{problems['tuning'].sum() or ''}"),
        ("Results", f"{settings.height:,} (a setting on a dataset)"),
        ("Algorithms", ", ".join(map(full_name, losses.algorithms))),
        ("Grid", counted(choices, "choice") + " of hyperparameters and reduction"),
        ("Encodings", ", ".join(losses.encodings)),
        ("Learning rates", ", ".join(f"{rate:g}" for rate in rates)),
        ("Baseline", " and ".join(
            "with" if flag else "without"
            for flag in sorted(settings["baseline"].drop_nulls().unique()))),
        ("Inputs", " and ".join(sorted(settings["inputs"].unique(), reverse=True))),
        ("Seeds of exploration", ", ".join(map(str, losses.seeds))),
        ("Orders of the rows", "; ".join(
            f"{orders:,} on {counted(count, 'dataset')}"
            for orders, count in shuffles.iter_rows())),
    ]  # fmt: skip


def _failures(errors: pl.DataFrame) -> list[Failure]:
    grouped = (
        errors.group_by("problem", "error", maintain_order=True)
        .len("runs")
        .sort("runs", descending=True, maintain_order=True)
    )
    return [
        {"problem": problem, "runs": runs, "reason": error}
        for problem, error, runs in grouped.iter_rows()
    ]


def _lists(
    losses: Losses, twins: Mapping[str, str], criteria: Criteria
) -> list[tuple[str, list[str]]]:
    problems = losses.problems
    fixed = [
        f"{encoding}, {label}: {chosen.choice}"
        + (f" (elected by {chosen.voters})" if chosen.voters else "")
        for encoding in criteria.encodings(losses)
        for label, chosen in fixed_choices(losses, encoding, criteria.test).items()
    ]
    same = [f"{name} holds the same data as {twin}" for name, twin in twins.items()]
    skyline = pl.col("skyline")
    return [
        ("Hyperparameters of the fixed view", fixed),
        ("Datasets with equal content, counted once", same),
        ("Datasets without a skyline", _names(problems, skyline.is_null())),
        ("Datasets whose skyline has no loss, left out of normalised views",
         _names(problems, skyline == 0)),
    ]  # fmt: skip


def _names(problems: pl.DataFrame, where: pl.Expr) -> list[str]:
    return problems.filter(where)["problem"].to_list()
