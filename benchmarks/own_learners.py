"""Whether own learners use all cores: the same runs with one process and with two.

    python -m benchmarks.own_learners

Python learners play in processes of their own, so that they do not wait for each other.
"""

import argparse
import sys
import tempfile
import time

import numpy as np

from bakeoff import Experiment, Problem, grid


class Averages:
    """Takes the action whose mean loss is least, after some arithmetic in Python."""

    def __init__(self, n_actions: int) -> None:
        self.sums = [0.0] * n_actions
        self.counts = [1e-9] * n_actions

    def choose(self, x: object) -> tuple[int, float]:
        """Choose an action."""
        means = [a / b for a, b in zip(self.sums, self.counts, strict=True)]
        for _ in range(20):  # as slow as learners in Python are
            means = [mean * 0.999 for mean in means]
        return means.index(min(means)), 1.0

    def learn(self, x: object, action: int, loss: float, probability: float) -> None:
        """Remember the loss."""
        self.sums[action] += loss
        self.counts[action] += 1.0


def seconds_with(jobs: int, problems: list[Problem]) -> float:
    """How long all runs take."""
    runs = grid(["python:benchmarks.own_learners.Averages"], learning_rates=[0.1])
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        Experiment(problems, runs).run(folder, jobs=jobs)
        return time.perf_counter() - began


def main() -> int:
    """Print both times and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=40_000)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    problems = [
        Problem.from_classes(
            rng.random((options.events, 4)), rng.integers(0, 10, options.events), name=f"p{i}"
        )
        for i in range(4)
    ]
    one, two = (seconds_with(jobs, problems) for jobs in (1, 2))
    print(f"one process {one:.1f} s, two {two:.1f} s: {one / two:.2f} times the work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
