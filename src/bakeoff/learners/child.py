"""The other end of `bakeoff.learners.process`: a process that plays learners when asked.

It reads questions from one pipe and writes messages into another, a line of JSON each:
{"done": events}, and in the end {"answer": ...} or {"error": ..., "kind": ...}.
"""

import contextlib
import faulthandler
import gc
import json
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from bakeoff.basics.errors import LearnerError, SpecError
from bakeoff.data import Problem
from bakeoff.learners.play import play
from bakeoff.learners.run import OwnRun
from bakeoff.learners.spec import maker_of, parse_own, said, where

PIPE_LOST = 71  # exit code: nobody can be told anything any more


def main(asked: int, tells: int, alive: int, trace: int) -> None:
    """Answer questions until no more come."""
    _prepare(alive, trace)
    out = _Out(tells)
    problem: Any = None
    with open(asked, "rb") as questions:
        while line := questions.readline():
            question = json.loads(line)
            if question["bytes"]:
                problem = None
                problem = pickle.load(questions)
            out.send({"done": 0})
            out.send(_answer(question, problem, out))
            gc.collect()  # a learner may be large


def _prepare(alive: int, trace: int) -> None:
    faulthandler.enable(trace, all_threads=False)
    faulthandler.register(signal.SIGUSR1, trace, all_threads=False)
    threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
    with contextlib.suppress(OSError):  # rather this process than the one that asks
        Path("/proc/self/oom_score_adj").write_text("1000")


def _end_with(alive: int) -> NoReturn:
    """End this process when that of the other end is gone."""
    with contextlib.suppress(OSError):
        while os.read(alive, 1):
            pass
    os._exit(PIPE_LOST)


class _Out:
    """Where messages go; a fork of this process has nothing to say."""

    def __init__(self, tells: int) -> None:
        self._tells = tells
        self._me = os.getpid()

    def send(self, message: dict[str, Any]) -> None:
        if os.getpid() != self._me:
            os._exit(0)
        data = json.dumps(message).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._tells, data) :]
        except OSError:
            os._exit(PIPE_LOST)


def _answer(question: dict[str, Any], problem: Problem, out: _Out) -> dict[str, Any]:
    do: dict[str, Callable[..., Any]] = {"takes": _takes, "play": _play}
    try:
        return {"answer": do[question["do"]](question, problem, out)}
    except SpecError as error:
        return {"error": str(error), "kind": "spec"}
    except LearnerError as error:
        return {"error": str(error)}
    except BaseException as error:  # whatever a learner may raise
        return {"error": f"{said(error)}{where(error)}"}
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):
                stream.flush()


def _takes(question: dict[str, Any], problem: Problem, out: _Out) -> list[str]:
    """Which of the run's settings a learner wants to know."""
    return sorted(maker_of(parse_own(question["spec"])).takes)


def _play(question: dict[str, Any], problem: Problem, out: _Out) -> dict[str, Any]:
    """A learner on the problem; the result as JSON has it."""
    began = time.perf_counter()
    run = OwnRun(
        question["explorer"],
        learning_rate=question["learning_rate"],
        offset=question["offset"],
        seed=question["seed"],
    )
    result = play(problem, run, lambda done: out.send({"done": done}))
    return {
        "pv_loss": result.pv_loss,
        "ips_reward": result.ips_reward,
        "ips_loss": result.ips_loss,
        "rounds": result.curve.rounds.tolist(),
        "curve": result.curve.pv_loss.tolist(),
        "seconds": time.perf_counter() - began,
    }
