"""Apart: processes of their own for other people's code.

A learner that hangs, crashes or ends its process must not take a bake-off with it, so
it runs in a process that can be lost. This is for accidents. It is no sandbox: the
learner has all the rights of the user.

    with Apart() as apart:
        answer = apart.ask({"do": "takes", "spec": "python:mymodule.Mine"})
"""

import contextlib
import json
import math
import os
import pickle
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Self

from bakeoff.basics.errors import LearnerError, SpecError
from bakeoff.basics.text import in_one_line, printable
from bakeoff.learners.spec import LIBRARIES, PACKAGE, short

KEPT = 65_536  # bytes of what a learner prints, the last ones
LONGEST = 2**26  # bytes of a message
TICK = 0.05  # seconds between two looks at a process
GRACE = 1.0  # seconds for it to end, or to say where it is
START = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); " + (
    "from bakeoff.learners.child import main; main(*map(int, sys.argv[2:]))"
)

Report = Callable[[int], object]  # how much is done; may raise to end it all


class Apart:
    """A process that answers one question at a time."""

    def __init__(self) -> None:
        self.output = b""  # what was printed since the last question, its end
        self._holds: object = None  # the data that it has
        self._trace = tempfile.TemporaryFile()  # noqa: SIM115
        asked, self._asks = os.pipe()
        self._told, tells = os.pipe()
        prints_to, prints = os.pipe()
        alive, self._alive = os.pipe()  # it ends when this is closed, by us or by death
        passed = (asked, tells, alive, self._trace.fileno())
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-u", "-c", START, json.dumps(sys.path),
                 *map(str, passed)],
                stdin=subprocess.DEVNULL, stdout=prints, stderr=prints,
                pass_fds=passed, start_new_session=True,
            )  # fmt: skip
        finally:
            for end in (asked, tells, prints, alive):
                os.close(end)
        self._prints = prints_to
        os.set_blocking(self._prints, False)
        os.set_blocking(self._told, False)
        self._unread = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def is_good(self) -> bool:
        """Whether it can be asked something else."""
        return self._process.poll() is None and self._alive >= 0

    def close(self) -> None:
        """End the process, and all that it has started."""
        if self._alive < 0:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._drain()
        for end in (self._asks, self._told, self._prints, self._alive):
            os.close(end)
        self._alive = -1
        self._trace.close()

    def ask(
        self,
        question: dict[str, Any],
        data: object = None,
        *,
        limit: float | None = None,
        report: Report = lambda done: None,
    ) -> Any:
        """The answer to a question; `data` goes with it, unless it was sent before.

        Raises `SpecError` or `LearnerError` if there is none, or none within `limit`
        seconds, and then the process is closed. `report` is called every now and then;
        what it raises ends the process as well.
        """
        self.output = b""
        try:
            self._send(question, data)
            return self._answer(limit, report)
        except BaseException:
            self.close()
            raise

    def _send(self, question: dict[str, Any], data: object) -> None:
        """Send a question, and the data if it is other than before."""
        is_new = data is not None and data is not self._holds
        packed = pickle.dumps(data, protocol=5) if is_new else b""
        if is_new:
            self._holds = data
        head = json.dumps(question | {"bytes": len(packed)}).encode()
        try:
            with open(self._asks, "wb", closefd=False) as pipe:
                pipe.write(head + b"\n" + packed)
        except BrokenPipeError:
            raise self._death() from None

    def _answer(self, limit: float | None, report: Report) -> Any:
        done, began = 0, math.inf  # it begins when the process has got the question
        while True:
            for message in self._messages():
                if "done" in message:
                    done = int(message["done"])
                    began = min(began, time.monotonic())
                elif "answer" in message:
                    self._drain()
                    return message["answer"]
                else:
                    kind = SpecError if message.get("kind") == "spec" else LearnerError
                    raise kind(printable(in_one_line(str(message["error"]), 1000)))
            report(done)
            if limit is not None and time.monotonic() - began > limit:
                where = self._where(ask=True)
                raise LearnerError(f"was stopped after {limit:g} seconds, its --limit{where}")

    def _messages(self) -> Iterator[dict[str, Any]]:
        """Messages that have come; waits a moment for the first."""
        ready, _, _ = select.select([self._told, self._prints], [], [], TICK)
        if self._prints in ready:
            self._drain()
        if self._told not in ready:
            if self._process.poll() is not None:
                raise self._death()
            return
        new = os.read(self._told, 2**20)
        self._unread += new
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            yield _read(line)
        if not new or len(self._unread) > LONGEST:
            raise self._death()

    def _drain(self) -> None:
        """Take in what was printed."""
        with contextlib.suppress(BlockingIOError):
            while new := os.read(self._prints, 2**16):
                self.output = (self.output + new)[-KEPT:]
                if len(new) < 2**16:
                    break

    def _death(self) -> LearnerError:
        """Why the process is gone, or as good as gone."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        code = self._process.returncode
        if code is None:
            return LearnerError("its process closed its end of the pipe")
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else code
            why = f"its process was killed by {name}"
            if -code == signal.SIGKILL:
                why += ", perhaps for want of memory"
            return LearnerError(f"{why}{self._where()}")
        return LearnerError(f"its process ended with exit code {code}{self._where()}")

    def _where(self, *, ask: bool = False) -> str:
        """The file and line that it was at, as far as the process can say it."""
        text = self._traced()
        if ask and not text:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGUSR1)
            patience = time.monotonic() + GRACE
            while not (text := self._traced()) and time.monotonic() < patience:
                time.sleep(TICK)
        self.output = (self.output + text.encode())[-KEPT:]
        for file, line in re.findall(r'File "([^"]*)", line (\d+)', text):
            if not file.startswith((PACKAGE, *LIBRARIES, "<")):
                return f" (at {short(file)}:{line})"
        return ""

    def _traced(self) -> str:
        """What the process wrote about where it is."""
        self._trace.seek(0)
        return self._trace.read(KEPT).decode(errors="replace")


def _read(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or not message.keys() & {"done", "answer", "error"}:
        raise LearnerError("its process wrote into the pipe that it answers through")
    return message


class Pool:
    """Processes that can be asked, kept from one question to the next."""

    def __init__(self) -> None:
        self._idle: list[Apart] = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def one(self) -> Iterator[Apart]:
        """A process for a while."""
        with self._lock:
            apart = self._idle.pop() if self._idle else None
        if apart is None or not apart.is_good:
            apart = Apart()
        try:
            yield apart
        finally:
            if apart.is_good:
                with self._lock:
                    self._idle.append(apart)

    def close(self) -> None:
        """End those that nobody uses."""
        with self._lock:
            idle, self._idle = self._idle, []
        for apart in idle:
            apart.close()
