"""A disk that is full, or fails, under a log."""

import errno
import os
import random
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff import BakeoffError, Learner
from bakeoff.live.log_writer import LogWriter
from bakeoff.reading.logs.parts import parts_of
from benchmarks.hostile.child import in_a_child
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.warm import SPECS
from benchmarks.hostile.witness import Witness, check_saving, check_uses, records_in


def try_full_log(rng: random.Random, folder: Path) -> str:
    """What was acknowledged is there; with room again, writing goes on."""
    return in_a_child(_trial, rng, folder)


def _trial(rng: random.Random, folder: Path) -> str:
    path, way = folder / "log.jsonl", rng.choice(sorted(WAYS))
    sync = way == "fsync" or rng.random() < 0.2
    writer = LogWriter(path, most_bytes=rng.choice([None, 3000]), sync=sync)
    learner = Learner(rng.choice(SPECS), n_actions=3, log=writer, seed=1)
    witness = Witness()
    refused = 0
    try:
        for _ in range(rng.randrange(1, 4)):
            _use(learner, witness, rng, rng.randrange(12))
            with WAYS[way](rng, path):
                refused += _use(learner, witness, rng, 8)
            if _use(learner, witness, rng, 5):
                raise BadError("lost", "there is room again, but writing fails")
        for id in learner.pending:
            learner.learn(id, reward=1.0)
            witness.outcomes[id] = 1.0
        check_saving(learner, folder / "model.bakeoff")
        learner.close()
        witness.check(records_in(parts_of(path)))
        check_uses(path)
    except BadError as bad:
        raise BadError(bad.args[0], f"{way}: {bad.args[1]}") from None
    return "refused, then written" if refused else "not full yet"


def _use(learner: Learner, witness: Witness, rng: random.Random, n: int) -> int:
    """Decide and learn; how many calls were refused."""
    refused = 0
    for _ in range(n):
        try:
            if learner.pending and rng.random() < 0.5:
                id, reward = rng.choice(learner.pending), float(rng.randrange(2))
                if learner.learn(id, reward=reward):
                    witness.outcomes[id] = reward
            elif rng.random() < 0.8:
                x = np.array([rng.gauss(0, 1), rng.gauss(0, 1)])
                witness.decided(learner.choose(x))
            else:
                batch = learner.choose_batch(np.ones((4, 2)))
                for id, action in zip(batch.ids, batch.actions.tolist(), strict=True):
                    witness.note(id, action)
        except BakeoffError as error:
            refused += 1
            if "\n" in str(error):
                raise BadError("traceback", str(error)) from None
    return refused


@contextmanager
def _limited(rng: random.Random, path: Path) -> Iterator[None]:
    """Files cannot grow much: a write is cut, and the next fails."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = path.stat().st_size + rng.randrange(900)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _replaced(name: str, function: Any) -> Iterator[None]:
    before = getattr(os, name)
    setattr(os, name, function)
    try:
        yield
    finally:
        setattr(os, name, before)


@contextmanager
def _no_space(rng: random.Random, _: Path) -> Iterator[None]:
    """Some bytes are written, and then there is no space."""
    left, write = rng.randrange(900), os.write

    def cut(file: int, data: bytes) -> int:
        nonlocal left
        if left <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written = write(file, data[:left])
        left -= written
        return written

    with _replaced("write", cut):
        yield


@contextmanager
def _no_truncate(rng: random.Random, path: Path) -> Iterator[None]:
    """The same, and what was written cannot be taken back."""

    def fail(*_: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with _no_space(rng, path), _replaced("ftruncate", fail):
        yield


@contextmanager
def _fsync(rng: random.Random, _: Path) -> Iterator[None]:
    """The disk does not say that it has what was written."""

    def fail(*_: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with _replaced("fsync", fail):
        yield


WAYS: dict[str, Any] = {
    "limited": _limited, "no space": _no_space, "no truncate": _no_truncate,
    "fsync": _fsync,
}  # fmt: skip
