"""Start: what must hold before libraries are imported, which would fail without it."""

import os
import resource
import sys
from pathlib import Path

LEAST = 2 * 10**9  # bytes of address space; libraries end the process with less
TOO_LITTLE = 5  # exit code
THREADS = "POLARS_MAX_THREADS"
WRONG = 2  # exit code


def prepare() -> None:
    """Open streams that were closed, and end where libraries could not be imported."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    if most != resource.RLIM_INFINITY and most < LEAST:
        sys.stderr.write(
            f"error: the address space is limited to {most / 1e9:.1f} GB (ulimit -v), "
            f"but {LEAST / 1e9:.0f} GB are needed\n"
        )
        sys.exit(TOO_LITTLE)
    threads = os.environ.get(THREADS, "")
    if threads and not (threads.isascii() and threads.isdecimal() and int(threads)):
        sys.stderr.write(f"error: {THREADS} must be a positive integer, got {threads[:40]!a}\n")
        sys.exit(WRONG)
