"""What a decision buys: the package without it against the package with it.

    python -m benchmarks.ablation --data DIR "D5 DR estimates before" "D15"

DIR (or $BAKEOFF_DATA) is a corpus as in against_reference.py. A decision is left out by
a mutation of scripts/mutations, named by how its name begins. The algorithms are those
with DR, at the paper's fixed hyperparameters; wins are those of the package *without*
the decision. The tables are Markdown, for docs/evidence/quality.md.
"""

import argparse
import os
import runpy
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import polars as pl

from benchmarks.against_reference import (
    Choices,
    best,
    measure,
    outcomes,
    print_outcomes,
    read_manifest,
    runs_of,
)

ROOT = Path(__file__).resolve().parents[1]
SAME = (
    "cover:n_policies=4,psi=0.1 reduction=dr",
    "bag:n_policies=4 reduction=dr",
    "epsilon-greedy:epsilon=0.02 reduction=dr",
)
WITH_DR: Choices = {
    -1: (*SAME, "cover:n_policies=4,psi=0.1,nu"),
    0: (*SAME, "cover:n_policies=4,psi=0.01,nu"),
}


def losses_in(folder: Path, options: argparse.Namespace) -> pl.DataFrame:
    """The best losses of the package in a folder, measured by a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "losses.csv"
        command = [
            sys.executable, "-m", "benchmarks.ablation", "--data", options.data,
            "--seeds", str(options.seeds), "--only-measure", out,
        ]  # fmt: skip
        if options.small is not None:
            command += ["--small", str(options.small)]
        path = os.pathsep.join([str(folder / "src"), str(ROOT)])
        environment = {**os.environ, "PYTHONPATH": path}
        subprocess.run(command, cwd=folder, env=environment, check=True)
        table = pl.read_csv(out, schema_overrides={"dataset": pl.String})
    return best(table)


def main() -> None:
    """Measure with and without each decision, and print who wins."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    data, add = os.environ.get("BAKEOFF_DATA"), parser.add_argument
    add("decisions", nargs="*", help="how the names of mutations begin")
    add("--data", type=Path, default=data, required=not data, help="the corpus")
    add("--seeds", type=int, default=5, metavar="N", help="seeds 1 to N (default 5)")
    add("--small", type=int, metavar="N", help="only datasets of at most N rows")
    add("--only-measure", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.data = options.data.resolve()
    if options.only_measure:
        manifest = read_manifest(options.data, options.small)
        table = measure(options.data, manifest, runs_of(WITH_DR, options.seeds))
        table.write_csv(options.only_measure)
        return
    scripts: dict[str, Any] = runpy.run_path(str(ROOT / "scripts" / "mutations"))
    chosen = [
        mutation
        for mutation in scripts["MUTATIONS"]
        if any(mutation.name.startswith(begin) for begin in options.decisions)
    ]
    usual = losses_in(ROOT, options)
    for mutation in chosen:
        scripts["check"](mutation)
        with tempfile.TemporaryDirectory(prefix="mutant-") as name:
            scripts["write_mutant"](mutation, Path(name))
            changed = losses_in(Path(name), options)
        print_outcomes(f"{mutation.name}, against as it is:", outcomes(changed, usual))


if __name__ == "__main__":
    main()
