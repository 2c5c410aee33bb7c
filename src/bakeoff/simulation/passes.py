"""Passes: the paper's algorithms, as lanes of compiled loops over the data."""

import time
from collections.abc import Hashable, Sequence

import numpy as np

from bakeoff.core.jit import announce_compilation
from bakeoff.core.rounds import loops_of
from bakeoff.problems.problem import Problem
from bakeoff.runs.run import Run
from bakeoff.simulation.base import Report
from bakeoff.simulation.lanes import (
    Sizes,
    bytes_per_lane,
    new_lanes,
    sizes_of,
    structure_of,
)
from bakeoff.simulation.result import Result, new_sums, result_of

MOST_LANES = 64  # wider passes are no faster, and leave the caches sooner
_BLOCK_SECONDS = 0.05  # how long a kernel runs before Ctrl-C and progress get a turn
_GROWTH = 8  # of a block that took far less


class Passes:
    """Plays runs of one structure side by side (see base.py)."""

    apart = False

    def group(self, run: Run) -> Hashable:
        """The structure of a run."""
        return structure_of(run)

    def cost(self, run: Run) -> float:
        """Policies, and half as much for the rest; updates of all actions cost more."""
        structure = structure_of(run)
        policies = structure.n_policies + (structure.reduction == "dr")
        updates_all = structure.reduction in ("ips", "dr")
        return (policies + 0.5) * (1.5 if updates_all else 1.0)

    def bytes_per_run(self, run: Run, sizes: Sizes) -> int:
        """The memory of a lane."""
        return bytes_per_lane(run, sizes)

    def width(self, run: Run, sizes: Sizes, memory: int) -> int:
        """As many lanes as fit into memory, up to `MOST_LANES`."""
        return min(MOST_LANES, memory // self.bytes_per_run(run, sizes))

    def kernels(self, run: Run) -> str:
        """The name of the loop that plays it."""
        return f"rounds_{structure_of(run).kernels}"

    def play(
        self, problem: Problem, runs: Sequence[Run], record: bool, report: Report
    ) -> list[Result]:
        """One pass over the problem."""
        began = time.perf_counter()
        explorer, state, bandit = new_lanes(runs, sizes_of(problem), problem)
        sums = new_sums(problem.n, len(runs), record)
        loop = loops_of(explorer).rounds
        ready = announce_compilation(self.kernels(runs[0]))
        x, costs = problem.contexts, problem.true_costs
        first, size = 0, 1
        with np.errstate(all="ignore"):  # only uncompiled kernels would warn
            while first < problem.n:
                last = min(first + size, problem.n)
                start = time.perf_counter()
                loop(state, bandit, x, costs, sums, first, last)
                if first == 0:
                    ready()
                elif time.perf_counter() - start < _BLOCK_SECONDS / _GROWTH:
                    size *= _GROWTH
                first = last
                report(first)
        seconds = (time.perf_counter() - began) / len(runs)
        return [
            result_of(problem, run, sums, lane, seconds)
            for lane, run in enumerate(runs)
        ]
