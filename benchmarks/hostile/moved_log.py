"""A log that somebody moves, removes or replaces while it is written."""

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from bakeoff import BakeoffError, Learner
from bakeoff.live.log_writer import LogWriter
from benchmarks.hostile.child import in_a_child
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.warm import SPECS
from benchmarks.hostile.witness import Witness, check_saving, records_in

NAMES = ("log.jsonl", "log[1].jsonl", "log*.jsonl", "a log.jsonl", "$HOME.jsonl",
         "log?.jsonl", "log", "log.000001.jsonl", "[a-z].jsonl")  # fmt: skip


def try_moved_log(rng: random.Random, folder: Path) -> str:
    """What was acknowledged is in the old file or in the new one."""
    return in_a_child(_trial, rng, folder)


def _trial(rng: random.Random, folder: Path) -> str:
    logs = folder / rng.choice(["logs", "logs [1]", "lo*gs"])
    logs.mkdir()
    path, story = logs / rng.choice(NAMES), list[str]()
    writer = LogWriter(path, most_bytes=rng.choice([None, None, 2500]))
    learner = Learner(rng.choice(SPECS), n_actions=3, log=writer, seed=1)
    refused = 0
    try:
        for _ in range(rng.randrange(1, 4)):
            refused += _use(learner, logs, rng)
            attack = rng.choice(ATTACKS)
            story.append(attack.__name__)
            attack(rng, path)
        refused += _use(learner, logs, rng)
        _restore(path)
        witness = Witness()
        try:
            _decide(learner, witness, rng)
        except BakeoffError as error:
            raise BadError("lost", f"all is well again, but: {error}") from None
        _check(witness, logs)
        check_saving(learner, folder / "model.bakeoff")
    except BadError as bad:
        about = f"{path.name}, {writer.most_bytes}, {', '.join(story)}"
        raise BadError(bad.args[0], f"{bad.args[1]} ({about})") from None
    return "refused for a while" if refused else "went on"


def _use(learner: Learner, logs: Path, rng: random.Random) -> int:
    """Decide; what was acknowledged since the last attack must be in some file now."""
    witness, refused = Witness(), 0
    for _ in range(rng.randrange(1, 20)):
        try:
            _decide(learner, witness, rng)
        except BakeoffError as error:
            refused += 1
            if "\n" in str(error):
                raise BadError("traceback", str(error)) from None
    _check(witness, logs)
    return refused


def _decide(learner: Learner, witness: Witness, rng: random.Random) -> None:
    decision = learner.choose(np.array([rng.gauss(0, 1), 1.0]))
    witness.decided(decision)
    learner.learn(decision, reward=1.0)
    witness.outcomes[decision.id] = 1.0


def _check(witness: Witness, logs: Path) -> None:
    witness.check(records_in(_files_below(logs.parent)))


def _files_below(folder: Path) -> Iterator[Path]:
    """All logs, each once."""
    seen = set()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix != ".bakeoff" and "foreign" not in path.name:
            status = path.stat()
            if (status.st_dev, status.st_ino) not in seen:
                seen.add((status.st_dev, status.st_ino))
                yield path


def _restore(path: Path) -> None:
    """What hinders the writer is gone."""
    path.parent.mkdir(exist_ok=True)
    if path.is_symlink() or path.is_fifo():
        path.unlink()
    elif path.is_dir():
        shutil.rmtree(path)


def move(rng: random.Random, path: Path) -> None:
    """As tools that rotate logs do."""
    if os.path.lexists(path):
        path.rename(path.with_name(f"moved-{rng.randrange(10**6)}"))


def remove(_: random.Random, path: Path) -> None:
    """The file is gone."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def replace(rng: random.Random, path: Path) -> None:
    """There is an empty file of the same name."""
    move(rng, path)
    if path.parent.is_dir():
        path.touch()


def to_folder(rng: random.Random, path: Path) -> None:
    """There is a folder of the same name."""
    move(rng, path)
    path.mkdir(parents=True, exist_ok=True)


def to_link(rng: random.Random, path: Path) -> None:
    """There is a link to nowhere."""
    move(rng, path)
    if path.parent.is_dir():
        path.symlink_to("nowhere/at/all")


def remove_folder(_: random.Random, path: Path) -> None:
    """The folder is gone."""
    shutil.rmtree(path.parent, ignore_errors=True)


def move_folder(rng: random.Random, path: Path) -> None:
    """The folder has another name."""
    if path.parent.is_dir():
        path.parent.rename(path.parent.with_name(f"old-{rng.randrange(10**6)}"))


def return_folder(_: random.Random, path: Path) -> None:
    """The folder is there again, if it was gone."""
    path.parent.mkdir(exist_ok=True)


ATTACKS = (move, move, remove, remove, replace, to_folder, to_link, remove_folder,
           move_folder, return_folder)  # fmt: skip
