"""Exceptions at any moment of a live call, as Ctrl-C and time limits raise them."""

import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

from bakeoff import DataError, Decision, Learner
from bakeoff.live.log_writer import LogWriter
from bakeoff.reading.logs.parts import parts_of
from benchmarks.hostile.child import in_a_child
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.warm import SPECS
from benchmarks.hostile.witness import Witness, check_saving, check_uses, records_in

CALLS = 60
TRACED = ("bakeoff/live/", "bakeoff/reading/logs/")
LINES = 120  # most lines of these files before an interrupt
MOMENTS = 4e-4  # most seconds before a signal


class InterruptError(BaseException):
    """What comes from outside, as a `KeyboardInterrupt` does."""


def try_interrupt(rng: random.Random, folder: Path) -> str:
    """Calls end early, and the application goes on: all is there wholly and once."""
    return in_a_child(_trial, rng, folder)


def _trial(rng: random.Random, folder: Path) -> str:
    way = rng.choice(sorted(WAYS))
    most_bytes = rng.choice([None, 4000])
    user = _User(rng, folder / "log.jsonl", WAYS[way], most_bytes)
    try:
        for _ in range(CALLS):
            user.call()
        user.finish()
        user.check(folder)
    except BadError as bad:
        raise BadError(bad.args[0], f"{way}: {bad.args[1]}; {user.story()}") from None
    return f"fine after {way}s"


class _User:
    """An application that calls a learner, is interrupted, and goes on."""

    def __init__(
        self, rng: random.Random, path: Path, interrupt: Any, most_bytes: int | None
    ) -> None:
        self.rng, self.path, self.interrupt = rng, path, interrupt
        self.witness, self.interrupted = Witness(), list[str]()
        spec, seed = rng.choice(SPECS), rng.randrange(1000)
        self.writer = LogWriter(path, most_bytes=most_bytes)
        self.learner = Learner(spec, n_actions=3, log=self.writer, seed=seed)
        self.other = Learner(spec, n_actions=3, seed=seed + 1)  # whose is admitted
        self.waiting: list[str] = []
        self.number = 0

    def story(self) -> str:
        return f"interrupted: {', '.join(self.interrupted)}"

    def call(self) -> None:
        """One call of one kind, interrupted or not."""
        kinds = (self._choose, self._choose, self._learn, self._learn, self._batch,
                 self._admit, self._save)  # fmt: skip
        self.rng.choice(kinds)()

    def _tried(self, name: str, call: Callable[[], Any]) -> tuple[bool, Any]:
        """Whether a call returned, and what."""
        if self.rng.random() < 0.5:
            return True, call()
        try:
            with self.interrupt(self.rng):
                result = call()
        except InterruptError:
            self.interrupted.append(name)
            return False, None
        return True, result

    def _x(self) -> Any:
        return np.array([self.rng.gauss(0, 1), self.rng.gauss(0, 1)])

    def _choose(self) -> None:
        """With an id or without; one with an id is tried until it is there."""
        x, id = self._x(), None
        if self.rng.random() < 0.5:
            self.number += 1
            id = f"mine-{self.number}"
        done, decision = self._tried("choose", lambda: self.learner.choose(x, id=id))
        if done:
            self.witness.decided(decision)
            self.waiting.append(decision.id)
        elif id is not None:
            self._again(id, lambda: self.learner.choose(x, id=id))

    def _again(self, id: str, call: Callable[[], Any]) -> None:
        """A call with an id once more: it has happened, or happens now."""
        try:
            made = call()
            if made is not None:
                self.witness.decided(made)
        except DataError:
            if id not in self.learner.pending:
                raise BadError("silent", f"{id!r} is known but does not wait") from None
        self.waiting.append(id)

    def _learn(self) -> None:
        if not self.waiting:
            return
        id = self.waiting.pop(self.rng.randrange(len(self.waiting)))
        reward = float(self.rng.randrange(2))
        done, _ = self._tried("learn", lambda: self.learner.learn(id, reward=reward))
        if not done:
            self.learner.learn(id, reward=reward)
        self.witness.outcomes[id] = reward

    def _batch(self) -> None:
        self._settle()
        n, before = self.rng.randrange(2, 6), self._count()
        X = np.array([self._x() for _ in range(n)])
        done, batch = self._tried("choose_batch", lambda: self.learner.choose_batch(X))
        if not done:
            self._settle()
            if self._count() - before not in (0, n):
                raise BadError("silent", "a part of a batch is in the log")
            return
        for id, action in zip(batch.ids, batch.actions.tolist(), strict=True):
            self.witness.note(id, action)
        rewards = np.array([float(self.rng.randrange(2)) for _ in range(n)])

        def learn() -> int:
            return self.learner.learn_batch(batch, reward=rewards)

        done, _ = self._tried("learn_batch", learn)
        if not done:
            learn()
        self.witness.outcomes |= dict(zip(batch.ids, rewards.tolist(), strict=True))

    def _admit(self) -> None:
        decision: Decision = self.other.choose(self._x())
        done, _ = self._tried("admit", lambda: self.learner.admit(decision))
        if done:
            self.waiting.append(decision.id)
        else:
            self._again(decision.id, lambda: self.learner.admit(decision))
        self.witness.decided(decision)

    def _save(self) -> None:
        path = self.path.with_name("saved.bakeoff")
        done, _ = self._tried("save", lambda: self.learner.save(path))
        if done:
            check_saving(self.learner, path)
        elif path.exists():
            Learner.load(path)

    def _settle(self) -> None:
        """Let the learner finish what an interrupt cut short, as every call does."""
        self.learner.probabilities(self._x())

    def _count(self) -> int:
        lines = records_in(parts_of(self.path))
        return sum(line["kind"] == "decision" for line in lines)

    def finish(self) -> None:
        """Learn what waits, also of calls that did not return."""
        for id in self.learner.pending:
            self.learner.learn(id, reward=0.0)
            self.witness.outcomes.setdefault(id, 0.0)

    def check(self, folder: Path) -> None:
        check_saving(self.learner, folder / "last.bakeoff")
        self.learner.close()
        self.witness.check(records_in(parts_of(self.path)))
        check_uses(self.path)
        left = list(folder.glob("*.saving")) + list(folder.glob(".*.saving"))
        if left:
            raise BadError("silent", f"unfinished files are left: {left}")


@contextmanager
def _line(rng: random.Random) -> Iterator[None]:
    """An interrupt at a line of the code that decides, learns and writes."""
    left = rng.randrange(1, LINES)

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not any(part in frame.f_code.co_filename for part in TRACED):
            return None
        if event == "line":
            left -= 1
            if left == 0:
                sys.settrace(None)
                raise InterruptError
        return count

    sys.settrace(count)
    try:
        yield
    finally:
        sys.settrace(None)


@contextmanager
def _signal(rng: random.Random) -> Iterator[None]:
    """An interrupt by a signal."""
    over = False

    def interrupt(_: int, __: object) -> None:
        if not over:
            raise InterruptError

    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-6, MOMENTS))
    try:
        yield
    finally:
        over = True
        signal.setitimer(signal.ITIMER_REAL, 0)


WAYS = {"line": _line, "signal": _signal}
