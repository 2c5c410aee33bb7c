"""How time and memory grow with the size of the problem, on one core; and threads.

    python benchmarks/growth.py

Time per event from n = 10^4 to 10^6; log-log slopes in nonzeros, actions, policies and
lanes; what a thread for each core gains, every one with as much work as the first; peak
memory on a problem of 1 GB, in a process of its own.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from bakeoff import Problem, Run, simulate
from bakeoff.core.types import Contexts, Costs
from bakeoff.simulation.lanes import bytes_per_lane, sizes_of


def made_up(n: int, nonzeros: int, K: int) -> Problem:
    """Random contexts with all features present, and random classes."""
    rng = np.random.default_rng(7)
    rows = rng.random((n, nonzeros), dtype=np.float32) + np.float32(0.01)
    return Problem.from_classes(rows, rng.integers(0, K, n), n_actions=K)


def seconds_per_event(problem: Problem, runs: Sequence[Run], repeats: int = 5) -> float:
    """The least of some repeats, after a warm-up."""
    times = []
    for _ in range(repeats + 1):
        began = time.perf_counter()
        simulate(problem, runs)
        times.append(time.perf_counter() - began)
    return min(times[1:]) / problem.n


def slope(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of the line through (log size, log time)."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def lanes_of(spec: str, count: int) -> list[Run]:
    """Runs that differ in seed and rate."""
    return [Run(spec, learning_rate=0.1 * (1 + i % 9), seed=i) for i in range(count)]


def events_table(specs: Sequence[str]) -> list[str]:
    """Time per event at growing n; what grew by more than 15 %."""
    sizes = (10_000, 100_000, 1_000_000)
    print("| explorer | " + " | ".join(f"n = {n:,}" for n in sizes) + " | last / first |")
    print("|---|---|---|---|---|")
    missed = []
    for spec in specs:
        runs = lanes_of(spec, 9)
        times = [seconds_per_event(made_up(n, 8, 2), runs, 3) * 1e9 for n in sizes]
        growth = times[-1] / times[0]
        cells = " | ".join(f"{t / len(runs):.0f} ns" for t in times)
        print(f"| {spec} | {cells} | {growth:.2f} |", flush=True)
        if growth > 1.15:
            missed.append(f"{spec}: time per event grew {growth:.2f}x with n")
    return missed


def slopes_table(specs: Sequence[str]) -> list[str]:
    """Log-log slopes; what exceeds 1.1."""
    missed = []
    print("\n| explorer | grows with | sizes | ns per event | slope |")
    print("|---|---|---|---|---|")
    for spec in specs:
        for what, sizes in (
            ("nonzeros", (16, 64, 256, 1024)),
            ("actions", (4, 16, 64, 256)),
            ("policies", (2, 4, 8, 16)),
            ("lanes", (1, 4, 16, 64, 256, 512)),
        ):
            if what == "policies" and "n_policies" not in spec:
                continue
            times = [time_of(spec, what, size) for size in sizes]
            steep = slope(sizes, times)
            shown = ", ".join(f"{t * 1e9:,.0f}" for t in times)
            print(f"| {spec} | {what} | {sizes} | {shown} | {steep:.2f} |", flush=True)
            if steep > 1.1:
                missed.append(f"{spec}: slope {steep:.2f} in {what}")
    return missed


def time_of(spec: str, what: str, size: int) -> float:
    """Seconds per event with one size changed."""
    nonzeros, actions, lanes = 16, 4, 9
    if what == "nonzeros":
        nonzeros = size
    elif what == "actions":
        actions = size
    elif what == "lanes":
        lanes = size
    else:
        spec = spec.replace("n_policies=4", f"n_policies={size}")
    return seconds_per_event(made_up(2_000, nonzeros, actions), lanes_of(spec, lanes))


def threads_table(specs: Sequence[str]) -> list[str]:
    """How much more so many threads do than one; what is below 95 % of their number."""
    problem, cores = made_up(50_000, 16, 4), sorted(os.sched_getaffinity(0))
    print("\n| explorer | threads | work done, in times that of one |\n|---|---|---|")
    missed = []
    for spec in specs:
        runs = lanes_of(spec, 9)
        simulate(problem, runs)
        alone = median_seconds(problem, runs, 1)
        for threads in range(2, len(cores) + 1):
            gain = threads * alone / median_seconds(problem, runs, threads)
            print(f"| {spec} | {threads} | {gain:.2f} |", flush=True)
            if gain < 0.95 * threads:
                missed.append(f"{spec}: {threads} threads do {gain:.2f} times the work")
    return missed


def median_seconds(problem: Problem, runs: Sequence[Run], threads: int) -> float:
    """Until all threads have played the same runs."""
    times = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(9):
            began = time.perf_counter()
            for done in [pool.submit(simulate, problem, runs) for _ in range(threads)]:
                done.result()
            times.append(time.perf_counter() - began)
    return statistics.median(times)


def memory_in_this_process() -> None:
    """Simulate on a problem of 1 GB and print peak and expected memory as JSON."""
    simulate(made_up(10, 2, 2), [Run("greedy")])
    idle = peak_bytes()
    n, nonzeros, d, K = 1_100_000, 119, 5_000, 10
    rng = np.random.default_rng(3)
    width = nonzeros + 1
    feature = np.zeros(n * width, np.int32)
    value = np.ones(n * width, np.float32)
    for begin in range(0, n, 20_000):  # a piece at a time, to need no second copy
        end = min(begin + 20_000, n)
        piece = np.zeros((end - begin, width), np.int32)
        steps = rng.integers(1, d // nonzeros, (end - begin, nonzeros), dtype=np.int32)
        np.cumsum(steps, axis=1, out=piece[:, :-1])
        feature[begin * width : end * width] = piece.ravel()
    events = np.arange(n + 1, dtype=np.int64)
    contexts = Contexts(events * width, feature, value, events)
    right = rng.integers(0, K, n, dtype=np.int32)
    problem = Problem(contexts, Costs(events, right, np.empty(0)), "multiclass", n, K, d, "1 GB")
    data = sum(a.nbytes for a in (*contexts, *problem.true_costs))
    runs = lanes_of("epsilon-greedy", 27)
    state = len(runs) * bytes_per_lane(runs[0], sizes_of(problem))
    simulate(problem, runs)
    print(json.dumps({"data": data, "state": state, "peak": peak_bytes() - idle}))


def peak_bytes() -> int:
    """The most memory this process has held."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def memory_table() -> list[str]:
    """Peak memory against data plus state."""
    command = [sys.executable, __file__, "--memory-only"]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = json.loads(output)
    ratio = found["peak"] / (found["data"] + found["state"])
    print(
        f"\nmemory: data {found['data'] / 1e9:.2f} GB + state of 27 lanes "
        f"{found['state'] / 1e9:.2f} GB; peak above idle {found['peak'] / 1e9:.2f} GB "
        f"= {ratio:.2f}x"
    )
    return [f"memory {ratio:.2f}x"] if ratio > 1.3 else []


def main() -> int:
    """Print all tables; exit with 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memory-only", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory_only:
        memory_in_this_process()
        return 0
    specs = ("greedy", "regcb:c0=1e-3", "bag:n_policies=4", "cover:n_policies=4,nu")
    missed = threads_table(specs)
    os.sched_setaffinity(0, {0})
    print()
    missed += [*events_table(specs), *slopes_table(specs), *memory_table()]
    for bar in missed:
        print(f"missed: {bar}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
