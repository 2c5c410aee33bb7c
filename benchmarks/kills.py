"""Kills: `bakeoff run` killed at random moments and resumed loses and doubles nothing.

    python benchmarks/kills.py [--times 20] [--seed 1] [--engine dask] [--what worker]

A run is killed with SIGKILL and started again with the same command until it is done;
then its rows are compared with those of a run that was left alone, and another store is
begun, until there have been enough kills. Some kills come before the work has begun.
With the Dask engine a worker may be killed instead, and the run must go on without.
"""

import argparse
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import count, islice
from pathlib import Path
from typing import NamedTuple

import polars as pl

from bakeoff.store.rows import ROW_KEY
from bakeoff.store.store import Store

EXPERIMENT = ("embedded:iris", "embedded:wine", "embedded:breast_cancer",
              "-a", "greedy", "-a", "epsilon-greedy reduction=dr", "-a", "supervised",
              "--shuffles", "40", "--jobs", "2")  # fmt: skip
EARLY = 0.15  # of the kills come while the process starts
VICTIMS = {"driver": ["driver"], "worker": ["worker"], "both": ["driver", "worker"]}


class Moment(NamedTuple):
    """Whom to kill, so many seconds after the start or, at work, after a stored job."""

    at_work: bool
    seconds: float
    victim: str


class Kill(NamedTuple):
    """What a kill left in the store."""

    moment: Moment
    n_jobs: int
    n_rows: int
    n_unfinished: int  # temporary files


def moments(seed: int, longest: float, what: str = "driver") -> Iterator[Moment]:
    """Random moments without end, up to `longest` seconds after what they follow."""
    draw = random.Random(seed)
    while True:
        seconds, at_work = draw.random() * longest, draw.random() >= EARLY
        yield Moment(at_work, seconds, draw.choice(VICTIMS[what]))


def start(folder: Path, words: Sequence[str]) -> "subprocess.Popen[str]":
    """`bakeoff run` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "bakeoff", "run", *words, "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "120"},
    )


def wait_for_work(process: "subprocess.Popen[str]", folder: Path) -> None:
    """Wait until the run has stored a job: a cluster takes long to start."""
    assert process.stderr is not None
    for line in process.stderr:
        if "runs to do" in line:
            break
    wait_for_job(process, folder)


def wait_for_job(process: "subprocess.Popen[str]", folder: Path) -> None:
    """Wait until the run has stored another job, or has ended."""
    before = len(list(Store(folder).files()))
    while process.poll() is None and len(list(Store(folder).files())) == before:
        time.sleep(0.01)


def workers_of(process: "subprocess.Popen[str]") -> list[int]:
    """The workers that a run has started; waits for the first, or the run's end."""
    while process.poll() is None:
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):  # it has just ended
                parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
                command = (folder / "cmdline").read_text()
                if int(parent) == process.pid and "spawn_main" in command:
                    found.append(int(folder.name))
        if found:
            return found
        time.sleep(0.01)
    return []


def kill(
    folder: Path, words: Sequence[str], when: Iterator[Moment], times: int
) -> tuple[list[Kill], bool]:
    """Start or resume a run, and kill workers of it until the driver's turn comes.

    What was killed, and whether the run is done.
    """
    kills: list[Kill] = []
    with start(folder, words) as process:
        for moment in islice(when, times):
            if moment.at_work:
                (wait_for_job if kills else wait_for_work)(process, folder)
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=moment.seconds)
            if moment.victim == "worker":
                victims = workers_of(process)
            else:
                victims = [process.pid] if process.poll() is None else []
            if not victims:
                break
            with suppress(ProcessLookupError):
                os.kill(random.Random(moment.seconds).choice(victims), signal.SIGKILL)
            if moment.victim == "driver":
                process.wait()
            kills.append(seen(folder, moment))
            if moment.victim == "driver":
                break
        _, said = process.communicate()
    if process.returncode not in (0, 1, -signal.SIGKILL):
        raise RuntimeError(f"bakeoff run left with {process.returncode}: {said}")
    if process.returncode == 1 and "its worker died" not in said:
        raise RuntimeError(f"bakeoff run failed: {said}")
    return kills, process.returncode == 0


def seen(folder: Path, moment: Moment) -> Kill:
    """What there is in a store; nobody writes to it if the driver was killed."""
    files = list(Store(folder).files())
    n_rows = sum(file.n_rows for file in files)
    if moment.victim == "driver" and files and Store(folder).read().height != n_rows:
        raise RuntimeError("files do not hold what their names say")
    return Kill(moment, len(files), n_rows, len(unfinished(folder)))


def finish(folder: Path, words: Sequence[str]) -> float:
    """Let a run come to its end; seconds of work."""
    with start(folder, words) as process:
        wait_for_work(process, folder)
        began = time.perf_counter()
        _, said = process.communicate()
    if process.returncode != 0:
        raise RuntimeError(f"bakeoff run left with {process.returncode}: {said}")
    return time.perf_counter() - began


def kill_until_done(
    folder: Path,
    words: Sequence[str],
    when: Iterator[Moment],
    times: int,
    n_jobs: int | float = math.inf,
) -> list[Kill]:
    """Kill a run until all is done or it was killed so often; then let it finish."""
    kills: list[Kill] = []
    is_done = False
    while not is_done and len(kills) < times:
        found, is_done = kill(folder, words, when, times - len(kills))
        kills += found
        is_done |= bool(kills) and kills[-1].n_jobs >= n_jobs
    finish(folder, words)
    return kills


# ---- what is left


def comparable(folder: Path) -> pl.DataFrame:
    """All rows without what differs from time to time, in a settled order."""
    rows = Store(folder).read()
    kept = [name for name in rows.columns if not name.endswith("_seconds")]
    return rows.select(kept).drop("host", "worker").sort(ROW_KEY)


def unfinished(folder: Path) -> list[Path]:
    """Temporary files in a store."""
    return sorted(folder.rglob("*.tmp"))


def complaints(folder: Path, whole: Path) -> list[str]:
    """How a store differs from that of a run which nothing happened to."""
    every = pl.read_parquet(folder / "jobs" / "*.parquet")
    found, expected = comparable(folder), comparable(whole)
    checks = {
        "rows are lost": expected.join(found, on=ROW_KEY, how="anti").height == 0,
        "rows are there twice": every.height == every.select(ROW_KEY).unique().height,
        "rows differ": found.equals(expected),
        "temporary files are left": unfinished(folder) == [],
    }
    return [what for what, is_fine in checks.items() if not is_fine]


def main() -> int:
    """Print a line per kill; exit with 1 if anything was lost, doubled or left over.

    Or if no kill came amid the work, which would show nothing.
    """
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=["local", "dask"], default="local")
    parser.add_argument("--what", choices=VICTIMS, help="dask: both; local: driver")
    asked = parser.parse_args()
    what = asked.what or ("both" if asked.engine == "dask" else "driver")
    if asked.engine == "local" and what != "driver":
        parser.error("only the dask engine has workers")
    words = [*EXPERIMENT, "--engine", asked.engine]
    with tempfile.TemporaryDirectory() as name:
        whole = Path(name) / "whole"
        finish(Path(name) / "compiled", words)
        seconds = finish(whole, words)
        n_jobs = len(list(Store(whole).files()))
        print(f"left alone: {n_jobs} jobs in {seconds:.1f} s of work ({asked.engine})")
        print("kill  store  killed  at     after    jobs   rows  temporary files")
        when, bad = moments(asked.seed, seconds / 3, what), set()
        n_kills = n_amid = 0
        for store in count(1):
            folder = Path(name) / str(store)
            left = asked.times - n_kills
            for one in kill_until_done(folder, words, when, left, n_jobs):
                n_kills += 1
                n_amid += 0 < one.n_jobs < n_jobs
                print(_line(n_kills, store, one))
            found = complaints(folder, whole)
            print(f"      {store:5}  resumed to its end: {', '.join(found) or 'equal'}")
            bad |= set(found)
            if n_kills >= asked.times:
                break
    print(
        f"{n_kills} kills, {n_amid} of them with some jobs done and some to do: "
        f"{', '.join(sorted(bad)) or 'all rows equal'}"
    )
    return int(bool(bad) or not n_amid)


def _line(number: int, store: int, one: Kill) -> str:
    where = "work" if one.moment.at_work else "start"
    return (
        f"{number:4}  {store:5}  {one.moment.victim:6}  {where:5}  "
        f"{one.moment.seconds:4.2f} s  "
        f"{one.n_jobs:5}  {one.n_rows:5}  {one.n_unfinished}"
    )


if __name__ == "__main__":
    sys.exit(main())
