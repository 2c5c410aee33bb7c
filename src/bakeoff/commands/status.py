"""`bakeoff status`: how far an experiment is."""

import json
import sys
from typing import Annotated

import typer

from bakeoff.commands.console import out, plain, say
from bakeoff.commands.report import RESULTS, Folder
from bakeoff.text import counted


def status(
    folder: Folder = RESULTS,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, for programs.")
    ] = False,
) -> None:
    """Say how much of the last experiment in a store is done."""
    from bakeoff.experiment.progress import progress_of
    from bakeoff.store.opening import opened

    found = progress_of(opened(folder))
    if as_json:
        faults = [{"file": str(one.path), "why": one.reason} for one in found.faults]
        said = found._asdict() | {"faults": faults}
        sys.stdout.write(json.dumps(said, indent=1) + "\n")
        return
    out.print(
        f"{plain(str(folder))}: {found.runs_done:,} of {counted(found.runs, 'run')}, "
        f"{found.jobs_done:,} of {counted(found.jobs, 'job')}, "
        f"{found.problems_done:,} of {counted(found.problems, 'problem')} done",
        highlight=False,
    )
    for fault in found.faults:
        say(f"at fault: {fault}; the next run computes its results anew", "red")
    if found.errors:
        say(f"{counted(found.errors, 'run')} ended in an error", "red")
    if found.failed:
        say(f"{found.failed:,} jobs or problems failed; the next run tries them again",
            "red")  # fmt: skip
