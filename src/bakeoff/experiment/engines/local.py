"""The local engine: threads that share the data, since kernels release the GIL."""

import queue
import threading
from collections.abc import Callable, Iterator, Sequence

from bakeoff.experiment.engines.data import Problems
from bakeoff.experiment.engines.memory import Memory
from bakeoff.experiment.engines.work import (
    MISHAPS,
    CancelledError,
    Done,
    carry_out,
    failure,
    reason_of,
)
from bakeoff.experiment.jobs import Job

Notice = Callable[[Job, int], None]  # run-examples of a job done since the last call


def run(
    jobs: Sequence[Job],
    problems: Problems,
    *,
    threads: int,
    memory: int,
    notice: Notice,
) -> Iterator[Done]:
    """Carry out jobs in their order, `threads` at a time, within `memory` bytes.

    Closing the iterator drops the jobs in flight.
    """
    crew = _Crew(list(jobs), problems, threads, memory, notice)
    try:
        for _ in jobs:
            yield crew.next_done()
    finally:
        crew.dismiss()


class _Crew:
    """Threads that take jobs from one list."""

    def __init__(
        self,
        jobs: list[Job],
        problems: Problems,
        threads: int,
        memory: int,
        notice: Notice,
    ) -> None:
        self._jobs = jobs
        self._problems = problems
        self._memory = Memory(memory, memory // threads)
        self._free = memory
        self._notice = notice
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
        done = self._done.get()
        if isinstance(done, BaseException):
            raise done
        return done

    def dismiss(self) -> None:
        """Let go of all jobs, and wait until nobody works."""
        self._dismissed.set()
        with self._changed:
            self._jobs.clear()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

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
        def report(examples: int) -> None:
            if self._dismissed.is_set():
                raise CancelledError
            self._notice(job, examples)

        try:
            problem = self._problems.get(job.facts, job.shuffle)
        except MISHAPS as error:
            return failure(job, reason_of(error))
        return carry_out(job, problem, size, report)
