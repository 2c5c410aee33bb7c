"""The Dask engine: jobs on the processes of a cluster, data sent to each of them once.

The driver reads the problems, gives jobs to the scheduler a few at a time, and redoes
those that got lost with a worker. Importing this takes a while, and the extra "dask".
"""

import os
import pickle
import queue
import re
import time
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from functools import partial
from typing import Any
from uuid import uuid4

import polars as pl

from bakeoff.basics.errors import BakeoffError, ResourceError, SpecError
from bakeoff.basics.notices import notify
from bakeoff.data import Facts, Problem
from bakeoff.experiment.engines.job_memory import Memory
from bakeoff.experiment.engines.workbench import (
    MISHAPS,
    Done,
    Engine,
    Where,
    Workbench,
    failure,
    reason_of,
)
from bakeoff.store import VERSION, Job

try:
    from distributed import KilledWorker
except ImportError:
    raise SpecError("the dask engine needs an extra: pip install 'bakeoff[dask]'") from None

from bakeoff.experiment.engines.dask.clusters import check_versions, connected, started
from bakeoff.experiment.engines.dask.remote import work

JOBS_PER_THREAD = 3  # in flight: one at work, the others there before it ends
MOST_DEATHS = 3  # of workers that had a job
NOTICE_AFTER = 10.0  # seconds without workers until the user is notified

_LOST = (OSError, CancelledError, KilledWorker)
_GONE = (
    "the Dask scheduler is gone; what is done is kept, and the same command continues with the rest"
)


def engine(where: Where) -> Engine:
    """The cluster at an address, or processes of this machine."""
    if where.address is not None and where.workers is not None:
        raise SpecError("a cluster has its own workers: give an address or a number")
    return partial(run, where=where)


def run(jobs: Sequence[Job], bench: Workbench, *, where: Where) -> Iterator[Done]:
    """Carry out jobs problem by problem (see workbench.py).

    The memory is that of a cluster on this machine; workers elsewhere have their own.
    """
    if not jobs:
        return
    n_workers = max(1, min(where.workers or os.cpu_count() or 1, len(jobs)))
    elsewhere = where.address is not None
    cluster = connected(where.address) if where.address else started(n_workers)
    with cluster as client:
        memory = None if elsewhere else bench.share(n_workers)
        for done in _Driver(client, jobs, bench, memory).run():
            if done.failed is None:
                bench.notice(done.job, len(done.job.runs) * done.job.facts.n)
            yield done


class _Driver:
    """Jobs on their way: waiting, in flight, or set aside as suspects."""

    def __init__(
        self, client: Any, jobs: Sequence[Job], bench: Workbench, memory: Memory | None
    ) -> None:
        self._client = client
        self._problems, self._limit = bench.problems, bench.limit
        self._memory = memory
        self._waiting = deque(_by_problem(jobs))
        self._suspects: deque[Job] = deque()
        self._flying: dict[str, tuple[Job, Any]] = {}  # with its future, by its key
        self._large: set[str] = set()  # keys of those that take much memory
        self._alone = ""  # the key of a suspect in flight
        self._deaths: Counter[str] = Counter()
        self._unfinished = Counter(job.facts.digest for job in jobs)
        self._data: dict[str, Any] = {}  # futures of problems on workers, by digest
        self._done: deque[Done] = deque()
        self._landed: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._threads, self._counted = 0, -1.0
        self._staffed: float | None = time.monotonic()  # when workers were seen last
        self._told: set[str] = set()  # notices of workers, without numbers

    def run(self) -> Iterator[Done]:
        """Send jobs and take in what comes back, until nothing is left."""
        while self._unfinished:
            try:
                while (job := self._next()) is not None:
                    self._send(job)
                for future in self._landings():
                    self._settle(future)
            except OSError as error:  # readers have their own errors
                raise ResourceError(_GONE) from error
            except BakeoffError:
                raise
            except Exception:
                check_versions(self._client)  # what a worker lacks has many names
                raise
            while self._done:
                yield self._done.popleft()

    # ---- sending

    def _next(self) -> Job | None:
        """The job to be sent now, if any."""
        if len(self._flying) >= max(1, JOBS_PER_THREAD * self._n_threads()):
            return None
        for place, job in enumerate(self._waiting):
            if not (self._large and self._is_large(job)):
                del self._waiting[place]
                return job
        if self._suspects and not self._flying:
            job = self._suspects.popleft()
            self._alone = job.key
            return job
        return None

    def _is_large(self, job: Job) -> bool:
        """Whether it takes more than its share of this machine: one at a time."""
        return self._memory is not None and (self._memory.of_job(job) > self._memory.share)

    def _n_threads(self) -> int:
        """Threads of all workers; workers come and go."""
        if time.monotonic() - self._counted > 1.0:
            self._threads = sum(self._client.nthreads().values())
            self._counted = time.monotonic()
        return self._threads

    def _send(self, job: Job) -> None:
        try:
            data = self._data_of(job.facts)
        except MISHAPS as error:
            self._finish(failure(job, reason_of(error)))
            return
        labels = "+".join(dict.fromkeys(run.label for run, _ in job.left.kinds))
        key = f"{labels}-{uuid4().hex}"  # Dask expects times by the first part
        sent = pickle.dumps(job)  # unpacked by nobody but its worker
        future = self._client.submit(work, sent, data, self._memory, VERSION, self._limit, key=key)
        self._flying[future.key] = job, future
        if self._is_large(job):
            self._large.add(future.key)
        future.add_done_callback(self._landed.put)

    def _data_of(self, facts: Facts) -> Any:
        """A problem on some worker, from where the others fetch it as they need it."""
        future = self._data.get(facts.digest)
        if future is None or future.status != "finished":
            problem = self._problems.get(facts, 0)
            future = self._data[facts.digest] = self._scattered(problem)
        return future

    def _scattered(self, problem: Problem) -> Any:
        key = f"problem-{uuid4().hex}"
        while True:
            try:
                if not self._n_threads():  # an adaptive cluster starts for a task only
                    self._client.submit(os.getpid, pure=False).result(1.0)
                return self._client.scatter({key: problem}, hash=False)[key]
            except _LOST:  # no worker yet, or one that has just died
                self._check()
                self._mind_workers()

    # ---- taking in

    def _landings(self) -> Iterator[Any]:
        """Futures that have come to an end; waits a second for the first."""
        if not self._flying:
            return
        try:
            yield self._landed.get(timeout=1.0)
            while True:
                yield self._landed.get_nowait()
        except queue.Empty:
            self._check()
            self._mind_workers()

    def _settle(self, future: Any) -> None:
        job, _ = self._flying.pop(future.key)
        self._large.discard(future.key)
        try:
            outcome = future.result()
        except KilledWorker as error:
            self._lose(job, error.allowed_failures + 1)
        except CancelledError:
            self._lose(job, 1)
        except MemoryError as error:  # where data arrived
            self._finish(failure(job, reason_of(error)))
        else:
            if outcome is None:
                self._lose(job, 1)
            else:
                self._pass_on(outcome.notices)
                is_bare = outcome.failed is not None and outcome.rows.is_empty()
                done = failure(job, outcome.failed) if is_bare else Done(job, *outcome[:-1])
                self._finish(done._replace(rows=_coded(done.rows, job)))

    def _pass_on(self, notices: Sequence[str]) -> None:
        """Say what workers have noticed, once for all that differ in numbers only."""
        for text in notices:
            alike = re.sub(r"[\d,.]+", "", text)
            if alike not in self._told:
                self._told.add(alike)
                notify(text)

    def _lose(self, job: Job, deaths: int) -> None:
        """Redo a job that got lost with its worker, or with its data.

        It need not be to blame, as several share a worker. The second time it is set
        aside, and done alone when all others are done; then blame is certain.
        """
        self._check()
        self._deaths[job.key] += deaths
        if job.key == self._alone and self._deaths[job.key] >= MOST_DEATHS:
            n = self._deaths[job.key]
            reason = f"its worker died {n} times, perhaps for lack of memory"
            self._finish(failure(job, reason))
        elif self._deaths[job.key] >= MOST_DEATHS - 1:
            self._suspects.append(job)
        else:
            self._waiting.appendleft(job)

    def _finish(self, done: Done) -> None:
        digest = done.job.facts.digest
        self._unfinished[digest] -= 1
        if not self._unfinished[digest]:
            del self._unfinished[digest]
            self._data.pop(digest, None)  # workers drop it when no future refers to it
        self._done.append(done)

    def _mind_workers(self) -> None:
        """Say so, once, if there are no workers for a while."""
        if self._n_threads():
            self._staffed = time.monotonic()
        elif self._staffed is not None and time.monotonic() - self._staffed > NOTICE_AFTER:
            self._staffed = None
            address = self._client.scheduler.address
            notify(f"the scheduler at {address} has no workers yet; waiting for them")

    def _check(self) -> None:
        """Whether there is still a scheduler."""
        if self._client.status != "running":
            raise ResourceError(_GONE)


def _coded(rows: pl.DataFrame, job: Job) -> pl.DataFrame:
    """Rows with the hashes that the driver has: files of users' code are not on workers."""
    codes = {str(run): run.code for run in job.runs}
    code = pl.Series("code", [codes[run] for run in rows["run"]], pl.String)
    return rows.with_columns(code)


def _by_problem(jobs: Sequence[Job]) -> list[Job]:
    """Jobs in their order, but those of a problem together.

    So that workers hold few problems at a time.
    """
    by_digest: dict[str, list[Job]] = {}
    for job in jobs:
        by_digest.setdefault(job.facts.digest, []).append(job)
    return [job for members in by_digest.values() for job in members]
