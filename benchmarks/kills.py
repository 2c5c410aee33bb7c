"""Kills: `bakeoff run` killed at random moments and resumed loses and doubles nothing.

    python benchmarks/kills.py [--times 20] [--seed 1] [--engine dask]

A run is killed with SIGKILL and started again with the same command until it is done;
then its rows are compared with those of a run that was left alone, and another store is
begun, until there have been enough kills. Some kills come before the work has begun.
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
from itertools import count
from pathlib import Path
from typing import NamedTuple

import polars as pl

from bakeoff.results import KEY, Store

EXPERIMENT = ("embedded:iris", "embedded:wine", "embedded:breast_cancer",
              "-a", "greedy", "-a", "epsilon-greedy reduction=dr", "-a", "supervised",
              "--shuffles", "40", "--jobs", "2")  # fmt: skip
EARLY = 0.15  # of the kills come while the process starts


class Moment(NamedTuple):
    """When to kill: so long after the process, or its work, has begun."""

    at_work: bool
    seconds: float


class Kill(NamedTuple):
    """What a kill left in the store."""

    moment: Moment
    n_jobs: int
    n_rows: int  # that can be read
    n_unfinished: int  # temporary files


def moments(seed: int, longest: float) -> Iterator[Moment]:
    """Random moments without end, up to `longest` seconds after work begins."""
    draw = random.Random(seed)
    while True:
        yield Moment(draw.random() >= EARLY, draw.random() * longest)


def start(folder: Path, words: Sequence[str]) -> "subprocess.Popen[str]":
    """`bakeoff run` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "bakeoff", "run", *words, "--out", str(folder)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "COLUMNS": "120"},
    )


def wait_for_work(process: "subprocess.Popen[str]") -> None:
    """Until the run says how much there is to do."""
    assert process.stderr is not None
    for line in process.stderr:
        if "runs to do" in line:
            return


def kill(folder: Path, words: Sequence[str], moment: Moment) -> Kill | None:
    """Start or resume a run, and kill it; None if it was done before."""
    with start(folder, words) as process:
        if moment.at_work:
            wait_for_work(process)
        try:
            process.wait(timeout=moment.seconds)
        except subprocess.TimeoutExpired:
            process.kill()
    if process.returncode == 0:
        return None
    if process.returncode != -signal.SIGKILL:
        raise RuntimeError(f"bakeoff run left with {process.returncode}")
    files = list(Store(folder).files())
    n_rows = Store(folder).read().height if files else 0
    if n_rows != sum(file.n_rows for file in files):
        raise RuntimeError("files do not hold what their names say")
    return Kill(moment, len(files), n_rows, len(unfinished(folder)))


def finish(folder: Path, words: Sequence[str]) -> float:
    """Let a run come to its end; seconds of work."""
    with start(folder, words) as process:
        wait_for_work(process)
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
    while len(kills) < times and (not kills or kills[-1].n_jobs < n_jobs):
        found = kill(folder, words, next(when))
        if found is None:
            break
        kills.append(found)
    finish(folder, words)
    return kills


# ---- what is left


def comparable(folder: Path) -> pl.DataFrame:
    """All rows without what differs from time to time, in a settled order."""
    rows = Store(folder).read()
    kept = [name for name in rows.columns if not name.endswith("_seconds")]
    return rows.select(kept).drop("host", "worker").sort(KEY)


def unfinished(folder: Path) -> list[Path]:
    """Temporary files in a store."""
    return sorted(folder.rglob("*.tmp"))


def complaints(folder: Path, whole: Path) -> list[str]:
    """How a store differs from that of a run which nothing happened to."""
    every = pl.read_parquet(folder / "jobs" / "*.parquet")
    found, expected = comparable(folder), comparable(whole)
    checks = {
        "rows are lost": expected.join(found, on=KEY, how="anti").height == 0,
        "rows are there twice": every.height == every.select(KEY).unique().height,
        "rows differ": found.equals(expected),
        "temporary files are left": unfinished(folder) == [],
    }
    return [what for what, is_fine in checks.items() if not is_fine]


def main() -> int:
    """Print a line per kill; exit with 1 if anything was lost, doubled or left over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine", choices=["local", "dask"], default="local")
    asked = parser.parse_args()
    words = [*EXPERIMENT, "--engine", asked.engine]
    with tempfile.TemporaryDirectory() as name:
        whole = Path(name) / "whole"
        finish(Path(name) / "compiled", words)
        seconds = finish(whole, words)
        n_jobs = len(list(Store(whole).files()))
        print(f"left alone: {n_jobs} jobs in {seconds:.1f} s of work ({asked.engine})")
        print("kill  store  killed  after    jobs   rows  temporary files")
        when, n_kills, bad = moments(asked.seed, seconds / 3), 0, set()
        for store in count(1):
            folder = Path(name) / str(store)
            left = asked.times - n_kills
            for one in kill_until_done(folder, words, when, left, n_jobs):
                n_kills += 1
                print(_line(n_kills, store, one))
            found = complaints(folder, whole)
            print(f"      {store:5}  resumed to its end: {', '.join(found) or 'equal'}")
            bad |= set(found)
            if n_kills >= asked.times:
                break
    print(f"{n_kills} kills: {', '.join(sorted(bad)) or 'all rows equal'}")
    return int(bool(bad))


def _line(number: int, store: int, one: Kill) -> str:
    where = "work" if one.moment.at_work else "start"
    return (
        f"{number:4}  {store:5}  {where:6}  {one.moment.seconds:4.2f} s  "
        f"{one.n_jobs:5}  {one.n_rows:5}  {one.n_unfinished}"
    )


if __name__ == "__main__":
    sys.exit(main())
