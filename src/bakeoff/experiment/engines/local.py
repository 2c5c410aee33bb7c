"""The local engine: threads that share the data, since kernels release the GIL."""

import os
import queue
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from bakeoff.experiment.engines.workbench import CancelledError, Done, Engine, Where, Workbench
from bakeoff.simulation import compile_ahead
from bakeoff.store import Job

TICK = 0.1  # seconds between two checks for Ctrl-C
PATIENCE = 1.0  # seconds to wait for threads whose work was cancelled


def engine(where: Where) -> Engine:
    """Threads of this process."""
    return partial(run, threads=where.workers or os.cpu_count() or 1)


def run(jobs: Sequence[Job], bench: Workbench, *, threads: int) -> Iterator[Done]:
    """Carry out jobs in their order, `threads` at a time (see workbench.py)."""
    kinds = [(job.facts.needs_stream, run) for job in jobs for run, _ in job.left.kinds]
    runs = [run for stream, run in kinds if not stream]
    streams = [run for stream, run in kinds if stream]
    compile_ahead(runs, threads, bench.compiling, streams)
    crew = _Crew(list(jobs), bench, threads)
    try:
        for _ in jobs:
            yield crew.next_done()
    finally:
        crew.dismiss()


class _Crew:
    """Threads that take jobs from one list."""

    def __init__(self, jobs: list[Job], bench: Workbench, threads: int) -> None:
        self._jobs = jobs
        self._bench = bench
        self._memory = bench.share(threads)
        self._free = bench.memory
        self._changed = threading.Condition()
        self._dismissed = threading.Event()
        self._done: queue.SimpleQueue[Done | BaseException] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._work, name=f"thread-{i + 1}", daemon=True)
            for i in range(min(threads, len(jobs)))
        ]
        for thread in self._threads:
            thread.start()

    def next_done(self) -> Done:
        while True:
            # Polars restarts waits that Ctrl-C would end, but not for longer than this.
            with suppress(queue.Empty):
                done = self._done.get(timeout=TICK)
                if isinstance(done, BaseException):
                    raise done
                return done

    def dismiss(self) -> None:
        """Cancel all jobs, and wait a moment for the threads to end.

        A thread may be reading a large file; its result is no longer needed.
        """
        self._dismissed.set()
        with self._changed:
            self._jobs.clear()
            self._changed.notify_all()
        deadline = time.monotonic() + PATIENCE
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            job, size = taken
            try:
                self._done.put(self._carried_out(job, size))
            except CancelledError:
                return
            except BaseException as error:
                self._done.put(error)
                return
            finally:
                with self._changed:
                    self._free += size
                    self._changed.notify_all()

    def _take(self) -> tuple[Job, int] | None:
        """The first job for which there is memory, and how much it gets."""
        with self._changed:
            while self._jobs:
                for place, job in enumerate(self._jobs):
                    size = self._memory.of_job(job)
                    if size <= self._free:
                        self._free -= size
                        return self._jobs.pop(place), size
                self._changed.wait()
        return None

    def _carried_out(self, job: Job, size: int) -> Done:
        return self._bench.carry_out(job, size, lambda: not self._dismissed.is_set())
