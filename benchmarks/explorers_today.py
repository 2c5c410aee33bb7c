"""Speed of the explorers that came after the paper, beside Vowpal Wabbit and libraries.

    python -m benchmarks.explorers_today                # squarecb, softmax, first, synthcover ...
    python -m benchmarks.explorers_today --libraries    # LinUCB at d = 64, where installed

The first is measured as in against_vw.py. VW's epsilon does not fall: there its epsilon-greedy
stands in. The second plays LinUCB by each library that can be
imported, by its adapter in examples/libraries, and by ours in one pass, per event.
"""

import argparse
import importlib
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff import Problem, Run, simulate
from benchmarks.against_vw import Algorithm, measure, shapes, write_vw

LEAST_GRID, LEAST_SINGLE, LEAST_LIBRARY = 20.0, 8.0, 50.0  # ratios we hold ourselves to
ALGORITHMS = (
    Algorithm("SCB", "squarecb:gamma=100", "--squarecb --gamma_scale 100 --cb_type mtr"),
    Algorithm(
        "SCB-e", "squarecb:gamma=100,elim", "--squarecb --elim --gamma_scale 100 --cb_type mtr"
    ),
    Algorithm("Sm", "softmax:sharpness=10", "--softmax --lambda 10 --cb_type mtr"),
    Algorithm("F", "first:tau=100", "--first 100 --cb_type mtr"),
    Algorithm("SC", "synthcover:psi=0.1", "--synthcover --synthcoverpsi 0.1 --cb_type mtr"),
    Algorithm("eG-t", "epsilon-greedy:epsilon=0.3,decay=0.5", "--epsilon 0.3 --cb_type mtr"),
)
LIBRARIES = {
    "mabwiser": ("with_mabwiser", "MABWiser"),
    "contextualbandits": ("with_contextualbandits", "ContextualBandits"),
    "river": ("with_river", "River"),
    "coba": ("with_coba", "Coba"),
}


def against_vw(repeats: int, labels: list[str] | None = None) -> list[str]:
    """Print a table, of all algorithms or of some; the bars that are missed."""
    tiny = Problem.from_classes(np.eye(3), [0, 1, 2])
    algorithms = [one for one in ALGORITHMS if labels is None or one.label in labels]
    simulate(tiny, [Run(algorithm.spec) for algorithm in algorithms])  # compiles
    missed = []
    print("| shape | algorithm | VW ns | grid ns | VW / grid | single ns | VW / single |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for shape in shapes():
            path = Path(folder) / f"{shape.name}.vw"
            write_vw(shape.problem, path)
            for one in algorithms:
                vw, grid, single = measure(shape, one, path, repeats, "raw")
                print(
                    f"| {shape.name} | {one.label} | {vw:.0f} | {grid:.0f} | {vw / grid:.1f} "
                    f"| {single:.0f} | {vw / single:.1f} |",
                    flush=True,
                )
                if vw / grid < LEAST_GRID:
                    missed.append(f"{shape.name} {one.label}: grid {vw / grid:.1f}x")
                if vw / single < LEAST_SINGLE:
                    missed.append(f"{shape.name} {one.label}: single {vw / single:.1f}x")
    return missed


def against_libraries(events: int, repeats: int) -> list[str]:
    """Print a table of LinUCB at 64 features and ten actions; the bars that are missed.

    Libraries and ours take turns, and ratios are of the same turn: what else the machine
    does slows down both.
    """
    rng = np.random.default_rng(1)
    X = rng.normal(size=(events, 64)).astype(np.float32)
    y = (X @ rng.normal(size=(64, 10))).argmax(axis=1)
    problem = Problem.from_classes(X, y, 10)
    simulate(problem, [Run("linucb")])  # compiles
    missed = []
    print("| library | us per event | ours | times ours (least to most) |\n|---|---|---|---|")
    for name, (module, adapter) in LIBRARIES.items():
        try:
            made = getattr(importlib.import_module(f"examples.libraries.{module}"), adapter)
        except ImportError:
            print(f"| {name} | not installed | | |")
            continue
        theirs, ours = [], []
        for _ in range(repeats):
            theirs.append(_time_of_library(made(n_actions=10, seed=1), X[:300], y[:300]))
            began = time.process_time()
            simulate(problem, [Run("linucb")])
            ours.append((time.process_time() - began) / events * 1e6)
        ratios = np.divide(theirs, ours)
        ratio = float(np.median(ratios))
        print(
            f"| {name} | {np.median(theirs):.0f} | {np.median(ours):.1f} "
            f"| {ratio:.0f} ({ratios.min():.0f} to {ratios.max():.0f}) |"
        )
        if ratio < LEAST_LIBRARY:
            missed.append(f"{name}: {ratio:.0f}x")
    return missed


def _time_of_library(learner: Any, X: np.ndarray, y: np.ndarray) -> float:
    """Microseconds per event."""
    began = time.process_time()
    for x, right in zip(X, y, strict=True):
        action, p = learner.choose(x)
        learner.learn(x, action, -float(action == right), p)
    return (time.process_time() - began) / len(X) * 1e6


def main() -> int:
    """Print a table; exit with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--libraries", action="store_true", help="LinUCB of libraries, not VW")
    parser.add_argument("--algorithms", nargs="+", metavar="LABEL", help="only these, beside VW")
    parser.add_argument("--events", type=int, default=5_000, help="of ours, beside libraries")
    parser.add_argument("--core", type=int, default=0, help="the core to run on")
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    missed = (
        against_libraries(options.events, options.repeats)
        if options.libraries
        else against_vw(options.repeats, options.algorithms)
    )
    for line in missed:
        print(f"missed: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
