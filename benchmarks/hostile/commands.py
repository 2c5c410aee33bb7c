"""The command line in this process or in one of its own, within limits."""

import io
import os
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import NamedTuple

from bakeoff import cli

LIMIT = 20.0  # seconds; a trial that takes longer hangs
MOST = 2 * 10**9  # bytes
WORDS = ("run", "embedded:iris", "-a", "greedy", "-a", "epsilon-greedy", "-a",
         "supervised", "--learning-rate", "0.1", "--shuffles", "2", "--jobs", "1",
         "--quiet")  # fmt: skip


class BadError(BaseException):
    """A trial that did not end well: how, and what is known of it.

    Nobody must catch it on the way.
    """


class Said(NamedTuple):
    """How a command ended, and what it printed."""

    code: int
    out: str
    err: str


def inside(*words: str) -> Said:
    """Run the command line in this process, which is quicker."""

    def give_up(_: int, __: object) -> None:
        raise BadError("hang", " ".join(words))

    out, err, code = io.StringIO(), io.StringIO(), 0
    argv, sys.argv = sys.argv, ["bakeoff", *words]
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(int(LIMIT * slowness()))
    try:
        with redirect_stdout(out), redirect_stderr(err):
            cli.main()
    except SystemExit as end:
        code = int(end.code or 0)
    except BadError:
        raise
    except BaseException:
        raise BadError("traceback", traceback.format_exc()[-2000:]) from None
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
        sys.argv = argv
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > MOST:
        raise BadError("memory", " ".join(words))
    return Said(code, out.getvalue(), err.getvalue())


def apart(
    *words: str,
    interrupt_after: float | None = None,
    limit: float = LIMIT,
    environment: Mapping[str, str] | None = None,
) -> Said:
    """Run the command line in a process of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "bakeoff", *words], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
        env={**os.environ, **(environment or {})},
    ) as process:  # fmt: skip
        if interrupt_after is not None:
            time.sleep(interrupt_after)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
        try:
            out, err = process.communicate(timeout=limit * slowness())
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise BadError("hang", " ".join(words)) from None
    if "Traceback" in err:
        raise BadError("traceback", err[-2000:])
    if resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024 > MOST:
        raise BadError("memory", " ".join(words))
    return Said(process.returncode, out, err)


def slowness() -> float:
    """How much longer everything takes because others use the machine.

    A trial that forks can leave a load of hundreds behind, which is soon over.
    """
    return min(10.0, max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1)))


def compile_all(folder: Path) -> None:
    """Compile what the trials need, which may take longer than a trial may."""
    command = [sys.executable, "-m", "bakeoff", *WORDS, "--out", str(folder / "first")]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
