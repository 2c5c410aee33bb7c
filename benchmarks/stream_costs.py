"""Stream costs: what conditions and safeguards cost in time, beside a plain pass.

    python -m benchmarks.stream_costs

Passes of 27 runs (nine learning rates, three encodings) on digits take turns, so that what else
the machine does hits all alike. The table in docs/evidence/streams.md is written anew.
"""

import argparse
import gc
import time
from pathlib import Path

import numpy as np

from bakeoff import Problem, Run, grid, load, simulate
from benchmarks.streams import ROOT, table

ALGORITHMS = {"G": "greedy", "RO": "regcb:c0=1e-3,optimistic", "C-nu": "cover:n_policies=4,nu"}
CONDITIONS = ("delay(100)", "delay(exponential, mean=100)", "delay(batch, every=200)",
              "drift(after=0.5)", "noise(0.1)", "lost(0.5)")  # fmt: skip
SAFEGUARDS = ("explore=0.05", "restart=10", "forget=100", "forget=1000", "forget=1000,restart=10")
ENCODINGS = ("0/1", "-1/0", "9/10")
BAR = 0.15
BEGIN, END = "<!-- costs: python -m benchmarks.stream_costs -->", "<!-- end of the costs -->"


def runs(spec: str) -> list[Run]:
    """Nine rates in three encodings."""
    return grid(spec, encodings=ENCODINGS)


def seconds(problem: Problem, several: list[Run]) -> float:
    """How long a pass takes."""
    began = time.perf_counter()
    simulate(problem, several)
    return time.perf_counter() - began


def measured(spec: str, rounds: int) -> dict[str, float]:
    """The time of each condition and safeguard, as a share of that of a plain pass."""
    plain = load("embedded:digits").shuffled(1)
    passes = {"": (plain, runs(spec))}
    passes |= {stream: (plain.with_conditions(stream), runs(spec)) for stream in CONDITIONS}
    mark = "," if ":" in spec else ":"
    passes |= {safe: (plain, runs(f"{spec}{mark}{safe}")) for safe in SAFEGUARDS}
    taken: dict[str, list[float]] = {name: [] for name in passes}
    for name, (problem, several) in passes.items():
        seconds(problem, several[:1])  # compiles
        assert len(several) == 27, name
    gc.disable()
    for _ in range(rounds):
        for name, one in passes.items():
            taken[name].append(seconds(*one))
    gc.enable()
    before = np.array(taken.pop(""))
    return {name: float(np.median(np.array(one) / before)) for name, one in taken.items()}


def document(rounds: int) -> str:
    """The table, and whether delay and drift keep the bar."""
    found = {label: measured(spec, rounds) for label, spec in ALGORITHMS.items()}
    rows = [
        [f"`{name}`", *(f"{one[name] - 1:+.0%}" for one in found.values())]
        for name in (*CONDITIONS, *SAFEGUARDS)
    ]
    worst = max(one[name] - 1 for one in found.values() for name in CONDITIONS)
    return "\n\n".join(
        [
            BEGIN,
            f"Time of a pass of 27 runs on digits (1,797 rows, 64 features, 10 actions) beside one "
            f"without condition or safeguard; medians of {rounds} passes that took turns:",
            table(["", *found], rows),
            f"The dearest condition costs {worst:.0%}; the bar is {BAR:.0%}.",
            END,
        ]
    )


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="benchmarks.stream_costs")
    add = parser.add_argument
    add("--rounds", type=int, default=15, help="passes of each (15)")
    add("--document", type=Path, default=ROOT / "docs" / "evidence" / "streams.md")
    options = parser.parse_args()
    made = document(options.rounds)
    print(made)
    text = options.document.read_text()
    before, after = text.partition(BEGIN)[0], text.partition(END)[2]
    options.document.write_text(before + made + after)


if __name__ == "__main__":
    main()
