"""Our losses against those of the paper's own program, on a corpus that has both.

    python benchmarks/against_reference.py --data DIR

DIR (or $BAKEOFF_DATA) holds manifest.csv, the datasets it lists, and in reference/ the
losses of the program that the paper ran. Both sides take the best of nine learning
rates; a dataset is won as in the paper's scripts (deviation 13). Every dataset has
draws of its own, as in an experiment. The tables are Markdown, for docs/evidence/quality.md.
"""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from sklearn.datasets import load_svmlight_file

from bakeoff import Problem, Result, Run, simulate
from bakeoff.judging.statistics.significance import SIGNIFICANT
from bakeoff.runs.grids import RATES

ROW_ORDER = 20181  # the seed of the permutation in which the reference read all rows
MARGIN = 0.01  # of mean losses; why: docs/evidence/quality.md
ORDER = ["OAA", "G", "R", "RO", "C-nu", "C-u", "B", "B-g", "eG", "A"]

Choices = dict[int, tuple[str, ...]]  # offset of the encoding: the runs for it
SAME = (
    "greedy", "regcb:c0=1e-3", "regcb:c0=1e-3,optimistic",
    "epsilon-greedy:epsilon=0.02", "active:epsilon=0.02,c0=1e-6",
)  # fmt: skip
NINE: Choices = {
    -1: (
        *SAME, "cover:n_policies=4,psi=0.1,nu", "cover:n_policies=4,psi=0.1",
        "bag:n_policies=4", "bag:n_policies=4,greedy",
    ),
    0: (
        *SAME, "cover:n_policies=4,psi=0.01,nu",
        "cover:n_policies=4,psi=0.1 reduction=dr",
        "bag:n_policies=16", "bag:n_policies=8,greedy",
    ),
}  # fmt: skip


def runs_of(choices: Choices, n_seeds: int) -> list[Run]:
    """Every choice with every learning rate and seed."""
    return [
        replace(Run.from_text(text), learning_rate=rate, offset=offset, seed=seed)
        for offset, texts in choices.items()
        for text in texts
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
    """A dataset as the reference read it, with six decimals."""
    path, n_actions = folder / row["file"], row["K"]
    if path.suffix == ".parquet":
        table = pl.read_parquet(path)
        X, y = table.drop("target").cast(pl.Float64).to_numpy(), table["target"]
        problem = Problem.from_classes(np.round(X, 6), y, n_actions)
    elif row["task"] == "multilabel":
        X, y = load_svmlight_file(path, zero_based=False, multilabel=True)
        X.data = np.round(X.data, 6)
        problem = Problem.from_labels(X, [[int(k) for k in labels] for labels in y])
    else:
        X, y = load_svmlight_file(path, zero_based=False)
        X.data = np.round(X.data, 6)
        problem = Problem.from_classes(X, y, n_actions)
    if (problem.n, problem.n_actions) != (row["n"], n_actions):
        raise SystemExit(f"{path}: the manifest says otherwise: {problem}")
    return problem


def run_dataset(
    folder: Path, row: dict[str, Any], runs: list[Run], reorder: bool = False
) -> pl.DataFrame:
    """One line per run; a run that failed has no loss.

    With `reorder`, every seed after the first has an order of rows of its own.
    """
    problem = read_problem(folder, row)
    results: list[Result] = []
    for seed in sorted({run.seed for run in runs}):
        order = ROW_ORDER + (seed - 1 if reorder else 0)
        played = [run.for_job(problem.digest, order) for run in runs if run.seed == seed]
        results += simulate(problem.shuffled(order), played)
    runs = sorted(runs, key=lambda run: run.seed)
    for result in results:
        if result.error:
            print(f"{row['name']}, {result.run}: {result.error}", file=sys.stderr)
    losses = [None if result.error else result.pv_loss for result in results]
    return pl.DataFrame(
        {
            "dataset": row["dataset"],
            "n": row["n"],
            "algorithm": [run.label for run in runs],
            "encoding": ["-" if run.label == "OAA" else run.encoding for run in runs],
            "seed": [run.seed for run in runs],
            "learning_rate": [run.learning_rate for run in runs],
            "pv_loss": pl.Series(losses, dtype=pl.Float64).round(6),
        }
    )


def measure(
    folder: Path, manifest: pl.DataFrame, runs: list[Run], reorder: bool = False
) -> pl.DataFrame:
    """All runs on all datasets, several datasets at a time."""
    began, tables = time.perf_counter(), []
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        rows = manifest.iter_rows(named=True)
        waiting = [pool.submit(run_dataset, folder, row, runs, reorder) for row in rows]
        for done, future in enumerate(as_completed(waiting), start=1):
            tables.append(future.result())
            seconds = time.perf_counter() - began
            print(f"{done}/{len(waiting)} datasets, {seconds:.0f} s", file=sys.stderr)
    return pl.concat(tables)


def best(table: pl.DataFrame) -> pl.DataFrame:
    """The least loss over the learning rates."""
    keys = [name for name in table.columns if name not in ("learning_rate", "pv_loss")]
    return table.group_by(keys).agg(pl.col("pv_loss").min())


def outcomes(ours: pl.DataFrame, theirs: pl.DataFrame) -> pl.DataFrame:
    """Significant wins and losses of ours, and mean losses, seed by seed."""
    shared = {"dataset", "algorithm", "encoding", "seed"} & set(theirs.columns)
    both = ours.join(theirs, on=sorted(shared), suffix="_theirs")
    p, q = pl.col("pv_loss"), pl.col("pv_loss_theirs")
    error = 1e-6 + ((p * (1 - p) + q * (1 - q)) / pl.col("n")).sqrt()
    return both.group_by("algorithm", "encoding", "seed").agg(
        pl.len().alias("datasets"),
        ((q - p) / error > SIGNIFICANT).sum().alias("wins"),
        ((p - q) / error > SIGNIFICANT).sum().alias("losses"),
        p.mean().alias("ours"),
        q.mean().alias("theirs"),
        (p - q).mean().alias("difference"),
        ((p - q).std() / pl.len().sqrt()).alias("error"),
    )


def verdict(cell: dict[str, Any]) -> str:
    """Whether ours is worse by no more than the margin, and what single datasets say."""
    reach = 1.96 * (cell["error"] or 0.0)
    low, high = cell["difference"] - reach, cell["difference"] + reach
    verdict = "not inferior" if high <= MARGIN else "undecided"
    if low > MARGIN:
        verdict = "**inferior**"
    if cell["losses"] - cell["wins"] > 2 * (cell["losses"] + cell["wins"]) ** 0.5:
        verdict += ", **loses clearly more datasets**"
    return f"{verdict}: {low:+.4f} to {high:+.4f}"


def print_table(title: str, head: str, rows: list[list[str]]) -> None:
    """Print a table in Markdown."""
    columns = head.split(", ")
    print(f"{title}\n")
    for row in (columns, ["---"] * len(columns), *rows):
        print("| " + " | ".join(row) + " |")
    print()


def print_outcomes(title: str, table: pl.DataFrame, judged: bool = False) -> None:
    """A row per encoding and algorithm: seed 1, then the range over the seeds."""
    cells = table.sort("seed").partition_by("encoding", "algorithm")
    cells.sort(key=lambda c: (c["encoding"][0], ORDER.index(c["algorithm"][0])))
    rows = []
    for cell in cells:
        one = cell.row(0, named=True)
        names = ("encoding", "algorithm", "datasets", "wins", "losses")
        row = [str(one[name]) for name in names]
        row += [f"{one['ours']:.4f}", f"{one['theirs']:.4f}"]
        row += [f"{one['difference']:+.4f}"]
        if judged:
            verdicts = [verdict(line) for line in cell.iter_rows(named=True)]
            n_passes = sum(text.startswith("not inferior:") for text in verdicts)
            row += [verdicts[0], f"{n_passes} of {len(verdicts)}"]
        row.append(", ".join(f"{w}/{x}" for w, x in cell.select("wins", "losses").rows()))
        values = cell["difference"].to_list()
        row.append(f"{min(values):+.4f} to {max(values):+.4f}")
        rows.append(row)
    head = "encoding, algorithm, datasets, wins, losses, mean PV, of the other, difference"
    verdicts_head = ", verdict (95 % interval), seeds not inferior" if judged else ""
    end = "wins/losses of each seed, difference over seeds"
    print_table(title, f"{head}{verdicts_head}, {end}", rows)


def print_skyline(ours: pl.DataFrame, paper: pl.DataFrame, rows: pl.DataFrame) -> None:
    """The supervised skyline: ours, the paper's program, the published losses."""
    published = rows.select("dataset", pl.col("paper_oaa_pv_loss").alias("pv_loss"))
    published = published.drop_nulls()
    sizes = rows.select("dataset", "n", pl.lit(0).alias("seed"))
    program = paper.join(sizes, on="dataset")
    skyline, lines = pl.col("encoding") == "-", []
    for title, left, right in (
        ("ours against the paper's program", ours, paper),
        ("ours against the published losses", ours, published),
        ("the paper's program against the published losses", program, published),
    ):
        cell = outcomes(left.filter(skyline), right).row(0, named=True)
        counts = [str(cell[name]) for name in ("datasets", "wins", "losses")]
        lines.append([title, *counts, f"{cell['difference']:+.4f}", verdict(cell)])
    head = "who, datasets, wins, losses, mean difference, verdict"
    print_table("The supervised skyline:", head, lines)


def print_digits(ours: pl.DataFrame, paper: pl.DataFrame, rows: pl.DataFrame) -> None:
    """Cover-NU with -1/0 on two datasets that DR's clipping matters for, by seed."""
    where = (pl.col("algorithm") == "C-nu") & (pl.col("encoding") == "-1/0")
    lines, n_seeds = [], 0
    for name, key in rows.select("name", "dataset").rows():
        if name in ("optdigits", "pendigits"):
            found = ours.filter(where & (pl.col("dataset") == key)).sort("seed")
            theirs = paper.filter(where & (pl.col("dataset") == key))["pv_loss"]
            losses = [*found["pv_loss"], *theirs]
            lines.append([f"{name} ({key})", *(f"{loss:.3f}" for loss in losses)])
            n_seeds = found.height
    if lines:
        seeds = ", ".join(f"seed {s}" for s in range(1, n_seeds + 1))
        title = "Cover-NU with -1/0 on digits:"
        print_table(title, f"dataset, {seeds}, the paper's program", lines)


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    data, add = os.environ.get("BAKEOFF_DATA"), parser.add_argument
    add("--data", type=Path, default=data, required=not data, help="the corpus")
    add("--seeds", type=int, default=5, metavar="N", help="seeds 1 to N (default 5)")
    add("--small", type=int, metavar="N", help="only datasets of at most N rows")
    add("--out", type=Path, metavar="FILE", help="save the losses of all runs")
    add("--from", type=Path, metavar="FILE", dest="saved", help="use saved losses")
    return parser.parse_args()


def main() -> None:
    """Measure, or read what was measured, and print the tables."""
    options = arguments()
    manifest = read_manifest(options.data, options.small)
    if options.saved:
        table = pl.read_csv(options.saved, schema_overrides={"dataset": pl.String})
        table = table.join(manifest, on="dataset", how="semi")
    else:
        skyline = [Run("supervised", learning_rate=rate) for rate in RATES]
        runs = skyline + runs_of(NINE, options.seeds)
        table = measure(options.data, manifest, runs)
    if options.out:
        table.write_csv(options.out)
    ours, paper = best(table), best(read_reference(options.data))
    bandits = ours.filter(pl.col("encoding") != "-")
    title = "Ours against the paper's program:"
    print_outcomes(title, outcomes(bandits, paper), judged=True)
    print_skyline(ours, paper, manifest)
    print_digits(ours, paper, manifest)


if __name__ == "__main__":
    main()
