"""Simulation: Algorithm 1 on supervised data, many runs in one pass.

    results = simulate(problem, [Run("greedy", learning_rate=lr) for lr in rates])

Runs of one structure are lanes of a pass (see lanes.py). A run's result is the same to
the last bit whichever runs share its pass.
"""

import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bakeoff.core.arrays import Doubles, Ints
from bakeoff.core.jit import announce_compilation
from bakeoff.core.rounds import Tally, loops_of
from bakeoff.errors import ResourceError, SpecError
from bakeoff.problems.problem import Problem
from bakeoff.runs.run import Run
from bakeoff.simulation.lanes import (
    Structure,
    bytes_per_lane,
    new_lanes,
    sizes_of,
    structure_of,
)

MOST_LANES = 64  # wider passes are no faster, and leave the caches sooner
_BLOCK_SECONDS = 0.05  # how long a kernel runs before Ctrl-C and progress get a turn


class Curve(NamedTuple):
    """Progressive validation loss after so many rounds, at log-spaced rounds."""

    rounds: Ints
    pv_loss: Doubles


@dataclass(frozen=True, eq=False)
class Result:
    """What a run did on a problem. With an `error`, its numbers are not a number."""

    run: Run
    n: int
    pv_loss: float  # mean true cost of the actions taken
    curve: Curve
    ips_reward: float  # IPS estimate of the uniform policy's cost, from 1 - cost
    ips_loss: float  # the same from costs
    uniform_cost: float  # what both estimate
    seconds: float  # its share of the pass
    error: str | None = None
    actions: Ints | None = None  # with record=True, round by round:
    probabilities: Doubles | None = None  # of the actions taken
    costs: Doubles | None = None  # of the actions taken

    def __repr__(self) -> str:
        outcome = (
            f"error={self.error!r}" if self.error else f"pv_loss={self.pv_loss:.4f}"
        )
        return f"Result({self.run}, n={self.n}, {outcome})"


def simulate(
    problem: Problem,
    runs: Sequence[Run],
    *,
    record: bool = False,
    memory: int | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> list[Result]:
    """Play `runs` on `problem`, from its first event to its last; results in order.

    `record` keeps what happened round by round. `memory` bounds the bytes of learners
    in flight (half of what is available, if not given). `progress` is called now and
    then with how many run-examples are done, and of how many.
    """
    if isinstance(runs, Run):
        raise SpecError("runs must be a list of Run objects; try [run]")
    runs = list(runs)
    for run in runs:
        if not isinstance(run, Run):
            raise SpecError(f"runs must be Run objects, got {run!r}; try Run({run!r})")
    total, done = problem.n * len(runs), 0
    results: dict[int, Result] = {}
    for chunk in _chunks(problem, runs, memory):

        def report(events: int, lanes: int = len(chunk), before: int = done) -> None:
            if progress is not None:
                progress(before + events * lanes, total)

        played = _play(problem, [runs[i] for i in chunk], record, report)
        results.update(zip(chunk, played, strict=True))
        done += problem.n * len(chunk)
    return [results[i] for i in range(len(runs))]


def _chunks(problem: Problem, runs: list[Run], memory: int | None) -> list[list[int]]:
    """Positions of runs that share a pass: of one structure, within the memory."""
    groups: dict[Structure, list[int]] = {}
    for i, run in enumerate(runs):
        groups.setdefault(structure_of(run), []).append(i)
    budget = available_memory() // 2 if memory is None else memory
    chunks = []
    for structure, members in groups.items():
        each = bytes_per_lane(structure, sizes_of(problem))
        if each > budget:
            raise ResourceError(
                f"one run of {runs[members[0]].explorer!r} on {problem.name!r} takes "
                f"{each / 1e6:,.3g} MB, but memory allows {budget / 1e6:,.3g} MB"
            )
        width = min(MOST_LANES, budget // each)
        passes = -(-len(members) // width)
        chunks += [part.tolist() for part in np.array_split(members, passes)]
    return chunks


def available_memory() -> int:
    """Bytes of memory that can be used without swapping."""
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        found = re.search(r"MemAvailable:\s+(\d+) kB", meminfo.read_text())
        if found:
            return int(found[1]) * 1024
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _play(
    problem: Problem,
    runs: list[Run],
    record: bool,
    report: Callable[[int], None],
) -> list[Result]:
    """One pass over the problem."""
    began = time.perf_counter()
    explorer, state, bandit = new_lanes(runs, sizes_of(problem), problem)
    tally = new_tally(problem.n, len(runs), record)
    loop = loops_of(explorer).rounds
    ready = announce_compilation(f"rounds_{explorer.kernels}")
    first, size = 0, 1
    with np.errstate(all="ignore"):  # only uncompiled kernels would warn
        while first < problem.n:
            last = min(first + size, problem.n)
            start = time.perf_counter()
            loop(
                state, bandit, problem.contexts, problem.true_costs, tally, first, last
            )
            if first == 0:
                ready()
            elif time.perf_counter() - start < _BLOCK_SECONDS / 2:
                size *= 2
            first = last
            report(first)
    seconds = (time.perf_counter() - began) / len(runs)
    return [result_of(problem, run, tally, i, seconds) for i, run in enumerate(runs)]


def new_tally(n: int, lanes: int, record: bool) -> Tally:
    """Sums for n rounds, all zero."""
    points = np.geomspace(1, n, num=1 + int(10 * np.log10(n))) if n > 1 else [1]
    rounds = np.unique(np.rint(points).astype(np.int64))
    kept = (n if record else 0, lanes)
    return Tally(
        cost=np.zeros(lanes),
        ips_loss=np.zeros(lanes),
        ips_reward=np.zeros(lanes),
        failed_at=np.zeros(lanes, np.int64),
        rounds=rounds,
        curve=np.zeros((len(rounds), lanes)),
        actions=np.zeros(kept, np.int64),
        probabilities=np.zeros(kept),
        costs=np.zeros(kept),
    )


def result_of(
    problem: Problem, run: Run, tally: Tally, lane: int, seconds: float
) -> Result:
    """What a lane's sums say of its run."""
    n, failed_at = problem.n, int(tally.failed_at[lane])
    error = None
    if failed_at:
        error = (
            f"scores stopped being finite in round {failed_at}; "
            f"smaller features or a smaller learning rate may help"
        )
    rounds = float("nan") if error else n
    kept = tally.actions.shape[0] > 0
    return Result(
        run=run,
        n=n,
        pv_loss=float(tally.cost[lane] / rounds),
        curve=Curve(tally.rounds, tally.curve[:, lane] / (tally.rounds * rounds / n)),
        ips_reward=1.0 - float(tally.ips_reward[lane] / rounds),
        ips_loss=float(tally.ips_loss[lane] / rounds),
        uniform_cost=problem.uniform_cost,
        seconds=seconds,
        error=error,
        actions=tally.actions[:, lane].copy() if kept else None,
        probabilities=tally.probabilities[:, lane].copy() if kept else None,
        costs=tally.costs[:, lane].copy() if kept else None,
    )
