"""A bootstrap with draws of its own for each action, beside Bag.

    python -m benchmarks.per_action_bootstrap --data DIR --largest 2000

A copy of the package gets the explorer in benchmarks/candidates and plays it beside Bag,
with as many policies, on the multiclass datasets of DIR. The table is for
docs/reference/beyond-the-paper.md.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from bakeoff import grid, simulate
from bakeoff.reading.catalog import read
from bakeoff.reading.options import Options
from bakeoff.reproduction import datasets_of

ROOT = Path(__file__).resolve().parents[1]
ENCODINGS = ("-1/0", "0/1")
SIZES = (4, 16)


def measure(data: str, largest: int) -> None:
    """Print mean losses and who is better where."""
    runs = {
        (encoding, size, name): grid([f"{name}:n_policies={size}"], encodings=[encoding])
        for encoding in ENCODINGS
        for size in SIZES
        for name in ("bag", "bootstrap")
    }
    found: dict[tuple[str, int, str], list[list[float]]] = {key: [] for key in runs}
    n = []
    for one in datasets_of(data):
        if one.task != "multiclass" or one.n > largest:
            continue
        problem = read(one.source, Options())
        n.append(problem.n)
        for key, some in runs.items():
            found[key].append([result.pv_loss for result in simulate(problem, some, shuffle=1)])
    print(f"{len(n)} datasets\n")
    print("| encoding | policies | Bag | per action | lower / higher by .01 | one rate |")
    print("|---|---|---|---|---|---|")
    for encoding in ENCODINGS:
        for size in SIZES:
            bag, own = (np.array(found[encoding, size, name]) for name in ("bag", "bootstrap"))
            a, b = bag.min(axis=1), own.min(axis=1)
            one_rate = f"{bag.mean(axis=0).min():.4f}, {own.mean(axis=0).min():.4f}"
            print(
                f"| {encoding} | {size} | {a.mean():.4f} | {b.mean():.4f} "
                f"| {(b < a - 0.01).sum()} / {(b > a + 0.01).sum()} | {one_rate} |"
            )


def main() -> None:
    """Make the copy, and measure in it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    data, add = os.environ.get("BAKEOFF_DATA"), parser.add_argument
    add("--data", default=data, required=not data, help="a folder of datasets")
    add("--largest", type=int, default=2000, metavar="N", help="examples of a dataset")
    add("--in-copy", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.in_copy:
        measure(options.data, options.largest)
        return
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "src"
        shutil.copytree(ROOT / "src", copy)
        candidate = ROOT / "benchmarks" / "candidates" / "bootstrap.py"
        shutil.copy(candidate, copy / "bakeoff" / "core" / "explorers" / "bootstrap.py")
        path = os.pathsep.join([str(copy), str(ROOT)])
        command = [
            sys.executable, "-m", "benchmarks.per_action_bootstrap", "--in-copy",
            "--data", str(Path(options.data).resolve()), "--largest", str(options.largest),
        ]  # fmt: skip
        subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, check=True)


if __name__ == "__main__":
    main()
