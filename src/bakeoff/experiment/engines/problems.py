"""Data: problems in memory while jobs need them, each read once for all threads."""

import threading
from collections import OrderedDict
from collections.abc import Callable

from bakeoff.basics.errors import DataError
from bakeoff.data import Facts, Problem

Stream = tuple[str, int]  # digest and shuffle


class Problems:
    """Problems in the order of their shuffles; the last used stay, within `memory`."""

    def __init__(self, read: Callable[[Facts], Problem], memory: int) -> None:
        self._read = read
        self._memory = memory
        self._kept: OrderedDict[Stream, tuple[Problem, int]] = OrderedDict()
        self._lock = threading.Lock()
        self._busy: dict[Stream, threading.Lock] = {}

    def put(self, facts: Facts, problem: Problem) -> None:
        """Keep a problem that was read anyway, if there is room."""
        with self._lock:
            if sum(size for _, size in self._kept.values()) + facts.bytes < self._memory:
                self._kept[facts.digest, 0] = problem, facts.bytes

    def get(self, facts: Facts, shuffle: int) -> Problem:
        """A problem in one order of its rows."""
        stream = facts.digest, shuffle
        with self._lock:
            busy = self._busy.setdefault(stream, threading.Lock())
        with busy:
            with self._lock:
                if stream in self._kept:
                    self._kept.move_to_end(stream)
                    return self._kept[stream][0]
            problem = self._made(facts, shuffle)
            self._keep(stream, problem, facts.bytes)
            return problem

    def _made(self, facts: Facts, shuffle: int) -> Problem:
        if shuffle:
            return self.get(facts, 0).shuffled(shuffle)
        problem = self._read(facts)
        if problem.digest != facts.digest:
            raise DataError(f"{facts.origin}: has changed since this experiment began; start again")
        return problem

    def _keep(self, stream: Stream, problem: Problem, size: int) -> None:
        with self._lock:
            self._kept[stream] = problem, size
            total = sum(size for _, size in self._kept.values())
            while total > self._memory and len(self._kept) > 1:
                _, (_, size) = self._kept.popitem(last=False)
                total -= size
