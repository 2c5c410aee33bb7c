"""Learner processes: users' learners in processes of their own, as experiments play them.

A learner that hangs, crashes or exits must not end an experiment, so it runs in a process that
may be lost. This protects against accidents. It is not a sandbox: the learner has all the rights
of the user.

    with LearnerProcess() as process:
        result = process.play(problem, OwnRun("python:mymodule.Mine"))

The process reads questions from one pipe and writes messages into another, one line of JSON each:
{"done": events}, and in the end {"answer": ...} or {"error": ..., "kind": ...} (`play.serve`).
"""

import contextlib
import json
import linecache
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
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from bakeoff.basics.errors import BakeoffError, DeclinedError, LearnerError, SpecError
from bakeoff.basics.text import in_one_line, printable
from bakeoff.data import Problem
from bakeoff.learners.by_value import packed, value_of
from bakeoff.learners.contract import ProblemFacts, is_user_code, relative
from bakeoff.learners.source import LearnerSource, inspect_learner
from bakeoff.learners.spec import OwnRun, parse_own
from bakeoff.runs import Run
from bakeoff.simulation import Curve, Report, Result

OUTPUT_KEPT = 65_536  # bytes of what a learner prints, the last ones
LONGEST_MESSAGE = 2**26  # bytes
TICK = 0.05  # seconds between two looks at a process
GRACE = 1.0  # seconds for a process to end, or to tell where it is
_KINDS: dict[str, type[BakeoffError]] = {"spec": SpecError, "declined": DeclinedError}
START = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); " + (
    "from bakeoff.learners.play import serve; serve(*map(int, sys.argv[2:]))"
)


class LearnerProcess:
    """A process that plays one learner at a time."""

    def __init__(self) -> None:
        self.output = b""  # what was printed since the last question; its end, if it is long
        self._sent: object = None  # the problem that the process has
        self._trace = tempfile.TemporaryFile()  # noqa: SIM115
        questions, self._questions = os.pipe()
        self._messages, messages = os.pipe()
        self._prints, prints = os.pipe()
        alive, self._alive = os.pipe()  # it ends when this is closed, by us or by death
        passed = (questions, messages, alive, self._trace.fileno())
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-u", "-c", START, json.dumps(sys.path),
                 *map(str, passed)],
                stdin=subprocess.DEVNULL, stdout=prints, stderr=prints,
                pass_fds=passed, start_new_session=True,
            )  # fmt: skip
        finally:
            for end in (questions, messages, prints, alive):
                os.close(end)
        os.set_blocking(self._prints, False)
        os.set_blocking(self._messages, False)
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
    def is_alive(self) -> bool:
        """Whether it can be used again."""
        return self._process.poll() is None and self._alive >= 0

    def close(self) -> None:
        """End the process, and all processes that it has started."""
        if self._alive < 0:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._drain()
        for end in (self._questions, self._messages, self._prints, self._alive):
            os.close(end)
        self._alive = -1
        self._trace.close()

    def play(
        self,
        problem: Problem,
        run: Run,
        limit: float | None = None,
        report: Report = lambda done: None,
    ) -> Result:
        """Play a run on a problem, within `limit` seconds.

        `report` is called now and then with the number of events done; what it raises ends the
        process as well.
        """
        question = {
            "do": "play",
            "explorer": run.explorer,
            "learning_rate": run.learning_rate,
            "offset": run.offset,
            "seed": run.seed,
        }
        answer = self._ask(question, problem, limit, report)
        return Result(
            run=run,
            n=problem.n,
            pv_loss=answer["pv_loss"],
            curve=Curve(np.array(answer["rounds"], np.int64), np.array(answer["curve"])),
            ips_reward=answer["ips_reward"],
            ips_loss=answer["ips_loss"],
            uniform_cost=problem.uniform_cost,
            seconds=answer["seconds"],
        )

    def inspect(self, explorer: str) -> LearnerSource:
        """Import the learner of a spec, and look at it."""
        answer = self._ask({"do": "inspect", "explorer": explorer})
        file, digest, tasks, takes, *others = answer
        return LearnerSource(file, digest, tuple(tasks), tuple(takes), *others)

    def refusals(self, explorer: str, facts: Sequence[ProblemFacts]) -> list[str]:
        """Why a learner does not play each of some problems; empty where it does."""
        answer: list[str] = self._ask({"do": "accept", "explorer": explorer, "facts": facts})
        return answer

    def _ask(
        self,
        question: dict[str, Any],
        problem: Problem | None = None,
        limit: float | None = None,
        report: Report = lambda done: None,
    ) -> Any:
        """The answer to a question; the problem is sent along, unless it was sent before.

        Without an answer, or without one within the limit, it closes the process and raises
        `SpecError` or `LearnerError`.
        """
        self.output = b""
        try:
            self._send(question, problem)
            return self._answer(limit, report)
        except BaseException:
            self.close()
            raise

    def _send(self, question: dict[str, Any], problem: Problem | None) -> None:
        is_new = problem is not None and problem is not self._sent
        data = pickle.dumps(problem, protocol=5) if is_new else b""
        if is_new:
            self._sent = problem
        value = packed(parse_own(question["explorer"]).path)
        head = json.dumps(question | {"bytes": len(data), "value": value}).encode()
        try:
            with open(self._questions, "wb", closefd=False) as pipe:
                pipe.write(head + b"\n" + data)
        except BrokenPipeError:
            raise self._death() from None

    def _answer(self, limit: float | None, report: Report) -> Any:
        done, began = 0, math.inf  # the limit counts from the first message
        while True:
            for message in self._read_messages():
                if "done" in message:
                    done = int(message["done"])
                    began = min(began, time.monotonic())
                elif "answer" in message:
                    self._drain()
                    return message["answer"]
                else:
                    kind = _KINDS.get(message.get("kind", ""), LearnerError)
                    raise kind(printable(in_one_line(str(message["error"]), 1000)))
            report(done)
            if limit is not None and time.monotonic() - began > limit:
                where = self._where(signalled=True)
                raise LearnerError(f"was stopped after {limit:g} seconds, its --limit{where}")

    def _read_messages(self) -> Iterator[dict[str, Any]]:
        """New messages; waits a moment for the first."""
        ready, _, _ = select.select([self._messages, self._prints], [], [], TICK)
        if self._prints in ready:
            self._drain()
        if self._messages not in ready:
            if self._process.poll() is not None:
                raise self._death()
            return
        new = os.read(self._messages, 2**20)
        self._unread += new
        *lines, self._unread = self._unread.split(b"\n")
        for line in lines:
            yield _parse(line)
        if not new or len(self._unread) > LONGEST_MESSAGE:
            raise self._death()

    def _drain(self) -> None:
        """Read what was printed."""
        with contextlib.suppress(BlockingIOError):
            while new := os.read(self._prints, 2**16):
                self.output = (self.output + new)[-OUTPUT_KEPT:]
                if len(new) < 2**16:
                    break

    def _death(self) -> LearnerError:
        """The error of a process that has ended, or does not answer any more."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(GRACE)
        code = self._process.returncode
        if code is None:
            return LearnerError("its process closed its end of the pipe")
        if code < 0:
            name = signal.Signals(-code).name if -code in set(signal.Signals) else code
            why = f"its process was killed by {name}"
            if -code == signal.SIGKILL:
                why += ", perhaps for lack of memory"
            return LearnerError(f"{why}{self._where()}")
        return LearnerError(f"its process ended with exit code {code}{self._where()}")

    def _where(self, *, signalled: bool = False) -> str:
        """The file and line of user code that the process was at, if it can tell."""
        text = self._traceback()
        if signalled and not text:
            with contextlib.suppress(ProcessLookupError):
                self._process.send_signal(signal.SIGUSR1)
            patience = time.monotonic() + GRACE
            while not (text := self._traceback()) and time.monotonic() < patience:
                time.sleep(TICK)
        self.output = (self.output + text.encode())[-OUTPUT_KEPT:]
        for file, line in re.findall(r'File "([^"]*)", line (\d+)', text):
            if is_user_code(file):
                return f" (at {relative(file)}:{line})"
        return ""

    def _traceback(self) -> str:
        """The traceback that the process wrote."""
        self._trace.seek(0)
        return self._trace.read(OUTPUT_KEPT).decode(errors="replace")


def _parse(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or not message.keys() & {"done", "answer", "error"}:
        raise LearnerError("its process wrote something else into the pipe of its answers")
    return message


class Pool:
    """Learner processes, kept from one use to the next."""

    def __init__(self) -> None:
        self._idle: list[LearnerProcess] = []
        self._lock = threading.Lock()

    @contextlib.contextmanager
    def process(self) -> Iterator[LearnerProcess]:
        """A process for a while."""
        with self._lock:
            process = self._idle.pop() if self._idle else None
        if process is None or not process.is_alive:
            process = LearnerProcess()
        try:
            yield process
        finally:
            if process.is_alive:
                with self._lock:
                    self._idle.append(process)

    def close(self) -> None:
        """End the idle processes."""
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.close()


# ---- what is known of learners


_inspected: dict[tuple[str, ...], LearnerSource] = {}


def own_source(explorer: str) -> LearnerSource:
    """What is known of a learner; a process imports it once, and again if its file changes."""
    spec = parse_own(explorer)
    if value_of(spec.path) is not None:
        return inspect_learner(explorer)
    key = spec.text, str(Path.cwd()), *sys.path
    known = _inspected.get(key)
    if known is None or not known.is_current:
        with LearnerProcess() as process:
            known = _inspected[key] = process.inspect(explorer)
    return known


def source_text(explorer: str) -> str:
    """The code of a learner: its file, or the notebook cell that defines it."""
    value = value_of(parse_own(explorer).path)
    if value is None:
        file = own_source(explorer).file
        return Path(file).read_text("utf-8", "replace") if file else ""
    functions = [member for member in vars(value).values() if hasattr(member, "__code__")]
    code = getattr(value, "__code__", functions[0].__code__ if functions else None)
    return "".join(linecache.getlines(code.co_filename)) if code is not None else ""


def own_runs(
    text: str, rates: Sequence[float], offset: float, seeds: Sequence[int]
) -> list[OwnRun]:
    """Runs of a learner with every learning rate and seed, if it takes them."""
    takes = own_source(text).takes
    return [
        OwnRun(text, learning_rate=rate, offset=offset, seed=seed)
        for rate in (rates if "learning_rate" in takes else [Run.learning_rate])
        for seed in (seeds if "seed" in takes else [Run.seed])
    ]
