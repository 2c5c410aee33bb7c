"""`bakeoff status`: how far an experiment is."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from bakeoff.commands.console import out, plain, say


def status(
    folder: Annotated[Path, typer.Argument(help="The store of results.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, for programs.")
    ] = False,
) -> None:
    """Say how much of the last experiment in a store is done."""
    from bakeoff.experiment.progress import progress_of
    from bakeoff.store.store import Store

    found = progress_of(Store(folder))
    if as_json:
        sys.stdout.write(json.dumps(found._asdict(), indent=1) + "\n")
        return
    out.print(
        f"{plain(str(folder))}: {found.runs_done:,} of {found.runs:,} runs, "
        f"{found.jobs_done:,} of {found.jobs:,} jobs, {found.problems_done:,} of "
        f"{found.problems:,} problems done",
        highlight=False,
    )
    if found.errors:
        say(f"{found.errors:,} runs ended in an error", "red")
    if found.failed:
        say(f"{found.failed:,} jobs or problems failed; the next run tries them again",
            "red")  # fmt: skip
