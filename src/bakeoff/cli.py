"""The command line: parse, call one function, print.

Exit codes: 0 done, 1 something failed on the way, 2 a wrong argument, 3 data that
cannot be used, 5 too little memory, 130 interrupted.
"""

import json
import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from bakeoff.datasets import Row, fetch, listed, missing
from bakeoff.errors import BakeoffError, DataError
from bakeoff.problems.options import Features, Options
from bakeoff.problems.problem import Task
from bakeoff.problems.sources import find_all
from bakeoff.problems.suites import SUITES

INTERRUPTED = 130

app = typer.Typer(
    help="Contextual bandits: compare them, run them, evaluate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
out = Console()
err = Console(stderr=True)


def main() -> None:
    """Run the command line; an error that is the input's fault is one sentence."""
    warnings.showwarning = _show_notice
    try:
        app()
    except BakeoffError as error:
        err.print(f"error: {error}", style="red", highlight=False, soft_wrap=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


@app.callback()
def bakeoff() -> None:
    """Commands share nothing; this makes `datasets` one of several."""


@app.command()
def datasets(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[fetch] [SOURCE]...",
            help="Files, folders, openml:ID, or suites; the embedded suite if none.",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="BAKEOFF_DATA",
            help="A folder with a manifest; datasets found there are not downloaded.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, for programs.")
    ] = False,
    target: Annotated[
        str | None, typer.Option(help="The target column's name or index.")
    ] = None,
    task: Annotated[
        Task | None, typer.Option(help="What the file holds, if it does not show.")
    ] = None,
    features: Annotated[
        Features,
        typer.Option(help="How nominal and missing values become features."),
    ] = "codes",
    categorical: Annotated[
        list[str] | None, typer.Option(help="A column of names, even if numbers.")
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="A column to leave out.")
    ] = None,
    header: Annotated[
        bool | None, typer.Option(help="Whether CSV files have a header.")
    ] = None,
    max_documents: Annotated[
        int | None, typer.Option(help="Documents kept per query (10).")
    ] = None,
    max_relevance: Annotated[
        float | None, typer.Option(help="The best grade (the largest in the file).")
    ] = None,
) -> None:
    """List problems with their sizes, or bring them to this machine (fetch).

    For instance: bakeoff datasets data/ openml:61; bakeoff datasets fetch paper
    """
    options = Options(
        task=task,
        target=target,
        features=features,
        categorical=tuple(categorical or ()),
        ignore=tuple(ignore or ()),
        header=header,
        max_documents=max_documents,
        max_relevance=max_relevance,
    )
    words = sources or []
    if words[:1] == ["fetch"]:
        _fetch(words[1:], data)
    else:
        _list(words, data, options, as_json)


def _list(words: list[str], data: Path | None, options: Options, as_json: bool) -> None:
    sources = find_all(words or ["embedded"], data)
    rows = []
    with _bar("reading", len(sources)) as bar:
        for row in listed(sources, options):
            rows.append(row)
            bar.advance(bar.task_ids[0])
    if as_json:
        sys.stdout.write(json.dumps([row.as_dict() for row in rows], indent=1) + "\n")
    else:
        out.print(_table(rows))
        if not words:
            others = ", ".join(name for name in SUITES if name != "embedded")
            out.print(f"other suites: {others}", style="dim", highlight=False)
    for row in rows:
        for notice in row.notices:
            _show(f"note: {notice}", "yellow")
    _end([row.error for row in rows if row.error], len(rows), "read")


def _fetch(words: list[str], data: Path | None) -> None:
    if not words:
        raise DataError("fetch needs a source, such as openml:61 or paper-tuning")
    sources = find_all(words, data)
    wanted = missing(sources)
    errors = []
    try:
        with _bar("fetching", len(wanted)) as bar:
            for source in wanted:
                bar.update(bar.task_ids[0], description=f"fetching {source.name}")
                error = fetch(source, lambda done, total: None)
                if error is not None:
                    errors.append(error)
                    bar.console.print(f"{source.name}: {error}", style="red")
                bar.advance(bar.task_ids[0])
    except KeyboardInterrupt:
        here = len(sources) - len(missing(sources))
        _show(f"interrupted: {here} of {len(sources)} are here; the same command "
              f"goes on", "yellow")  # fmt: skip
        raise
    here = len(sources) - len(missing(sources))
    out.print(f"{here} of {len(sources)} problems are on this machine", highlight=False)
    _end(errors, len(sources), "fetched")


def _end(errors: list[str], total: int, done: str) -> None:
    """Leave with the exit code of bad data if there were errors."""
    for error in errors if done == "read" else ():
        _show(f"error: {error}", "red")
    if errors:
        if total > 1:
            _show(f"{len(errors)} of {total} could not be {done}", "red")
        raise typer.Exit(DataError.exit_code)


def _table(rows: list[Row]) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("name", overflow="fold")
    table.add_column("task")
    for heading in ("n", "d", "K", "nonzeros", "constant"):
        table.add_column(heading, justify="right")
    table.add_column("here")
    for row in rows:
        cost = row.constant_action_cost
        table.add_row(
            _plain(row.name),
            row.task or "",
            *(_count(x) for x in (row.n, row.n_features, row.n_actions, row.nonzeros)),
            "" if cost is None else f"{cost:.4f}",
            "error" if row.error else "yes" if row.here else "no",
            style="red" if row.error else "" if row.here else "dim",
        )
    return table


def _plain(text: str) -> str:
    """A name without what would move the cursor or be taken for markup."""
    return "".join(c if c.isprintable() else "?" for c in text).replace("[", r"\[")


def _count(number: int | None) -> str:
    return "" if number is None else f"{number:,}"


def _bar(verb: str, total: int) -> Progress:
    """A progress bar on the terminal's error stream, gone when done."""
    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        console=err,
        transient=True,
        disable=not err.is_terminal,
    )
    bar.add_task(verb, total=total)
    return bar


def _show(text: str, style: str) -> None:
    err.print(text, style=style, highlight=False, soft_wrap=True, markup=False)


def _show_notice(message: Warning | str, *_: Any, **__: Any) -> None:
    _show(f"note: {message}", "yellow")
