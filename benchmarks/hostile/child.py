"""A trial in a process of its own, which has compiled kernels from the start."""

import multiprocessing
import os
import random
import resource
import traceback
import warnings
from collections.abc import Callable
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bakeoff import BakeoffError
from benchmarks.hostile.commands import LIMIT, MOST, BadError, slowness

Trial = Callable[[random.Random, Path], str]
_SPARE = 10**9  # bytes of addresses beyond `MOST`, so that a trial can say it took more


def in_a_child(trial: Trial, rng: random.Random, folder: Path) -> str:
    """What a trial says that runs in a process of its own, within limits."""
    ours, theirs = _context().Pipe()
    process = _context().Process(target=_run, args=(trial, rng, folder, theirs))
    process.start()
    theirs.close()
    try:
        if not ours.poll(LIMIT * slowness()):
            process.kill()
            raise BadError("hang", trial.__name__)
        how, *said = ours.recv()
    except EOFError:
        process.join()
        raise BadError("traceback", f"exit code {process.exitcode}") from None
    finally:
        process.join()
    if how != "fine":
        raise BadError(how, *said)
    return str(said[0])


@cache
def _context() -> Any:
    """Processes are forks of one that has no threads, and has loaded the kernels."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.hostile.warm"])
    return context


def _run(trial: Trial, rng: random.Random, folder: Path, pipe: Connection) -> None:
    """Run a trial, and send how it ended."""
    warnings.simplefilter("ignore")
    _limit_memory()
    os.chdir(folder)
    try:
        said: tuple[str, ...] = ("fine", trial(rng, folder))
    except BadError as bad:
        said = tuple(map(str, bad.args))
    except BakeoffError as error:
        said = ("silent", f"refused: {error}\n{traceback.format_exc()[-1500:]}")
    except MemoryError:
        _lift_limit()
        said = ("memory", traceback.format_exc()[-1500:])
    except BaseException:
        said = ("traceback", traceback.format_exc()[-2000:])
    if resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 > MOST:
        said = ("memory", str(said))
    pipe.send(said)


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + MOST + _SPARE
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def _lift_limit() -> None:
    """Let there be memory to say what has happened."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
