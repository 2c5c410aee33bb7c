"""A store that feeds every table and figure of the report, from real datasets.

    python benchmarks/every_view.py --data DIR [--out store] [--largest 2000]

The paper's whole grid in its three encodings, with and without a baseline, on all
datasets of the folder with at most so many examples; ten orders of those with
real-valued costs, to which the embedded ones are added. The heaviest (nonzeros times
actions) get the fixed choices only. `bakeoff report --all` reads it.
"""

import argparse
import time
from pathlib import Path
from typing import NamedTuple

from bakeoff.basics.errors import DataNotice
from bakeoff.experiment.experiment import Experiment
from bakeoff.reading.catalog.source import Source
from bakeoff.reading.catalog.sources import find_all, read
from bakeoff.reading.options import Options
from bakeoff.runs.encodings import ENCODINGS
from bakeoff.runs.grids import grid


class Chosen(NamedTuple):
    """Sources by what is done with them."""

    real: list[Source]  # real-valued costs
    light: list[Source]
    heavy: list[Source]


def chosen(folder: Path, largest: int, heaviest: float) -> Chosen:
    """The datasets of a folder, and the embedded ones with real-valued costs."""
    found = Chosen([], [], [])
    for source in [*find_all([str(folder)]), *find_all(["embedded"])]:
        problem = read(source, Options())
        if problem.n > largest:
            continue
        if problem.task in ("cost-sensitive", "ranking"):
            found.real.append(source)
        elif source.origin.startswith("embedded"):
            continue
        elif problem.nonzeros * problem.n_actions > heaviest:
            found.heavy.append(source)
        else:
            found.light.append(source)
    return found


def main() -> None:
    """Make the store."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=Path("store"))
    parser.add_argument("--largest", type=int, default=2000)
    parser.add_argument("--heaviest", type=float, default=6e5)
    options = parser.parse_args()
    start = time.perf_counter()
    found = chosen(options.data, options.largest, options.heaviest)
    for sources, grids, shuffles in (
        (found.light, ["paper", "fixed"], None),
        (found.heavy, ["fixed"], None),
        (found.real, ["paper", "fixed"], 10),
    ):
        if not sources:
            continue
        runs = grid(grids, encodings=list(ENCODINGS), baseline="both")
        summary = Experiment(sources, runs, shuffles=shuffles).run(options.out)
        minutes = (time.perf_counter() - start) / 60
        print(f"{len(sources)} datasets: {summary.n_runs:,} runs, {summary.n_errors:,} "
              f"of them ended in an error, after {minutes:.1f} minutes")  # fmt: skip


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore", DataNotice)
    main()
