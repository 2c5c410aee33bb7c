"""The parts of a service, with full disks and kills: no acknowledged reward is lost."""

import random
import time
from pathlib import Path
from typing import Any

from bakeoff import BakeoffError, Learner
from bakeoff.live.serving.config import Config, Rewards, Rollout, Service
from bakeoff.live.serving.decider import Decider
from bakeoff.live.serving.messages import Action, DecideRequest
from bakeoff.live.serving.state import State
from bakeoff.live.serving.trainer import LOG, MODEL, STATE, Trainer
from bakeoff.reading.logs.parts import parts_of
from benchmarks.hostile import full_log
from benchmarks.hostile.child import in_a_child
from benchmarks.hostile.commands import BadError
from benchmarks.hostile.witness import records_in

ACTIONS: list[Action | str] = [Action("a", {"x": 1}), Action("b", {"x": 2}), Action("c", {"x": 3})]
WAIT = 600.0  # seconds


def try_service(rng: random.Random, folder: Path) -> str:
    """What was committed is learned and logged once, whatever happens to the writer."""
    return in_a_child(_trial, rng, folder)


def _trial(rng: random.Random, folder: Path) -> str:
    service = _Service(rng, folder / "state")
    story = [service.event() for _ in range(rng.randrange(4, 12))]
    try:
        service.finish()
    except BadError as bad:
        raise BadError(bad.args[0], f"{bad.args[1]} ({', '.join(story)})") from None
    return "all is there"


class _Service:
    """A decider and a writer, of which the latter may be killed."""

    def __init__(self, rng: random.Random, folder: Path) -> None:
        self.rng, self.folder = rng, folder
        rollout = Rollout(learner={"explorer": "greedy"}, least=3) if rng.random() < 0.4 else None
        self.config = Config(
            learner={"explorer": "epsilon-greedy:epsilon=0.4", "seed": 1},
            rewards=Rewards(wait=WAIT),
            service=Service(state=str(folder), log_bytes=rng.choice([10_000, 100_000_000])),
            rollout=rollout,
        )
        self.now, self.n = time.time(), 0
        self.decided, self.rewarded = list[str](), dict[str, float]()
        self.start()

    def start(self) -> None:
        self.trainer = Trainer(self.config)
        learner = Learner.load(self.folder / MODEL, seed=self.rng.randrange(99), learns=False)
        self.state = State(self.folder / STATE)
        self.decider = Decider(self.config, learner, self.state)

    def event(self) -> str:
        """Something that happens to a service."""
        self.take_requests()
        happen = self.rng.choice((self.learn, self.fill, self.fill_and_kill, self.kill, self.jump))
        happen()
        return happen.__name__

    def take_requests(self) -> None:
        for _ in range(self.rng.randrange(6)):
            self.n += 1
            id = f"visit-{self.n}"
            self.decider.decide(DecideRequest({"u": self.rng.randrange(3)}, ACTIONS, id=id))
            self.decided.append(id)
            if self.rng.random() < 0.7:
                reward = float(self.rng.randrange(2))
                with self.state.transaction():
                    self.decider.reward(id, reward)
                self.rewarded[id] = reward

    def learn(self) -> None:
        self.trainer.step(self.now)
        if self.rng.random() < 0.5:
            self.trainer.save()

    def fill(self) -> None:
        """The disk is full for a while."""
        way = full_log.WAYS[self.rng.choice(["no space", "no truncate"])]
        with way(self.rng, self.folder / LOG):
            for _ in range(3):
                try:
                    self.trainer.step(self.now)
                except BakeoffError as error:
                    if "\n" in str(error):
                        raise BadError("traceback", str(error)) from None

    def fill_and_kill(self) -> None:
        self.fill()
        self.kill()

    def kill(self) -> None:
        """The writer goes without saving anything."""
        self.trainer.learner.close()
        self.trainer.state.close()
        self.state.close()
        self.start()

    def jump(self) -> None:
        """The clock jumps, also back."""
        self.now += self.rng.choice([-1e6, -1.0, 2 * WAIT])
        self.learn()

    def finish(self) -> None:
        """Learn what is left; all is in the log and in the model, once."""
        while self.trainer.step(time.time() + 1e9):
            pass
        self.trainer.close()
        self.state.close()
        records = records_in(parts_of(self.folder / LOG))
        decided = [one["id"] for one in records if one["kind"] == "decision"]
        learned = {one["id"]: one["reward"] for one in records if one["kind"] == "outcome"}
        _same("decisions", sorted(decided), sorted(self.decided))
        _same("rewards", learned, self.rewarded)
        version = Learner.load(self.folder / MODEL).version
        _same("outcomes of the model", version, len(learned))


def _same(what: str, found: Any, wanted: Any) -> None:
    if found != wanted:
        raise BadError("lost", f"{what}: {found!s:.200} and not {wanted!s:.200}")
