"""The command line, put together: each command is a file of this room.

Exit codes: 0 done, 1 something failed on the way, 2 a wrong argument, 3 data that
cannot be used, 4 a store that cannot be used, 5 too little memory, 130 interrupted.
"""

import os
import sys
import warnings
from importlib import metadata
from typing import Annotated, NoReturn

import typer

from bakeoff.basics.errors import BakeoffError, ResourceError
from bakeoff.commands.algorithms import algorithms
from bakeoff.commands.compile import compile_
from bakeoff.commands.console import say, show_notice
from bakeoff.commands.datasets import datasets
from bakeoff.commands.evaluate import EvaluateCommand, evaluate
from bakeoff.commands.forget import forget
from bakeoff.commands.interrupts import INTERRUPTED, announce
from bakeoff.commands.merge import merge
from bakeoff.commands.plan import plan
from bakeoff.commands.recommend import recommend
from bakeoff.commands.report import report
from bakeoff.commands.reproduce import reproduce
from bakeoff.commands.run import run
from bakeoff.commands.serve import serve
from bakeoff.commands.status import status
from bakeoff.commands.verify import verify

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
COMMANDS = (
    run, status, report, recommend, merge, forget, datasets, algorithms, reproduce, evaluate, plan,
    verify, serve, compile_,
)  # fmt: skip
for command in COMMANDS:
    name = command.__name__.removesuffix("_")
    app.command(name, cls=EvaluateCommand if command is evaluate else None)(command)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"bakeoff {metadata.version('bakeoff')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_say_version, is_eager=True),
    ] = False,
) -> None:
    """Contextual bandits: compare them, run them, evaluate them."""


def main() -> None:
    """Run the command line; an error that is the input's fault is one sentence."""
    warnings.showwarning = show_notice
    try:
        app()
        sys.stdout.flush()
    except BakeoffError as error:
        say(f"error: {error}", "red")
        sys.exit(error.exit_code)
    except MemoryError:
        say("error: there is not enough memory", "red")
        sys.exit(ResourceError.exit_code)
    except OSError as error:
        _leave_without_output(error)
    except KeyboardInterrupt:
        announce()
        sys.exit(INTERRUPTED)


def _leave_without_output(error: OSError) -> NoReturn:
    """End after an error of the operating system, such as output that cannot be written."""
    if not isinstance(error, BrokenPipeError):  # whose reader is gone, as with `| head`
        where = f"{error.filename}: " if error.filename else "output cannot be written: "
        say(f"error: {where}{error.strerror or error}", "red")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would complain once more
    sys.exit(1)
