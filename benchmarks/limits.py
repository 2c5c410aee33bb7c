"""How far we are from what the machine could do, on one core.

    python -m benchmarks.limits

The work of a run-example is counted by hand from the paper's formulas; small loops time
each kind of work in the same run, as vectors and with data in the first cache:

    madds    multiply-adds of predictions and of moving weights
    roots    step sizes: a square root and a division in single precision
    steps    how far to move: a square root, divisions and exp in double precision
    draws    random numbers
    bytes    of weights made, read and written, at the speed of memory of their size

The limit is the larger of the time to compute and the time to move bytes; what a round
needs besides (choosing, counting, gathering the cells of the action taken) is not in
it. `limit / ours` above 1/3 is what we want; other cells are explained below the table.
"""

import argparse
import math
import os
import statistics
import sys
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np

from bakeoff import Run, simulate
from bakeoff.core.random import ACTION, key_of, uniform
from bakeoff.simulation.lanes import bytes_per_lane, sizes_of
from benchmarks.against_vw import ALGORITHMS, OFFSETS, RATES, Shape, seconds_of, shapes

F = TypeVar("F")
N = 1 << 11  # numbers that stay in the first cache
WANTED = 3.0
LARGEST = 1 << 30  # bytes of an array to time memory with


class Work(NamedTuple):
    """What a run-example needs; z nonzeros, K actions."""

    madds: float
    roots: float
    steps: float
    draws: float
    bytes: float


def work_of(label: str, K: int, z: float) -> Work:
    """The work of an algorithm at the paper's fixed hyperparameters.

    An update of a cell reads w, A and N and writes w and A: 20 bytes, of which a
    prediction has read w. Poisson(1) updates are one on average, of which a policy
    makes another after the first 0.37 times, and predicts anew.
    """
    update, look, sight = 16.0, 4.0, 8.0  # bytes of a cell
    if label in ("G", "eG"):
        return Work(K * z + z, z, 1, 1, look * K * z + update * z)
    if label in ("A", "RO"):
        roots, moved = (K + 1) * z, (look + sight) * K * z + update * z
        return Work(K * z + z, roots, 1, 1, moved)
    if label == "R":
        roots, moved = (2 * K + 1) * z, (look + sight) * K * z + update * z
        return Work(K * z + z, roots, 1, 1, moved)
    if label in ("B", "B-g"):
        moved = 4 * (look * K * z + update * z)
        return Work(4 * (K * z + 1.37 * z), 4 * z, 4, 5, moved)
    columns = 5 if label == "C-nu" else 4  # the estimator of DR updates one action
    moved = columns * look * K * z + 4 * update * K * z
    return Work(
        (columns + 4) * K * z, 4 * K * z + (columns - 4) * z, 4 * K + (columns - 4), 1, moved
    )


def njit(function: F) -> F:
    """Compile a loop."""
    compiler: Any = numba.njit(error_model="numpy")
    compiled: F = compiler(function)
    return compiled


@njit
def add_up(w: Any, out: Any) -> None:
    """Multiply-adds."""
    x = np.float32(0.5)
    for c in range(w.shape[0]):
        out[c] = out[c] + x * w[c]


@njit
def root_all(A: Any, out: Any) -> None:
    """Step sizes."""
    for c in range(A.shape[0]):
        out[c] = np.float32(1) / (np.sqrt(A[c]) * A[c])


@njit
def step_all(A: Any, out: Any) -> None:
    """How far to move."""
    for c in range(A.shape[0]):
        m = math.sqrt(A[c] / 3.0)
        out[c] = (1.0 - math.exp(-2.0 * A[c] * m)) / (A[c] * m) * m


@njit
def draw_all(key: Any, out: Any) -> None:
    """Random numbers."""
    for c in range(out.shape[0]):
        out[c] = uniform(key, c, ACTION)


@njit
def read_all(w: Any) -> Any:
    """Move bytes: a number of each cache line."""
    total = np.float32(0)
    for c in range(0, w.shape[0], 16):
        total += w[c]
    return total


def warm_seconds(work: Callable[[], object], repeats: int) -> float:
    """The median of processor times, after a first call that compiles."""
    work()
    return statistics.median(seconds_of([work], repeats)[0])


def unit_costs(repeats: int) -> Work:
    """Nanoseconds of each kind of work; of bytes: see `byte_cost`."""
    rng = np.random.default_rng(1)
    A, out = rng.random(N, dtype=np.float32), np.zeros(N, np.float32)
    A8, out8 = A.astype(np.float64), np.zeros(N)
    key = key_of(1)

    def cost(work: Callable[..., object], *arrays: Any) -> float:
        def often() -> None:
            for _ in range(200):
                work(*arrays)

        return warm_seconds(often, repeats) / (200 * N) * 1e9

    return Work(
        cost(add_up, A, out),
        cost(root_all, A, out),
        cost(step_all, A8, out8),
        cost(draw_all, key, out8),
        0.0,
    )


def byte_cost(size: int, repeats: int) -> float:
    """Nanoseconds per byte read from an array as large as all weights."""
    w = np.ones(min(size, LARGEST) // 4, np.float32)
    rounds = max(1, (1 << 26) // w.nbytes)

    def often() -> None:
        for _ in range(rounds):
            read_all(w)

    return warm_seconds(often, repeats) / (rounds * w.nbytes) * 1e9


def measured(shape: Shape, spec: str, repeats: int) -> tuple[float, int]:
    """Nanoseconds per run-example of a grid, and the bytes of its weights."""
    runs = [Run(spec, learning_rate=r, offset=o) for r in RATES for o in OFFSETS]
    problem = shape.problem
    took = warm_seconds(lambda: simulate(problem, runs), repeats)
    size = len(runs) * bytes_per_lane(runs[0], sizes_of(problem))
    return took * 1e9 / problem.n / len(runs), size


def main() -> int:
    """Print the table, and which cells are further away than wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--core", type=int, default=0, help="the core to run on")
    options = parser.parse_args()
    os.sched_setaffinity(0, {options.core})
    unit = unit_costs(options.repeats)
    print(
        f"one multiply-add {unit.madds:.3f} ns, one step size {unit.roots:.3f} ns, "
        f"one move {unit.steps:.1f} ns, one draw {unit.draws:.1f} ns\n"
    )
    print("| shape | algorithm | compute ns | bytes | move ns | ours ns | ours / limit |")
    print("|---|---|---|---|---|---|---|")
    far = []
    for shape in shapes():
        problem = shape.problem
        z = len(problem.contexts.feature) / problem.n
        for algorithm in ALGORITHMS:
            work = work_of(algorithm.label, problem.n_actions, z)
            ours, size = measured(shape, algorithm.spec, options.repeats)
            compute = sum(a * b for a, b in zip(work[:4], unit[:4], strict=True))
            moved = work.bytes + size / len(RATES) / len(OFFSETS) / problem.n
            move = moved * byte_cost(size, options.repeats)
            ratio = ours / max(compute, move)
            if ratio > WANTED:
                far.append(f"{shape.name} {algorithm.label} ({ratio:.1f}x)")
            print(
                f"| {shape.name} | {algorithm.label} | {compute:,.0f} "
                f"| {moved:,.0f} | {move:,.0f} | {ours:,.0f} | {ratio:.1f}x |",
                flush=True,
            )
    print(f"\nfurther than {WANTED:.0f}x from the limit: {', '.join(far) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
