"""`bakeoff forget`: drop what a store no longer needs."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import counted
from bakeoff.commands.console import out, plain
from bakeoff.commands.report import Folder

if TYPE_CHECKING:
    import polars as pl


def forget(
    folder: Folder,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Datasets, dataset@version, algorithms or specs, as `bakeoff status` lists them.",
        ),
    ] = None,
    others: Annotated[
        bool, typer.Option("--others", help="All that the last run did not ask for.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be dropped.")
    ] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Do not ask; needed where there is no terminal.")
    ] = False,
) -> None:
    """Drop results from a store, after saying which.

    For instance: bakeoff forget results wine RO; bakeoff forget results --others
    """
    from bakeoff.report import contents_of
    from bakeoff.store import forget as drop
    from bakeoff.store import opened

    if not names and not others:
        raise SpecError("forget needs a name, such as wine or RO, or --others")
    store = opened(folder)
    rows = contents_of(store).named(names or [], others=others)
    _say_what(rows)
    if dry_run or rows.is_empty():
        return
    if not yes:
        if not sys.stdin.isatty():
            raise SpecError("forget drops results for good; without a terminal it needs --yes")
        typer.confirm("Drop them for good?", abort=True)
    drop(store, rows)
    out.print(f"dropped from {plain(str(folder))}", highlight=False)


def _say_what(rows: "pl.DataFrame") -> None:
    out.print(counted(rows.height, "run"), highlight=False)
    for (name, version), some in rows.group_by("problem", "version", maintain_order=True):
        labels = ", ".join(some["algorithm"].unique().sort())
        out.print(
            f"  {plain(str(name))}@{version}: {counted(some.height, 'run')} of {plain(labels)}",
            highlight=False,
        )
