"""Start-up: import, a first simulation with a warm and with a cold kernel cache.

    python benchmarks/startup.py

Each is timed in new processes, from their start to their end; medians.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

NOTHING = "pass"
IMPORT = "import bakeoff"
FIRST = """
import numpy as np
from bakeoff import Problem, Run, simulate
X = np.random.default_rng(1).random((150, 4))
problem = Problem.from_classes(X, X.argmax(axis=1))
print(simulate(problem, [Run({spec!r})])[0].pv_loss)
"""


def seconds(program: str, cache: str | None = None, repeats: int = 5) -> float:
    """The median time of new processes that run `program`."""
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        command = [sys.executable, "-c", program]
        subprocess.run(command, check=True, capture_output=True, env=environment)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def main() -> int:
    """Print the times; exit with 1 if a bar is missed."""
    bare = seconds(NOTHING)
    importing = seconds(IMPORT) - bare
    print(f"import bakeoff: {importing:.2f} s (bar 0.6)")
    missed = importing > 0.6
    for spec in ("greedy", "cover:nu"):
        program = FIRST.format(spec=spec)
        with tempfile.TemporaryDirectory() as cache:
            cold = seconds(program, cache, repeats=1)
            warm = seconds(program, cache)
        print(f"first simulate, {spec}: cold {cold:.1f} s, warm {warm:.2f} s (bar 2)")
        missed = missed or warm > 2
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
