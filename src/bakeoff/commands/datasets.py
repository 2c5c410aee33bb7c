"""`bakeoff datasets`: what there is, and how to bring it here."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from bakeoff.basics.errors import DataError
from bakeoff.basics.text import counted, in_one_line, printable
from bakeoff.commands.console import bar, count, out, plain, say, table
from bakeoff.commands.file_options import given_options, reads_files
from bakeoff.commands.interrupts import interrupt_message
from bakeoff.reading.catalog import SUITES, Row, fetch, find_all, listed, missing
from bakeoff.reading.options import Options

LONGEST = 1000  # letters of an error that may quote a server


@reads_files
def datasets(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[fetch] [SOURCE]...",
            help="Files, folders, openml:ID or suites (default: the embedded suite).",
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            envvar="BAKEOFF_DATA",
            help="A folder with a manifest. Datasets found there are not downloaded.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
    **reading: Any,
) -> None:
    """List datasets with their sizes, or download them (fetch).

    Examples: bakeoff datasets data/ openml:61; bakeoff datasets fetch paper
    """
    words = sources or []
    if words[:1] == ["fetch"]:
        _fetch(words[1:], data)
    else:
        _list(words, data, Options(**given_options(reading)), as_json)


def _list(words: list[str], data: Path | None, options: Options, as_json: bool) -> None:
    wanted, rows = _found(words or ["embedded"], data)
    sources = find_all(wanted, data)
    with bar("reading", len(sources)) as progress:
        for row in listed(sources, options):
            rows.append(row)
            progress.advance(progress.task_ids[0])
    if as_json:
        sys.stdout.write(json.dumps([row.as_dict() for row in rows], indent=1) + "\n")
    else:
        out.print(_table(rows))
        if not words:
            others = ", ".join(name for name in SUITES if name != "embedded")
            out.print(f"other suites: {others}", style="dim", highlight=False)
    for row in rows:
        for notice in row.notices:
            say(f"note: {notice}", "yellow")
    _end([row.error for row in rows if row.error], len(rows), "read")


def _found(words: list[str], data: Path | None) -> tuple[list[str], list[Row]]:
    """The sources that there are, and rows for the others; an error if all are."""
    wanted, rows = [], []
    for word in words:
        try:
            find_all([word], data)
        except DataError as error:
            if len(words) == 1:
                raise
            rows.append(Row(word, word, None, here=False, error=str(error)))
        else:
            wanted.append(word)
    return wanted, rows


def _fetch(words: list[str], data: Path | None) -> None:
    if not words:
        raise DataError("fetch needs a source, such as openml:61 or paper-tuning")
    sources = find_all(words, data)
    wanted = missing(sources)
    errors = []

    def goes_on() -> str:
        here = len(sources) - len(missing(sources))
        return f"interrupted; {here} of {len(sources)} are here, and the same command continues"

    with interrupt_message(goes_on), bar("fetching", len(wanted)) as progress:
        for source in wanted:
            progress.update(progress.task_ids[0], description=f"fetching {plain(source.name)}")
            error = fetch(source, lambda done, total: None)
            if error is not None:
                errors.append(error)
                line = printable(in_one_line(f"{source.name}: {error}", LONGEST))
                progress.console.print(
                    line, style="red", highlight=False, soft_wrap=True, markup=False
                )
            progress.advance(progress.task_ids[0])
    here = len(sources) - len(missing(sources))
    total = counted(len(sources), "problem")
    out.print(f"{here} of {total} on this machine", highlight=False)
    _end(errors, len(sources), "fetched")


def _end(errors: list[str], total: int, done: str) -> None:
    """Leave with the exit code of bad data if there were errors."""
    for error in errors if done == "read" else ():
        say(f"error: {error}", "red")
    if errors:
        if total > 1:
            say(f"{len(errors)} of {total} could not be {done}", "red")
        raise typer.Exit(DataError.exit_code)


def _table(rows: list[Row]) -> Table:
    grid = table(("name", "task"), ("n", "d", "K", "nonzeros", "constant"))
    grid.add_column("here")
    for row in rows:
        known = row.as_dict()
        cost = known["constant_action_cost"]
        grid.add_row(
            plain(row.name),
            row.task or "",
            *(count(known[size]) for size in ("n", "n_features", "n_actions", "nonzeros")),
            "" if cost is None else f"{cost:.4f}",
            "error" if row.error else "yes" if row.here else "no",
            style="red" if row.error else "" if row.here else "dim",
        )
    return grid
