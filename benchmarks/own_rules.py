"""What users' code costs: SquareCB built in, as a rule and as an explorer, compiled and plain.

    python -m benchmarks.own_rules

Nine runs on digits, side by side, in CPU time; the second of two columns is that of one round
of one run. Plain code has a dictionary of types, which numba cannot compile.
"""

import argparse
import math
import sys
import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from bakeoff import grid, load, simulate
from bakeoff.core.explorers import EXPLORERS

PLAIN = "    for lane in range"  # where the line goes that numba cannot compile


def compiled_rule(scores: Any, t: int, gamma: float = 100.0, exponent: float = 0.5) -> Any:
    """SquareCB."""
    g = gamma * math.pow(t - 1.0, exponent) if t > 1 else 0.0
    gap, K = scores - scores.min(), len(scores)
    p, rest = np.zeros(K), 1.0
    for k in range(K):
        if gap[k] > 0:
            p[k] = 1 / (K + g * gap[k])
            rest -= p[k]
    return np.where(gap == 0, rest / (gap == 0).sum(), p)


def plain_rule(scores: Any, t: int, gamma: float = 100.0, exponent: float = 0.5) -> Any:
    """The same, with a line that numba cannot compile."""
    kinds = {type(t): 0.0, "none": 1.0}
    g = gamma * math.pow(t - 1.0, exponent) if t > 1 else kinds[type(t)]
    gap, K = scores - scores.min(), len(scores)
    p, rest = np.zeros(K), 1.0
    for k in range(K):
        if gap[k] > 0:
            p[k] = 1 / (K + g * gap[k])
            rest -= p[k]
    return np.where(gap == 0, rest / (gap == 0).sum(), p)


def main() -> int:
    """Print the times, the factors, and what the notices say."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    problem = load("embedded:digits")
    file = Path(sys.modules[EXPLORERS["squarecb"].settings.__module__].__file__ or "")
    with tempfile.TemporaryDirectory() as folder:
        text = file.read_text()
        line = f"    kinds = {{type(1): 0, 'a': 1}}\n{PLAIN}"
        for name, code in (("compiled", text), ("plain", text.replace(PLAIN, line))):
            Path(folder, f"{name}.py").write_text(code)
        ways: dict[str, Any] = {
            "built in": "squarecb",
            "explorer, compiled": f"{folder}/compiled.py:squarecb",
            "rule, compiled": compiled_rule,
            "rule, plain": plain_rule,
            "explorer, plain": f"{folder}/plain.py:squarecb",
        }
        for name, spec in ways.items():
            with warnings.catch_warnings(record=True) as notes:
                warnings.simplefilter("always")
                taken = min(seconds_of(problem, grid(spec)) for _ in range(3))
            print(f"{name:20} {1e3 * taken:7.1f} ms {1e6 * taken / problem.n / 9:7.2f} us")
            for note in notes:
                print(f"    {note.message}")
    return 0


def seconds_of(problem: Any, runs: Any) -> float:
    """CPU seconds of these runs."""
    began = time.process_time()
    simulate(problem, runs)
    return time.process_time() - began


if __name__ == "__main__":
    sys.exit(main())
