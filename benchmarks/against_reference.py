"""Our losses against those of the paper's own program, on a corpus that has both.

    python benchmarks/against_reference.py --data DIR

DIR (or $BAKEOFF_DATA) holds manifest.csv, the datasets it lists, and in reference/ the
losses of the program that the paper ran. Both sides take the best of nine learning
rates; who wins on a dataset is decided as in the paper's scripts (deviation 13). The
tables are Markdown, for docs/quality.md.
"""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from scipy.special import erfinv
from sklearn.datasets import load_svmlight_file

from bakeoff import Problem, Run, simulate
from bakeoff.reductions import dr

RATES = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
ROW_ORDER = 20181  # the seed of the permutation in which the reference read all rows
SIGNIFICANT = float(erfinv(0.95))
MEAN_AT_MOST = {"C-u": 0.018, "B": 0.018, "B-g": 0.018}  # why: docs/quality.md
ORDER = ["OAA", "G", "R", "RO", "C-nu", "C-u", "B", "B-g", "eG", "A"]

Specs = Sequence[tuple[str, str | None]]
SAME: Specs = (
    ("greedy", "iwr"),
    ("regcb:c0=1e-3", None),
    ("regcb:c0=1e-3,optimistic", None),
    ("epsilon-greedy:epsilon=0.02", "iwr"),
    ("active:epsilon=0.02,c0=1e-6", "iwr"),
)
NINE: dict[int, Specs] = {  # offset of the encoding: the paper's fixed choices for it
    -1: (
        *SAME,
        ("cover:n_policies=4,psi=0.1,nu", "dr"),
        ("cover:n_policies=4,psi=0.1", "ips"),
        ("bag:n_policies=4", "iwr"),
        ("bag:n_policies=4,greedy", "iwr"),
    ),
    0: (
        *SAME,
        ("cover:n_policies=4,psi=0.01,nu", "dr"),
        ("cover:n_policies=4,psi=0.1", "dr"),
        ("bag:n_policies=16", "iwr"),
        ("bag:n_policies=8,greedy", "iwr"),
    ),
}
SAME_DR: Specs = (
    ("cover:n_policies=4,psi=0.1", "dr"),
    ("epsilon-greedy:epsilon=0.02", "dr"),
    ("bag:n_policies=4", "dr"),
)
WITH_DR: dict[int, Specs] = {
    -1: (*SAME_DR, ("cover:n_policies=4,psi=0.1,nu", "dr")),
    0: (*SAME_DR, ("cover:n_policies=4,psi=0.01,nu", "dr")),
}


def runs_of(specs: dict[int, Specs], n_seeds: int) -> list[Run]:
    """Every configuration with every learning rate and seed."""
    return [
        Run(spec, reduction, rate, offset, seed=seed)
        for offset, chosen in specs.items()
        for spec, reduction in chosen
        for rate in RATES
        for seed in range(1, n_seeds + 1)
    ]


def read_reference(folder: Path) -> pl.DataFrame:
    """The losses of the paper's program; a dataset's key is its OpenML id or name."""
    single = pl.read_csv(folder / "reference" / "paper-program.csv")
    multi = pl.read_csv(folder / "reference" / "paper-program-multilabel.csv")
    keyed = single.rename({"openml_id": "dataset"}).cast({"dataset": pl.String})
    return pl.concat([keyed, multi.rename({"name": "dataset"})])


def read_manifest(folder: Path, largest: int | None) -> pl.DataFrame:
    """The datasets that have reference losses, the longest to run first."""
    key = pl.coalesce(pl.col("openml_id").cast(pl.String), "name").alias("dataset")
    rows = pl.read_csv(folder / "manifest.csv").with_columns(key)
    rows = rows.join(read_reference(folder), on="dataset", how="semi")
    if largest is not None:
        rows = rows.filter(pl.col("n") <= largest)
    work = pl.col("n") * pl.col("d") * pl.col("K")
    return rows.sort(work, "dataset", descending=True)


def read_problem(folder: Path, row: dict[str, Any]) -> Problem:
    """A dataset as the reference read it: six decimals, in its order of rows."""
    path, n_actions = folder / row["file"], row["K"]
    if path.suffix == ".parquet":
        table = pl.read_parquet(path)
        X, y = table.drop("target").cast(pl.Float64).to_numpy(), table["target"]
        problem = Problem.from_classes(np.round(X, 6), y, n_actions, name=row["name"])
    else:
        multilabel = row["task"] == "multilabel"
        X, y = load_svmlight_file(path, zero_based=False, multilabel=multilabel)
        X.data = np.round(X.data, 6)
        if multilabel:
            labels = [[int(label) for label in labels] for labels in y]
            problem = Problem.from_labels(X, labels, name=row["name"])
        else:
            problem = Problem.from_classes(X, y, n_actions, name=row["name"])
    if (problem.n, problem.n_actions) != (row["n"], n_actions):
        raise SystemExit(f"{path}: not as the manifest says, but {problem}")
    return problem.shuffled(ROW_ORDER)


def run_dataset(folder: Path, row: dict[str, Any], runs: list[Run]) -> pl.DataFrame:
    """One line per run."""
    results = simulate(read_problem(folder, row), runs)
    for result in results:
        if result.error:
            print(f"{row['name']}, {result.run}: {result.error}", file=sys.stderr)
    return pl.DataFrame(
        {
            "dataset": row["dataset"],
            "n": row["n"],
            "algorithm": [result.run.label for result in results],
            "encoding": [
                "-" if result.run.label == "OAA" else result.run.encoding
                for result in results
            ],
            "seed": [result.run.seed for result in results],
            "learning_rate": [result.run.learning_rate for result in results],
            "pv_loss": [None if r.error else round(r.pv_loss, 6) for r in results],
        }
    )


def measure(folder: Path, manifest: pl.DataFrame, runs: list[Run]) -> pl.DataFrame:
    """All runs on all datasets, several datasets at a time."""
    began, tables = time.perf_counter(), []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = [
            pool.submit(run_dataset, folder, row, runs)
            for row in manifest.iter_rows(named=True)
        ]
        for done, future in enumerate(as_completed(waiting), start=1):
            tables.append(future.result())
            seconds = time.perf_counter() - began
            print(f"{done}/{len(waiting)} datasets, {seconds:.0f} s", file=sys.stderr)
    return pl.concat(tables)


def measure_both_orders(
    folder: Path, manifest: pl.DataFrame, runs: list[Run]
) -> pl.DataFrame:
    """All runs with DR estimates from before the estimator's update, and after it."""
    usual, tables = dr.ESTIMATE_FIRST, []
    for first in (True, False):
        dr.ESTIMATE_FIRST = first
        table = measure(folder, manifest, runs)
        tables.append(table.with_columns(pl.lit(first).alias("estimate_first")))
    dr.ESTIMATE_FIRST = usual
    return pl.concat(tables)


def best(table: pl.DataFrame) -> pl.DataFrame:
    """The least loss over the learning rates."""
    keys = [name for name in table.columns if name not in ("learning_rate", "pv_loss")]
    return table.group_by(keys).agg(pl.col("pv_loss").min())


def outcomes(ours: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    """Significant wins and losses of ours, and mean differences, seed by seed."""
    shared = {"dataset", "algorithm", "encoding", "seed"} & set(theirs.columns)
    both = ours.join(theirs, on=sorted(shared), suffix="_theirs")
    p, q = pl.col("pv_loss"), pl.col("pv_loss_theirs")
    error = 1e-6 + ((p * (1 - p) + q * (1 - q)) / pl.col("n")).sqrt()
    return both.group_by("algorithm", "encoding", "seed").agg(
        pl.len().alias("datasets"),
        ((q - p) / error > SIGNIFICANT).sum().alias("wins"),
        ((p - q) / error > SIGNIFICANT).sum().alias("losses"),
        (p - q).mean().alias("difference"),
        p.mean().alias("ours"),
        q.mean().alias("theirs"),
    )


def verdict(cell: dict[str, Any]) -> str:
    """Whether a cell is as good as wanted, and by which rule."""
    if cell["algorithm"] in MEAN_AT_MOST:
        value, limit = cell["difference"], MEAN_AT_MOST[cell["algorithm"]]
        rule = f"mean {value:+.3f}, at most {limit:+.3f}"
    else:
        value = cell["losses"] - cell["wins"]
        limit = 2 * (cell["losses"] + cell["wins"]) ** 0.5
        rule = f"losses - wins {value}, at most {limit:.1f}"
    return f"{'pass' if value <= limit else '**fail**'}: {rule}"


def print_table(head: str, rows: list[list[str]]) -> None:
    """Print a Markdown table."""
    columns = head.split(", ")
    for row in (columns, ["---"] * len(columns), *rows):
        print("| " + " | ".join(row) + " |")
    print()


def print_outcomes(table: pl.DataFrame, judged: bool = False) -> None:
    """A row per encoding and algorithm: seed 1, and the range over the seeds."""
    head = "encoding, algorithm, datasets, wins, losses, PV, PV of other, difference"
    spreads = {"wins": "d", "losses": "d", "difference": "+.4f"}
    cells = table.sort("seed").partition_by("encoding", "algorithm")
    cells.sort(key=lambda c: (c["encoding"][0], ORDER.index(c["algorithm"][0])))
    rows = []
    for cell in cells:
        one = cell.row(0, named=True)
        row = [str(one[name]) for name in head.split(", ")[:5]]
        row += [
            f"{one['ours']:.4f}",
            f"{one['theirs']:.4f}",
            f"{one['difference']:+.4f}",
        ]
        row += [verdict(one)] * judged
        for name, form in spreads.items():
            values = cell[name].to_list()
            row.append(f"{min(values):{form}} to {max(values):{form}}")
        rows.append(row)
    over = ", ".join(f"{name} over seeds" for name in spreads)
    print_table(f"{head}, {'verdict, ' * judged}{over}", rows)


def print_skyline(ours: pl.DataFrame, paper: pl.DataFrame, rows: pl.DataFrame) -> None:
    """The supervised skyline: ours, the paper's program, the published losses."""
    published = rows.select(
        "dataset", pl.col("paper_oaa_pv_loss").alias("pv_loss")
    ).drop_nulls()
    program = paper.join(rows.select("dataset", "n"), on="dataset").with_columns(
        pl.lit(0).alias("seed")
    )
    pairs = {
        "ours against the paper's program": (ours, paper),
        "ours against the published": (ours, published),
        "the paper's program against the published": (program, published),
    }
    lines = []
    for title, (left, right) in pairs.items():
        cell = outcomes(left.filter(pl.col("encoding") == "-"), right).row(
            0, named=True
        )
        counts = [str(cell[name]) for name in ("datasets", "wins", "losses")]
        lines.append([title, *counts, f"{cell['difference']:+.4f}", verdict(cell)])
    print_table("skyline, datasets, wins, losses, difference, verdict", lines)


def print_orders(table: pl.DataFrame, paper: pl.DataFrame) -> None:
    """DR with estimates from before and after the update: each other, the paper's."""
    before, after = (
        table.filter(pl.col("estimate_first") == first).drop("estimate_first")
        for first in (True, False)
    )
    has_dr = (pl.col("algorithm") == "C-nu") | (
        (pl.col("algorithm") == "C-u") & (pl.col("encoding") == "0/1")
    )
    print("Estimates from before the update (wins, PV) against after (losses):\n")
    print_outcomes(outcomes(before, after))
    for name, side in (("before", before), ("after", after)):
        print(f"Estimates from {name} the update against the paper's program:\n")
        print_outcomes(outcomes(side, paper.filter(has_dr)))


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    data = os.environ.get("BAKEOFF_DATA")
    parser.add_argument(
        "--data", type=Path, default=data, required=data is None, help="the corpus"
    )
    parser.add_argument("--dr-order", action="store_true", help="compare D5's choices")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="1 to N")
    parser.add_argument("--small", type=int, metavar="N", help="only datasets n <= N")
    parser.add_argument("--out", type=Path, metavar="FILE", help="save all losses")
    parser.add_argument(
        "--from", type=Path, metavar="FILE", dest="saved", help="losses saved earlier"
    )
    return parser.parse_args()


def main() -> None:
    """Measure, or read what was measured, and print the tables."""
    options = arguments()
    manifest = read_manifest(options.data, options.small)
    paper = best(read_reference(options.data))
    if options.saved:
        table = pl.read_csv(options.saved, schema_overrides={"dataset": pl.String})
        table = table.join(manifest, on="dataset", how="semi")
    elif options.dr_order:
        runs = runs_of(WITH_DR, options.seeds)
        table = measure_both_orders(options.data, manifest, runs)
    else:
        skyline = [Run("supervised", learning_rate=rate) for rate in RATES]
        runs = skyline + runs_of(NINE, options.seeds)
        table = measure(options.data, manifest, runs)
    if options.out:
        table.write_csv(options.out)
    if options.dr_order:
        print_orders(best(table), paper)
    else:
        ours = best(table)
        print_outcomes(outcomes(ours.filter(pl.col("encoding") != "-"), paper), True)
        print_skyline(ours, paper, manifest)


if __name__ == "__main__":
    main()
