"""Compile ahead: loops that no cache has yet, several at a time.

Numba compiles one function at a time in a process, and the first bake-off on a machine
needs six loops. So processes of their own compile them into the cache, from which this
one takes them.
"""

import os
import pickle
import subprocess
import sys
import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from itertools import chain, repeat
from pathlib import Path

import numpy as np

from bakeoff.basics.text import counted
from bakeoff.core.jit import compiled, is_compiled, kernel_folder, short_name
from bakeoff.data import Problem
from bakeoff.runs import Run
from bakeoff.simulation.simulate import player_of, simulate

Tell = Callable[[int, int], None]  # how many loops are compiled, and how many there are


def compile_ahead(
    runs: Iterable[Run], processes: int, tell: Tell | None = None, streams: Iterable[Run] = ()
) -> None:
    """Compile the loops that these runs need, `processes` at a time.

    `streams` are runs on problems whose feedback comes late, or is not the truth.
    With a single process or loop there is nothing to gain: it is compiled when needed.
    Progress goes to `tell`; without it, to the error stream.
    """
    missing: dict[str, tuple[bool, Run]] = {}
    for stream, run in chain(zip(repeat(False), runs), zip(repeat(True), streams)):
        name = player_of(run).kernels(run, stream)
        if name is not None and not is_compiled(name):
            missing.setdefault(name, (stream, run))
    if compiled and processes > 1 and len(missing) > 1:
        folder = kernel_folder().prepare()
        if folder is not None:
            _Compilers(missing, min(processes, len(missing)), folder, tell).work()


class _Compilers:
    """Processes that take loops from one list, and keep them in one folder."""

    def __init__(
        self, loops: dict[str, tuple[bool, Run]], n: int, folder: Path, tell: Tell | None = None
    ) -> None:
        self._folder = folder
        self._told = tell
        self._left = list(loops.items())
        self._total = len(loops)
        self._n_done = 0
        self._began = time.monotonic()
        self._lock = threading.Lock()
        command = [sys.executable, "-m", __name__]
        self._processes = [
            subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                env={**os.environ, "NUMBA_CACHE_DIR": str(folder.parent)},
                start_new_session=True,  # Ctrl-C is ours to answer
            )
            for _ in range(n)
        ]

    def work(self) -> None:
        """Wait for all loops, and print progress."""
        if self._told is None:
            _say(
                f"compiling {counted(self._total, 'loop')}, once, "
                f"{len(self._processes)} at a time (kept in {self._folder})"
            )
        else:
            self._told(0, self._total)
        threads = [
            threading.Thread(target=self._serve, args=(process,), daemon=True)
            for process in self._processes
        ]
        with ExitStack() as stack:
            for process in self._processes:
                stack.callback(_end, process)
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.1)

    def _serve(self, process: "subprocess.Popen[str]") -> None:
        """Send loops to a process; if it dies, the others compile the rest."""
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(OSError):
            while (loop := self._next()) is not None:
                name, (stream, run) = loop
                process.stdin.write(f"{int(stream)} {b64encode(pickle.dumps(run)).decode()}\n")
                process.stdin.flush()
                if not process.stdout.readline():
                    return
                self._tell(name)

    def _next(self) -> tuple[str, tuple[bool, Run]] | None:
        with self._lock:
            return self._left.pop(0) if self._left else None

    def _tell(self, name: str) -> None:
        with self._lock:
            self._n_done += 1
            seconds = time.monotonic() - self._began
            if self._told is not None:
                self._told(self._n_done, self._total)
                return
            _say(f"compiled {short_name(name)}, {self._n_done} of {self._total}, {seconds:.0f} s")


def _end(process: "subprocess.Popen[str]") -> None:
    """Stop a process, and close its pipes, which may be broken."""
    process.kill()
    with suppress(OSError), process:
        pass


def _say(text: str) -> None:
    sys.stderr.write(f"bakeoff: {text}\n")


def smallest_problem(stream: bool) -> Problem:
    """A problem on which loops are compiled."""
    problem = Problem.from_classes(np.eye(3), [0, 1, 2])
    return problem.with_delay(0) if stream else problem


def main() -> int:
    """Compile the loops of runs that come line by line, and answer each."""
    for line in sys.stdin:
        stream, _, run = line.partition(" ")
        simulate(smallest_problem(stream == "1"), [pickle.loads(b64decode(run))])
        sys.stdout.write("done\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
