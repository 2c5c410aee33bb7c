"""The command line: each command is a file of `commands`.

Exit codes: 0 done, 1 something failed on the way, 2 a wrong argument, 3 data that
cannot be used, 4 a store that cannot be used, 5 too little memory, 130 interrupted.
"""

import sys
import warnings

import typer

from bakeoff.commands.console import say, show_notice
from bakeoff.commands.datasets import datasets
from bakeoff.commands.recommend import recommend
from bakeoff.commands.report import report
from bakeoff.commands.run import run
from bakeoff.commands.status import status
from bakeoff.errors import BakeoffError

INTERRUPTED = 130

app = typer.Typer(
    help="Contextual bandits: compare them, run them, evaluate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (run, status, report, recommend, datasets):
    app.command()(command)


def main() -> None:
    """Run the command line; an error that is the input's fault is one sentence."""
    warnings.showwarning = show_notice
    try:
        app()
    except BakeoffError as error:
        say(f"error: {error}", "red")
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
