"""A process that forks in the middle of deciding."""

import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff import BakeoffError, Learner
from bakeoff.reading.logs.parts import parts_of
from benchmarks.hostile.child import in_a_child
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.witness import Witness, records_in

ROUNDS = 20
SPEC = "epsilon-greedy:epsilon=1.0"  # uniform: two sequences are never alike by chance


def try_fork(rng: random.Random, folder: Path) -> str:
    """Parent and child decide: with other ids and draws, or the child is refused."""
    return in_a_child(_trial, rng, folder)


def _trial(rng: random.Random, folder: Path) -> str:
    path = folder / "log.jsonl" if rng.random() < 0.5 else None
    learner = Learner(SPEC, n_actions=10, log=path, seed=rng.randrange(1000))
    witness = Witness()
    for _ in range(rng.randrange(5)):
        witness.decided(learner.choose(np.ones(2)))
    as_batch = rng.random() < 0.3
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = json.dumps(_decided(learner, as_batch))
        except BaseException as error:
            said = json.dumps(f"{type(error).__name__}: {error}")
        os.write(write, said.encode())
        os._exit(0)
    os.close(write)
    mine = _decided(learner, as_batch)
    with os.fdopen(read) as pipe:
        theirs = json.loads(pipe.read())
    os.waitpid(child, 0)
    if isinstance(mine, str):
        raise BadError("silent", f"the parent is refused: {mine}")
    if isinstance(theirs, str) and not theirs.startswith("refused"):
        raise BadError("traceback", theirs)
    made = mine if isinstance(theirs, str) else [*mine, *theirs]
    for id, action in made:
        witness.note(id, action)
    actions = [action for _, action in mine]
    if not isinstance(theirs, str) and actions == [action for _, action in theirs]:
        raise BadError("silent", "parent and child explore alike")
    if path is not None:
        learner.close()
        files = {*parts_of(path), *folder.glob("*.jsonl")}
        witness.check(records_in(files))
    return "refused" if isinstance(theirs, str) else "apart"


def _decided(learner: Learner, as_batch: bool) -> Any:
    """Ids and actions, or one sentence."""
    try:
        if as_batch:
            batch = learner.choose_batch(np.ones((ROUNDS, 2)))
            return list(zip(batch.ids, batch.actions.tolist(), strict=True))
        made = [learner.choose(np.ones(2)) for _ in range(ROUNDS)]
        return [(one.id, one.action) for one in made]
    except BakeoffError as error:
        return f"refused: {error}"
