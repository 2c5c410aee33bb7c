"""Speed next to Vowpal Wabbit's own driver, on one core, in the same run.

    python benchmarks/against_vw.py

Three shapes x nine algorithms at the paper's fixed hyperparameters for -1/0. VW reads a
text file (string feature names), timed from Workspace to finish; ours is timed without
building the Problem and without compiling. `grid` is 27 runs at once (nine learning
rates x three encodings), per run-example; `single` is one run. Medians of `--repeats`
of processor time, which others on the machine disturb less than they do the clock.
VW has no active epsilon-greedy: there its epsilon-greedy stands in.

With `--inputs centred`, our runs take turns with raw ones, too, and two more columns say how
many times as long as those they take, by the least times: whoever comes first after VW waits
for the system to clear pages.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn.datasets import load_digits
from vowpalwabbit import Workspace

from bakeoff import Problem, Run, simulate

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
OFFSETS = (0, -1, 9)
MOST_SLOWER = 1.15  # times the time of raw inputs


class Algorithm(NamedTuple):
    """One algorithm in both programs."""

    label: str
    spec: str
    vw: str


ALGORITHMS = (
    Algorithm("G", "greedy", "--epsilon 0 --cb_type mtr"),
    Algorithm("eG", "epsilon-greedy:epsilon=0.02", "--epsilon 0.02 --cb_type mtr"),
    Algorithm("A", "active:epsilon=0.02,c0=1e-6", "--epsilon 0.02 --cb_type mtr"),
    Algorithm("R", "regcb:c0=1e-3", "--regcb --mellowness 0.001 --cb_type mtr"),
    Algorithm(
        "RO", "regcb:c0=1e-3,optimistic", "--regcb --regcbopt --mellowness 0.001 --cb_type mtr"
    ),
    Algorithm("B", "bag:n_policies=4", "--bag 4 --cb_type mtr"),
    Algorithm("B-g", "bag:n_policies=4,greedy", "--bag 4 --greedify --cb_type mtr"),
    Algorithm("C-nu", "cover:n_policies=4,psi=0.1,nu", "--cover 4 --psi 0.1 --nounif --cb_type dr"),
    Algorithm("C-u", "cover:n_policies=4,psi=0.1", "--cover 4 --psi 0.1 --cb_type ips"),
)


class Shape(NamedTuple):
    """A problem, and what VW needs to know about it."""

    name: str
    problem: Problem
    bits: int
    least_grid: float  # the ratio we hold ourselves to


def shapes() -> list[Shape]:
    """The three shapes, made the same way each time."""
    rng = np.random.default_rng(1)
    X, y = load_digits(return_X_y=True)
    digits = Problem.from_classes(np.tile(X, (10, 1)), np.tile(y, 10), name="digits")
    X = rng.random((100_000, 8)).round(4)
    narrow = Problem.from_classes(X, (X[:, 0] > X[:, 1]).astype(int), name="narrow")
    n, d, nonzeros, K = 10_000, 100_000, 50, 20
    index = rng.integers(0, d, n * nonzeros)
    value = rng.random(n * nonzeros, dtype=np.float32)
    rows = sparse.csr_array((value, index, np.arange(n + 1) * nonzeros), shape=(n, d))
    rows.sum_duplicates()
    sums = rows @ rng.normal(size=(d, K))
    wide = Problem.from_classes(rows, sums.argmax(axis=1), n_actions=K, name="sparse")
    return [
        Shape("digits", digits, 18, 10.0),
        Shape("narrow", narrow, 18, 10.0),
        Shape("sparse", wide, 22, 4.0),
    ]


def write_vw(problem: Problem, path: Path) -> None:
    """The problem as VW text; names are strings, for integer names collapse in VW."""
    x, right = problem.contexts, problem.true_costs.right
    with path.open("w") as out:
        for e in range(problem.n):
            begin, end = x.start[e], x.start[e + 1] - 1  # VW adds its own bias
            pairs = zip(x.feature[begin:end], x.value[begin:end], strict=True)
            features = " ".join(f"f{j}:{v:.6g}" for j, v in pairs)
            out.write(f"{right[e] + 1} | {features}\n")


def seconds_of(works: Sequence[Callable[[], object]], repeats: int) -> list[list[float]]:
    """The times of each, in ascending order, over some repeats in which they take turns.

    Every other time they do so from the last to the first.
    """
    times: list[list[float]] = [[] for _ in works]
    for repeat in range(repeats):
        turns = list(zip(works, times, strict=True))
        for work, mine in turns[:: -1 if repeat % 2 else 1]:
            began = time.process_time()
            work()
            mine.append(time.process_time() - began)
    return [sorted(mine) for mine in times]


def run_vw(path: Path, shape: Shape, options: str) -> None:
    """One pass of VW's driver."""
    workspace = Workspace(
        f"-d {path} -b {shape.bits} -l 0.5 --cbify {shape.problem.n_actions} "
        f"--cb_explore_adf --loss0 -1 --loss1 0 --quiet {options}"
    )
    workspace.finish()


def main() -> int:
    """Print the table; exit with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--shapes", nargs="+", metavar="SHAPE", help="only these")
    parser.add_argument("--algorithms", nargs="+", metavar="LABEL", help="only these")
    parser.add_argument("--core", type=int, default=0, help="the core to run on")
    parser.add_argument("--inputs", default="raw", help="what our runs see (raw)")
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})

    tiny = Problem.from_classes(np.eye(3), [0, 1, 2])
    labels = options.algorithms or [algorithm.label for algorithm in ALGORITHMS]
    chosen = [algorithm for algorithm in ALGORITHMS if algorithm.label in labels]
    seen = dict.fromkeys(("raw", options.inputs))
    simulate(tiny, [Run(a.spec, inputs=inputs) for a in chosen for inputs in seen])  # compiles
    grids: list[float] = []
    singles: list[float] = []
    missed: list[str] = []
    is_mapped = options.inputs != "raw"
    slower = f" {options.inputs} / raw: grid | single |" if is_mapped else ""
    ratios: list[float] = []
    print(f"| shape | algorithm | VW ns | grid ns | VW / grid | single ns | VW / single |{slower}")
    print("|---|---|---|---|---|---|---|" + "---|---|" * is_mapped)
    with tempfile.TemporaryDirectory() as folder:
        for shape in shapes():
            if options.shapes and shape.name not in options.shapes:
                continue
            path = Path(folder) / f"{shape.name}.vw"
            write_vw(shape.problem, path)
            for algorithm in chosen:
                vw, *ours = measure(shape, algorithm, path, options.repeats, options.inputs)
                grid, single = ours[:2]
                grids.append(vw / grid)
                singles.append(vw / single)
                cell = f"{shape.name} {algorithm.label}"
                if vw / grid < shape.least_grid:
                    missed.append(f"{cell}: grid {vw / grid:.1f}x")
                if vw / single < 0.8:
                    missed.append(f"{cell}: single {vw / single:.1f}x")
                line = (
                    f"| {shape.name} | {algorithm.label} | {vw:,.0f} | {grid:,.0f} "
                    f"| {vw / grid:.1f}x | {single:,.0f} | {vw / single:.1f}x |"
                )
                for what, ratio in zip(("grid", "single"), ours[2:], strict=False):
                    ratios.append(ratio)
                    line += f" {ratio:.2f} |"
                    if ratio > MOST_SLOWER:
                        missed.append(f"{cell}: {options.inputs} {what} {ratio:.2f} of raw")
                print(line, flush=True)
    print(
        f"\ngeometric mean over all cells: grid {statistics.geometric_mean(grids):.1f}x"
        f" (least {min(grids):.1f}x), single {statistics.geometric_mean(singles):.1f}x"
        f" (least {min(singles):.1f}x)"
    )
    if ratios:
        mean = statistics.geometric_mean(ratios)
        print(f"{options.inputs} / raw: geometric mean {mean:.2f}, most {max(ratios):.2f}")
    if statistics.geometric_mean(grids) < 15:
        missed.append("geometric mean of grids below 15x")
    if statistics.geometric_mean(singles) < 1.5:
        missed.append("geometric mean of single runs below 1.5x")
    for bar in missed:
        print(f"missed: {bar}")
    return 1 if missed else 0


def measure(
    shape: Shape, algorithm: Algorithm, path: Path, repeats: int, inputs: str
) -> list[float]:
    """Nanoseconds per example of VW, and per run-example of a grid and of one run.

    If inputs are mapped, how many times as long as raw runs they take follows.
    """
    problem, ours = shape.problem, []
    for seen in dict.fromkeys((inputs, "raw")):
        one = Run(algorithm.spec, learning_rate=0.5, offset=-1, inputs=seen)
        runs = [
            replace(one, learning_rate=rate, offset=offset) for rate in RATES for offset in OFFSETS
        ]
        ours += [partial(simulate, problem, runs), partial(simulate, problem, [one])]
    vw = partial(run_vw, path, shape, algorithm.vw)
    times = seconds_of([vw, *ours], repeats)
    medians = [statistics.median(mine) for mine in times[:3]]
    each = [1e9 * time / problem.n / n for time, n in zip(medians, (1, len(runs), 1), strict=True)]
    return [*each, *(mine[0] / raw[0] for mine, raw in zip(times[1:], times[3:], strict=False))]


if __name__ == "__main__":
    sys.exit(main())
