"""`bakeoff merge`: put the results of several stores into one."""

from pathlib import Path
from typing import Annotated

import typer

from bakeoff.basics.text import counted
from bakeoff.commands.console import out, plain


def merge(
    folder: Annotated[Path, typer.Argument(help="The store that gets the results.")],
    others: Annotated[list[Path], typer.Argument(help="The stores whose results are copied.")],
) -> None:
    """Put the results of other stores into the first one.

    For instance: bakeoff merge results from-the-other-machine
    """
    from bakeoff.experiment import progress_of
    from bakeoff.store import Store, opened
    from bakeoff.store import merge as put_together

    store = Store(folder)
    n_files = put_together(store, [opened(other) for other in others])
    progress = progress_of(store)
    out.print(
        f"{counted(n_files, 'file')} copied; {plain(str(folder))} has {progress.runs_done:,} of "
        f"{counted(progress.runs, 'run')} on {counted(progress.problems, 'problem')}",
        highlight=False,
    )
