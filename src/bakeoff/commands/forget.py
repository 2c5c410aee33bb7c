"""`bakeoff forget`: drop what a store no longer needs, or decisions about one user from a log."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bakeoff.basics.errors import SpecError
from bakeoff.basics.text import counted
from bakeoff.commands.console import out, plain

if TYPE_CHECKING:
    import polars as pl


def forget(
    folder: Annotated[
        Path, typer.Argument(help="The folder with the results, or a decision log (.jsonl).")
    ],
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME]...",
            help="Datasets, dataset@version, algorithms or specs, as `bakeoff status` lists them.",
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FEATURE=VALUE",
            help="Of a log: decisions whose context has this; all of them, if repeated.",
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
    """Drop results from a store, or decisions from a log.

    For instance: bakeoff forget results wine RO; bakeoff forget results --others;
    bakeoff forget decisions.jsonl --where user=42
    """
    if where or folder.suffix == ".jsonl":
        _forget_decisions(folder, where or [], names or [], dry_run, yes)
        return
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
    _make_sure(yes, "results")
    drop(store, rows)
    out.print(f"dropped from {plain(str(folder))}", highlight=False)


def _make_sure(yes: bool, what: str) -> None:
    if yes:
        return
    if not sys.stdin.isatty():
        raise SpecError(f"forget drops {what} for good; without a terminal it needs --yes")
    typer.confirm("Drop them for good?", abort=True)


def _forget_decisions(
    log: Path, where: list[str], ids: list[str], dry_run: bool, yes: bool
) -> None:
    """Delete decisions that have an id or some features."""
    from bakeoff.live import forget as delete

    features = {}
    for text in where:
        name, equals, value = text.partition("=")
        if not (name and equals):
            raise SpecError(f"--where takes FEATURE=VALUE, such as user=42, got {text!r}")
        features[name] = value
    n = delete(log, where=features, ids=ids, dry_run=True)
    out.print(counted(n, "decision"), highlight=False)
    if dry_run or not n:
        return
    _make_sure(yes, "decisions")
    delete(log, where=features, ids=ids)
    out.print(
        f"dropped from {plain(str(log))}; models that learned from them stay as they are",
        highlight=False, soft_wrap=True,
    )  # fmt: skip


def _say_what(rows: "pl.DataFrame") -> None:
    out.print(counted(rows.height, "run"), highlight=False)
    for (name, version), some in rows.group_by("problem", "version", maintain_order=True):
        labels = ", ".join(some["algorithm"].unique().sort())
        out.print(
            f"  {plain(str(name))}@{version}: {counted(some.height, 'run')} of {plain(labels)}",
            highlight=False,
        )
