"""Surroundings: what must hold around a command, and one sentence where it does not."""

import os
import sys
from pathlib import Path
from typing import NoReturn

from bakeoff.basics.errors import SpecError
from bakeoff.commands.console import say


def check_surroundings() -> None:
    """See that there is a current folder, and that all letters can be printed."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    try:
        Path.cwd()
    except FileNotFoundError:
        raise SpecError("the current folder has been deleted; go to another one first") from None


def leave_without_output(error: OSError) -> NoReturn:
    """End where output cannot be written, or something unforeseen is in the way."""
    if isinstance(error, BrokenPipeError):  # as with `| head`: nobody listens
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(1)
    where = f"{error.filename}: " if error.filename else "output cannot be written: "
    say(f"error: {where}{error.strerror or error}", "red")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python would complain once more
    sys.exit(1)
