"""A corpus read and compared: sizes, the same data in two formats, published losses.

    python benchmarks/corpus.py --data DIR

DIR (or $BAKEOFF_DATA) holds manifest.csv; beside the columns that `bakeoff` reads, it
may have n, d and K (what reading must find), arff and arff_target (the same dataset
as ARFF) and paper_oaa_pv_loss (the paper's supervised loss). The skyline is the best of
nine learning rates, over several shuffles. The tables are Markdown, for docs/evidence/corpus.md.
"""

import argparse
import csv
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import bakeoff
from bakeoff import Problem, Run, simulate
from bakeoff.judging.statistics.significance import SIGNIFICANT
from bakeoff.reading.catalog.sources import find, read
from bakeoff.reading.options import Options
from bakeoff.runs.grids import RATES


class Entry(NamedTuple):
    """A dataset of the corpus: its row of the manifest, and the problem read."""

    row: dict[str, str]
    problem: Problem


def read_corpus(folder: Path) -> list[Entry]:
    """Every dataset of the manifest."""
    with (folder / "manifest.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    sources = find(folder).sources
    return [Entry(row, read(source, Options())) for row, source in zip(rows, sources, strict=True)]


def wrong_sizes(entries: list[Entry]) -> list[str]:
    """The datasets whose sizes are not those of the manifest."""
    wrong = []
    for row, problem in entries:
        found = (problem.n, problem.n_features, problem.n_actions)
        expected = tuple(int(row[key]) for key in ("n", "d", "K"))
        if found != expected:
            wrong.append(f"{problem.name}: found {found}, the manifest says {expected}")
    return wrong


def different_twins(entries: list[Entry], folder: Path) -> tuple[int, list[str]]:
    """How many datasets are there as ARFF too, and those that differ."""
    wrong, n_twins = [], 0
    for row, problem in entries:
        if row.get("arff"):
            n_twins += 1
            twin = bakeoff.load(folder / row["arff"], target=row["arff_target"])
            if isinstance(twin, list) or twin.digest != problem.digest:
                wrong.append(f"{problem.name}: {twin} as ARFF, {problem} otherwise")
    return n_twins, wrong


def skyline(problem: Problem, n_shuffles: int) -> list[float]:
    """The best supervised loss of nine rates, for each shuffle; 0 is file order."""
    runs = [Run("supervised", learning_rate=rate) for rate in RATES]
    losses = []
    for seed in range(n_shuffles):
        results = simulate(problem.shuffled(seed) if seed else problem, runs)
        losses.append(min(result.pv_loss for result in results))
    return losses


class Comparison(NamedTuple):
    """A published loss next to ours."""

    name: str
    n: int
    published: float
    ours: list[float]  # file order first, then shuffles 1, 2, ...

    @property
    def errors(self) -> float:
        """Ours (mean over shuffles) minus published, in standard errors of one run."""
        p, q = float(np.mean(self.ours[1:])), self.published
        error = 1e-6 + ((p * (1 - p) + q * (1 - q)) / self.n) ** 0.5
        return (p - q) / error


def compare(entries: list[Entry], n_shuffles: int) -> list[Comparison]:
    """The skyline on every dataset that has a published loss; the longest first."""
    known = [entry for entry in entries if entry.row.get("paper_oaa_pv_loss")]
    known.sort(key=lambda entry: -entry.problem.nonzeros * entry.problem.n_actions)

    def one(entry: Entry) -> Comparison:
        published = float(entry.row["paper_oaa_pv_loss"])
        ours = skyline(entry.problem, n_shuffles + 1)
        return Comparison(entry.problem.name, entry.problem.n, published, ours)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, known))


def print_comparisons(comparisons: list[Comparison]) -> None:
    """Those that differ significantly, and what all of them have in common."""
    far = [c for c in comparisons if abs(c.errors) > SIGNIFICANT]
    print("| dataset | n | published | ours, mean | lowest | highest | file order |"
          " standard errors |\n|" + "---|" * 8)  # fmt: skip
    for c in sorted(far, key=lambda c: c.errors):
        shuffled = c.ours[1:]
        figures = (c.published, np.mean(shuffled), min(shuffled), max(shuffled))
        cells = [f"{x:.4f}" for x in (*figures, c.ours[0])]
        print(f"| {c.name} | {c.n} | {' | '.join(cells)} | {c.errors:+.1f} |")
    differences = [float(np.mean(c.ours[1:])) - c.published for c in comparisons]
    print(
        f"\n{len(comparisons)} datasets with a published loss; {len(far)} differ by "
        f"more than {SIGNIFICANT:.3f} standard errors; mean difference "
        f"{np.mean(differences):+.5f}, median {np.median(differences):+.5f}\n\n"
        f"<details><summary>All {len(comparisons)} losses</summary>\n\n"
        "| name | rows | the paper | ours |\n|---|---|---|---|"
    )
    for c in sorted(comparisons, key=lambda c: c.name.casefold()):
        print(f"| {c.name} | {c.n:,} | {c.published:.4f} | {np.mean(c.ours[1:]):.4f} |")
    print("\n</details>")


def main() -> int:
    """Print what was found; 1 if a dataset is not what the manifest says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    data: Any = os.environ.get("BAKEOFF_DATA")
    parser.add_argument("--data", type=Path, default=data, required=not data)
    parser.add_argument("--shuffles", type=int, default=5, metavar="N")
    options = parser.parse_args()
    folder = Path(options.data)
    began = time.perf_counter()
    entries = read_corpus(folder)
    seconds = time.perf_counter() - began
    wrong = wrong_sizes(entries)
    n_twins, different = different_twins(entries, folder)
    print(
        f"{len(entries)} datasets read in {seconds:.1f} s; {len(wrong)} have other "
        f"sizes than the manifest says\n{n_twins} of them are there as ARFF too; "
        f"{len(different)} differ\n"
    )
    for line in (*wrong, *different):
        print(line, file=sys.stderr)
    if options.shuffles:
        print_comparisons(compare(entries, options.shuffles))
    return int(bool(wrong or different))


if __name__ == "__main__":
    sys.exit(main())
