"""Learners that misbehave in round 3, each in its own way.

They are named by import path, so this file is read in processes of their own.
"""

import ctypes
import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any


class Misbehaves:
    """Plays two rounds, and then does what its name says."""

    def __init__(self, how: str) -> None:
        self.how = how
        self.t = 0

    def choose(self, x: Any) -> Any:
        self.t += 1
        return (0, 1.0) if self.t < 3 else WAYS[self.how]()

    def learn(self, x: Any, action: int, loss: float, probability: float) -> None:
        pass


class Hostile:
    """An object that answers nothing."""

    def _refuse(self, *_: object) -> Any:
        raise GeneratorExit

    __repr__ = __index__ = __iter__ = __float__ = __str__ = __bool__ = _refuse
    __eq__ = __lt__ = __le__ = __gt__ = _refuse
    __hash__ = None  # type: ignore[assignment]


class HostileError(BaseException):
    """An error that cannot be told."""

    def __str__(self) -> str:
        raise KeyboardInterrupt

    __repr__ = __str__


def raises(error: BaseException) -> Callable[[], Any]:
    def way() -> Any:
        raise error

    return way


def crash() -> Any:
    faulthandler.is_enabled()
    ctypes.string_at(1)
    return 0, 1.0


def close_descriptors() -> Any:
    os.closerange(0, 4096)
    return 0, 1.0


def fork() -> Any:
    os.fork()  # both go on
    return 0, 1.0


def hang() -> Any:
    while True:
        time.sleep(1)


def spin() -> Any:
    while True:
        pass


def scribble() -> Any:
    for number in range(3, 4096):
        try:
            os.write(number, b'{"answer": rubbish}\n')
        except OSError:
            continue
    return 0, 1.0


def leave_a_thread() -> Any:
    threading.Thread(target=time.sleep, args=(1000,)).start()
    return 0, 1.0


def print_a_lot() -> Any:
    for _ in range(2000):
        sys.stdout.write("\x1b[2J words " * 20 + "\n")
    sys.stderr.write("the last words\n")
    raise ValueError("after a lot of words")


def ignore_signals() -> Any:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
        signal.signal(number, signal.SIG_IGN)
    return hang()


WAYS: dict[str, Callable[[], Any]] = {
    "generator-exit": raises(GeneratorExit()),
    "interrupt": raises(KeyboardInterrupt()),
    "base": raises(BaseException("the base of all")),
    "untold": raises(HostileError()),
    "surrogates": raises(ValueError("\udcff\x00\x1b[31m")),
    "exit": lambda: os._exit(3),
    "exit-0": lambda: os._exit(0),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "abort": os.abort,
    "crash": crash,
    "close": close_descriptors,
    "stdout": lambda: (sys.stdout.close(), sys.stderr.close()),
    "fork": fork,
    "hostile": Hostile,
    "hostile-parts": lambda: (Hostile(), Hostile()),
    "recursion": lambda: WAYS["recursion"](),
    "scribble": scribble,
    "huge": lambda: (10**5000, 1.0),
    "not-a-number": lambda: (0, float("nan")),
    "leave-a-thread": leave_a_thread,
    "print": print_a_lot,
}

ENDLESS: dict[str, Callable[[], Any]] = {"hang": hang, "spin": spin, "ignore": ignore_signals}
WAYS |= ENDLESS
ALLOWED = {"fork", "leave-a-thread"}  # odd, but no fault


class OddlyNamed(type):
    """Gives its classes a name that no terminal should see."""

    __name__ = property(lambda cls: "Nul\0 \udcff\x1b[31m")


class OddError(Exception, metaclass=OddlyNamed):
    """An error whose type has an odd name."""


class OddLearner(Misbehaves, metaclass=OddlyNamed):
    """A learner whose class has an odd name, and raises what has one, too."""

    def choose(self, x: Any) -> Any:
        raise OddError("odd")
