"""`bakeoff run`: carry out an experiment, or go on with it."""

import json
import sys
import warnings
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from bakeoff.basics.text import counted
from bakeoff.commands.console import err, out, plain, say
from bakeoff.commands.file_options import reads_files
from bakeoff.commands.interrupts import interrupt_message
from bakeoff.commands.report import Matrix

if TYPE_CHECKING:
    from bakeoff.commands.run_settings import Settings
    from bakeoff.experiment import Experiment, Summary
    from bakeoff.store import Store


HINT = (
    "note: `--inputs raw --inputs centred` also plays contexts whose means are taken out, "
    "which often matters more than the algorithm (docs/evidence/inputs.md)"
)


@reads_files
def run(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]...",
            help="Files, folders, openml:ID or suites (default: the embedded suite).",
        ),
    ] = None,
    algorithms: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithms",
            "-a",
            help="fixed (the paper's fixed hyperparameters), paper (its whole grid) or "
            "a spec such as cover:n_policies=4,psi=0.1,nu (`bakeoff algorithms` lists all), "
            "python:module.Learner or rules.py:rule. Options that take a list "
            "can be repeated.",
        ),
    ] = None,
    out_folder: Annotated[
        str | None, typer.Option("--out", help="The folder for the results (default: results).")
    ] = None,
    learning_rate: Annotated[
        list[float] | None, typer.Option(help="A learning rate (default: nine from 0.001 to 10).")
    ] = None,
    encoding: Annotated[
        list[str] | None, typer.Option(help="Losses of a right and a wrong action (default: -1/0).")
    ] = None,
    baseline: Annotated[str | None, typer.Option(help="off, on or both (default: off).")] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(
            help="raw, as the paper has it, or centred: without the means of the "
            "contexts before (default: raw)."
        ),
    ] = None,
    shuffles: Annotated[
        int | None,
        typer.Option(
            help="How many shuffles of the rows, with seeds 1 to N; 0 is the "
            "order of the file (default: 1)."
        ),
    ] = None,
    seeds: Annotated[
        int | None, typer.Option(help="Independent draws of the exploration (default: 1).")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="How many threads or workers (default: all cores).")
    ] = None,
    memory: Annotated[
        str | None, typer.Option(help="A limit, such as 8G (default: half of what is free).")
    ] = None,
    engine: Annotated[str | None, typer.Option(help="local or dask (default: local).")] = None,
    limit: Annotated[
        str | None, typer.Option(help="Stop runs of own learners after 90s, 10m or 2h.")
    ] = None,
    address: Annotated[
        str | None, typer.Option(help="A Dask scheduler, such as tcp://host:8786.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            envvar="BAKEOFF_DATA",
            help="A folder with a manifest. Datasets found there are not downloaded.",
        ),
    ] = None,
    again: Annotated[
        list[str] | None,
        typer.Option(
            help="An algorithm (label or spec) whose results are computed "
            "anew, as after a change of your learner."
        ),
    ] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with these options.")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would run, and for how long.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print only errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print a summary for programs.")] = False,
    with_report: Annotated[
        bool, typer.Option("--report", help="Then write the report, as `bakeoff report`.")
    ] = False,
    matrix: Matrix = None,
    **reading: Any,
) -> None:
    """Compare algorithms on datasets. What the store already has is not computed again.

    Example: bakeoff run data/ -a fixed -a greedy --encoding=-1/0 --encoding=0/1
    """
    from bakeoff.commands.run_settings import settings_of
    from bakeoff.experiment import Experiment

    settings = settings_of(
        {
            "sources": sources, "algorithms": algorithms, "out": out_folder,
            "learning_rate": learning_rate, "encoding": encoding,
            "baseline": baseline, "inputs": inputs, "shuffles": shuffles, "seeds": seeds,
            "jobs": jobs, "memory": memory, "limit": limit, "engine": engine, "address": address,
            "data": data,
            **reading,
        },
        config,
    )  # fmt: skip
    experiment = Experiment(
        settings.problems,
        settings.runs,
        shuffles=settings.shuffles,
        options=settings.options,
        data=settings.data,
    )
    if dry_run:
        _say_what_would_run(experiment, settings, as_json)
    else:
        style = Style(quiet, as_json, with_report, tuple(again or ()), matrix)
        _carry_out(experiment, settings, style)


class Style(NamedTuple):
    """What is printed about a run."""

    quiet: bool
    as_json: bool
    with_report: bool
    again: tuple[str, ...] = ()  # algorithms to recompute
    matrix: bool | None = None  # each algorithm against each other one


def _carry_out(experiment: "Experiment", settings: "Settings", style: Style) -> None:
    from bakeoff.basics.errors import DataNotice
    from bakeoff.experiment import Bars, Lines, Resources, Tally, compute
    from bakeoff.store import Store

    resources = Resources(
        settings.jobs,
        settings.memory_bytes,
        settings.engine,
        settings.address,
        settings.limit_seconds,
    )
    carry_out = partial(
        compute, experiment, settings.out, resources, asked=settings.as_dict(), again=style.again
    )
    if style.quiet:
        warnings.simplefilter("ignore", DataNotice)
    with interrupt_message(
        lambda: (
            f"interrupted; finished jobs are in {settings.out}, and the same "
            f"command continues from there"
        )
    ):
        if style.quiet or style.as_json:
            summary = carry_out(watcher=Tally())
        elif err.is_terminal:
            with Bars(err) as bars:
                summary = carry_out(watcher=bars)
        else:
            summary = carry_out(watcher=Lines(err))
    _tell(summary, Store(Path(settings.out)), style)
    if summary.n_computed and settings.inputs == ("raw",) and not (style.quiet or style.as_json):
        say(HINT, "dim")


def _tell(summary: "Summary", store: "Store", style: Style) -> None:
    if not (style.quiet or style.as_json):
        out.print(
            f"{counted(summary.n_runs, 'run')}, {summary.n_computed:,} of them "
            f"computed now, in {plain(str(summary.folder))}",
            highlight=False,
        )
    found: dict[str, Any] = {}
    try:
        if summary.n_runs:
            _judge(store, style, found)
    finally:  # a report that cannot be written takes nothing else away
        if style.as_json:
            sys.stdout.write(json.dumps(_as_dict(summary) | found, indent=1) + "\n")
        for line in summary.in_words():
            say(line, "red")
    if not summary.is_complete:
        raise typer.Exit(1)


def _judge(store: "Store", style: Style, found: dict[str, Any]) -> None:
    """The verdict on the terminal or in `found`, and the report if it is wanted."""
    from bakeoff.commands.report import say_where
    from bakeoff.commands.verdict_table import print_verdict
    from bakeoff.judging import Criteria, read_losses, verdict

    silent = style.quiet or style.as_json
    if style.quiet and not (style.as_json or style.with_report):
        return
    losses, asked = read_losses(store), Criteria()
    if style.as_json:
        found["verdict"] = verdict(losses, asked).in_short()
    elif not silent:
        print_verdict(losses, asked, matrix=style.matrix)
    if not style.with_report:
        return
    from bakeoff.report import write_report

    report = write_report(store.folder, losses, asked)
    found["page"] = str(report.page)
    if not silent:
        say_where(report)


def _as_dict(summary: "Summary") -> dict[str, Any]:
    return {
        "folder": str(summary.folder),
        "runs": summary.n_runs,
        "computed": summary.n_computed,
        "errors": summary.n_errors,
        "reasons": [
            {"what": f"{one.algorithm} on {one.problem}", "runs": one.n_runs, "why": one.error}
            for one in summary.reasons
        ],
        "failures": [{"what": what, "why": why} for what, why in summary.failures],
    }


def _say_what_would_run(experiment: "Experiment", settings: "Settings", as_json: bool) -> None:
    found = experiment.dry_run(settings.out, jobs=settings.jobs, memory=settings.memory_bytes)
    plan, estimate, means = found
    if as_json:
        sys.stdout.write(json.dumps(estimate._asdict(), indent=1) + "\n")
    else:
        out.print(str(found), highlight=False)
    if estimate.too_large:
        say(f"{estimate.too_large:,} jobs will fail: one of their runs takes more than "
            f"the {means.learners / 1e6:.3g} MB for learners", "red")  # fmt: skip
    for notice in plan.notices:
        say(f"note: {notice}", "yellow")
    for one in plan.unreadable:
        say(f"cannot be read: {one.name}: {one.error}", "red")
    if plan.unreadable or estimate.too_large:
        raise typer.Exit(1)
