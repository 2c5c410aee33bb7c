"""Saved learners, and what each decides next."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff import Learner
from bakeoff.runs import ARITHMETIC
from tests.golden.files import write_json

FOLDER = "models"
ROUNDS, NEXT = 60, 20
Event = dict[str, Any]  # context, available (or None), own actions, reward


def make_models(folder: Path) -> None:
    """Save each learner, and write down how it goes on."""
    (folder / FOLDER).mkdir(parents=True)
    for name, make in LEARNERS.items():
        learner = make()
        learner.save(folder / FOLDER / f"{name}.bakeoff")
        events = [event_of(name, ROUNDS + i) for i in range(NEXT)]
        content = {
            "run": str(learner.run),
            "arithmetic": ARITHMETIC,
            "pending": learner.pending,
            "events": events,
            "decisions": [decided(learner, event) for event in events],
        }
        write_json(folder / FOLDER / f"{name}.json", content)


def decided(learner: Learner, event: Event) -> dict[str, Any]:
    """Decide and learn; the decision to the last bit."""
    decision = learner.choose(event["context"], available=event["available"])
    learner.learn(decision, reward=event["reward"])
    return {
        "t": decision.t,
        "action": decision.action,
        "name": decision.name,
        "probabilities": [p.hex() for p in decision.probabilities.tolist()],
    }


def event_of(name: str, i: int) -> Event:
    """The event of a round; what comes of it does not depend on the action."""
    rng = np.random.default_rng(i)
    numbers = rng.normal(size=3).round(3).tolist()
    words = {"city": f"c{i % 5}", "tags": [f"t{i % 3}", "all"], "age": numbers[0]}
    available = ["d", "c", "a"][: 2 + i % 2] if name == "actions" and i >= 30 else None
    return {
        "context": numbers if name == "arrays" else words,
        "available": available,
        "reward": float(rng.integers(0, 5)) / 4,
    }


def _arrays() -> Learner:
    return Learner("cover:n_policies=3,psi=0.1,nu", n_actions=4, seed=11)


def _names() -> Learner:
    run = "epsilon-greedy:epsilon=0.2"
    return Learner(run, actions=["x", "y"], bits=10, learning_rate="auto", seed=12)


def _actions() -> Learner:
    return Learner("bag:n_policies=3", actions=["a", "b", "c"], floor=0.05, seed=13)


def _features() -> Learner:
    actions = {"x": {"price": 1.0}, "y": {"price": 0.5, "kind": "new"}}
    return Learner("regcb:c0=0.1,optimistic", actions=actions, seed=14)


def _used(name: str, new: Callable[[], Learner]) -> Learner:
    """A learner after some rounds; every seventh decision waits for its outcome."""
    learner = new()
    for i in range(ROUNDS):
        if name == "actions" and i == 20:
            learner.add_action("d")
            learner.retire_action("b")
        event = event_of(name, i)
        id, available = f"{name}-{i}", event["available"]
        learner.choose(event["context"], available=available, id=id)
        if i % 7:
            learner.learn(id, reward=event["reward"])
    return learner


LEARNERS: dict[str, Callable[[], Learner]] = {
    "arrays": lambda: _used("arrays", _arrays),
    "names": lambda: _used("names", _names),
    "actions": lambda: _used("actions", _actions),
    "features": lambda: _used("features", _features),
}
