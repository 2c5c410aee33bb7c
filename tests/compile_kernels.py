"""Compile every kernel that tests need, in two processes, before tests start.

`python -m tests.compile_kernels`. Test workers would otherwise each compile them all.
"""

import multiprocessing
import sys

import numpy as np

from bakeoff import Learner, Problem, Run, simulate
from bakeoff.core.explorers import EXPLORERS


def compile_explorer(name: str) -> None:
    """Run an explorer once, simulated and live."""
    problem = Problem.from_classes(np.eye(3), [0, 1, 2])
    simulate(problem, [Run(name)])
    if not EXPLORERS[name].sees_all_costs:
        learner = Learner(name, n_actions=3)
        learner.learn(learner.choose([1.0]), loss=1.0)


def main() -> int:
    """Compile the explorers two at a time."""
    names = sorted({e.kernels: name for name, e in EXPLORERS.items()}.values())
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        pool.map(compile_explorer, names, chunksize=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
