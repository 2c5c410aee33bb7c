"""Start: prepare the process before libraries are imported, which might fail otherwise."""

import os
import resource
import sys
from pathlib import Path

LEAST = 2 * 10**9  # bytes of address space; libraries end the process with less
THREADS = "POLARS_MAX_THREADS"
WRONG, TOO_LITTLE = 2, 5  # exit codes, as in basics/errors.py


def prepare() -> None:
    """Make the output streams usable, and end here if libraries could not be imported."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
        if hasattr(stream := getattr(sys, name), "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most != resource.RLIM_INFINITY and most < LEAST:
        _end(
            TOO_LITTLE,
            f"the address space is limited to {most / 1e9:.1f} GB (ulimit -v), "
            f"but {LEAST / 1e9:.0f} GB are needed",
        )
    threads = os.environ.get(THREADS, "")
    if threads and not (threads.isascii() and threads.isdecimal() and int(threads)):
        _end(WRONG, f"{THREADS} must be a positive integer, got {threads[:40]!a}")
    try:
        Path.cwd()
    except FileNotFoundError:
        _end(WRONG, "the current folder has been deleted; go to another one first")


def _end(code: int, error: str) -> None:
    sys.stderr.write(f"error: {error}\n")
    sys.exit(code)
