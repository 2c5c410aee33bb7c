"""`bakeoff status`: how far an experiment is."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bakeoff.basics.text import counted
from bakeoff.commands.console import count, out, plain, say, table
from bakeoff.commands.report import RESULTS, Folder

if TYPE_CHECKING:
    from bakeoff.judging import Verdict
    from bakeoff.report import Contents
    from bakeoff.store import Store

MANY = 3000  # files that take a few seconds to read
ASKED_FOR = "asked for"  # by the last experiment


def status(
    folder: Folder = RESULTS,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
    listed: Annotated[
        bool | None,
        typer.Option(
            "--list/--no-list",
            help="List datasets and algorithms (unless there are very many files).",
        ),
    ] = None,
) -> None:
    """Show what a store has, and how much is still to do."""
    from bakeoff.experiment import progress_of
    from bakeoff.store import opened

    store = opened(folder)
    progress = progress_of(store)
    contents = _contents(store, listed)
    found = _verdict(store) if contents is not None else None
    if as_json:
        faults = [{"file": str(one.path), "why": one.reason} for one in progress.faults]
        manifest = store.usable_manifest()
        history = [asdict(session) for session in manifest.history] if manifest else []
        answer = progress._asdict() | {"faults": faults, "history": history} | _as_dict(contents)
        answer |= {"verdict": found.in_short()} if found else {}
        sys.stdout.write(json.dumps(answer, indent=1) + "\n")
        return
    out.print(
        f"{plain(str(folder))}: {progress.runs_done:,} of {counted(progress.runs, 'run')}, "
        f"{progress.jobs_done:,} of {counted(progress.jobs, 'job')}, "
        f"{progress.problems_done:,} of {counted(progress.problems, 'problem')} done",
        highlight=False,
    )
    if contents is not None:
        _print(contents, folder)
    if found is not None:
        out.print(plain(str(found)), style="bold", highlight=False)
    for fault in progress.faults:
        say(f"damaged: {fault}; the next run computes its results again", "red")
    if progress.errors:
        say(f"{counted(progress.errors, 'run')} ended in an error", "red")
    if progress.failed:
        say(f"{progress.failed:,} jobs or datasets failed; the next run tries them again", "red")


def _contents(store: "Store", listed: bool | None) -> "Contents | None":
    """All that a store has, unless it was not requested or takes long to read."""
    from bakeoff.report import contents_of

    n_files = len(store.files())
    wanted = n_files <= MANY if listed is None else listed
    return contents_of(store) if wanted and n_files else None


def _verdict(store: "Store") -> "Verdict":
    """What the results say so far."""
    from bakeoff.judging import Criteria, read_losses, verdict

    return verdict(read_losses(store), Criteria())


def _as_dict(contents: "Contents | None") -> dict[str, object]:
    if contents is None:
        return {}
    return {"datasets": contents.datasets.to_dicts(), "algorithms": contents.algorithms.to_dicts()}


def _print(contents: "Contents", folder: Path) -> None:
    """What there is, and whether the last experiment asked for it."""
    datasets, algorithms = contents.datasets, contents.algorithms
    grid = table(("dataset", "version"), ("n", "d", "K", "runs", "errors", ASKED_FOR))
    for name, version, *numbers, requested in datasets.iter_rows():
        grid.add_row(plain(name), version, *map(count, numbers), _yes_or_no(requested))
    out.print(grid)
    grid = table(("algorithm",), ("settings", "runs", "errors", ASKED_FOR))
    for name, *numbers, requested in algorithms.iter_rows():
        grid.add_row(plain(name), *map(count, numbers), _yes_or_no(requested))
    out.print(grid)
    n_others = contents.n_others
    if n_others:
        out.print(
            f"not counted, as the last experiment did not ask for them: "
            f"{counted(n_others, 'run')} (other data, algorithms or settings); "
            f"`bakeoff forget {plain(str(folder))} --others` drops them",
            highlight=False,
        )


def _yes_or_no(requested: bool) -> str:
    return "yes" if requested else "no"
