"""Remote: one job on a Dask worker, with data that came there before it.

Only the function `work` is called from elsewhere, by reference: what it needs is this
package on the worker, in the driver's version. A cluster on the driver's machine loads
this file when it starts, and Dask calls `dask_setup`.
"""

import fcntl
import os
import pickle
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

import distributed
import polars as pl

from bakeoff.basics.errors import SpecError
from bakeoff.basics.memory import available_memory
from bakeoff.basics.notices import heard_by
from bakeoff.core import jit
from bakeoff.core.types import Contexts, Costs
from bakeoff.data import Facts, Problem
from bakeoff.experiment.engines.job_memory import Memory
from bakeoff.experiment.engines.problems import Problems
from bakeoff.experiment.engines.workbench import MISHAPS, CancelledError, failure, play, reason_of
from bakeoff.learners import Pool
from bakeoff.simulation import player_of, simulate, smallest_problem
from bakeoff.store import VERSION, Job, rows_of


def dask_setup(worker: Any) -> None:
    """Leave Ctrl-C to the driver: a terminal sends it to all processes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Outcome(NamedTuple):
    """What a job sends back."""

    rows: pl.DataFrame
    failed: str | None
    output: str
    declined: str | None = None
    notices: Sequence[str] = ()  # for the driver's user


def work(
    sent: bytes, data: Problem, memory: Memory | None, version: str, limit: float | None = None
) -> Outcome | None:
    """Carry out a pickled job on `data`, its problem in the order of the file.

    Unless `memory` is given, it is half of what the worker has. An own learner is
    stopped after `limit` seconds. None if the job was cancelled.
    """
    worker = distributed.get_worker()
    key = worker.get_current_task()
    if version != VERSION:
        raise SpecError(
            f"worker {worker.address} has bakeoff {VERSION}, but needs the driver's "
            f"version, which is {version}"
        )

    def report(_: int) -> None:
        if not _is_wanted(worker, key):
            raise CancelledError

    try:
        job: Job = pickle.loads(sent)
    except Exception as error:  # whatever importing a module of the user raises
        why = (
            f"worker {worker.address} cannot import what it needs ({type(error).__name__}: "
            f"{error}); install it there, or put it into a file or a cell beside your study"
        )
        return Outcome(rows_of([]), why, "")
    notices: list[str] = []
    with _making:
        bench = _bench(memory)
    try:
        with heard_by(notices.append):
            _compile(job)
            problem = bench.problem(job, data)
            with bench.memory_for(job) as size:
                report(0)
                done = play(job, problem, size, report, _processes, limit)
    except CancelledError:
        return None
    except MISHAPS as error:
        done = failure(job, reason_of(error))
    rows = done.rows.with_columns(pl.lit(str(worker.name)).alias("worker"))
    return Outcome(rows, done.failed, done.output, done.declined, notices)


def _is_wanted(worker: Any, key: str) -> bool:
    """Whether the scheduler still waits for a task that this worker executes.

    A worker cannot stop a thread, but it knows when a task has been cancelled, or its
    driver has gone.
    """
    task = worker.state.tasks.get(key)
    return task is not None and task.state != "cancelled"


class Bench:
    """What the jobs of one process share: memory, and problems in their orders."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._free = memory.most
        self._changed = threading.Condition()
        # Dask keeps what arrived for as long as there are jobs that need it.
        self._arrived: WeakValueDictionary[str, Problem] = WeakValueDictionary()
        self._problems = Problems(self._unpacked, memory.most // 4)

    def problem(self, job: Job, data: Problem) -> Problem:
        """The problem of a job in the order of its shuffle."""
        self._arrived[job.facts.digest] = data
        return self._problems.get(job.facts, job.shuffle)

    def _unpacked(self, facts: Facts) -> Problem:
        return aligned(self._arrived[facts.digest])

    @contextmanager
    def memory_for(self, job: Job) -> Iterator[int]:
        """Memory for a job, when there is enough of it."""
        size = self._memory.of_job(job)
        with self._changed:
            self._changed.wait_for(lambda: self._free >= size)
            self._free -= size
        try:
            yield size
        finally:
            with self._changed:
                self._free += size
                self._changed.notify_all()


_processes = Pool()  # they end with this process
_making = threading.Lock()


@cache
def _bench(memory: Memory | None) -> Bench:
    if memory is None:
        worker = distributed.get_worker()
        most = (worker.memory_manager.memory_limit or available_memory()) // 2
        memory = Memory(most, most // worker.state.nthreads)
    return Bench(memory)


def aligned(problem: Problem) -> Problem:
    """A problem whose arrays are what kernels were compiled for.

    Arrays that came over a wire may begin at any byte, which is another type to numba:
    every process would compile its kernels once more.
    """
    if problem.conditions:  # they are applied anew
        plain = aligned(problem.plain)
        if plain is problem.plain:
            return problem
        return replace(plain.with_conditions(*problem.conditions), name=problem.name)
    arrays = (*problem.contexts, *problem.true_costs)
    if all(array.flags.behaved for array in arrays):
        return problem
    x, costs = problem.contexts, problem.true_costs
    return replace(
        problem,
        contexts=Contexts(x.start.copy(), x.feature.copy(), x.value.copy(), x.first_row.copy()),
        true_costs=Costs(costs.start.copy(), costs.right.copy(), costs.value.copy()),
    )


_compiled: set[str] = set()


def _compile(job: Job) -> None:
    """See that the kernels of a job are cached; one process on a host compiles them."""
    for run, _ in job.left.kinds:
        stream = job.facts.needs_stream
        name = player_of(run).kernels(run, stream)
        if name is None or name in _compiled:
            continue
        if not jit.is_compiled(name):
            with _alone(name):
                simulate(smallest_problem(stream), [run])
        _compiled.add(name)


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """Let one process at a time compile a loop, where files can be locked."""
    folder, lock = jit.kernel_folder().prepare(), None
    if folder is not None:
        with suppress(OSError):
            lock = os.open(folder / f"{name}.lock", os.O_RDWR | os.O_CREAT)
            fcntl.flock(lock, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)
