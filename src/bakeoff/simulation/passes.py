"""Passes: the paper's algorithms, as lanes of compiled loops over the data."""

import time
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from bakeoff.basics.errors import LearnerError, SpecError
from bakeoff.core.gaps import with_gaps
from bakeoff.core.jit import announce_compilation
from bakeoff.core.rounds import loops_of, rounds_name
from bakeoff.core.rules import RuleError
from bakeoff.core.types import Sizes
from bakeoff.data import Facts, Problem
from bakeoff.runs import Run, explorer_of
from bakeoff.simulation.inputs import inputs_of, mapped_sizes
from bakeoff.simulation.lanes import (
    bytes_per_lane,
    needs_steps,
    new_lanes,
    new_waiting_rounds,
    sizes_of,
    structure_of,
)
from bakeoff.simulation.player import Report
from bakeoff.simulation.result import Result, new_sums, result_of

MOST_LANES = 64  # wider passes are no faster
_CACHE = 2**24  # bytes of weights that fit into the cache of a core
_REUSE_WINDOW = 7  # events; weights untouched for longer may leave the cache
_COLUMNS = 16  # adjacent weights; narrower passes lose more than the cache gains
_BLOCK_SECONDS = 0.05  # how long a kernel runs before Ctrl-C and progress get a turn
_FIRST_BLOCK = 8  # events, to measure how long they take
_MOST_GROWTH = 64  # factor from block to block, as later rows may be longer


class Passes:
    """Plays runs of one structure side by side (see player.py)."""

    apart = False

    def group(self, run: Run) -> Hashable:
        """The structure of a run."""
        return structure_of(run)

    def cost(self, run: Run, facts: Facts) -> float:
        """What its rounds take in a grid of 27 runs.

        A round predicts for each action and updates the one taken; or it needs a step
        size, or an update, of each. On 165 datasets, of 20 to 70,000 rows, half of all
        passes took within 20 % of this, and 95 of 100 no more than 1.8 times as long.
        """
        n, nonzeros, K = facts.n, facts.nonzeros, facts.n_actions
        cells = nonzeros * (1 if facts.shares_weights else K)
        if needs_steps(run):
            rounds = 0.8 * cells + 2 * nonzeros + 11 * n * K + 20 * n
        else:
            rounds = 0.15 * cells + 2.4 * nonzeros + 1.5 * n * K + 25 * n
        return structure_of(run).n_regressors * rounds

    def bytes_per_run(self, run: Run, sizes: Sizes) -> int:
        """The memory of a lane."""
        return bytes_per_lane(run, sizes)

    def width(self, run: Run, sizes: Sizes, memory: int) -> int:
        """As many lanes as fit into memory, and into the cache where that helps.

        If events touch much of the weights, a narrower pass finds in the cache what
        the event before has touched.
        """
        each = self.bytes_per_run(run, sizes)
        regressors = structure_of(run).n_regressors
        arrays = 3 if needs_steps(run) else 1  # w, A and N of all actions, or w
        touched = 4 * arrays * sizes.nonzeros * sizes.n_blocks * regressors
        in_cache = int(_CACHE / min(each, 1 + _REUSE_WINDOW * touched))
        width = min(MOST_LANES, max(in_cache, -(-_COLUMNS // regressors)))
        return min(width, memory // each)

    def kernels(self, run: Run, stream: bool = False) -> str:
        """The name of the loop that plays it."""
        return rounds_name(explorer_of(run.settings), stream)

    def play(
        self, problem: Problem, runs: Sequence[Run], record: bool, report: Report
    ) -> list[Result]:
        """One pass over the problem; one for each run if its feedback has gaps."""
        if problem.has_gaps and len(runs) > 1:
            return self._play_apart(problem, runs, record, report)
        began = time.perf_counter()
        sizes = mapped_sizes(runs[0], sizes_of(problem))
        try:
            with _errors_of_users():
                explorer, state, bandit = new_lanes(runs, sizes, problem)
        except ValueError as error:  # a rule that has changed
            raise SpecError(str(error)) from None
        sums = new_sums(problem.n, len(runs), record, bool(problem.conditions))
        played = with_gaps(explorer) if problem.has_gaps else explorer
        loop = loops_of(played).streams if problem.needs_stream else loops_of(played).rounds
        announce_compilation(rounds_name(played, problem.needs_stream))
        inputs, costs = inputs_of(problem, runs[0]), problem.true_costs
        waiting = new_waiting_rounds(runs, problem)
        first, size = 0, 1
        with np.errstate(all="ignore"):  # only uncompiled kernels would warn
            while first < problem.n:
                start = time.perf_counter()
                x, last = inputs.block(first, min(first + size, problem.n))
                with _errors_of_users():
                    loop(state, bandit, x, costs, waiting, sums, first, last)
                    if not sums.failed_at.any():  # else it got scores that are not finite
                        explorer.check(state)
                passed = time.perf_counter() - start
                if first == 0:
                    size = _FIRST_BLOCK
                else:
                    fitting = (last - first) * _BLOCK_SECONDS / max(passed, 1e-9)
                    size = 1 + int(min(fitting, _MOST_GROWTH * size))
                first = last
                report(first)
        seconds = (time.perf_counter() - began) / len(runs)
        return [result_of(problem, run, sums, lane, seconds) for lane, run in enumerate(runs)]

    def _play_apart(
        self, problem: Problem, runs: Sequence[Run], record: bool, report: Report
    ) -> list[Result]:
        """A pass for each run."""
        results: list[Result] = []
        for run in runs:

            def report_all(n: int, before: int = len(results) * problem.n) -> None:
                report((before + n) // len(runs))

            results += self.play(problem, [run], record, report_all)
        return results


@contextmanager
def _errors_of_users() -> Iterator[None]:
    """Raise what the rule or explorer of a user did wrong."""
    try:
        yield
    except RuleError as error:
        raise LearnerError(str(error)) from error.__cause__
