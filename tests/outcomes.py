"""What every configuration does on small problems, as arrays.

`python -m tests.outcomes FILE` writes them to an .npz file; with NUMBA_DISABLE_JIT=1
they are computed by plain Python.
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bakeoff import Result, simulate
from tests.comparisons import follow
from tests.configurations import BANDITS, CONFIGURATIONS, Configuration
from tests.explosions import explosion_of
from tests.problems import sample

ROUNDS = 40

Outcome = tuple[str, NDArray[Any]]


def outcomes() -> dict[str, NDArray[Any]]:
    """Every number by name."""
    found: dict[str, NDArray[Any]] = {}
    for configuration in CONFIGURATIONS:
        found.update(_simulated(configuration))
        found.update(_exploded(configuration))
    for configuration in BANDITS:
        found.update(_decided(configuration))
    return found


def _simulated(configuration: Configuration) -> Iterator[Outcome]:
    runs = [
        configuration.run(learning_rate=rate, offset=offset, seed=seed)
        for rate, offset, seed in ((0.5, 0, 1), (3.0, -1, 2), (0.02, 9, 3))
    ]
    for task in ("multiclass", "ranking"):
        problem = sample(task, ROUNDS).problem
        for lane, result in enumerate(simulate(problem, runs, record=True)):
            yield from _numbers(f"{task} {configuration} lane {lane}", result)


def _exploded(configuration: Configuration) -> Iterator[Outcome]:
    problem, fine, broken = explosion_of(configuration)
    results = simulate(problem, [fine, broken, fine], record=True)
    for lane, result in enumerate(results):
        yield from _numbers(f"explosion {configuration} lane {lane}", result)


def _numbers(name: str, result: Result) -> Iterator[Outcome]:
    yield f"{name} error", np.array(str(result.error))
    yield f"{name} curve", result.curve.pv_loss
    for field in ("pv_loss", "ips_loss", "ips_reward"):
        yield f"{name} {field}", np.array(getattr(result, field))
    if result.error is None:
        for field in ("actions", "probabilities", "costs"):
            yield f"{name} {field}", getattr(result, field)


def _decided(configuration: Configuration) -> Iterator[Outcome]:
    decisions = follow(configuration.learner(3), sample("multiclass", ROUNDS))
    chosen = [decision.probabilities for decision in decisions]
    yield f"learner {configuration} probabilities", np.array(chosen)


if __name__ == "__main__":
    np.savez(sys.argv[1], **outcomes())  # type: ignore[arg-type]
