"""A rollout that is interrupted: both learners and the stages count the same outcomes."""

import random
from pathlib import Path

from bakeoff import DataError, Learner, Rollout
from benchmarks.hostile import interrupts
from benchmarks.hostile.child import in_a_child
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.warm import SPECS
from benchmarks.hostile.witness import Witness, records_in

CALLS = 30


def try_rollout(rng: random.Random, folder: Path) -> str:
    """Calls end early and are tried again: all is there once, in all three places."""
    return in_a_child(_trial, rng, folder)


def _trial(rng: random.Random, folder: Path) -> str:
    way, path = rng.choice(sorted(interrupts.WAYS)), folder / "log.jsonl"
    incumbent = Learner(rng.choice(SPECS), n_actions=3, n_features=2, seed=1, log=path)
    candidate = Learner(rng.choice(SPECS), n_actions=3, n_features=2, seed=2)
    rollout = Rollout(incumbent, candidate, seed=rng.randrange(1000), least=3)
    witness, n_cut = Witness(), 0
    for i in range(CALLS):
        id, x = f"visit-{i}", [rng.gauss(0, 1), rng.gauss(0, 1)]
        try:
            with interrupts.WAYS[way](rng):
                rollout.choose(x, id=id)
        except interrupts.InterruptError:
            n_cut += 1
            _again(rollout, x, id)
        reward = float(rng.randrange(2))
        try:
            with interrupts.WAYS[way](rng):
                rollout.learn(id, reward=reward)
        except interrupts.InterruptError:
            n_cut += 1
            rollout.learn(id, reward=reward)
        witness.outcomes[id] = reward
    rollout.choose([0.0, 0.0])  # finishes what was cut short
    counts = (incumbent.version, candidate.version, rollout.report()["outcomes"])
    if set(counts) != {CALLS} or incumbent.pending != candidate.pending:
        raise BadError("silent", f"{way}: {counts} of {CALLS} outcomes, {n_cut} interrupts")
    incumbent.close()
    witness.check(records_in([path]))
    return "whole"


def _again(rollout: Rollout, x: list[float], id: str) -> None:
    """Decide once more; an error says that it has happened already."""
    try:
        rollout.choose(x, id=id)
    except DataError as error:
        if "already" not in str(error):
            raise
